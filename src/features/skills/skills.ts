import { ToolError } from '../../tools/contract/errors.ts';
import type { DocumentReading } from '../../tools/contract/note-readings.ts';
import type { NotesPort } from '../../tools/contract/ports.ts';
import { isSkillOn, type SkillSwitches } from '../../tools/contract/skill-switches.ts';
import type { ToolExecuteResult } from '../../tools/contract/types.ts';
import { asInstructions, INSTRUCTION_BLOCKS, ownText } from '../../tools/markdown/instructions.ts';
import { ownBlocks } from '../../tools/markdown/own-words.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { frameLine } from '../../tools/util/markers.ts';
import { firstLine } from './first-line.ts';
import type { SkillFile } from './skill-file.ts';

export interface SkillChoices {
  /** The document whose notes are skills; '' if none is chosen. */
  readonly note: string;
  readonly on: SkillSwitches;
  /** Of those that are on, the only ones that are offered. */
  readonly only?: readonly string[] | undefined;
}

/** Files in the `data` folder of the workspace. */
export interface SkillFiles {
  /** Names of the folders in one; none if it does not exist. */
  folders(path: string): Promise<readonly string[]>;
  read(path: string): Promise<string | null>;
}

export interface Skill {
  /** Of its document, or `file:` and the name of its folder. */
  readonly id: string;
  readonly name: string;
  /** When to use it, in one line. */
  readonly description: string;
  readonly isNote: boolean;
  readonly isOn: boolean;
}

interface SkillsDeps {
  readonly notes: Pick<NotesPort, 'documents' | 'document' | 'readings'>;
  readonly choices: () => SkillChoices;
  /** Absent where the workspace's files are out of reach. */
  readonly files?: SkillFiles | undefined;
}

/** Where SiYuan's own agent keeps its skills, and what is sent to it in every chat (docs/kernel.md#skills-of-siyuans-own-agent). */
const FOLDER = 'storage/ai/agent/skills';
const AGENTS_FILE = 'ai/AGENTS.md';
const AGENTS = 'AGENTS.md';
const FILE = 'file:';

const MAX_SKILLS = 30;
const DESCRIPTION = 160;

const oneLine = (text: string): string => frameLine(text.replaceAll(/\s+/gu, ' ').trim(), DESCRIPTION);

/** Skills of the user: notes below a chosen note, and the files of SiYuan's own agent that were switched on. */
export class Skills {
  /** Those that are on, as of the last `refresh`. */
  offered: readonly Skill[] = [];
  private readonly deps: SkillsDeps;

  constructor(deps: SkillsDeps) {
    this.deps = deps;
  }

  /** Rejects only on abort: a turn goes on without skills that cannot be listed now. */
  async refresh(signal: AbortSignal): Promise<void> {
    const { on, only } = this.deps.choices();
    // Nothing is asked of files that nobody switched on.
    const files = Object.entries(on).some(([id, isOn]) => isOn && id.startsWith(FILE));
    try {
      this.offered = (await this.list(signal, files)).filter(({ id, isOn }) => isOn && only?.includes(id) !== false);
    } catch (error) {
      if (signal.aborted) throw error;
      this.offered = [];
    }
  }

  /** All of them, for the settings. Rejects with ToolError. */
  async list(signal: AbortSignal, files = true): Promise<readonly Skill[]> {
    const [notes, ofFiles] = await Promise.all([this.ofNotes(signal), files ? this.ofFiles() : []]);
    return [...notes, ...ofFiles];
  }

  /** Its text, read now and under the rights of now. Rejects with ToolError. */
  async read(name: string, signal: AbortSignal): Promise<ToolExecuteResult> {
    const wanted = name.trim().toLowerCase();
    const found = this.offered.find((skill) => [skill.name.toLowerCase(), skill.id].includes(wanted));
    if (found === undefined) {
      const names = this.offered.map((skill) => skill.name).join(', ');
      throw new ToolError('not_found', `there is no skill "${preview(name, 60)}"`, `use one of: ${names || 'none is switched on'}`);
    }
    return found.isNote ? this.readNote(found, signal) : this.readFile(found);
  }

  private async ofNotes(signal: AbortSignal): Promise<readonly Skill[]> {
    const { note, on } = this.deps.choices();
    if (note === '') return [];
    const { documents } = await this.deps.notes.documents({ parent: note, depth: 1, page: 1, pageSize: MAX_SKILLS }, signal);
    const asked = documents.map(({ id }) => ({ address: { id }, range: { start: 0, blocks: 3 } }));
    const readings = await this.deps.notes.readings(asked, signal);
    return readings.flatMap((reading): readonly Skill[] => {
      if (reading instanceof ToolError) return [];
      const { id, title } = reading;
      return [{ id, name: oneLine(title), description: oneLine(describe(reading)), isNote: true, isOn: isSkillOn(on, id, true) }];
    });
  }

  private async ofFiles(): Promise<readonly Skill[]> {
    const { files, choices } = this.deps;
    if (files === undefined) return [];
    const folders = (await files.folders(FOLDER)).slice(0, MAX_SKILLS);
    const { on } = choices();
    const skills = await Promise.all(
      [...folders, AGENTS].map(async (folder): Promise<readonly Skill[]> => {
        const file = await this.fileOf(folder);
        if (file === null) return [];
        const id = `${FILE}${folder}`;
        // They were made for another agent, some by other plugins: the user switches each one on.
        return [{ id, name: oneLine(file.name), description: oneLine(file.description), isNote: false, isOn: isSkillOn(on, id, false) }];
      }),
    );
    return skills.flat();
  }

  private async fileOf(folder: string): Promise<SkillFile | null> {
    const path = folder === AGENTS ? AGENTS_FILE : `${FOLDER}/${folder}/SKILL.md`;
    const content = (await this.deps.files?.read(path)) ?? null;
    if (content === null || content.trim() === '') return null;
    const { readSkillFile } = await import('./skill-file.ts');
    return readSkillFile(content, folder);
  }

  private async readNote({ id, name }: Skill, signal: AbortSignal): Promise<ToolExecuteResult> {
    const reading = await this.deps.notes.document({ id }, { start: 0, blocks: INSTRUCTION_BLOCKS }, signal);
    const blockIds = reading.blocks.flatMap((block) => [block.id, ...(block.items ?? []).map((item) => item.id)]);
    return { ...framed(name, ownText(reading.blocks)), notebooks: [reading.notebook.id], blockIds: [reading.id, ...blockIds] };
  }

  private async readFile({ id, name }: Skill): Promise<ToolExecuteResult> {
    const file = await this.fileOf(id.slice(FILE.length));
    if (file === null) throw new ToolError('not_found', `the file of the skill "${name}" is gone`, 'go on without it');
    return { ...framed(name, file.text), isPrivate: true };
  }
}

function describe(reading: DocumentReading): string {
  const blocks = ownBlocks(reading.blocks);
  const first = blocks.find(({ type }) => type !== 'h') ?? blocks[0];
  return firstLine(first?.markdown ?? '');
}

const framed = (name: string, text: string): ToolExecuteResult => {
  return { status: 'success', data: asInstructions('skill', name, text), trusted: true };
};
