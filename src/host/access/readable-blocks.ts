import type { NotebookInfo } from '../../tools/contract/ports.ts';
import { isBlockId } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quoted, quotedList } from '../sql/sql-text.ts';
import { ACCESS_ATTRIBUTE, isGuarded } from './access-attribute.ts';
import type { DocumentScope } from './document-scope.ts';
import { drawnFromHidden } from './drawn-texts.ts';
import { isVisible } from './notebook-list.ts';
import { documentsAbove, guardedOf, NOT_INDEXED } from './unindexed-documents.ts';

export interface IndexedBlock {
  readonly id: string;
  readonly notebook: string;
  readonly documentId: string;
  /** The kernel's path of ids. */
  readonly path: string;
  readonly wordPath: string;
  readonly type: string;
  readonly updated: string;
  /** True if the rights of its notebook and no guard on or around it keep the assistant from reading it. */
  readonly readable: boolean;
  /** The index holds it twice with different texts, as happens while SiYuan indexes a write: either may be outdated. */
  readonly isTwofold?: boolean;
  /** It has attributes of ours, or for a document a block in it has: SiYuan may be set to search attributes, which hold other notes' words. */
  readonly hasOwnAttributes?: boolean;
}

/** SQL condition: the index holds another row with different text for this block. `row` is the row's name in the statement. */
export const isTwofold = (row: string): string =>
  `EXISTS (SELECT 1 FROM blocks AS twin WHERE twin.id = ${row}.id AND twin.rowid <> ${row}.rowid AND (` +
  `${['content', 'hpath', 'name', 'alias', 'memo', 'tag'].map((column) => `twin.${column} IS NOT ${row}.${column}`).join(' OR ')}))`;

const IS_OWN = "name LIKE 'custom-marginalia-%'";
const HAS_OWN =
  "blocks.ial LIKE '% custom-marginalia-%' OR blocks.ial LIKE '% custom-ai-access=%' " +
  `OR (blocks.type = 'd' AND EXISTS (SELECT 1 FROM attributes WHERE root_id = blocks.id AND ${IS_OWN}))`;

/** The title of a document, from its human-readable path: titles contain no slash. */
export const titleIn = (wordPath: string): string => wordPath.slice(wordPath.lastIndexOf('/') + 1);

/** `flushed`: the caller has just flushed the index, which takes SiYuan 50 ms each time. */
export type IndexState = 'flushed' | 'lagging';

/** Rights of many blocks at once, in any notebook: for references, backlinks, search and tags. */
export interface ReadableBlocks {
  /** Blocks that are missing in the index (deleted, or in a closed or encrypted notebook) are missing in the answer. */
  look(ids: readonly string[], signal: AbortSignal, index?: IndexState): Promise<ReadonlyMap<string, IndexedBlock>>;
  /** Tells if any notebook, document or block is guarded by its attribute, or outside of the documents that may be read. */
  hasGuards(signal: AbortSignal, index?: IndexState): Promise<boolean>;
  /** Tells if anything may not be read now: because of a guard, a notebook's right, or a closed notebook. */
  hidesAnything(signal: AbortSignal): Promise<boolean>;
  /** The number of blocks of these notebooks that are kept back. */
  countHidden(notebooks: readonly string[], signal: AbortSignal): Promise<number>;
  documentsWithGuards(documentIds: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Of readable blocks, those whose text in SiYuan may contain words of unreadable ones. The caller has flushed the index. */
  drawnFromHidden(ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
}

export interface DocumentRights {
  readonly scope: DocumentScope;
  notebooks(signal: AbortSignal): Promise<readonly NotebookInfo[]>;
  guardedDocuments(notebook: string, paths: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
}

const BLOCKS_PER_REQUEST = 1000;

export const IS_GUARD = `name = '${ACCESS_ATTRIBUTE}' AND trim(value) = 'none'`;

export interface Guard {
  readonly id: string;
  readonly document: string;
  readonly notebook: string;
}

/** Not a block type: marks rows of guards among rows of blocks. */
export const GUARD_ROW = 'guard';
const MOST_GUARDS = 100_000;

const guardOf = (row: Readonly<Record<string, unknown>>): Guard => ({
  id: String(row.id),
  document: String(row.root_id),
  notebook: String(row.box),
});

/** All guards in the index, in one query for all rights of a reading. The caller flushes the index where it must be current. */
export async function listGuards(routes: Pick<KernelRoutes, 'sql'>, signal: AbortSignal): Promise<readonly Guard[]> {
  return (await routes.sql(`SELECT block_id AS id, root_id, box FROM attributes WHERE ${IS_GUARD} LIMIT ${MOST_GUARDS}`, signal)).map(
    guardOf,
  );
}

/** In the index the parent of a block is the heading above it, if any (docs/kernel.md#index-and-search), so sections inherit guards too. */
export const GUARDED_BLOCKS =
  `guarded(id) AS (SELECT block_id FROM attributes WHERE ${IS_GUARD} ` +
  'UNION SELECT blocks.id FROM blocks JOIN guarded ON blocks.parent_id = guarded.id)';

/** The tables `guards(id)`, and `holding(id)`: the blocks around guards, whose `updated` SiYuan changes with them. */
export const HOLDING_GUARDS =
  `guards(id) AS (SELECT block_id FROM attributes WHERE ${IS_GUARD}), ` +
  'holding(id) AS (SELECT blocks.parent_id FROM guards CROSS JOIN blocks ON blocks.id = guards.id ' +
  'UNION SELECT blocks.parent_id FROM holding CROSS JOIN blocks ON blocks.id = holding.id)';

/** An SQL expression for the last readable change of the block in `row`, over `HOLDING_GUARDS`: of its other blocks, or its creation. */
export const readableTime = (row: string): string =>
  `iif(${row}.id IN (SELECT id FROM holding), coalesce((WITH RECURSIVE within(id, updated) AS (` +
  `SELECT child.id, child.updated FROM blocks AS child WHERE child.parent_id = ${row}.id AND child.id NOT IN (SELECT id FROM guards) ` +
  'UNION SELECT child.id, child.updated FROM within CROSS JOIN blocks AS child ON child.parent_id = within.id ' +
  'WHERE child.id NOT IN (SELECT id FROM guards)) ' +
  `SELECT max(updated) FROM within WHERE id NOT IN (SELECT id FROM holding)), substr(${row}.id, 1, 14)), ${row}.updated)`;

/** Documents guarded as a whole. `besides`: guarded ones missing in the index. Materialized: SQLite would scan all attributes per block. */
export const guardedDocuments = (besides: readonly string[] = []): string =>
  `guarded_documents(id) AS MATERIALIZED (SELECT block_id FROM attributes WHERE ${IS_GUARD} AND block_id = root_id` +
  `${besides.map((id) => ` UNION SELECT ${quoted(id)}`).join('')})`;

/** Rows of `spans` that are tags. A tag that is also a reference shows another block's text. */
export const IS_TAG = "type LIKE '%tag%' AND type NOT LIKE '%block-ref%'";

/** Marks rows of documents that are missing in the index. It differs from every path, since paths begin with a slash. */
const ABOVE_ROW = 'above';

/** Index rows: each document with its blocks (`<id> <type> <time of change> <twofold> <own attributes>`), guards, unindexed parents. */
const blockRowsOf = (ids: readonly string[]): string =>
  // In 3.7.3 a notebook is a `d` row of its own id.
  "WITH RECURSIVE found AS (SELECT box, path, hpath, group_concat(id || ' ' || coalesce(type, '') || ' ' || coalesce(updated, '') || ' ' || " +
  `${isTwofold('blocks')} || ' ' || (${HAS_OWN})) AS blocks ` +
  `FROM blocks WHERE id IN (${quotedList(ids)}) AND id <> box GROUP BY box, path, hpath), ${documentsAbove('SELECT path FROM found')} ` +
  'SELECT box, path, hpath, blocks FROM found ' +
  `UNION ALL SELECT box, '${GUARD_ROW}', root_id, block_id FROM attributes WHERE ${IS_GUARD} ` +
  `UNION ALL SELECT '', '${ABOVE_ROW}', '', id FROM above WHERE ${NOT_INDEXED} LIMIT ${MOST_GUARDS}`;

const NOTHING_GUARDED = { guarded: new Set<string>(), times: new Map<string, string>() };

/** Ids of all documents, by a skip scan of that column's index: otherwise SQLite would visit every block. */
const ROOTS =
  'roots(id) AS (SELECT min(root_id) FROM blocks ' +
  'UNION ALL SELECT (SELECT min(root_id) FROM blocks WHERE root_id > roots.id) FROM roots WHERE roots.id IS NOT NULL)';

/** The table `above`: the documents above all indexed documents. */
export const ROOT_PATHS = `${ROOTS}, ${documentsAbove('SELECT blocks.path FROM roots CROSS JOIN blocks ON blocks.id = roots.id')}`;

const documentOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.sy$/, '');

class IndexReadableBlocks implements ReadableBlocks {
  private readonly routes: KernelRoutes;
  private readonly access: DocumentRights;

  constructor(routes: KernelRoutes, access: DocumentRights) {
    this.routes = routes;
    this.access = access;
  }

  async look(ids: readonly string[], signal: AbortSignal, index: IndexState = 'lagging'): Promise<ReadonlyMap<string, IndexedBlock>> {
    const wanted = [...new Set(ids)].filter(isBlockId);
    const found = new Map<string, IndexedBlock>();
    if (wanted.length === 0) return found;
    // Recent changes of rights and positions take effect at once, though the index lags behind writes.
    if (index === 'lagging') await this.routes.flushIndex(signal);
    const open = new Set((await this.access.notebooks(signal)).filter(isVisible).map((book) => book.id));
    for (const batch of batchesOf(wanted, BLOCKS_PER_REQUEST)) {
      const { rows, guards, above } = await this.rowsOf(batch, signal);
      const { guarded, times } = guards.length === 0 ? NOTHING_GUARDED : await this.guardedAmong(batch, signal);
      const closing = [...guards.filter((guard) => guard.id === guard.document).map((guard) => guard.id), ...above];
      for (const row of rows) {
        const isKept = guarded.has(row.id) || closing.some((id) => row.path.includes(id));
        const readable = open.has(row.notebook) && !isKept && this.access.scope.holds(row.notebook, row.path);
        found.set(row.id, { ...row, updated: times.get(row.id) ?? row.updated, readable });
      }
    }
    return found;
  }

  async hasGuards(signal: AbortSignal, index: IndexState = 'lagging'): Promise<boolean> {
    if (this.access.scope.isNarrow) return true;
    if (index === 'lagging') await this.routes.flushIndex(signal);
    const stmt =
      `WITH RECURSIVE ${ROOT_PATHS} ` +
      `SELECT '${GUARD_ROW}' AS kind, block_id AS id FROM attributes WHERE ${IS_GUARD} ` +
      `UNION ALL SELECT '${ABOVE_ROW}', id FROM above WHERE ${NOT_INDEXED} LIMIT ${MOST_GUARDS}`;
    const rows = await this.routes.sql(stmt, signal);
    if (rows.some(({ kind }) => kind === GUARD_ROW)) return true;
    const unindexed = rows.map(({ id }) => String(id));
    if ((await guardedOf(this.routes, unindexed, signal)).length > 0) return true;
    const books = (await this.access.notebooks(signal)).map((book) => book.id);
    return Object.values(await this.routes.attributesOf(books, signal)).some(isGuarded);
  }

  async hidesAnything(signal: AbortSignal): Promise<boolean> {
    const books = await this.access.notebooks(signal);
    return !books.every(isVisible) || this.hasGuards(signal);
  }

  async countHidden(notebooks: readonly string[], signal: AbortSignal): Promise<number> {
    const stmt =
      `WITH RECURSIVE ${GUARDED_BLOCKS}, ${guardedDocuments()} SELECT count(*) AS n FROM blocks WHERE box IN (${quotedList(notebooks)}) ` +
      'AND (id IN (SELECT id FROM guarded) ' +
      'OR EXISTS (SELECT 1 FROM guarded_documents WHERE instr(blocks.path, guarded_documents.id) > 0)) LIMIT 1';
    return Number((await this.routes.sql(stmt, signal))[0]?.n ?? 0);
  }

  async documentsWithGuards(documentIds: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const guarded = new Set<string>();
    for (const batch of batchesOf([...new Set(documentIds)].filter(isBlockId))) {
      const stmt = `SELECT DISTINCT root_id FROM attributes WHERE ${IS_GUARD} AND root_id IN (${quotedList(batch)}) LIMIT ${batch.length}`;
      for (const row of await this.routes.sql(stmt, signal)) guarded.add(String(row.root_id));
    }
    return guarded;
  }

  drawnFromHidden(ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    return drawnFromHidden({ routes: this.routes, look: (...asked) => this.look(...asked) }, ids, signal);
  }

  /** Includes every guard, since their number decides what else must be asked. `above`: guarded documents missing in the index. */
  private async rowsOf(ids: readonly string[], signal: AbortSignal) {
    const all = await this.routes.sql(blockRowsOf(ids), signal);
    const isMark = (path: unknown): boolean => path === GUARD_ROW || path === ABOVE_ROW;
    const rows = all
      .filter(({ path }) => !isMark(path))
      .flatMap(({ box, path, hpath, blocks }) =>
        String(blocks)
          .split(',')
          .map((block): Omit<IndexedBlock, 'readable'> => {
            const [id = '', type = '', updated = '', twofold = '', own = ''] = block.split(' ');
            const place = { notebook: String(box), documentId: documentOf(String(path)), path: String(path), wordPath: String(hpath) };
            return { id, ...place, type, updated, isTwofold: twofold === '1', hasOwnAttributes: own === '1' };
          }),
      );
    const guards = all
      .filter(({ path }) => path === GUARD_ROW)
      .map(({ blocks, hpath, box }) => guardOf({ id: blocks, root_id: hpath, box }));
    const unknown = all.filter(({ path }) => path === ABOVE_ROW).map(({ blocks }) => String(blocks));
    return { rows, guards, above: await guardedOf(this.routes, unknown, signal) };
  }

  /** Blocks guarded by themselves, a block around them or their document; and the readable change times of blocks that contain guards. */
  private async guardedAmong(ids: readonly string[], signal: AbortSignal) {
    const stmt =
      `WITH RECURSIVE ${HOLDING_GUARDS}, up(start, id) AS (SELECT id, id FROM blocks WHERE id IN (${quotedList(ids)}) ` +
      "UNION SELECT up.start, blocks.parent_id FROM up JOIN blocks ON blocks.id = up.id WHERE blocks.parent_id <> '') " +
      "SELECT DISTINCT start AS id, '' AS time FROM up WHERE id IN (SELECT id FROM guards) " +
      `UNION ALL SELECT id, ${readableTime('blocks')} FROM blocks WHERE id IN (${quotedList(ids)}) AND id IN (SELECT id FROM holding) ` +
      `LIMIT ${ids.length * 4}`;
    const rows = (await this.routes.sql(stmt, signal)).map(({ id, time }) => [String(id), String(time)] as const);
    return {
      guarded: new Set(rows.filter(([, time]) => time === '').map(([id]) => id)),
      times: new Map(rows.filter(([, time]) => time !== '')),
    };
  }
}

export function createReadableBlocks(routes: KernelRoutes, access: DocumentRights): ReadableBlocks {
  return new IndexReadableBlocks(routes, access);
}
