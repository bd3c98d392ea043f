import { isBlockId } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { isGuarded } from './access-attribute.ts';

// SiYuan's ignore file keeps a document out of the index, and not those below it: the index knows nothing of its guard.

type Row = Readonly<Record<string, unknown>>;

/** The table `above` of the documents above those whose kernel paths (`/<id>/<id>.sy`, ids of 22 characters) a SELECT gives as `path`. */
export const documentsAbove = (paths: string): string =>
  `paths(path) AS (SELECT substr(path, 1, length(path) - 26) FROM (${paths}) WHERE length(path) > 26 ` +
  'UNION SELECT substr(path, 1, length(path) - 23) FROM paths WHERE length(path) > 23), ' +
  'above(id) AS (SELECT DISTINCT substr(path, -22) FROM paths)';

/** Of `above`. */
export const NOT_INDEXED = 'NOT EXISTS (SELECT 1 FROM blocks WHERE blocks.id = above.id)';

/** Of documents that the index does not have, those that are guarded: the kernel knows all of them. */
export async function guardedOf(
  routes: Pick<KernelRoutes, 'attributesOf'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const asked = ids.filter(isBlockId);
  const attributes = await routes.attributesOf(asked, signal);
  return asked.filter((id) => isGuarded(attributes[id]));
}

/**
 * Rows of a statement over what may be read, which name the documents that the index does not have, too (`unindexedIn`); where one of those
 * is guarded, it is asked once more, with those that are.
 */
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
