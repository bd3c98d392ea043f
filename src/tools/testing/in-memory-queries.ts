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
import { anchorsOf, itemBlock, plainText, referencesIn, sectionOf, tagsIn, withoutReferences } from './in-memory-markdown.ts';
import { regexOf } from './in-memory-reading.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

type QueryOf<Name extends keyof NoteQueries> = Parameters<NoteQueries[Name]>[0];

export function placeOf(store: InMemoryStore, { id, title, path, notebook }: StoredDocument) {
  return { document: { id, title, path }, notebook: { id: notebook, name: store.visibleNotebook(notebook).name } };
}

export function neighbourhood(store: InMemoryStore, { id, range, limit }: QueryOf<'blocks'>): BlockNeighbourhood {
  const { document, block } = store.locate(id);
  const item = block?.items?.find((each) => each.id === id);
  if (block !== undefined && (item !== undefined || (block.type === 'l' && range === 'children'))) {
    return { ...placeOf(store, document), ...itemsAround(store, document, block, item, range, limit) };
  }
  const wanted = rangeOf(document, block, range, limit);
  const cut = range === 'before' ? wanted.slice(-limit) : wanted.slice(0, limit);
  const visible = new Map(store.visibleBlocks(document).map((each) => [each.id, each] as const));
  const shown = cut.flatMap((each) => visible.get(each.id) ?? []);
  return {
    ...placeOf(store, document),
    blocks: shown.map((each) => store.toReading(document, each)),
    more: wanted.length - cut.length,
    hidden: store.countHidden(document, cut),
  };
}

/** A document's own blocks are its top-level ones. */
function rangeOf(document: StoredDocument, block: StoredBlock | undefined, range: QueryOf<'blocks'>['range'], limit: number) {
  const { blocks } = document;
  if (block === undefined) return range === 'before' ? [] : blocks;
  const at = blocks.findIndex(({ id }) => id === block.id);
  if (range === 'children') return block.type === 'h' ? sectionOf(blocks, at) : [];
  return beside(blocks, at, range, limit);
}

function beside<Entry>(all: readonly Entry[], at: number, range: Exclude<QueryOf<'blocks'>['range'], 'children'>, limit: number) {
  const first = Math.max(0, Math.min(at - Math.floor((limit - 1) / 2), all.length - limit));
  const ranges = {
    before: all.slice(0, at),
    after: all.slice(at + 1),
    context: all.slice(first, first + limit),
    self: all.slice(at, at + 1),
  };
  return ranges[range];
}

/** Items of one depth; what an item holds is read from its own Markdown, since only items have ids here. */
function itemsAround(
  store: InMemoryStore,
  document: StoredDocument,
  list: StoredBlock,
  item: NonNullable<StoredBlock['items']>[number] | undefined,
  range: QueryOf<'blocks'>['range'],
  limit: number,
) {
  const visible = store.visibleBlocks(document).find(({ id }) => id === list.id) ?? list;
  const siblings = (visible.items ?? []).filter(({ depth }) => depth === (item?.depth ?? 0));
  const at = siblings.findIndex(({ id }) => id === item?.id);
  const wanted = range !== 'children' ? beside(siblings, at, range, limit) : item === undefined ? siblings : [];
  const cut = range === 'before' ? wanted.slice(-limit) : wanted.slice(0, limit);
  const hidden = store.countHidden(document, [list]);
  return { blocks: cut.map((each) => itemBlock(visible, each)), more: wanted.length - cut.length, hidden };
}

export function infoOf(store: InMemoryStore, id: string): BlockInfo | FailedId {
  try {
    const { document, block } = store.locate(id);
    return {
      id,
      type: block === undefined ? 'd' : block.id === id ? block.type : 'i',
      subtype: block?.subtype ?? '',
      ...placeOf(store, document),
      breadcrumb: [{ id: document.id, text: document.title }, ...(block === undefined ? [] : crumbsOf(document, block, id))],
      backlinks: referring(store, new Set([id])).filter((entry) => entry.block.id !== id).length,
      attributes: shownAttributes(store, id),
      databases: (store.attributes.get(id)?.['custom-avs'] ?? '').split(',').filter(Boolean),
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { id, code: error.code, message: error.message, next: error.next };
  }
}

/** The headings above a block, the block, and its item. */
function crumbsOf({ blocks }: StoredDocument, block: StoredBlock, id: string) {
  const at = blocks.findIndex((each) => each.id === block.id);
  const above = blocks.slice(0, at).filter((each, index) => each.type === 'h' && sectionOf(blocks, index).includes(block));
  const item = block.items?.filter((each) => each.id === id) ?? [];
  return [...above, block, ...item].map((each) => ({ id: each.id, text: plainText(each.markdown).split('\n').join(' ') }));
}

export function shownAttributes(store: InMemoryStore, id: string): Readonly<Record<string, string>> {
  const entries = Object.entries(store.attributes.get(id) ?? {});
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith('custom-marginalia-')));
}

/** Blocks that refer to one of these, in documents that may be read. */
function referring(store: InMemoryStore, ids: ReadonlySet<string>) {
  return store
    .readableDocuments()
    .flatMap((document) => store.visibleBlocks(document).map((block) => ({ document, block })))
    .filter(({ block }) => referencesIn(block.markdown).some((id) => ids.has(id)));
}

/** References to what goes, from what stays. */
export function referringElsewhere(store: InMemoryStore, ids: readonly string[]): number {
  return referring(store, new Set(ids)).filter(({ block }) => !ids.includes(block.id)).length;
}

/** The block and what is in or below it: of a document its blocks, of a heading its section, of a list its items. */
function partsOf(store: InMemoryStore, { blocks }: StoredDocument, block: StoredBlock | undefined, id: string): ReadonlySet<string> {
  const at = blocks.findIndex((each) => each.id === id);
  const inside = block === undefined ? blocks : at < 0 ? [] : [...(block.type === 'h' ? sectionOf(blocks, at) : []), block];
  const below = inside.flatMap((each) => [each.id, ...(each.items ?? []).map((item) => item.id)]);
  return new Set([id, ...below.filter((each) => !store.isHidden({ id: each }))]);
}

export function findBacklinks(store: InMemoryStore, query: QueryOf<'backlinks'>): BacklinkPage {
  const { document, block } = store.locate(query.id);
  const targets = partsOf(store, document, block, query.id);
  const links = referring(store, targets).filter((entry) => !targets.has(entry.block.id));
  const found = query.kind === 'links' ? links : mentioning(store, document, block, links, targets);
  const from = (query.page - 1) * query.pageSize;
  return {
    items: found.slice(from, from + query.pageSize).map((entry) => {
      return { id: entry.block.id, ...placeOf(store, entry.document), text: plainText(entry.block.markdown).slice(0, 240) };
    }),
    total: found.length,
    nextPage: from + query.pageSize < found.length ? query.page + 1 : null,
  };
}

/** Headings, paragraphs and tables elsewhere that hold the document's title, or words by which others refer to it. */
function mentioning(
  store: InMemoryStore,
  document: StoredDocument,
  block: StoredBlock | undefined,
  links: ReturnType<typeof referring>,
  targets: ReadonlySet<string>,
): ReturnType<typeof referring> {
  const anchors = links.flatMap((entry) => anchorsOf(entry.block.markdown, targets));
  const terms = [...(block === undefined ? [document.title] : []), ...anchors].filter((term) => term.length > 2);
  const linking = new Set(links.map((entry) => entry.block.id));
  return store
    .readableDocuments()
    .filter((other) => other !== document)
    .flatMap((other) => store.visibleBlocks(other).map((entry) => ({ document: other, block: entry })))
    .filter((entry) => ['h', 'p', 't'].includes(entry.block.type) && !linking.has(entry.block.id))
    .filter((entry) => terms.some((term) => plainText(entry.block.markdown).includes(term)));
}

/** Line by line; of a list the items, as the text of their paragraphs. */
export function grepStored(store: InMemoryStore, query: QueryOf<'grep'>): DocumentMatches {
  const pattern = query.regex ? regexOf(query.pattern) : undefined;
  const { document } = store.locate(query.id);
  const matches = store.visibleBlocks(document).flatMap((block) => {
    const index = document.blocks.findIndex(({ id }) => id === block.id);
    const leaves = block.items?.map(({ id, markdown }) => ({ id, type: 'i', markdown })) ?? [block];
    return leaves.flatMap(({ id, type, markdown }) =>
      markdown.split('\n').flatMap((line) => {
        const start = line.toLowerCase().indexOf(query.pattern.toLowerCase());
        const matched = pattern ? pattern.exec(line)?.[0] : start < 0 ? undefined : line.slice(start, start + query.pattern.length);
        return matched === undefined ? [] : { blockId: id, type, index, line: line.slice(0, 300), matched };
      }),
    );
  });
  const hidden = store.countHidden(document);
  return { ...placeOf(store, document), matches: matches.slice(0, query.limit), total: matches.length, hidden };
}

export function recentStored(store: InMemoryStore, query: QueryOf<'recentDocuments'>) {
  const since = new Date(Date.parse(`${store.today}T00:00:00Z`) - query.days * 86_400_000).toISOString().slice(0, 10);
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
  for (const tag of blocks.flatMap(({ markdown }) => tagsIn(markdown))) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const filter = query.filter?.toLowerCase() ?? '';
  const tags = [...counts].map(([label, count]) => ({ label, count })).filter(({ label }) => label.toLowerCase().includes(filter));
  tags.sort((left, right) => right.count - left.count || (left.label < right.label ? -1 : 1));
  return { tags: tags.slice(0, query.limit), total: tags.length };
}

export function exportStored(store: InMemoryStore, document: StoredDocument) {
  const markdown = store
    .visibleBlocks(document)
    .map((block) => withoutReferences(block.markdown))
    .join('\n\n');
  return { ...placeOf(store, document), markdown, hidden: store.countHidden(document) };
}
