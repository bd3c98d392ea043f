import type { PlanNotice } from '../../tools/contract/plans.ts';
import { PROJECT_ATTRIBUTE } from '../../tools/contract/saved-names.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { quotedList } from '../sql/sql-text.ts';

/** SiYuan's own document lock. SiYuan's editor reads it on documents only; here it also locks a block with its contents. */
const LOCK = 'custom-sy-readonly';
const LOCKED_DOM = /custom-sy-readonly="true"/;

export interface Touched {
  readonly documents: readonly string[];
  /** Existing blocks: those that change, and those that something is inserted next to or into. */
  readonly blocks: readonly string[];
  readonly doms: readonly string[];
  readonly notebooks: readonly string[];
}

type Routes = Pick<KernelRoutes, 'attributesOf' | 'doms' | 'sql' | 'isEditorReadOnly'>;

/** Locked blocks that contain one of these, from the index. */
async function lockedAround(routes: Routes, { documents, blocks }: Touched, signal: AbortSignal): Promise<number> {
  if (blocks.length === 0 || documents.length === 0) return 0;
  const stmt = `SELECT block_id FROM attributes WHERE name = '${LOCK}' AND value = 'true' AND root_id IN (${quotedList(documents)}) AND block_id NOT IN (${quotedList([...documents, ...blocks])}) LIMIT 1000`;
  const ids = (await routes.sql(stmt, signal)).map((row) => String(row.block_id));
  const doms = Object.values(await routes.doms(ids, signal));
  return doms.filter((dom) => idsIn(dom).some((id) => blocks.includes(id))).length;
}

async function lockedIn(routes: Routes, notebooks: readonly string[], signal: AbortSignal): Promise<number> {
  if (notebooks.length === 0) return 0;
  const stmt = `SELECT count(*) AS n FROM attributes WHERE name = '${LOCK}' AND value = 'true' AND box IN (${quotedList(notebooks)}) LIMIT 1`;
  return Number((await routes.sql(stmt, signal))[0]?.n ?? 0);
}

/** Projects whose notes hold one of these, from the index. */
async function projectsAround(routes: Routes, { blocks, notebooks }: Touched, signal: AbortSignal): Promise<number> {
  if (blocks.length + notebooks.length === 0) return 0;
  const held = `SELECT root_id FROM blocks WHERE id IN (${quotedList(blocks)})`;
  const stmt = `SELECT block_id FROM attributes WHERE name = '${PROJECT_ATTRIBUTE}' AND (box IN (${quotedList(notebooks)}) OR block_id IN (${held})) LIMIT 1000`;
  return (await routes.sql(stmt, signal)).length;
}

export async function lockNotices(routes: Routes, touched: Touched, signal: AbortSignal): Promise<readonly PlanNotice[]> {
  const ids = [...new Set([...touched.documents, ...touched.blocks])];
  const attributes = await routes.attributesOf(ids, signal);
  const own = ids.filter((id) => attributes[id]?.[LOCK] === 'true').length;
  const inside = touched.doms.filter((dom) => LOCKED_DOM.test(dom)).length;
  const locked =
    own + (own === 0 ? inside : 0) + (await lockedAround(routes, touched, signal)) + (await lockedIn(routes, touched.notebooks, signal));
  const projects = ids.filter((id) => attributes[id]?.[PROJECT_ATTRIBUTE]).length || (await projectsAround(routes, touched, signal));
  const notices: readonly PlanNotice[] = [
    { code: 'locked', count: locked },
    // What models follow: only a person is asked about it, whatever was allowed before.
    { code: 'changes-project', count: projects, personOnly: true },
    { code: 'editor-read-only', count: (await routes.isEditorReadOnly(signal)) ? 1 : 0 },
  ];
  return notices.filter(({ count }) => count > 0);
}
