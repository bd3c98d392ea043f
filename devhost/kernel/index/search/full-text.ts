import { ApiError } from '../../api-error.ts';
import { ID_PATTERN } from '../../tree/node.ts';
import type { Row, SearchIndex } from '../block-index.ts';
import { markedTerms } from '../fts-text.ts';
import { compilePattern, rangesOf } from '../regexp.ts';
import { type FoundBlock, foundBlock, hideOwnName, type Marking, text, UNMARKED } from './found-block.ts';
import { groupByDocument } from './group.ts';
import { markFromMatch, markRanges, snippet, termPattern } from './highlight.ts';
import { documentOrder, orderOf } from './order.ts';
import type { SearchQuery } from './search-query.ts';

export interface SearchAnswer {
  readonly blocks: FoundBlock[];
  readonly matchedBlockCount: number;
  readonly matchedRootCount: number;
  readonly pageCount: number;
  /** The query had several words, so documents were searched that hold them all, in whatever blocks. */
  readonly docMode: boolean;
}

interface Matches {
  readonly rows: readonly Row[];
  readonly marking: Marking;
  readonly blockCount: number;
  readonly rootCount: number;
  readonly docMode?: boolean;
}

const NOTHING: Matches = { rows: [], marking: UNMARKED, blockCount: 0, rootCount: 0 };

/** What a search looks into. */
const columnsOf = ({ attributes }: SearchQuery): readonly string[] => [
  'content',
  'name',
  'alias',
  'memo',
  ...(attributes ? ['ial'] : []),
  'tag',
];
const COUNTS = 'count(id) AS blocks, count(DISTINCT root_id) AS roots';

/** SiYuan's global search. A query that cannot be read finds nothing; nothing is thrown. */
export function fullTextSearch(index: SearchIndex, query: SearchQuery): SearchAnswer {
  const { rows, marking, blockCount, rootCount, docMode = false } = query.query === '' ? NOTHING : matchesOf(index, query);
  const found = rows.map((row) => foundBlock(row, marking));
  countReferences(index, found);
  const blocks = query.grouped ? groupByDocument(index, found, query.orderBy) : found;
  if (!query.grouped) hideOwnName(blocks);
  return { blocks, matchedBlockCount: blockCount, matchedRootCount: rootCount, pageCount: Math.ceil(blockCount / query.pageSize), docMode };
}

function matchesOf(index: SearchIndex, query: SearchQuery): Matches {
  if (query.method === 'sql') return bySql(index, query);
  if (query.method === 'regexp') return byRegexp(index, query);
  if (ID_PATTERN.test(query.query)) return counted(index.select('SELECT * FROM blocks WHERE id = ?', query.query), query);
  if (query.method === 'querySyntax') return byExpression(index, query, query.query, markedTerms(query.query.replaceAll("''", "'")));
  if (query.query.trim().includes(' ')) return byWords(index, query);
  return byExpression(index, query, `"${query.query.replaceAll('"', '""').replaceAll("'", "''")}"`, [query.query]);
}

/** A page of rows that are all at hand. */
function counted(rows: readonly Row[], { page, pageSize }: SearchQuery): Matches {
  const roots = new Set(rows.map((row) => row.root_id));
  return { rows: rows.slice((page - 1) * pageSize, page * pageSize), marking: UNMARKED, blockCount: rows.length, rootCount: roots.size };
}

/** A part of a statement as the kernel writes it: in one line, texts between quotes. */
const inlined = (sql: string, parameters: readonly string[]): string =>
  sql
    .replaceAll(/\s+/g, ' ')
    .split('?')
    .map((part, at) => (at === 0 ? part : `'${(parameters[at - 1] ?? '').replaceAll("'", "''")}'${part}`))
    .join('');

/** `literal`: the expression as it is between the quotes of the statement. A client's own may close them (kernel/model/search.go). */
function byExpression(index: SearchIndex, query: SearchQuery, literal: string, terms: readonly string[]): Matches {
  const filter = inlined(query.filter.sql, query.filter.parameters);
  const order = orderOf(query);
  const where = `FROM blocks_fts WHERE (\`blocks_fts\` MATCH '{${columnsOf(query).join(' ')}}:(${literal})') AND ${filter}`;
  const paging = `LIMIT ${query.pageSize} OFFSET ${(query.page - 1) * query.pageSize}`;
  const run = (statement: string): readonly Row[] => {
    try {
      return index.run(statement);
    } catch (error) {
      if (isSqlError(error)) return [];
      throw error;
    }
  };
  const rows = run(`SELECT * ${where} ${inlined(order.sql, order.parameters)} ${paging}`);
  const counts = run(`SELECT ${COUNTS} ${where}`)[0];
  const pattern = termPattern(terms);
  const marking: Marking = { content: (text) => snippet(text, pattern), detail: (text) => snippet(text, pattern) };
  return { rows, marking, blockCount: Number(counts?.blocks ?? 0), rootCount: Number(counts?.roots ?? 0) };
}

/** Several words: documents whose blocks hold all of them together, and in those documents the blocks that hold all. */
function byWords(index: SearchIndex, query: SearchQuery): Matches {
  // By relevance (7) a 3.7.3 kernel orders by a column that this statement lacks, and so finds nothing (seen on a real one).
  if (query.orderBy === 7) return { ...NOTHING, docMode: true };
  const words = query.query.split(' ');
  const likes = words.map((word) => `%${word}%`);
  const { sql: filter, parameters } = query.filter;
  const { sql: orderSql, parameters: orderParameters } = documentOrder(query);
  const searched = columnsOf(query).join(' || ');
  const all = (column: string): string => words.map(() => `${column} LIKE ?`).join(' AND ');
  const some = words.map(() => '(docContent LIKE ?)').join(' + ');
  const page = 'SELECT root_id FROM docBlocks LIMIT ? OFFSET ?';
  const paging = [query.pageSize, (query.page - 1) * query.pageSize];
  const rows = index.select(
    `WITH docBlocks AS (
      SELECT root_id, max(CASE WHEN type = 'd' THEN (${searched}) END) AS docContent FROM blocks WHERE ${filter}
      GROUP BY root_id HAVING ${all(`group_concat(${searched})`)} ORDER BY (${some}) DESC, max(updated) DESC)
    SELECT *, (SELECT count(*) FROM docBlocks) AS docs, (CASE WHEN ${all(`(${searched})`)} THEN 1 ELSE 0 END) AS blockSort
    FROM blocks WHERE ${filter} AND (id IN (${page}) OR (root_id IN (${page}) AND ${all(`(${searched})`)})) ${orderSql}`,
    ...[...parameters, ...likes, ...likes],
    ...[...likes, ...parameters, ...paging, ...paging, ...likes, ...orderParameters],
  );
  const count = Number(rows[0]?.docs ?? 0);
  const pattern = termPattern(words);
  const marking: Marking = { content: (text) => markFromMatch(text, pattern, 36), detail: (text) => markFromMatch(text, pattern, 256) };
  return { rows, marking, blockCount: count, rootCount: count, docMode: true };
}

function byRegexp(index: SearchIndex, query: SearchQuery): Matches {
  const expression = compilePattern(query.query);
  if (!expression) return NOTHING;
  const { sql: filter, parameters } = query.filter;
  const { sql: orderSql, parameters: orderParameters } = orderOf(query);
  const columns = columnsOf(query);
  const match = columns.map((column) => `${column} REGEXP ?`).join(' OR ');
  const rows = index.select(
    `SELECT * FROM blocks WHERE (${match}) AND ${filter} ${orderSql}`,
    ...columns.map(() => query.query),
    ...parameters,
    ...orderParameters,
  );
  // A tag is counted, and its block left out.
  const shown = rows
    .slice((query.page - 1) * query.pageSize)
    .filter((row) => columns.some((column) => column !== 'tag' && expression.test(text(row, column))))
    .slice(0, query.pageSize);
  const mark = (found: string): string => markRanges(found, rangesOf(expression, found));
  return { ...counted(rows, query), rows: shown, marking: { content: mark, detail: mark } };
}

/** A statement of the user's that answers whole rows of `blocks`. */
function bySql(index: SearchIndex, query: SearchQuery): Matches {
  try {
    return counted(index.query(query.query, { readonly: true, limit: Number.POSITIVE_INFINITY }), query);
  } catch (error) {
    if (error instanceof ApiError) return NOTHING;
    throw error;
  }
}

function countReferences(index: SearchIndex, blocks: readonly FoundBlock[]): void {
  for (const block of blocks) {
    block.refCount = Number(index.select('SELECT count(*) AS n FROM refs WHERE def_block_id = ?', block.id)[0]?.n ?? 0);
  }
}

const isSqlError = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
