import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { SHOWING_BLOCKS } from '../sql/sql-tables.ts';
import { quotedList } from '../sql/sql-text.ts';
import type { Access } from './access.ts';
import { isVisible } from './notebook-list.ts';
import {
  GUARDED_BLOCKS,
  guardedDocuments,
  HOLDING_GUARDS,
  type IndexedBlock,
  IS_GUARD,
  ROOT_PATHS,
  readableTime,
} from './readable-blocks.ts';
import { documentsAbove, NOT_INDEXED, rowsBesideUnindexed } from './unindexed-documents.ts';

/** A block whose text in SiYuan's index is not what may be read of it. */
export interface MaskedBlock extends IndexedBlock {
  /** The block's own text in the index: title, query, name, alias, memo, tags. */
  readonly ownText: string;
}

/** Types whose text in the index is their own, apart from the text of blocks that they refer to. */
export const LEAF_TYPES: readonly string[] = ['d', 'h', 'p', 'c', 't', 'm', 'html'];
export type MaskedKinds = 'all' | 'leaves';

const MAX_ROWS = 1_000_000;
/** Not a block type: marks documents that are missing in the index. */
const ABOVE_ROW = 'above';

const IS_FOREIGN = "type IN ('av', 'query_embed')";
/** Databases and embeds. Finding all costs more than a search; a leaf shows one only through references to it or its container. */
const FOREIGN: Readonly<Record<MaskedKinds, string>> = {
  all: `databases(id) AS (SELECT id FROM blocks WHERE ${IS_FOREIGN})`,
  leaves:
    `referred(id, type) AS (SELECT id, type FROM targets WHERE type NOT IN (${quotedList(LEAF_TYPES)}) ` +
    'UNION SELECT blocks.id, blocks.type FROM referred JOIN blocks ON blocks.parent_id = referred.id), ' +
    `databases(id) AS (SELECT id FROM referred WHERE ${IS_FOREIGN})`,
};

export interface VisibleNotebooks {
  readonly ids: readonly string[];
  readonly areAll: boolean;
  /** An SQL condition on a row with `box` and `path`, true for what is outside of the readable documents. */
  readonly outside: (row: string) => string;
}

export async function visibleNotebooks(access: Pick<Access, 'notebooks' | 'scope'>, signal: AbortSignal): Promise<VisibleNotebooks> {
  const all = await access.notebooks(signal);
  const ids = all.filter(isVisible).map((book) => book.id);
  return { ids, areAll: ids.length === all.length && !access.scope.isNarrow, outside: access.scope.outside };
}

/** Tells if anything may be hidden, unindexed documents included; if nothing is, a reference without an id shows no secret. */
const mayHide = ({ areAll }: VisibleNotebooks): string =>
  areAll
    ? `EXISTS (SELECT 1 FROM attributes WHERE ${IS_GUARD}) ` +
      `OR EXISTS (WITH RECURSIVE ${ROOT_PATHS} SELECT 1 FROM above WHERE ${NOT_INDEXED})`
    : 'TRUE';

/** The tables `guarded(id)`, `guarded_documents(id)`, `targets(id, box, path, type)` and `showing(id)`, the masked blocks. */
export const maskedTables = (visible: VisibleNotebooks, unindexed: readonly string[], kinds: MaskedKinds): string =>
  `${GUARDED_BLOCKS}, ${guardedDocuments(unindexed)}, ` +
  'targets(id, box, path, type) AS MATERIALIZED (SELECT named.id, target.box, target.path, target.type ' +
  'FROM (SELECT DISTINCT def_block_id AS id FROM refs) AS named LEFT JOIN blocks AS target ON target.id = named.id), ' +
  `hidden_targets(id) AS (SELECT id FROM targets WHERE (id <> '' OR ${mayHide(visible)}) AND (box IS NULL OR box NOT IN (${quotedList(visible.ids)}) ` +
  `OR ${visible.outside('targets')} ` +
  'OR id IN (SELECT id FROM guarded) OR EXISTS (SELECT 1 FROM guarded_documents WHERE instr(targets.path, guarded_documents.id) > 0))), ' +
  `${FOREIGN[kinds]}, ` +
  'seeds(id) AS MATERIALIZED (SELECT id FROM guarded UNION ALL SELECT id FROM databases ' +
  'UNION ALL SELECT block_id FROM refs WHERE def_block_id IN (SELECT id FROM hidden_targets)), ' +
  `${SHOWING_BLOCKS}`;

const maskedOf = ({ id, type, root_id, box, path, hpath, updated, own, hidden }: Readonly<Record<string, unknown>>): MaskedBlock => ({
  id: String(id),
  notebook: String(box),
  documentId: String(root_id),
  path: String(path),
  wordPath: String(hpath),
  type: String(type),
  updated: String(updated),
  readable: Number(hidden) === 0,
  ownText: String(own ?? ''),
});

/** Blocks, chosen by position, of which an index search would reveal hidden text: those that refer to it, databases and embeds. */
export async function findMaskedBlocks(
  deps: { readonly routes: KernelRoutes; readonly access: Access },
  notebooks: readonly string[],
  kinds: MaskedKinds,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, MaskedBlock>> {
  if (notebooks.length === 0) return new Map();
  const visible = await visibleNotebooks(deps.access, signal);
  const statement = (unindexed: readonly string[]): string =>
    `WITH RECURSIVE ${maskedTables(visible, unindexed, kinds)}, ${HOLDING_GUARDS}, ` +
    'masked AS MATERIALIZED (SELECT blocks.*, ' +
    "CASE blocks.type WHEN 'd' THEN blocks.content WHEN 'query_embed' THEN blocks.markdown ELSE '' END AS own " +
    `FROM showing CROSS JOIN blocks ON blocks.id = showing.id WHERE blocks.box IN (${quotedList(notebooks)}) AND blocks.id <> blocks.box), ` +
    // The masked blocks' own documents too: these rows decide whether the blocks may be read at all.
    `${documentsAbove('SELECT path FROM masked UNION SELECT path FROM targets')} ` +
    `SELECT id, type, root_id, box, path, hpath, ${readableTime('masked')} AS updated, ` +
    "trim(own || ' ' || name || ' ' || alias || ' ' || memo || " +
    `CASE type WHEN 'd' THEN ' ' || tag ELSE '' END) AS own, ${visible.outside('masked')} OR id IN (SELECT id FROM guarded) ` +
    'OR EXISTS (SELECT 1 FROM guarded_documents WHERE instr(masked.path, guarded_documents.id) > 0) AS hidden FROM masked ' +
    `UNION ALL SELECT id, '${ABOVE_ROW}', '', '', '', '', '', '', 0 FROM above WHERE ${NOT_INDEXED} LIMIT ${MAX_ROWS}`;
  const aboveIn = ({ id, type }: Readonly<Record<string, unknown>>) => (type === ABOVE_ROW ? String(id) : undefined);
  const rows = await rowsBesideUnindexed(deps.routes, statement, aboveIn, signal);
  return new Map(rows.map((row) => [String(row.id), maskedOf(row)]));
}
