import { badSql } from './sql-tokens.ts';

/** From `seeds(id)`, all blocks that may show their words: containers, and references to any of these; not titles and headings. */
export const SHOWING_BLOCKS =
  'reached(id, heads) AS (SELECT id, 0 FROM seeds ' +
  "UNION SELECT above.id, above.type = 'h' FROM reached JOIN blocks ON blocks.id = reached.id AND blocks.type <> 'd' " +
  'JOIN blocks AS above ON above.id = blocks.parent_id ' +
  "UNION SELECT refs.block_id, 0 FROM reached JOIN blocks ON blocks.id = reached.id AND blocks.type <> 'd' AND NOT reached.heads " +
  'JOIN refs ON refs.def_block_id = reached.id), ' +
  'showing(id) AS (SELECT DISTINCT id FROM reached WHERE NOT heads)';

/** Rows that share one value of a column: `unique` one, `narrow` as many as a block has spans or references, `wide` any. */
export type Selectivity = 'unique' | 'narrow' | 'wide';

export interface SqlTableColumn {
  readonly name: string;
  readonly selectivity: Selectivity;
  /** The kernel has an index of it (kernel/sql/database.go of 3.7.3), so a lookup for each row is cheap. */
  readonly indexed: boolean;
}

/** Columns that a model may use (kernel/sql/database.go of 3.7.3), without `blocks.hash`, which covers hidden attributes. */
const COLUMNS: Readonly<Record<string, string>> = {
  blocks: 'id parent_id root_id box path hpath name alias memo tag content fcontent markdown length type subtype ial sort created updated',
  spans: 'id block_id root_id box path content markdown type ial',
  attributes: 'id name value type block_id root_id box path',
  refs: 'id def_block_id def_block_parent_id def_block_root_id def_block_path block_id root_id box path content markdown type',
  assets: 'id block_id root_id box docpath path name title hash',
};
const INDEXED: Readonly<Record<string, readonly string[]>> = {
  blocks: ['id', 'parent_id', 'root_id'],
  spans: ['root_id'],
  attributes: ['block_id', 'root_id'],
  assets: ['root_id'],
};

const SELECTIVITIES: ReadonlyMap<string, Selectivity> = new Map([
  ['id', 'unique'],
  ['block_id', 'narrow'],
  ['def_block_id', 'narrow'],
]);
const selectivityOf = (name: string): Selectivity => SELECTIVITIES.get(name) ?? 'wide';

/** Undefined for a table that may not be queried. `name` in lower case. */
export function tableColumns(name: string): readonly SqlTableColumn[] | undefined {
  const columns = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined;
  return columns?.split(' ').map((column) => ({
    name: column,
    selectivity: selectivityOf(column),
    indexed: INDEXED[name]?.includes(column) ?? false,
  }));
}

export const columnsHint = (): string =>
  `use these columns, and single quotes around text: ${Object.entries(COLUMNS)
    .map(([table, columns]) => `${table}(${columns.replaceAll(' ', ', ')})`)
    .join('; ')}`;

/** This plugin's own attributes, and those that hide blocks from the model, are not shown to it. */
const OWN_NAME = "(name LIKE 'custom-marginalia-%' OR name = 'custom-ai-access')";
const OWN_IN_LIST = "(ial LIKE '%custom-marginalia-%' OR ial LIKE '%custom-ai-access%')";
const OPEN_ATTRIBUTES = `SELECT * FROM attributes WHERE NOT ${OWN_NAME}`;
/** A block's attribute list without hidden attributes, in SiYuan's form; only if the stored list contains any. */
const CLEAN_LIST =
  `CASE WHEN ${OWN_IN_LIST} THEN '{: id="' || id || '"' || ifnull((SELECT group_concat(' ' || name || '="' || value || '"', '') ` +
  `FROM (${OPEN_ATTRIBUTES}) WHERE block_id = outer_blocks.id), '') || ' updated="' || updated || '"}' ELSE ial END AS ial`;
/** Database rows, and the last rendered result of an embed, come from any block: neither is the text of the block itself. */
const FOREIGN_TEXT = "type IN ('av', 'query_embed')";
/** Blocks that show words of an unindexed block, for example in a closed notebook, directly or indirectly. */
const DANGLING =
  'SELECT id FROM (WITH RECURSIVE seeds(id) AS (SELECT block_id FROM refs WHERE def_block_id NOT IN (SELECT id FROM blocks)), ' +
  `${SHOWING_BLOCKS} SELECT id FROM showing)`;
const TEXTS = ['content', 'fcontent', 'markdown', 'length'];

export interface SourceOptions {
  /** Leaves out texts with words of blocks that are not in the index. */
  readonly hideDangling: boolean;
}

function blocksSource({ hideDangling }: SourceOptions): string {
  const foreign = (column: string): boolean => ['content', 'fcontent', 'length'].includes(column);
  const columns = (COLUMNS.blocks ?? '').split(' ').map((column) => {
    if (column === 'ial') return CLEAN_LIST;
    const dangling = `type <> 'd' AND id IN (${DANGLING})`;
    const hidden = [...(foreign(column) ? [FOREIGN_TEXT] : []), ...(hideDangling && TEXTS.includes(column) ? [dangling] : [])];
    const blank = column === 'length' ? '0' : "''";
    return hidden.length === 0 ? column : `CASE WHEN ${hidden.join(' OR ')} THEN ${blank} ELSE ${column} END AS ${column}`;
  });
  return `SELECT ${columns.join(', ')} FROM blocks AS outer_blocks`;
}

function otherSource(table: string, { hideDangling }: SourceOptions): string {
  const dangling =
    table === 'spans' ? `block_id IN (${DANGLING})` : `(def_block_id NOT IN (SELECT id FROM blocks) OR def_block_id IN (${DANGLING}))`;
  const columns = (COLUMNS[table] ?? '').split(' ').map((column) => {
    const hides = hideDangling && (table === 'spans' || table === 'refs') && TEXTS.includes(column);
    const text = hides ? `CASE WHEN ${dangling} THEN '' ELSE ${column} END AS ${column}` : column;
    return column === 'ial' ? `CASE WHEN ${OWN_IN_LIST} THEN '' ELSE ial END AS ial` : text;
  });
  return `SELECT ${columns.join(', ')} FROM ${table}${table === 'attributes' ? ` WHERE NOT ${OWN_NAME}` : ''}`;
}

/** The subquery that replaces a table: its allowed columns, without what no expression may see. Throws `bad_sql` for an unknown table. */
export function tableSource(name: string, options: SourceOptions): string {
  if (name === 'blocks') return blocksSource(options);
  if (tableColumns(name) === undefined) throw badSql(`there is no table ${name}`, columnsHint());
  return otherSource(name, options);
}
