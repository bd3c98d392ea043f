import { LEAF_KINDS } from '../../tools/contract/block-kinds.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quotedList } from '../sql/sql-text.ts';

const MAX_ROWS = 1_000_000;
/** SiYuan renders a reference to a container as the text of its first block. Returns an SQL condition on a column. */
export const mayHoldBlocks = (column: string): string => `coalesce(${column}, '') NOT IN (${quotedList(LEAF_KINDS)})`;
const MADE_OF_OTHERS = "'av', 'query_embed'";
const ELSEWHERE = '';

interface Drawn {
  readonly by: string;
  readonly id: string;
}

async function drawnBy(routes: KernelRoutes, ids: readonly string[], signal: AbortSignal): Promise<readonly Drawn[]> {
  const found: Drawn[] = [];
  for (const batch of batchesOf(ids)) {
    const list = quotedList(batch);
    const stmt =
      `SELECT block_id AS origin, def_block_id AS drawn FROM refs WHERE block_id IN (${list}) ` +
      'UNION SELECT held.parent_id, held.id FROM blocks AS held JOIN blocks AS holder ON holder.id = held.parent_id ' +
      `WHERE holder.id IN (${list}) AND ${mayHoldBlocks('holder.type')} ` +
      `UNION SELECT id, '${ELSEWHERE}' FROM blocks WHERE id IN (${list}) AND type IN (${MADE_OF_OTHERS}) LIMIT ${MAX_ROWS}`;
    for (const row of await routes.sql(stmt, signal)) found.push({ by: String(row.origin), id: String(row.drawn) });
  }
  return found;
}

/** The blocks whose text these blocks render, directly or indirectly. */
async function allDrawn(routes: KernelRoutes, ids: readonly string[], signal: AbortSignal): Promise<readonly Drawn[]> {
  const all: Drawn[] = [];
  const seen = new Set(ids);
  for (let level: readonly string[] = [...seen]; level.length > 0; ) {
    const drawn = await drawnBy(routes, level, signal);
    all.push(...drawn);
    level = [...new Set(drawn.map(({ id }) => id))].filter((id) => id !== ELSEWHERE && !seen.has(id));
    for (const id of level) seen.add(id);
  }
  return all;
}

/** Those of `ids` that render one of `ends`, directly or indirectly. */
function leadingTo(ends: readonly string[], drawn: readonly Drawn[], ids: readonly string[]): ReadonlySet<string> {
  const origins = new Map<string, string[]>();
  for (const { by, id } of drawn) origins.set(id, [...(origins.get(id) ?? []), by]);
  const reached = new Set(ends);
  for (const id of reached) for (const by of origins.get(id) ?? []) reached.add(by);
  return new Set(ids.filter((id) => reached.has(id)));
}

/** Of readable blocks, those whose text may contain words of an unreadable one, directly or indirectly, by references and containers. */
export async function drawnFromHidden(
  deps: {
    readonly routes: KernelRoutes;
    readonly look: (
      ids: readonly string[],
      signal: AbortSignal,
      index: 'flushed',
    ) => Promise<ReadonlyMap<string, { readonly readable: boolean }>>;
  },
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const all = await allDrawn(deps.routes, ids, signal);
  if (all.length === 0) return new Set();
  const targets = [...new Set(all.map(({ id }) => id))];
  const places = await deps.look(targets, signal, 'flushed');
  return leadingTo(
    targets.filter((id) => places.get(id)?.readable !== true),
    all,
    ids,
  );
}
