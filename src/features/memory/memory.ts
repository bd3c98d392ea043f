import { ToolError } from '../../tools/contract/errors.ts';
import type { DocumentAddress, DocumentReading } from '../../tools/contract/note-readings.ts';
import { isSeen } from '../../tools/contract/notebook-right.ts';
import type { ChangePlan } from '../../tools/contract/plans.ts';
import type { NotesPort } from '../../tools/contract/ports.ts';
import type { Tool, ToolArguments, ToolContext, ToolExecuteResult, ToolGroup } from '../../tools/contract/types.ts';
import { containsAlike } from '../../tools/equal-text/equal-text.ts';
import { applyApproved, NOTEBOOK_SCOPE } from '../../tools/groups/common/approved-write.ts';
import { MEMORY } from '../../tools/groups/common/beyond-notes.ts';
import { BLOCKS_AT_ONCE, blocksUpTo } from '../../tools/groups/common/blocks-up-to.ts';
import { hiddenLines } from '../../tools/groups/common/format-reading.ts';
import { defineNoteTool, neededText } from '../../tools/groups/common/note-tool.ts';
import { writeResult } from '../../tools/groups/common/write-result.ts';
import { READ_FREELY, WRITE_ASKING } from '../../tools/util/define.ts';

/** Where the user keeps the facts. */
export interface MemoryHome {
  /** The chosen notebook, '' if none; the note in it, '' if its id is not known. */
  get(): { readonly notebook: string; readonly document: string };
  /** The title of a new note. */
  readonly title: string;
  /** Called with the id of a new note. Absent if it cannot be saved: then the note is found by its title. */
  readonly made?: ((document: string) => Promise<void>) | undefined;
}

/** Titles of the note in the languages of the panel. */
const TITLES = ['Memory', '记忆', '記憶'];
const CHOOSE = 'ask the user to choose one in the settings of Marginalia, under Memory';
const MAX_FACTS = 500;

/** Group `memory`: facts in a note of the user, one per paragraph or list item, visible and editable there. */
export function createMemoryGroup(notes: NotesPort, home: MemoryHome): ToolGroup {
  return {
    name: 'memory',
    rulePrompt:
      'The memory is a note of the user with facts that outlast a chat. Where facts about the user may matter, read it first (memory op=read). Save only what the user wants kept or later chats will need, one short fact per line; forget what is no longer true.',
    tools: [createMemory(new Memory(notes, home), () => home.get().notebook !== '')],
  };
}

function createMemory(memory: Memory, isSetUp: () => boolean): Tool {
  return defineNoteTool({
    name: MEMORY.name,
    description: 'Facts kept from chat to chat in a note of the user. Example: {"op":"save","text":"Prefers metric units."}',
    properties: {
      op: { enum: ['read', 'search', 'save', 'forget'] },
      text: { type: 'string', description: 'for save: facts, one per line' },
      query: { type: 'string', description: 'for search' },
      numbers: {
        type: 'array',
        minItems: 1,
        maxItems: 50,
        items: { type: 'integer', minimum: 1 },
        description: 'for forget: as numbered by read',
      },
    },
    required: ['op'],
    isSetUp,
    ...WRITE_ASKING,
    // Whatever is not clearly a read is gated as the write that it may be.
    traits: ({ op }) => (op === 'read' || op === 'search' ? READ_FREELY : WRITE_ASKING),
    approvalScope: NOTEBOOK_SCOPE,
    plan: (args, { signal }) => (args.op === 'forget' ? memory.planForget(args, signal) : memory.planSave(args, signal)),
    execute: async (args, context) => {
      if (args.op === 'read') return memory.read('', context.signal);
      if (args.op === 'search') return memory.read(neededText(args, 'query', 'memory'), context.signal);
      return memory.write(args, context);
    },
  });
}

/** The memory for one chat. */
class Memory {
  private readonly notes: NotesPort;
  private readonly home: MemoryHome;
  /** Block ids by the numbers that the model was shown last: the note may have changed since. */
  private shown: ReadonlyMap<number, string> = new Map();

  constructor(notes: NotesPort, home: MemoryHome) {
    this.notes = notes;
    this.home = home;
  }

  async read(query: string, signal: AbortSignal): Promise<ToolExecuteResult> {
    const note = await this.find(signal);
    if (note === undefined) {
      const gone = this.home.get().document === '' ? '' : 'its note is no longer there; ';
      return { status: 'success', data: `The memory is empty: ${gone}the next op=save creates a note for it.` };
    }
    const facts = await this.factsOf(note, signal);
    this.shown = new Map(facts.map(({ number, id }) => [number, id]));
    const words = query.split(/\s+/u).filter(Boolean);
    const fitting = facts.filter(({ text }) => words.every((word) => containsAlike(text, word)));
    const count = `${words.length === 0 ? '' : `${fitting.length} of `}${facts.length} ${facts.length === 1 ? 'fact' : 'facts'}`;
    const lines = fitting.map(({ number, text }) => `${number}. ${text}`);
    return {
      status: 'success',
      data: [`${note.title} [${note.id}] in ${note.notebook.name}: ${count}`, ...lines, ...hiddenLines(note.hidden, 'blocks')].join('\n'),
      notebooks: [note.notebook.id],
      blockIds: [note.id, ...fitting.map(({ id }) => id)],
    };
  }

  async planSave(args: ToolArguments, signal: AbortSignal): Promise<ChangePlan> {
    const markdown = factsIn(neededText(args, 'text', 'memory')).join('\n\n');
    const note = await this.find(signal);
    if (note !== undefined) return this.notes.planInsert({ anchor: note.id, position: 'append', markdown }, 'memory', signal);
    return this.notes.planCreateDocument({ notebook: this.notebook(), path: `/${this.home.title}`, markdown }, 'memory', signal);
  }

  async planForget(args: ToolArguments, signal: AbortSignal): Promise<ChangePlan> {
    const numbers = Array.isArray(args.numbers) ? [...new Set(args.numbers.filter((each) => typeof each === 'number'))] : [];
    if (numbers.length === 0)
      throw new ToolError('bad_arguments', 'numbers is missing or empty', 'call memory op=forget with the numbers of facts, like [2]');
    const ids = numbers.flatMap((number) => this.shown.get(number) ?? []);
    if (ids.length < numbers.length)
      throw new ToolError(
        'not_found',
        `no facts with these numbers were shown: ${numbers.join(', ')}`,
        'call memory op=read, then forget by its numbers',
      );
    return this.notes.planDeleteBlocks({ ids }, 'memory', signal);
  }

  async write(args: ToolArguments, context: ToolContext): Promise<ToolExecuteResult> {
    const { approved, report } = await applyApproved(this.notes, context);
    const isNew = approved.plan.document.id === null;
    // If its id cannot be saved, it is found by its title.
    if (isNew) await this.home.made?.(report.documentId).catch(() => undefined);
    // The numbers now belong to other facts.
    this.shown = new Map();
    const remembered = isNew ? 'created the note and remembered' : 'remembered';
    const did = args.op === 'forget' ? 'forgot' : remembered;
    return writeResult(`${did} in ${approved.plan.document.path}`, approved, report);
  }

  private notebook(): string {
    const { notebook } = this.home.get();
    if (notebook !== '') return notebook;
    throw new ToolError('memory_off', 'no notebook is chosen for the memory', CHOOSE);
  }

  /** The note; undefined if there is none (any more). */
  private async find(signal: AbortSignal): Promise<DocumentReading | undefined> {
    const notebook = this.notebook();
    const { document } = this.home.get();
    const known = document === '' ? undefined : await this.look({ id: document }, signal);
    if (known !== undefined) return known;
    await this.requireOpen(notebook, signal);
    for (const title of new Set([this.home.title, ...TITLES])) {
      const found = await this.look({ notebook, path: `/${title}` }, signal);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private async look(place: DocumentAddress, signal: AbortSignal): Promise<DocumentReading | undefined> {
    try {
      return await this.notes.document(place, { start: 0, blocks: BLOCKS_AT_ONCE }, signal);
    } catch (error) {
      if (error instanceof ToolError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  private async requireOpen(id: string, signal: AbortSignal): Promise<void> {
    const found = (await this.notes.notebooks(signal)).find((each) => each.id === id && isSeen(each.right));
    if (found?.open) return;
    if (found) throw new ToolError('closed_notebook', `the notebook of the memory, ${found.name}, is closed`, 'ask the user to open it');
    throw new ToolError('memory_off', 'the notebook of the memory does not exist, or is hidden from the model', CHOOSE);
  }

  /** Numbered through the note: its paragraphs and the items of its lists. */
  private async factsOf(note: DocumentReading, signal: AbortSignal) {
    const blocks = await blocksUpTo(this.notes, note, MAX_FACTS, signal);
    const texts = blocks.flatMap((block): readonly { readonly id: string; readonly markdown: string }[] => {
      if (block.type === 'l') return block.items ?? [];
      return block.type === 'p' ? [block] : [];
    });
    return texts
      .map(({ id, markdown }) => ({ id, text: markdown.replaceAll(/\s+/gu, ' ').trim() }))
      .filter(({ text }) => text !== '')
      .slice(0, MAX_FACTS)
      .map((fact, index) => ({ ...fact, number: index + 1 }));
  }
}

/** Each line is a fact; markers of lists and headings would change its type. */
function factsIn(text: string): readonly string[] {
  const facts = text.split('\n').map((line) => line.trim().replace(/^(?:(?:[-*+>]|#{1,6}|\d{1,9}[.)])(?:\s+|$))+/u, ''));
  const stated = facts.filter((fact) => fact !== '');
  if (stated.length === 0) throw new ToolError('empty_text', 'text contains no fact', 'call memory op=save with a fact in text');
  return stated;
}
