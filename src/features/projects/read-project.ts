import type { NotebookLevels } from '../../app/workspace/narrowed-policy.ts';
import type { NamedProject } from '../../chat/session/chat-project.ts';
import type { KernelRoutes } from '../../host/kernel/kernel-routes.ts';
import { OTHERS } from '../../host/settings/settings-format.ts';
import { isOfOne, ToolError } from '../../tools/contract/errors.ts';
import { isListed } from '../../tools/contract/notebook-right.ts';
import type { NotesPort } from '../../tools/contract/ports.ts';
import { LEFT_PROJECT_ATTRIBUTE, PROJECT_ATTRIBUTE } from '../../tools/contract/saved-names.ts';
import { asInstructions, INSTRUCTION_BLOCKS, ownText } from '../../tools/markdown/instructions.ts';
import { frameName } from '../../tools/util/markers.ts';
import { type ProjectSettings, readSettings } from './project.ts';

export interface ReadProjectDeps {
  readonly routes: Pick<KernelRoutes, 'sql' | 'flushIndex' | 'attributesOf'>;
  /** Under the rights of the workspace. */
  readonly notes: Pick<NotesPort, 'document' | 'notebooks' | 'blockInfo'>;
  /** Under those of whoever is to keep to it; default: the same. */
  readonly scoped?: Pick<NotesPort, 'notebooks' | 'blockInfo'> | undefined;
}

/** A project as it is now. */
export interface ProjectNow {
  readonly name: string;
  readonly settings: ProjectSettings;
  readonly instructions: string;
  readonly levels: NotebookLevels;
  /** Of notebooks of which only notes are in the scope, those notes; undefined without a scope. */
  readonly within: Readonly<Record<string, readonly string[]>> | undefined;
  /** How much of its scope is not there, or hidden from the model. */
  readonly gone: number;
}

const unavailable = (why: string): ToolError =>
  new ToolError(
    'project_gone',
    `the project of this chat cannot be read: ${why}`,
    'look at its note, or start a chat without it; nothing was sent',
  );

async function noteOf({ notes }: ReadProjectDeps, id: string, signal: AbortSignal) {
  try {
    return await notes.document({ id }, { start: 0, blocks: INSTRUCTION_BLOCKS }, signal);
  } catch (error) {
    if (!isOfOne(error)) throw error;
    throw unavailable(error.message);
  }
}

interface Scope extends Pick<ProjectNow, 'levels' | 'within' | 'gone'> {
  /** In words for the model. */
  readonly words: string;
}

const named = ({ name, id }: { readonly name: string; readonly id: string }): string => `"${frameName(name)}" [${id}]`;

/** Of a notebook that is in the scope as a whole, its notes are too. */
async function scopeOf(
  { notes, scoped = notes }: ReadProjectDeps,
  wanted: NonNullable<ProjectSettings['scope']>,
  signal: AbortSignal,
): Promise<Scope> {
  const open = (await scoped.notebooks(signal)).filter((each) => each.open && isListed(each.right) && !each.encrypted);
  const whole = open.filter(({ id }) => wanted.notebooks.includes(id));
  const known = wanted.notes.length === 0 ? [] : await scoped.blockInfo(wanted.notes, signal);
  const documents = known.flatMap((each) => ('code' in each || each.id !== each.document.id ? [] : [each]));
  const within: Record<string, readonly string[]> = {};
  for (const { id, notebook } of documents.filter((each) => !whole.some((book) => book.id === each.notebook.id)))
    within[notebook.id] = [...(within[notebook.id] ?? []), id];
  const levels = Object.fromEntries([...whole.map(({ id }) => id), ...Object.keys(within)].map((id) => [id, 'delete' as const]));
  if (Object.keys(levels).length === 0)
    throw new ToolError(
      'project_empty',
      'nothing of the scope of this project is there, or may be read',
      'choose other notebooks or notes for it; nothing was sent',
    );
  const words = [
    ...whole.map((book) => `the notebook ${named(book)}`),
    ...documents.map(({ id, document }) => `the note ${named({ id, name: document.title })} with those below it`),
  ];
  return {
    ...{ levels, within, words: `The chats of this project keep to these notes; no others can be read: ${words.join('; ')}.` },
    gone: wanted.notebooks.length + wanted.notes.length - whole.length - documents.length,
  };
}

/** Rejects with `project_gone`, `project_left` or `project_empty`: the scope of such a project is nothing. */
export async function readProject(deps: ReadProjectDeps, id: string, signal: AbortSignal): Promise<ProjectNow> {
  const { [PROJECT_ATTRIBUTE]: attribute, [LEFT_PROJECT_ATTRIBUTE]: left } =
    (id === '' ? undefined : (await deps.routes.attributesOf([id], signal))[id]) ?? {};
  if (!attribute && left)
    throw new ToolError(
      'project_left',
      'the note of this chat’s project is no longer a project',
      'make it a project again, or start a chat without it; nothing was sent',
    );
  const settings = readSettings(attribute);
  if (!settings) throw unavailable(attribute ? 'what is set for it is damaged, or of a newer version' : 'its note is gone, or no project');
  const { title, blocks } = await noteOf(deps, id, signal);
  const all = { levels: { [OTHERS]: 'delete' as const }, within: undefined, words: '', gone: 0 };
  const { words, ...scope } = settings.scope ? await scopeOf(deps, settings.scope, signal) : all;
  return {
    name: title,
    settings,
    instructions: [asInstructions('project', title, ownText(blocks)), words].filter(Boolean).join('\n'),
    ...scope,
  };
}

const MOST = 200;

/** Ids of the notes that are projects, or were. */
export async function projectIds({ routes }: Pick<ReadProjectDeps, 'routes'>, signal: AbortSignal): Promise<readonly string[]> {
  await routes.flushIndex(signal);
  const stmt = `SELECT DISTINCT block_id AS id FROM attributes WHERE name IN ('${PROJECT_ATTRIBUTE}', '${LEFT_PROJECT_ATTRIBUTE}') AND block_id = root_id ORDER BY id LIMIT ${MOST}`;
  return (await routes.sql(stmt, signal)).map(({ id }) => String(id));
}

/** Those that may be read. */
export async function namedProjects(deps: ReadProjectDeps, signal: AbortSignal): Promise<readonly NamedProject[]> {
  const ids = await projectIds(deps, signal);
  if (ids.length === 0) return [];
  const [known, attributes] = await Promise.all([deps.notes.blockInfo(ids, signal), deps.routes.attributesOf(ids, signal)]);
  return known.flatMap((each) => {
    const settings = readSettings(attributes[each.id]?.[PROJECT_ATTRIBUTE]);
    return 'code' in each || !settings ? [] : [{ id: each.id, name: each.document.title, model: settings.model }];
  });
}
