import { ToolError } from '../contract/errors.ts';
import type {
  DailyNote,
  DocumentAddress,
  DocumentListing,
  DocumentReading,
  ReadRange,
  SearchMatch,
  SearchPage,
  SearchQuery,
} from '../contract/note-readings.ts';
import { isSeen } from '../contract/notebook-right.ts';
import type { NotesPort } from '../contract/ports.ts';
import { plainText, tagsIn } from './in-memory-markdown.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

export type ListingQuery = Parameters<NotesPort['documents']>[0];
export type DailyQuery = Parameters<NotesPort['dailyNotes']>[0];

export function listDocuments(store: InMemoryStore, query: ListingQuery): DocumentListing {
  const isNotebook = store.notebooks.some(({ id, right }) => id === query.parent && isSeen(right));
  const parent = isNotebook ? undefined : store.locate(query.parent).document;
  const notebook = store.requireNotebook(parent?.notebook ?? query.parent);
  const base = parent?.path ?? '';
  const under = store.documents.filter(({ notebook: id, path }) => id === notebook.id && path.startsWith(`${base}/`));
  const below = under.filter((document) => !store.isGuarded(document));
  const depthOf = (document: StoredDocument): number => document.path.slice(base.length).split('/').length - 2;
  const shown = below.filter((document) => depthOf(document) < query.depth).sort((left, right) => (left.path < right.path ? -1 : 1));
  const from = (query.page - 1) * query.pageSize;
  const documents = shown.slice(from, from + query.pageSize).map((document) => {
    const children = below.filter(({ path }) => path.slice(0, path.lastIndexOf('/')) === document.path).length;
    const { id, title, path } = document;
    return { id, title, path, depth: depthOf(document), moreChildren: depthOf(document) === query.depth - 1 ? children : 0 };
  });
  const nextPage = from + query.pageSize < shown.length ? query.page + 1 : null;
  const { id, name } = notebook;
  return { notebook: { id, name }, documents, total: shown.length, nextPage, unopened: 0 };
}

export function readStored(store: InMemoryStore, address: DocumentAddress, range: ReadRange): DocumentReading {
  const document = findDocument(store, address);
  const notebook = store.requireNotebook(document.notebook);
  const blocks = store.visibleBlocks(document);
  // Positions count hidden blocks, too.
  const window = document.blocks.slice(range.start, range.start + range.blocks);
  const headings = blocks.filter(({ type }) => type === 'h');
  return {
    id: document.id,
    title: document.title,
    path: document.path,
    notebook: { id: notebook.id, name: notebook.name },
    outline: headings.map((block) => ({ id: block.id, level: Number(block.subtype.slice(1)), text: plainText(block.markdown) })),
    blocks: blocks.filter(({ id }) => window.some((block) => block.id === id)).map((block) => store.toReading(document, block)),
    start: range.start,
    totalBlocks: document.blocks.length,
    hidden: store.countHidden(document, window),
  };
}

/** The document that an address names: by an id of its own or of a block in it, or by a path in a notebook's id or name. */
function findDocument(store: InMemoryStore, address: DocumentAddress): StoredDocument {
  if ('id' in address) return store.locate(address.id).document;
  const path = `/${address.path.split('/').filter(Boolean).join('/')}`;
  const { notebook } = address;
  const books = store.notebooks.filter(({ id, name }) => notebook === undefined || id === notebook || name === notebook);
  const prefixed = new Set(
    books.flatMap(({ id, name }) => [`${id}${path}`, path.startsWith(`/${name}/`) ? id + path.slice(name.length + 1) : '']),
  );
  const found = store.readableDocuments().filter((document) => prefixed.has(document.notebook + document.path));
  const [first] = found;
  if (first === undefined) throw new ToolError('not_found', `there is no document ${path}`, 'find it with search_notes');
  if (found.length > 1) throw new ToolError('ambiguous_path', `${found.length} documents have the path ${path}`, 'use an id');
  return first;
}

/** Something that a search can find. */
interface Candidate {
  readonly document: StoredDocument;
  readonly id: string;
  readonly type: string;
  readonly text: string;
  /** A document is also found by several words in different blocks of it. */
  readonly whole?: string;
}

const CONTAINERS = new Set(['l', 'b']);

/** Titles and blocks. Of a list the items are found, as paragraphs; the list itself, or a quote, only where its type is asked for. */
function candidatesIn(store: InMemoryStore, document: StoredDocument, types: readonly string[] | undefined): readonly Candidate[] {
  const blocks = store.visibleBlocks(document);
  const whole = [document.title, ...blocks.map(({ markdown }) => plainText(markdown))].join('\n');
  const found = blocks.flatMap(({ id, type, markdown, items = [] }): Candidate[] => [
    { document, id, type, text: plainText(markdown) },
    ...items.map((item) => ({ document, id: item.id, type: 'p', text: plainText(item.markdown) })),
    ...(type === 'b' ? [{ document, id, type: 'p', text: plainText(markdown) }] : []),
  ]);
  const all = [{ document, id: document.id, type: 'd', text: document.title, whole }, ...found];
  return all.filter(({ type }) => (types === undefined ? !CONTAINERS.has(type) : types.includes(type)));
}

const SNIPPET = 240;
const PASSAGES = 3;

const matchOf = ({ document, id, type, text }: Candidate): SearchMatch => ({
  id,
  documentId: document.id,
  documentTitle: document.title,
  path: document.path,
  notebook: document.notebook,
  type,
  snippet: text.slice(0, SNIPPET),
});

/** By how many of the words a title or block has; notes by the best of theirs. No stop words, no parts of words, no rarity. */
function rankStored(candidates: readonly Candidate[], { query, page, pageSize }: SearchQuery): SearchPage {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  const wordsOf = ({ text, document, type }: Candidate): readonly string[] =>
    words.filter((word) => `${text} ${type === 'd' ? '' : document.title}`.toLowerCase().includes(word));
  const found = candidates.map((candidate) => ({ candidate, count: wordsOf(candidate).length })).filter(({ count }) => count > 0);
  const notes = new Map<string, typeof found>();
  for (const each of found.sort((one, other) => other.count - one.count)) {
    const { id } = each.candidate.document;
    notes.set(id, [...(notes.get(id) ?? []), each]);
  }
  const passagesOf = (all: typeof found): typeof found => {
    const inside = all.filter(({ candidate }) => candidate.type !== 'd');
    return (inside.length > 0 ? inside : all).slice(0, PASSAGES);
  };
  const shown = [...notes.values()].slice((page - 1) * pageSize, page * pageSize).flatMap(passagesOf);
  const isMore = notes.size > page * pageSize;
  const missing = words.filter(
    (word) => !found.some(({ candidate: { text, document } }) => `${text} ${document.title}`.toLowerCase().includes(word)),
  );
  return {
    matches: shown.map(({ candidate }) => ({ ...matchOf(candidate), words: wordsOf(candidate) })),
    total: isMore ? null : notes.size,
    nextPage: isMore ? page + 1 : null,
    missing: missing.length > 0 ? missing : undefined,
  };
}

/** Every word somewhere in a title or block, whatever its case; `syntax` and `semantic` as keywords. By relevance, any of them. */
export function searchStored(store: InMemoryStore, query: SearchQuery): SearchPage {
  if (query.query.trim() === '') throw new ToolError('empty_text', 'the query is empty', 'give words to search for');
  for (const id of query.notebooks ?? []) store.requireNotebook(id);
  const wanted = store.readableDocuments().filter(({ notebook }) => query.notebooks?.includes(notebook) ?? true);
  const passing = wanted.filter((document) => passes(store, query, document));
  const candidates = passing.flatMap((document) => candidatesIn(store, document, query.types));
  if (query.mode === 'relevance') return rankStored(candidates, query);
  const found = candidates.filter(matcherOf(query));
  const from = (query.page - 1) * query.pageSize;
  const matched = query.mode === 'regex' ? matchedBy(regexOf(query.query)) : () => undefined;
  const matches = found.slice(from, from + query.pageSize).map((each) => ({ ...matchOf(each), words: matched(each) }));
  const nextPage = from + query.pageSize < found.length ? query.page + 1 : null;
  return { matches, total: nextPage === null ? found.length : null, nextPage };
}

function matcherOf({ query, mode }: SearchQuery): (candidate: Candidate) => boolean {
  if (mode === 'regex') {
    const pattern = regexOf(query);
    return ({ text }) => pattern.test(text);
  }
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const holds = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  return ({ text, whole }) => holds(text) || (words.length > 1 && whole !== undefined && holds(whole));
}

const matchedBy =
  ({ source, flags }: RegExp) =>
  ({ text }: Candidate): readonly string[] => [...new Set(Array.from(text.matchAll(new RegExp(source, `${flags}g`)), ([found]) => found))];

/** Throws `bad_pattern`. */
function regexOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 80) : 'unreadable';
    throw new ToolError('bad_pattern', reason, 'correct the regular expression, or search for plain words');
  }
}

function passes(store: InMemoryStore, query: SearchQuery, document: StoredDocument): boolean {
  const day = document.updated.slice(0, 10);
  const labels = store.visibleBlocks(document).flatMap(({ markdown }) => tagsIn(markdown));
  return (
    (query.tags ?? []).every((tag) => labels.some((label) => label === tag || label.startsWith(`${tag}/`))) &&
    day >= (query.updatedFrom ?? day) &&
    day <= (query.updatedTo ?? day)
  );
}

/** Throws `bad_date`. */
export function checkDay(day: string): void {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(day)) throw new ToolError('bad_date', `"${day}" is not a valid date`, 'write days as YYYY-MM-DD');
}

/** Newest first. */
export function findDailyNotes(store: InMemoryStore, query: DailyQuery): readonly DailyNote[] {
  checkDay(query.from);
  checkDay(query.to);
  if (query.notebook !== undefined) store.requireNotebook(query.notebook);
  const inRange = store.readableDocuments().filter(({ day }) => day !== undefined && day >= query.from && day <= query.to);
  const wanted = inRange.filter(({ notebook }) => query.notebook === undefined || notebook === query.notebook);
  const notes = wanted.map(({ id, day, path, notebook }) => {
    const { name } = store.requireNotebook(notebook);
    return { id, date: day ?? '', path, notebook: { id: notebook, name } };
  });
  return notes.sort((left, right) => (left.date > right.date ? -1 : 1));
}
