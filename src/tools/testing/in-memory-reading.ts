import { ToolError } from '../contract/errors.ts';
import type {
  DailyNote,
  DocumentAddress,
  DocumentListing,
  DocumentReading,
  ReadRange,
  SearchPage,
  SearchQuery,
} from '../contract/note-readings.ts';
import type { NotesPort } from '../contract/ports.ts';
import type { StoredBlock } from './in-memory-markdown.ts';
import { tagsIn, toReading } from './in-memory-markdown.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

export type ListingQuery = Parameters<NotesPort['documents']>[0];
export type DailyQuery = Parameters<NotesPort['dailyNotes']>[0];

export function listDocuments(store: InMemoryStore, query: ListingQuery): DocumentListing {
  const isNotebook = store.notebooks.some(({ id }) => id === query.parent);
  const parent = isNotebook ? undefined : store.locate(query.parent).document;
  const notebook = store.requireNotebook(parent?.notebook ?? query.parent);
  const base = parent?.path ?? '';
  const under = store.documents.filter(({ notebook: id, path }) => id === notebook.id && path.startsWith(`${base}/`));
  const below = under.filter((document) => !store.isGuarded(document));
  const depthOf = (document: StoredDocument): number => document.path.slice(base.length).split('/').length - 2;
  const shown = below.filter((document) => depthOf(document) < query.depth).sort((left, right) => (left.path < right.path ? -1 : 1));
  const from = (query.page - 1) * query.pageSize;
  const documents = shown.slice(from, from + query.pageSize).map((document) => {
    const children = below.filter(({ path }) => path.startsWith(`${document.path}/`)).length;
    const { id, title, path } = document;
    return { id, title, path, depth: depthOf(document), moreChildren: depthOf(document) === query.depth - 1 ? children : 0 };
  });
  const nextPage = from + query.pageSize < shown.length ? query.page + 1 : null;
  const { id, name } = notebook;
  return { notebook: { id, name }, documents, total: shown.length, nextPage };
}

export function readStored(store: InMemoryStore, address: DocumentAddress, range: ReadRange): DocumentReading {
  const { document, notebook } = store.locate(findDocument(store, address).id);
  const blocks = store.visibleBlocks(document);
  const headings = blocks.filter(({ type }) => type === 'h');
  return {
    id: document.id,
    title: document.title,
    path: document.path,
    notebook: { id: notebook.id, name: notebook.name },
    outline: headings.map((block) => ({ id: block.id, level: Number(block.subtype.slice(1)), text: block.markdown.replace(/^#+ /u, '') })),
    blocks: blocks.slice(range.start, range.start + range.blocks).map(toReading),
    start: range.start,
    totalBlocks: blocks.length,
    hidden: document.blocks.length - blocks.length,
  };
}

export function findDocument(store: InMemoryStore, address: DocumentAddress): StoredDocument {
  if ('id' in address) return store.documentOf(address.id);
  const { path, notebook } = address;
  const found = store.documents.filter((document) => document.path === path && (notebook === undefined || document.notebook === notebook));
  const [first] = found;
  if (first === undefined) throw new ToolError('not_found', `there is no document ${path}`, 'find it with search_notes');
  if (found.length > 1) throw new ToolError('ambiguous_path', `${found.length} documents have the path ${path}`, 'use an id');
  return first;
}

/** Every word somewhere in title or block; `syntax` and `semantic` as keywords. */
export function searchStored(store: InMemoryStore, query: SearchQuery): SearchPage {
  if (query.query.trim() === '') throw new ToolError('empty_text', 'the query is empty', 'give words to look for');
  for (const id of query.notebooks ?? []) store.requireNotebook(id);
  const readable = new Set(store.readableDocuments());
  // What stands in a notebook at `none` is not even counted.
  const wanted = store.openDocuments().filter(({ notebook }) => query.notebooks?.includes(notebook) ?? true);
  const all = wanted.flatMap((document) => document.blocks.map((block) => ({ document, block })));
  const matches = matcherOf(query);
  const found = all.filter(({ document, block }) => matches(document, block) && passes(query, document, block));
  const visible = found.filter(({ document, block }) => readable.has(document) && !store.isHidden(block));
  const from = (query.page - 1) * query.pageSize;
  const hits = visible.slice(from, from + query.pageSize).map(({ document, block }) => ({
    id: block.id,
    documentId: document.id,
    documentTitle: document.title,
    path: document.path,
    notebook: document.notebook,
    type: block.type,
    snippet: block.markdown.slice(0, 240),
  }));
  const nextPage = from + query.pageSize < visible.length ? query.page + 1 : null;
  return { hits, total: nextPage === null ? visible.length : null, nextPage };
}

function matcherOf({ query, mode }: SearchQuery): (document: StoredDocument, block: StoredBlock) => boolean {
  if (mode === 'regex') {
    const pattern = regexOf(query);
    return (_document, block) => pattern.test(block.markdown);
  }
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  return ({ title }, { markdown }) => words.every((word) => `${title}\n${markdown}`.toLowerCase().includes(word));
}

/** Throws `bad_pattern`. */
export function regexOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'iu');
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 80) : 'unreadable';
    throw new ToolError('bad_pattern', reason, 'correct the regular expression, or search for plain words');
  }
}

function passes(query: SearchQuery, document: StoredDocument, block: StoredBlock): boolean {
  const day = document.updated.slice(0, 10);
  const tags = document.blocks.flatMap(({ markdown }) => tagsIn(markdown));
  return (
    (query.types?.includes(block.type) ?? true) &&
    (query.tags ?? []).every((tag) => tags.includes(tag)) &&
    day >= (query.updatedFrom ?? day) &&
    day <= (query.updatedTo ?? day)
  );
}

/** Newest first. */
export function findDailyNotes(store: InMemoryStore, query: DailyQuery): readonly DailyNote[] {
  if (query.notebook !== undefined) store.requireNotebook(query.notebook);
  const inRange = store.readableDocuments().filter(({ day }) => day !== undefined && day >= query.from && day <= query.to);
  const wanted = inRange.filter(({ notebook }) => query.notebook === undefined || notebook === query.notebook);
  const notes = wanted.map(({ id, day, path, notebook }) => {
    const { name } = store.requireNotebook(notebook);
    return { id, date: day ?? '', path, notebook: { id: notebook, name } };
  });
  return notes.sort((left, right) => (left.date > right.date ? -1 : 1));
}
