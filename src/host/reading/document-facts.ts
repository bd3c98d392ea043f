import { IS_GUARD } from '../access/readable-blocks.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quoted, quotedList } from '../sql/sql-text.ts';

/** The index's facts of a whole document, in one query however long it is. */
export interface DocumentFacts {
  readonly wordPath: string;
  readonly guarded: boolean;
  /** A folded heading hides blocks, which the kernel omits from its windows. */
  readonly folded: boolean;
  /** Top-level headings, in no order; empty if they were not requested. */
  readonly headings: ReadonlyMap<string, HeadingFacts>;
  /** The container of the block that the document was opened by; undefined for a top-level block. */
  readonly holder: string | undefined;
}

interface HeadingFacts {
  readonly level: number;
  readonly text: string;
  readonly refers: boolean;
}

const MOST_ROWS = 1_000_000;

/** From blocks up to their containers: in the index, headings are between them. */
const holdersUp = (list: string): string =>
  `up(start, id, type, above, depth) AS (SELECT id, id, type, parent_id, 0 FROM blocks WHERE id IN (${list}) ` +
  'UNION SELECT up.start, blocks.id, blocks.type, blocks.parent_id, up.depth + 1 ' +
  "FROM up JOIN blocks ON blocks.id = up.above WHERE up.depth = 0 OR up.type = 'h')";
const IS_HOLDER = "depth > 0 AND type NOT IN ('h', 'd')";

function factsStatement(id: string, block: string, withHeadings: boolean): string {
  const headings = withHeadings
    ? `UNION ALL SELECT 'h', id, parent_id, subtype, content, instr(markdown, '((') FROM blocks WHERE root_id = ${id} AND type = 'h' `
    : '';
  // A document has no container.
  const [holders, holder] =
    block === id
      ? ['', '']
      : [`WITH RECURSIVE ${holdersUp(block)} `, `UNION ALL SELECT 'c', id, '', '', '', 0 FROM up WHERE ${IS_HOLDER} `];
  return (
    `${holders}SELECT 'd' AS kind, id, '' AS parent, '' AS subtype, hpath AS words, 0 AS refers FROM blocks WHERE id = ${id} AND type = 'd' ` +
    `UNION ALL SELECT 'g', min(block_id), '', '', '', 0 FROM attributes WHERE root_id = ${id} AND ${IS_GUARD} ` +
    `UNION ALL SELECT 'f', min(block_id), '', '', '', 0 FROM attributes WHERE root_id = ${id} AND name = 'heading-fold' ` +
    `${holder}${headings}LIMIT ${MOST_ROWS}`
  );
}

/** Flushes the index first. `withHeadings`: for an outline. Undefined if the document is not indexed (SiYuan's ignore file names it). */
export async function documentFacts(
  routes: KernelRoutes,
  { id, documentId }: { readonly id: string; readonly documentId: string },
  withHeadings: boolean,
  signal: AbortSignal,
): Promise<DocumentFacts | undefined> {
  await routes.flushIndex(signal);
  const rows = await routes.sql(factsStatement(quoted(documentId), quoted(id), withHeadings), signal);
  const own = rows.find((row) => row.kind === 'd');
  if (!own) return undefined;
  const has = (kind: string): boolean => rows.some((row) => row.kind === kind && typeof row.id === 'string');
  const all = new Map(rows.filter((row) => row.kind === 'h').map((row) => [String(row.id), row] as const));
  // The parent of a heading is the heading above it, or its container.
  const isTop = (id: string): boolean => {
    const parent = String(all.get(id)?.parent ?? '');
    return parent === documentId || (all.has(parent) && isTop(parent));
  };
  const headings = new Map<string, HeadingFacts>();
  for (const [id, row] of all) {
    const level = Number(String(row.subtype).slice(1)) || 1;
    if (isTop(id)) headings.set(id, { level, text: String(row.words), refers: Number(row.refers) > 0 });
  }
  const holder = rows.find((row) => row.kind === 'c')?.id;
  return {
    wordPath: String(own.words),
    guarded: has('g'),
    folded: has('f'),
    headings,
    holder: holder === undefined ? undefined : String(holder),
  };
}

/** The same for several documents, without headings. All of them must be indexed and the index flushed. */
export async function factsOfMany(
  routes: KernelRoutes,
  documents: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, DocumentFacts>> {
  const list = quotedList([...documents.keys()]);
  const stmt =
    `SELECT DISTINCT 'g' AS kind, root_id FROM attributes WHERE root_id IN (${list}) AND ${IS_GUARD} ` +
    `UNION ALL SELECT DISTINCT 'f', root_id FROM attributes WHERE root_id IN (${list}) AND name = 'heading-fold' LIMIT ${2 * documents.size}`;
  const rows = documents.size === 0 ? [] : await routes.sql(stmt, signal);
  const has = (kind: string, id: string): boolean => rows.some((row) => row.kind === kind && row.root_id === id);
  return new Map(
    [...documents].map(([id, wordPath]) => {
      return [id, { wordPath, guarded: has('g', id), folded: has('f', id), headings: new Map(), holder: undefined }] as const;
    }),
  );
}

/** Those of the blocks of a document that are kept back: by their own guard, one around them, or one on a heading above them. */
export async function guardedAmong(
  routes: KernelRoutes,
  documentId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const guarded = new Set<string>();
  const root = quoted(documentId);
  for (const batch of batchesOf(ids, 1000)) {
    const stmt =
      `WITH RECURSIVE guarded(id) AS (SELECT block_id FROM attributes WHERE ${IS_GUARD} AND root_id = ${root} ` +
      `UNION SELECT blocks.id FROM blocks JOIN guarded ON blocks.parent_id = guarded.id WHERE blocks.root_id = ${root}) ` +
      `SELECT id FROM guarded WHERE id IN (${quotedList(batch)}) LIMIT ${batch.length}`;
    for (const row of await routes.sql(stmt, signal)) guarded.add(String(row.id));
  }
  return guarded;
}

export async function countSection(routes: KernelRoutes, headingId: string, signal: AbortSignal): Promise<number> {
  const stmt =
    `WITH RECURSIVE headings(id) AS (SELECT ${quoted(headingId)} ` +
    "UNION SELECT blocks.id FROM blocks JOIN headings ON blocks.parent_id = headings.id WHERE blocks.type = 'h') " +
    'SELECT count(DISTINCT blocks.id) AS n FROM blocks JOIN headings ON blocks.parent_id = headings.id LIMIT 1';
  return Number((await routes.sql(stmt, signal))[0]?.n ?? 0);
}

/** The direct containers of blocks, without those of top-level blocks. In the index, headings are between them. */
export async function containersOf(
  routes: KernelRoutes,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, { readonly id: string; readonly type: string }>> {
  const found = new Map<string, { readonly id: string; readonly type: string }>();
  for (const batch of batchesOf(ids, 1000)) {
    const stmt = `WITH RECURSIVE ${holdersUp(quotedList(batch))} SELECT start, id, type FROM up WHERE ${IS_HOLDER} LIMIT ${2 * batch.length}`;
    for (const row of await routes.sql(stmt, signal)) found.set(String(row.start), { id: String(row.id), type: String(row.type) });
  }
  return found;
}
