import { isContainer } from '../../tools/contract/block-kinds.ts';
import { GUARD_ROW, IS_GUARD } from '../access/readable-blocks.ts';
import { type BlockElement, blockId, parseBlock } from '../blocks/block-dom.ts';
import type { ChildBlock, KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quoted, quotedList } from '../sql/sql-text.ts';
import { BlockTree, indexedText, loadTree, NotLoaded } from './block-tree.ts';
import { loadWindow, type Run, runsOf } from './document-window.ts';
import { FEW_BLOCKS } from './near-limit.ts';

// Loads only touched blocks and their neighbours; gaps represent the rest, and an answer in one throws `NotLoaded`.

export interface Focus {
  /** Blocks at any depth of the document; missing ones are recorded as missing. */
  readonly ids: readonly string[];
  readonly end?: boolean;
  /** Headings among them whose end of section is needed. */
  readonly sections?: readonly string[];
  /** The headings above them too, to describe positions. */
  readonly headings?: boolean;
}

const FEW_DOCUMENTS = 4;
const SIDE_BY_SIDE = 6;
/** The maximum number of windows of one document; if it is touched in more places, all top-level blocks are listed. */
const MOST_RUNS = 24;
/** Blocks that are loaded at the end of a document. */
const AT_END = 8;
const MOST_HEADINGS = 10_000;

/** Documents without a guard or fold, which would affect untouched blocks, with their numbers of blocks. */
export async function plainAmong(
  routes: Pick<KernelRoutes, 'sql' | 'flushIndex'>,
  documentIds: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  await routes.flushIndex(signal);
  const plain = new Map<string, number>();
  for (const batch of batchesOf(documentIds)) {
    const list = quotedList(batch);
    const rows = await routes.sql(
      `SELECT root_id AS id, '' AS kind, count(*) AS n FROM blocks WHERE root_id IN (${list}) GROUP BY root_id UNION ALL ` +
        `SELECT DISTINCT root_id, '${GUARD_ROW}', 0 FROM attributes WHERE root_id IN (${list}) AND (${IS_GUARD} OR name = 'heading-fold') ` +
        `LIMIT ${2 * batch.length}`,
      signal,
    );
    for (const row of rows) if (row.kind !== GUARD_ROW) plain.set(String(row.id), Number(row.n));
    for (const row of rows) if (row.kind === GUARD_ROW) plain.delete(String(row.id));
  }
  return plain;
}

interface Part {
  /** 1-based. */
  readonly from: number;
  readonly length: number;
  readonly add: (tree: BlockTree, documentId: string) => void;
}

async function windowOf(routes: KernelRoutes, documentId: string, { from, to }: Run, signal: AbortSignal) {
  const loaded = await loadWindow(routes, documentId, from - 1, to - from + 1, signal);
  const elements = loaded?.blocks.map(({ dom }) => parseBlock(dom)).filter((each): each is BlockElement => each !== undefined) ?? [];
  if (!loaded || elements.length < loaded.blocks.length) throw new NotLoaded('the document is not as its index says');
  const add: Part['add'] = (tree, id) => {
    for (const element of elements) tree.addLoaded(id, element);
  };
  return { from, length: elements.length, add, ids: elements.map(blockId), total: loaded.total };
}

/** Headings whose sections contain these blocks, by id: in the index, headings are among the ancestors of a block. */
async function headingsAbove(
  routes: Pick<KernelRoutes, 'sql'>,
  documentId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Part['add']>> {
  const stmt =
    `WITH RECURSIVE up(id) AS (SELECT parent_id FROM blocks WHERE id IN (${quotedList(ids)}) ` +
    'UNION SELECT blocks.parent_id FROM up JOIN blocks ON blocks.id = up.id) ' +
    "SELECT blocks.id, subtype, content, markdown FROM up JOIN blocks ON blocks.id = up.id WHERE blocks.type = 'h' " +
    `AND root_id = ${quoted(documentId)} LIMIT ${MOST_HEADINGS}`;
  const rows = ids.length === 0 ? [] : await routes.sql(stmt, signal);
  return new Map(
    rows.map((row) => {
      const text = indexedText(String(row.markdown), String(row.content));
      const heading = { id: String(row.id), level: Number(String(row.subtype).slice(1)) || 6, text };
      return [heading.id, (tree: BlockTree, document: string) => tree.addHeading(document, heading)] as const;
    }),
  );
}

/** The number of blocks in the section of each of these headings; no entry for other blocks. */
async function sectionLengths(
  routes: Pick<KernelRoutes, 'sql'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const lengths = new Map<string, number>();
  for (const id of ids) {
    const stmt =
      `WITH RECURSIVE headings(id) AS (SELECT id FROM blocks WHERE id = ${quoted(id)} AND type = 'h' ` +
      "UNION SELECT blocks.id FROM blocks JOIN headings ON blocks.parent_id = headings.id WHERE blocks.type = 'h') " +
      'SELECT count(DISTINCT blocks.id) AS n FROM blocks JOIN headings ON blocks.parent_id = headings.id LIMIT 1';
    const length = Number((await routes.sql(stmt, signal))[0]?.n ?? 0);
    if (length > 0) lengths.set(id, length);
  }
  return lengths;
}

/** Every top-level block; only the containers at these indexes (1-based) with their contents. */
async function addTops(tree: BlockTree, routes: KernelRoutes, documentId: string, open: ReadonlySet<number>, signal: AbortSignal) {
  const children = await routes.children(documentId, signal);
  const isOpen = (child: ChildBlock, index: number): boolean => isContainer(child.type) && open.has(index + 1);
  const ids = children.filter(isOpen).map((child) => child.id);
  const doms = await routes.doms(ids, signal);
  tree.addDocument(documentId, children.length);
  for (const child of children) tree.addTop(documentId, child, {}, false, parseBlock(doms[child.id] ?? ''));
}

/** Reads the current surroundings of these blocks. Rejects with `NotLoaded` if the whole document is needed. */
async function addAround(
  tree: BlockTree,
  routes: KernelRoutes,
  documentId: string,
  { ids, end, headings, sections = [], blocks }: Focus & { readonly blocks: number },
  signal: AbortSignal,
): Promise<void> {
  const lengths = await sectionLengths(routes, sections, signal);
  const above = headings ? await headingsAbove(routes, documentId, ids, signal) : new Map<string, Part['add']>();
  const isShort = blocks <= FEW_BLOCKS;
  // The first id determines the document: deleted ones do not.
  const indexes = isShort || ids.length === 0 ? {} : await routes.blockIndexes([documentId, ...ids, ...above.keys()], signal);
  const ends = [...lengths].flatMap(([id, length]) => (indexes[id] ? indexes[id] + length : []));
  const runs = runsOf([...ids.flatMap((id) => indexes[id] || []), ...ends], 1);
  if (runs.length === 0) runs.push({ from: 1, to: isShort ? blocks : 1 });
  if (runs.length > MOST_RUNS) return addTops(tree, routes, documentId, new Set(Object.values(indexes)), signal);
  const windows = await Promise.all(runs.map((run) => windowOf(routes, documentId, run, signal)));
  const total = windows[0]?.total ?? 0;
  const loaded = runs.at(-1)?.to ?? 0;
  if (end && loaded < total)
    windows.push(await windowOf(routes, documentId, { from: Math.max(loaded + 1, total - AT_END), to: total }, signal));
  if (windows.some((each) => each.total !== total) || (isShort && total > blocks)) throw new NotLoaded('somebody writes in the document');
  const runsThere = windows.filter(({ length }) => length > 0);
  const alone = [...above].map(([id, add]) => ({ from: indexes[id] ?? 0, length: 1, add }));
  const isApart = ({ from }: Part): boolean => from > 0 && !windows.some((each) => each.from <= from && from < each.from + each.length);
  tree.addDocument(documentId, total);
  let next = 1;
  for (const { from, length, add } of [...runsThere, ...alone.filter(isApart)].sort((one, other) => one.from - other.from)) {
    if (from > next) tree.addGap(documentId);
    add(tree, documentId);
    next = from + length;
  }
  if (next <= total) tree.addGap(documentId);
  const at = new Map(windows.flatMap(({ from, ids }) => ids.map((id, index) => [from + index, id] as const)));
  for (const [id, length] of lengths) tree.noteSection(id, at.get((indexes[id] ?? 0) + length) ?? '');
}

/** `blocksOf`: the number of blocks of plain documents; others, and all if more is needed, are loaded as a whole. */
export async function loadAround(
  routes: KernelRoutes,
  documents: ReadonlyMap<string, Focus>,
  signal: AbortSignal,
  blocksOf: (documentId: string) => number | undefined,
): Promise<BlockTree> {
  const tree = new BlockTree([...documents.values()].every(({ headings }) => headings));
  const add = ([id, focus]: readonly [string, Focus]): Promise<unknown> => {
    const blocks = blocksOf(id);
    return blocks === undefined ? loadTree(routes, [id], signal, tree) : addAround(tree, routes, id, { ...focus, blocks }, signal);
  };
  try {
    for (const batch of batchesOf([...documents], SIDE_BY_SIDE)) await Promise.all(batch.map(add));
  } catch (error) {
    if (!(error instanceof NotLoaded)) throw error;
    return loadTree(routes, documents.keys(), signal);
  }
  tree.noteAsked([...documents.values()].flatMap(({ ids }) => ids));
  return tree;
}

/** The current surroundings of these blocks; short documents, and those with folds or guards, as a whole. */
export async function nearTree(routes: KernelRoutes, documents: ReadonlyMap<string, Focus>, signal: AbortSignal): Promise<BlockTree> {
  const plain = await plainAmong(routes, [...documents.keys()], signal);
  // With many documents, short ones too get one window each instead of three requests.
  const few = documents.size > FEW_DOCUMENTS ? 0 : FEW_BLOCKS;
  return loadAround(routes, documents, signal, (id) => {
    const blocks = plain.get(id) ?? 0;
    return blocks > few ? blocks : undefined;
  });
}

/** Calls `use` with such a tree and, if it needs more, again with whole documents: its questions come before its side effects. */
export async function withTree<T>(
  routes: KernelRoutes,
  documents: ReadonlyMap<string, Focus>,
  signal: AbortSignal,
  use: (tree: BlockTree) => T | Promise<T>,
): Promise<T> {
  const near = await nearTree(routes, documents, signal);
  try {
    return await use(near);
  } catch (error) {
    if (!(error instanceof NotLoaded)) throw error;
    return use(await loadTree(routes, documents.keys(), signal));
  }
}
