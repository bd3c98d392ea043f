import { type ReadContext, readContexts } from '../chat/controller/traced-contexts.ts';
import type { ReadBlock } from '../chat/ports/read-block.ts';
import type { ChatContext } from '../chat/session/types.ts';
import { ToolError } from '../tools/contract/errors.ts';
import type { SearchMatch } from '../tools/contract/note-readings.ts';
import type { NotesPort } from '../tools/contract/ports.ts';
import type { NoteRights } from '../tools/contract/provenance.ts';
import { plainWords } from '../tools/util/plain-words.ts';
import type { ContextChoice } from '../ui/ports/context-choice.ts';
import type { Translate } from '../ui/ports/i18n.ts';

export interface ContextReader {
  readonly notes: { readonly notes: NotesPort; readonly rights: NoteRights; readonly readBlock: ReadBlock };
  readonly t: Translate;
  readonly signal: AbortSignal;
}

/** Blocks of a document that are sent with a question; the model reads the rest itself. */
const CONTEXT_BLOCKS = 20;
/** Documents of a notebook or tag, and what a saved search finds. */
const LISTED = 50;
/** Blocks and documents that one drag brings. */
const DRAGGED = 20;
const TITLE_LENGTH = 40;

export async function documentContext({ notes: { notes }, t, signal }: ContextReader, id: string): Promise<ChatContext> {
  const reading = await notes.document({ id }, { start: 0, blocks: CONTEXT_BLOCKS }, signal);
  const head = t('context.document', { title: reading.title, id: reading.id, notebook: reading.notebook.name });
  return {
    kind: 'document',
    id: reading.id,
    title: reading.title,
    text: `${head}\n\n${reading.blocks.map((block) => block.markdown).join('\n\n')}`,
  };
}

export function shortTitle(text: string): string {
  const words = plainWords(text).replace(/\s+/g, ' ').trim();
  return words.length > TITLE_LENGTH ? `${words.slice(0, TITLE_LENGTH)}…` : words;
}

export async function blockContext({ notes, signal }: ContextReader, id: string): Promise<ChatContext> {
  const block = await notes.readBlock(id, signal);
  return { kind: 'block', id, title: shortTitle(block.markdown) || block.document.title, text: block.markdown };
}

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly path: string;
}

const listText = (head: string, documents: readonly Listed[]): string =>
  [head, ...documents.map(({ id, title, path }) => `- ${title} (${id}): ${path}`)].join('\n');

/** Each document with a match, once. */
function documentsOf(matches: readonly SearchMatch[]): readonly Listed[] {
  return [
    ...new Map(matches.map(({ documentId, documentTitle, path }) => [documentId, { id: documentId, title: documentTitle, path }])).values(),
  ];
}

/** A list of documents contains their titles: each is a source, so that a document that is guarded later removes the list from requests. */
async function listContext({ notes: { notes }, t, signal }: ContextReader, { kind, id, title }: ContextChoice): Promise<ReadContext> {
  const found =
    kind === 'notebook'
      ? (await notes.documents({ parent: id, depth: 5, page: 1, pageSize: LISTED }, signal)).documents
      : documentsOf((await notes.search({ query: id, mode: 'keyword', tags: [id], page: 1, pageSize: LISTED }, signal)).matches);
  const head = t(kind === 'notebook' ? 'context.documents' : 'context.tagged', { count: found.length, title });
  return { kind, id, title, text: listText(head, found), reads: found.map((one) => one.id) };
}

/**
 * The results of a saved search: a document by its path, a block by its text. Both name the document, so both are sources. A statement may
 * put text of any note next to an id.
 */
async function searchContext({ notes: { notes }, t, signal }: ContextReader, { kind, id, title }: ContextChoice): Promise<ReadContext> {
  const { matches, isMore, notebooks } = await notes.findSaved({ name: id, limit: LISTED }, signal);
  const lines = matches.map((match) =>
    match.type === 'd'
      ? `- ${match.documentTitle} (${match.id}): ${match.path}`
      : `- ${match.snippet.replace(/\s+/g, ' ').trim()} (${match.id}): ${match.path}`,
  );
  const head = t(isMore ? 'context.foundFirst' : 'context.found', { count: matches.length, title });
  const reads = notebooks ? [] : [...new Set(matches.flatMap((match) => [match.id, match.documentId]))];
  return { kind, id, title, text: [head, ...lines].join('\n'), reads, notebooks };
}

/** Only its name, for a model that can read it; an unreadable note has none. */
async function openContext({ notes: { notes }, t, signal }: ContextReader, id: string): Promise<ChatContext> {
  const [info] = await notes.blockInfo([id], signal);
  if (!info || 'code' in info)
    throw new ToolError(info?.code ?? 'not_found', info?.message ?? 'it is gone', info?.next ?? 'open another note');
  const { document, notebook } = info;
  return { kind: 'open', id: document.id, title: document.title, text: t('context.open', { path: `${notebook.name}${document.path}` }) };
}

/** Letters and digits only: the editor and Markdown differ in marks, spaces and line ends. */
const bare = (text: string): string => plainWords(text).replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * Words that are selected in the editor, as far as the model may read them. The editor also shows text that references and embeds take from
 * hidden notes, and guarded list items: if the selected words are not in the Markdown of their blocks as the model reads it, that
 * Markdown is sent instead.
 */
export function selectedContext(id: string, text: string, markdowns: readonly string[]): ChatContext {
  const readable = markdowns.join('\n\n');
  const words = bare(text);
  const isReadable = words === '' ? readable.includes(text.trim()) : bare(readable).includes(words);
  const sent = isReadable ? text : readable;
  return { kind: 'selection', id, title: shortTitle(sent), text: sent };
}

async function readChoice(reader: ContextReader, choice: ContextChoice): Promise<ReadContext> {
  const { kind, id, text = '', blocks = [id] } = choice;
  if (kind === 'open') return openContext(reader, id);
  if (kind === 'document') return documentContext(reader, id);
  if (kind === 'block') return blockContext(reader, id);
  if (kind === 'search') return searchContext(reader, choice);
  if (kind !== 'selection') return listContext(reader, choice);
  const markdowns: string[] = [];
  for (const block of blocks) markdowns.push((await reader.notes.readBlock(block, reader.signal)).markdown);
  return { ...selectedContext(id, text, markdowns), reads: blocks.length > 1 ? blocks : undefined };
}

/** What was picked, with its sources. Rejects with ToolError if it may not be read, or is gone. */
export async function readContextChoice(reader: ContextReader, choice: ContextChoice): Promise<ChatContext> {
  const read = async () => ({ contexts: [await readChoice(reader, choice)] });
  const [context] = (await readContexts(reader.notes.rights, read, reader.signal)).contexts;
  if (!context) throw new ToolError('not_found', 'nothing was read', 'choose something else');
  return context;
}

/** Blocks and documents by their ids. Rejects with ToolError for the first unreadable one. */
export async function readDragged(reader: ContextReader, ids: readonly string[]): Promise<readonly ChatContext[]> {
  const { notes, signal } = reader;
  if (ids.length > DRAGGED)
    throw new ToolError('too_many', `${ids.length} blocks are more than ${DRAGGED}`, 'drag fewer, or the document that holds them');
  const infos = await notes.notes.blockInfo(ids, signal);
  const read = async () => {
    const contexts: ChatContext[] = [];
    for (const info of infos) {
      if ('code' in info) throw new ToolError(info.code, info.message, info.next);
      contexts.push(await (info.type === 'd' ? documentContext(reader, info.id) : blockContext(reader, info.id)));
    }
    return { contexts };
  };
  return (await readContexts(notes.rights, read, signal)).contexts;
}
