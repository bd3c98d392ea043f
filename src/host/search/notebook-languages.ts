import { compareTexts } from '../../tools/util/plain-value.ts';
import type { Access } from '../access/access.ts';
import { maskedTables, visibleNotebooks } from '../access/masked-blocks.ts';
import { documentsAbove, NOT_INDEXED, rowsBesideUnindexed } from '../access/unindexed-documents.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { quotedList } from '../sql/sql-text.ts';
import { languagesIn } from './languages.ts';

/** The number of blocks sampled per notebook, by the random end of their ids, and of characters read from each. */
const BLOCKS = 60;
const CHARACTERS = 300;
const MOST_NAMED = 4;
const ABOVE_ROW = 'above';

/** Blocks of these notebooks that show no hidden words. */
const sampleOf = (books: readonly string[]): string =>
  'SELECT blocks.box, blocks.path, substr(blocks.content, 1, ' +
  `${CHARACTERS}) AS content FROM (SELECT rowid AS r, row_number() OVER (PARTITION BY box ORDER BY substr(id, -7), id) AS place FROM blocks ` +
  `WHERE box IN (${quotedList(books)}) AND id <> box AND type IN ('d', 'h', 'p') AND id NOT IN (SELECT id FROM showing) ` +
  'AND NOT EXISTS (SELECT 1 FROM guarded_documents WHERE instr(blocks.path, guarded_documents.id) > 0)) AS placed ' +
  `CROSS JOIN blocks ON blocks.rowid = placed.r WHERE placed.place <= ${BLOCKS}`;

/**
 * Names of the languages of the notebooks, the most common first: a guess from a few readable blocks of each, which neither
 * hidden text nor its amount changes.
 */
export async function notebookLanguages(
  { routes, access }: { readonly routes: KernelRoutes; readonly access: Pick<Access, 'notebooks'> },
  signal: AbortSignal,
): Promise<readonly string[]> {
  // Recent guards take effect at once.
  await routes.flushIndex(signal);
  const visible = await visibleNotebooks(access, signal);
  const books = visible.ids;
  if (books.length === 0) return [];
  const statement = (unindexed: readonly string[]): string =>
    `WITH RECURSIVE ${maskedTables(visible, unindexed, 'leaves')}, ` +
    `sample AS MATERIALIZED (${sampleOf(books)}), ` +
    `${documentsAbove('SELECT path FROM sample UNION SELECT path FROM targets')} ` +
    `SELECT box, content FROM sample UNION ALL SELECT '${ABOVE_ROW}', id FROM above WHERE ${NOT_INDEXED} LIMIT 100000`;
  const aboveIn = ({ box, content }: Readonly<Record<string, unknown>>) => (box === ABOVE_ROW ? String(content) : undefined);
  const rows = await rowsBesideUnindexed(routes, statement, aboveIn, signal);
  const counts = new Map<string, number>();
  for (const book of books) {
    const text = rows.flatMap(({ box, content }) => (box === book ? String(content) : [])).join('\n');
    for (const [place, name] of languagesIn(text).entries()) counts.set(name, (counts.get(name) ?? 0) + 1 / (place + 1));
  }
  const named = [...counts].sort(([name, one], [other, more]) => more - one || compareTexts(name, other));
  return named.slice(0, MOST_NAMED).map(([name]) => name);
}
