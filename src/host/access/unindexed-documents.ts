import { isBlockId } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { isGuarded } from './access-attribute.ts';

// SiYuan's ignore file can keep a document out of the index but not those below it: then the index lacks its guard.

type Row = Readonly<Record<string, unknown>>;

/** The table `above`: the documents above those selected by `paths`, a SELECT of kernel paths (`/<id>/<id>.sy`) as `path`. */
export const documentsAbove = (paths: string): string =>
  `paths(path) AS (SELECT substr(path, 1, length(path) - 26) FROM (${paths}) WHERE length(path) > 26 ` +
  'UNION SELECT substr(path, 1, length(path) - 23) FROM paths WHERE length(path) > 23), ' +
  'above(id) AS (SELECT DISTINCT substr(path, -22) FROM paths)';

export const NOT_INDEXED = 'NOT EXISTS (SELECT 1 FROM blocks WHERE blocks.id = above.id)';

/** Of documents that are missing in the index, the guarded ones, according to the kernel. */
export async function guardedOf(
  routes: Pick<KernelRoutes, 'attributesOf'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const asked = ids.filter(isBlockId);
  const attributes = await routes.attributesOf(asked, signal);
  return asked.filter((id) => isGuarded(attributes[id]));
}

/** Runs a statement that also returns documents missing in the index (`unindexedIn`), again if one of these is guarded. */
export async function rowsBesideUnindexed(
  routes: Pick<KernelRoutes, 'sql' | 'attributesOf'>,
  statement: (guarded: readonly string[]) => string,
  unindexedIn: (row: Row) => string | undefined,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const rows = await routes.sql(statement([]), signal);
  const unindexed = rows.flatMap((row) => unindexedIn(row) ?? []);
  const guarded = await guardedOf(routes, unindexed, signal);
  const all = guarded.length === 0 ? rows : await routes.sql(statement(guarded), signal);
  return all.filter((row) => unindexedIn(row) === undefined);
}
