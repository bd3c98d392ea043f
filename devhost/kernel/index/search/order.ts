import type { SearchQuery } from './search-query.ts';

/** An ORDER BY with its parameters. */
export interface Order {
  readonly sql: string;
  readonly parameters: readonly string[];
}

const order = (sql: string, ...parameters: string[]): Order => ({ sql: `ORDER BY ${sql}`, parameters });

/** The kernel's default: names, then titles, then headings that hold the query come first; then by type, the latest first. */
function byType(query: string, before = ''): Order {
  const part = `%${query}%`;
  return order(
    `CASE WHEN name = ? THEN 10 WHEN alias = ? THEN 20
      WHEN content = ? AND type = 'd' THEN 30 WHEN content LIKE ? AND type = 'd' THEN 40
      WHEN name LIKE ? THEN 50 WHEN alias LIKE ? THEN 60
      WHEN content = ? AND type = 'h' THEN 70 WHEN content LIKE ? AND type = 'h' THEN 80
      ELSE 65535 END ASC, ${before} sort ASC, updated DESC`,
    query,
    query,
    query,
    part,
    part,
    part,
    query,
    part,
  );
}

const BY_TIME: Readonly<Record<number, Order>> = {
  1: order('created ASC'),
  2: order('created DESC'),
  3: order('updated ASC'),
  4: order('updated DESC'),
};

/** Order of a query over `blocks_fts` (keyword, query syntax) or, without relevance, over `blocks` (regular expression). */
export function orderOf({ query, orderBy, method }: SearchQuery): Order {
  const time = BY_TIME[orderBy];
  if (time) return time;
  const ranked = method === 'keyword' || method === 'querySyntax';
  if (orderBy === 6) return ranked ? order('rank DESC') : order('sort DESC, updated DESC');
  if (orderBy === 7 && !ranked) return order('sort ASC, updated DESC');
  if (orderBy !== 7) return byType(query);
  return order(
    "CASE WHEN content = ? AND type = 'd' THEN 10 WHEN content = ? AND type = 'h' THEN 20 ELSE 65535 END ASC, rank",
    query,
    query,
  );
}

/** Order of a search for documents by several words: blocks that hold all of them come before a document that holds them together. */
export function documentOrder({ query, orderBy }: SearchQuery): Order {
  return BY_TIME[orderBy] ?? byType(query, orderBy === 6 ? 'blockSort ASC,' : 'blockSort DESC,');
}
