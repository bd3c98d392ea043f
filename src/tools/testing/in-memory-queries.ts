import { ToolError } from '../contract/errors.ts';
import type {
  BacklinkPage,
  BlockInfo,
  BlockNeighbourhood,
  DocumentMatches,
  FailedId,
  NoteQueries,
  RecentDocument,
  TagCount,
} from '../contract/note-queries.ts';
import type { StoredBlock } from './in-memory-markdown.ts';
import { plainText, referencesIn, tagsIn, toReading } from './in-memory-markdown.ts';
import { regexOf } from './in-memory-reading.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

type QueryOf<Name extends keyof NoteQueries> = Parameters<NoteQueries[Name]>[0];

/** Today of testClock. */
const TODAY = '2026-01-15';

export function placeOf(store: InMemoryStore, { id, title, path, notebook }: StoredDocument) {
  return { document: { id, title, path }, notebook: { id: notebook, name: store.visibleNotebook(notebook).name } };
}

export function neighbourhood(store: InMemoryStore, { id, range, limit }: QueryOf<'blocks'>): BlockNeighbourhood {
  const { document, block } = store.locate(id);
  const candidates = rangeOf(document, block, range, limit);
  const visible = candidates.filter((entry) => !store.isHidden(entry));
  const shown = range === 'before' ? visible.slice(-limit) : visible.slice(0, limit);
  return {
    ...placeOf(store, document),
    blocks: shown.map(toReading),
    more: visible.length - shown.length,
    hidden: candidates.length - visible.length,
  };
}

function rangeOf(document: StoredDocument, block: StoredBlock | undefined, range: QueryOf<'blocks'>['range'], limit: number) {
  const { blocks } = document;
  if (block === undefined) return range === 'children' || range === 'self' ? blocks : [];
  const at = blocks.indexOf(block);
  if (range === 'before') return blocks.slice(0, at);
  if (range === 'after') return blocks.slice(at + 1);
  if (range === 'context') return blocks.slice(Math.max(0, at - Math.floor(limit / 2)), at + Math.ceil(limit / 2));
  if (range === 'self') return [block];
  return block.type === 'h' ? sectionOf(blocks, at) : [];
}

function sectionOf(blocks: readonly StoredBlock[], at: number): readonly StoredBlock[] {
  const level = blocks[at]?.subtype ?? '';
  const end = blocks.findIndex(({ type, subtype }, index) => index > at && type === 'h' && subtype <= level);
  return blocks.slice(at + 1, end < 0 ? undefined : end);
}

export function infoOf(store: InMemoryStore, id: string): BlockInfo | FailedId {
  try {
    const { document, block } = store.locate(id);
    const self = block === undefined ? [] : [{ id, text: plainText(block.markdown) }];
    return {
      id,
      type: block === undefined ? 'd' : block.id === id ? block.type : 'i',
      subtype: block?.id === id ? block.subtype : '',
      ...placeOf(store, document),
      breadcrumb: [{ id: document.id, text: document.title }, ...self],
      backlinks: referring(store, id).length,
      attributes: shownAttributes(store, id),
      databases: (store.attributes.get(id)?.['custom-avs'] ?? '').split(',').filter(Boolean),
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { id, code: error.code, message: error.message, next: error.next };
  }
}

export function shownAttributes(store: InMemoryStore, id: string): Readonly<Record<string, string>> {
  const entries = Object.entries(store.attributes.get(id) ?? {});
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith('custom-marginalia-')));
}

/** Blocks that refer to an id, in documents that may be read. */
function referring(store: InMemoryStore, id: string) {
  return store
    .readableDocuments()
    .flatMap((document) => store.visibleBlocks(document).map((block) => ({ document, block })))
    .filter(({ block }) => referencesIn(block.markdown).includes(id));
}

/** References to what goes, from what stays. */
export function referringElsewhere(store: InMemoryStore, ids: readonly string[]): number {
  return ids.flatMap((id) => referring(store, id)).filter(({ block }) => !ids.includes(block.id)).length;
}

export function findBacklinks(store: InMemoryStore, query: QueryOf<'backlinks'>): BacklinkPage {
  const { document, block } = store.locate(query.id);
  const name = block === undefined ? document.title : plainText(block.markdown);
  const mentions = () =>
    store
      .readableDocuments()
      .filter((other) => other !== document)
      .flatMap((other) => store.visibleBlocks(other).map((entry) => ({ document: other, block: entry })))
      .filter((entry) => entry.block.markdown.includes(name) && !referencesIn(entry.block.markdown).includes(query.id));
  const found = query.kind === 'links' ? referring(store, query.id) : mentions();
  const from = (query.page - 1) * query.pageSize;
  return {
    items: found.slice(from, from + query.pageSize).map((entry) => {
      return { id: entry.block.id, ...placeOf(store, entry.document), text: plainText(entry.block.markdown).slice(0, 240) };
    }),
    total: found.length,
    nextPage: from + query.pageSize < found.length ? query.page + 1 : null,
  };
}

export function grepStored(store: InMemoryStore, query: QueryOf<'grep'>): DocumentMatches {
  const { document } = store.locate(query.id);
  const blocks = store.visibleBlocks(document);
  const pattern = query.regex ? regexOf(query.pattern) : undefined;
  const matches = blocks.flatMap((block, index) =>
    block.markdown
      .split('\n')
      .filter((line) => pattern?.test(line) ?? line.toLowerCase().includes(query.pattern.toLowerCase()))
      .map((line) => {
        const item = block.items?.find(({ markdown }) => line.endsWith(markdown));
        return { blockId: item?.id ?? block.id, type: item === undefined ? block.type : 'i', index, line: line.slice(0, 300) };
      }),
  );
  const hidden = document.blocks.length - blocks.length;
  return { ...placeOf(store, document), matches: matches.slice(0, query.limit), total: matches.length, hidden };
}

export function recentStored(store: InMemoryStore, query: QueryOf<'recentDocuments'>) {
  const since = new Date(Date.parse(`${TODAY}T00:00:00Z`) - query.days * 86_400_000).toISOString().slice(0, 10);
  const recent = store.openDocuments().filter(({ updated }) => updated.slice(0, 10) >= since);
  const readable = new Set(store.readableDocuments());
  const visible = recent.filter((document) => readable.has(document)).sort((left, right) => (left.updated > right.updated ? -1 : 1));
  const documents: RecentDocument[] = visible.slice(0, query.limit).map((document) => {
    const { document: place, notebook } = placeOf(store, document);
    return { ...place, notebook, updated: document.updated };
  });
  return { documents };
}

export function countTags(store: InMemoryStore, query: QueryOf<'tags'>): { readonly tags: readonly TagCount[]; readonly total: number } {
  const counts = new Map<string, number>();
  const blocks = store.readableDocuments().flatMap((document) => store.visibleBlocks(document));
  for (const tag of blocks.flatMap(({ markdown }) => [...new Set(tagsIn(markdown))])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const tags = [...counts].map(([label, count]) => ({ label, count })).filter(({ label }) => label.includes(query.filter ?? ''));
  tags.sort((left, right) => right.count - left.count || (left.label < right.label ? -1 : 1));
  return { tags: tags.slice(0, query.limit), total: tags.length };
}

export function exportStored(store: InMemoryStore, document: StoredDocument) {
  const blocks = store.visibleBlocks(document);
  const markdown = blocks.map((block) => block.markdown).join('\n\n');
  return { ...placeOf(store, document), markdown, hidden: document.blocks.length - blocks.length };
}
