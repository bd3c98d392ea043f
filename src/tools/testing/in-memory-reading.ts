import { ToolError } from '../errors.ts';
import type {
  DailyNote,
  DocumentAddress,
  DocumentListing,
  DocumentReading,
  NotesPort,
  ReadRange,
  SearchPage,
  SearchQuery,
} from '../ports.ts';
import { type InMemoryStore, type StoredDocument, toReading } from './in-memory-store.ts';

export type ListingQuery = Parameters<NotesPort['documents']>[0];
export type DailyQuery = Parameters<NotesPort['dailyNotes']>[0];

export function listDocuments(store: InMemoryStore, query: ListingQuery): DocumentListing {
  const parent = store.documents.find(({ id }) => id === query.parent);
  const notebook = store.requireNotebook(parent?.notebook ?? query.parent);
  const base = parent?.path ?? '';
  const below = store.documents.filter(({ notebook: id, path }) => id === notebook.id && path.startsWith(`${base}/`));
  const depthOf = (document: StoredDocument): number => document.path.slice(base.length).split('/').length - 2;
  const shown = below.filter((document) => depthOf(document) < query.depth).sort((left, right) => (left.path < right.path ? -1 : 1));
  const from = (query.page - 1) * query.pageSize;
  const documents = shown.slice(from, from + query.pageSize).map((document) => {
    const children = below.filter(({ path }) => path.startsWith(`${document.path}/`)).length;
    const { id, title, path } = document;
    return { id, title, path, depth: depthOf(document), moreChildren: depthOf(document) === query.depth - 1 ? children : 0 };
  });
  const nextPage = from + query.pageSize < shown.length ? query.page + 1 : null;
  return { notebook: { id: notebook.id, name: notebook.name }, documents, total: shown.length, nextPage };
}

export function readStored(store: InMemoryStore, address: DocumentAddress, range: ReadRange): DocumentReading {
  const document = findDocument(store, address);
  const { id, name } = store.requireNotebook(document.notebook);
  const headings = document.blocks.filter(({ type }) => type === 'h');
  return {
    id: document.id,
    title: document.title,
    path: document.path,
    notebook: { id, name },
    outline: headings.map((block) => ({ id: block.id, level: Number(block.subtype.slice(1)), text: block.markdown.replace(/^#+ /u, '') })),
    blocks: document.blocks.slice(range.start, range.start + range.blocks).map(toReading),
    start: range.start,
    totalBlocks: document.blocks.length,
    hidden: 0,
  };
}

function findDocument(store: InMemoryStore, address: DocumentAddress): StoredDocument {
  if ('id' in address) return store.documentOf(address.id);
  const { path, notebook } = address;
  const found = store.documents.filter((document) => document.path === path && (notebook === undefined || document.notebook === notebook));
  const [first] = found;
  if (first === undefined) throw new ToolError('not_found', `there is no document ${path}`, 'find it with search_notes');
  if (found.length > 1) throw new ToolError('ambiguous_path', `${found.length} documents have the path ${path}`, 'use an id');
  return first;
}

/** Every word somewhere in title or block. */
export function searchStored(store: InMemoryStore, query: SearchQuery): SearchPage {
  const words = query.query.toLowerCase().split(/\s+/u).filter(Boolean);
  const readable = new Set(store.notebooks.filter(({ right, open }) => right !== 'none' && open).map(({ id }) => id));
  const wanted = store.documents.filter(({ notebook }) => query.notebooks?.includes(notebook) ?? true);
  const all = wanted.flatMap((document) => document.blocks.map((block) => ({ document, block })));
  const found = all.filter(({ document, block }) => {
    const text = `${document.title}\n${block.markdown}`.toLowerCase();
    return words.every((word) => text.includes(word)) && (query.types?.includes(block.type) ?? true);
  });
  const visible = found.filter(({ document }) => readable.has(document.notebook));
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
  return { hits, total: visible.length, nextPage, hidden: found.length - visible.length };
}

/** Newest first. */
export function findDailyNotes(store: InMemoryStore, query: DailyQuery): readonly DailyNote[] {
  const inRange = store.documents.filter(({ day }) => day !== undefined && day >= query.from && day <= query.to);
  const wanted = inRange.filter(({ notebook }) => query.notebook === undefined || notebook === query.notebook);
  const notes = wanted.map(({ id, day, path, notebook }) => {
    const { name } = store.requireNotebook(notebook);
    return { id, date: day ?? '', path, notebook: { id: notebook, name } };
  });
  return notes.sort((left, right) => (left.date > right.date ? -1 : 1));
}
