import type { ReadBlock } from '../../chat/ports/read-block.ts';
import { actionInfo } from '../../chat/prompts/action-info.ts';
import type { ChatContext } from '../../chat/session/types.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { BlockReading } from '../../tools/contract/note-readings.ts';
import type { InsertPosition, NotesPort } from '../../tools/contract/ports.ts';
import { estimateTokens } from '../../tools/util/estimate-tokens.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { sourceContexts } from './check-answer.ts';
import { shapeOf } from './editor-task-instructions.ts';
import type { EditorTaskRequest } from './editor-task-types.ts';

/** The text of an action, read under the rights of NotesPort. */
export interface TaskSource {
  /** The last one is what the action is about. */
  readonly contexts: readonly ChatContext[];
  /** Blocks that an edit would change; empty if the whole document is meant. */
  readonly blocks: readonly Pick<BlockReading, 'id' | 'type' | 'markdown' | 'hash'>[];
  readonly documentId: string;
  /** Only this part of the single block, which contains it exactly once. */
  readonly selection?: string;
  readonly document: boolean;
  /** Blocks were left out for space, or hidden by rights: then the document cannot be replaced as a whole. */
  readonly incomplete: boolean;
  readonly place: { readonly anchor: string; readonly position: InsertPosition };
  /** The empty paragraph where the command was typed: the inserted text replaces it. */
  readonly empty?: Pick<BlockReading, 'id' | 'hash'>;
  readonly cards: boolean;
  readonly about: string;
}

export interface ReadingDeps {
  readonly notes: Pick<NotesPort, 'document'>;
  readonly readBlock: ReadBlock;
  readonly contextTokens: number | undefined;
}

/** Used without a limit of the user: fits the larger settings of small local models, and a chapter or two of a book. */
const DEFAULT_ROOM = 16_000;
/** Room for the text before a position at which the model continues. */
const BEFORE_ROOM = 1500;
const PAGE = 100;
const ABOUT_LENGTH = 60;

const firstWords = (text: string): string =>
  preview(
    text
      .replace(/^[#>\-*+\d.[\]\s]+/, '')
      .replace(/\s+/g, ' ')
      .trim(),
    ABOUT_LENGTH,
  );
const isEmpty = (text: string): boolean => text.replaceAll('\u200b', '').trim() === '';

/** Reads page by page until the room is full. `until` stops it before one of these blocks. */
async function readDocument(
  deps: ReadingDeps,
  id: string,
  limits: { readonly room: number; readonly until?: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<{ readonly title: string; readonly blocks: readonly BlockReading[]; readonly incomplete: boolean }> {
  const blocks: BlockReading[] = [];
  let tokens = 0;
  for (let start = 0; ; start += PAGE) {
    const reading = await deps.notes.document({ id }, { start, blocks: PAGE }, signal);
    for (const block of reading.blocks) {
      if (limits.until?.has(block.id)) return { title: reading.title, blocks, incomplete: false };
      tokens += estimateTokens(block.markdown);
      if (tokens > limits.room && blocks.length > 0) return { title: reading.title, blocks, incomplete: true };
      blocks.push(block);
    }
    const read = start + reading.blocks.length + reading.hidden;
    if (reading.blocks.length === 0 || read >= reading.totalBlocks) return { title: reading.title, blocks, incomplete: reading.hidden > 0 };
  }
}

function documentContext(id: string, title: string, blocks: readonly BlockReading[]): ChatContext {
  return { kind: 'document', id, title, text: blocks.map((block) => block.markdown).join('\n\n') };
}

const isCards = ({ action }: EditorTaskRequest): boolean => shapeOf(action) === 'cards';

const roomOf = ({ contextTokens }: ReadingDeps): number =>
  contextTokens === undefined ? DEFAULT_ROOM : Math.max(500, Math.floor(contextTokens / 2));

async function wholeDocument(
  deps: ReadingDeps,
  request: EditorTaskRequest,
  documentId: string,
  place: TaskSource['place'],
  signal: AbortSignal,
): Promise<TaskSource> {
  const { title, blocks, incomplete } = await readDocument(deps, documentId, { room: roomOf(deps) }, signal);
  const context = documentContext(documentId, title, blocks);
  if (isEmpty(context.text) && request.action !== 'continue')
    throw new ToolError('empty_text', 'there is no text to work on', 'write something first, or choose another block');
  return { contexts: [context], blocks: [], documentId, document: true, incomplete, place, cards: isCards(request), about: title };
}

async function textBefore(deps: ReadingDeps, documentId: string, ids: readonly string[], signal: AbortSignal): Promise<ChatContext[]> {
  const { title, blocks } = await readDocument(deps, documentId, { room: Number.POSITIVE_INFINITY, until: new Set(ids) }, signal);
  let tokens = 0;
  const fitting = [...blocks].reverse().filter((block) => {
    tokens += estimateTokens(block.markdown);
    return tokens <= BEFORE_ROOM;
  });
  return fitting.length === 0 ? [] : [documentContext(documentId, title, fitting.reverse())];
}

/** Reads what the request is about. Rejects with ToolError like NotesPort, and with `empty_text`. */
export async function readSource(deps: ReadingDeps, request: EditorTaskRequest, signal: AbortSignal): Promise<TaskSource> {
  const { target, action, typed } = request;
  if (target.kind === 'document') {
    const position = action === 'continue' ? 'append' : 'prepend';
    return wholeDocument(deps, request, target.id, { anchor: target.id, position }, signal);
  }
  const blocks = [];
  for (const id of target.ids) blocks.push(await deps.readBlock(id, signal));
  const last = blocks.at(-1);
  if (!last) throw new ToolError('bad_id', 'no block was chosen', 'choose a block');
  const empty = blocks.every((block) => isEmpty(block.markdown));
  // Next to an empty block means before it, so that the user continues below the inserted text.
  const place = { anchor: last.id, position: empty ? ('before' as const) : ('after' as const) };
  const documentId = last.document.id;
  const wholeNote = typed && typeof action === 'string' ? actionInfo(action).wholeNote : undefined;
  const { id, hash } = last;
  // After continued text, the user continues too.
  const left = typed && empty && action !== 'continue' && blocks.length === 1 && last.type === 'p' ? { empty: { id, hash } } : {};
  if (wholeNote === 'always' || (wholeNote && empty))
    return { ...(await wholeDocument(deps, request, documentId, place, signal)), ...left };
  if (empty && action !== 'continue' && shapeOf(action) === 'edit')
    throw new ToolError('empty_text', 'there is no text to work on', 'write something first, or choose another block');
  const before = action === 'continue' || empty ? await textBefore(deps, documentId, [last.id, ...target.around], signal) : [];
  if (empty && before.length === 0)
    throw new ToolError('empty_text', 'there is no text to work on', 'write something first, or choose another block');
  const contexts = blocks.flatMap((block): ChatContext[] =>
    isEmpty(block.markdown)
      ? []
      : [{ kind: 'block', id: block.id, title: firstWords(block.markdown) || block.document.title, text: block.markdown }],
  );
  const selection = target.kind === 'selection' ? soleSelection(last.markdown, target.text) : undefined;
  return {
    contexts: [
      ...(await sourceContexts(request.sources ?? [], deps.readBlock, signal)),
      ...before,
      ...contexts,
      ...(selection ? [{ kind: 'selection' as const, id: last.id, title: firstWords(selection), text: selection }] : []),
    ],
    blocks,
    documentId,
    ...left,
    document: false,
    incomplete: false,
    place,
    cards: isCards(request),
    about: firstWords(selection ?? blocks.map((block) => block.markdown).join(' ')) || last.document.title,
    ...(selection ? { selection } : {}),
  };
}

/** A part of a block can be replaced alone if its Markdown contains it exactly once; otherwise the whole block is meant. */
function soleSelection(markdown: string, text: string): string | undefined {
  const wanted = text.replaceAll('\u200b', '').trim();
  if (wanted === '' || wanted === markdown.trim()) return undefined;
  const first = markdown.indexOf(wanted);
  return first >= 0 && markdown.indexOf(wanted, first + 1) < 0 ? wanted : undefined;
}
