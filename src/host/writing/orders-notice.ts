import type { ChangePlan, PlanAction, PlanNotice } from '../../tools/contract/plans.ts';
import { ORDERS_WISHES } from '../../tools/contract/saved-names.ts';
import { fieldOf, parsedJson } from '../../tools/util/plain-value.ts';
import type { Touched } from '../access/locks.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { PluginStorage } from '../kernel/storage.ts';
import { quotedList } from '../sql/sql-text.ts';

const OF_WHOLE_NOTES: readonly PlanAction[] = ['delete-document', 'rename-document', 'move-document'];

/** The chosen note; '' for none. Rejects like the storage. */
async function ordersNote(storage: Pick<PluginStorage, 'read'>): Promise<string> {
  const note = fieldOf(parsedJson((await storage.read(ORDERS_WISHES)) ?? ''), 'note');
  return typeof note === 'string' ? note : '';
}

/** True if a plan takes, moves or renames a note or notebook above the note. `path`: of ids. */
function isAbove({ operations }: ChangePlan, notebook: string, path: string): boolean {
  const ids = operations.flatMap(({ action, blockId }) => (OF_WHOLE_NOTES.includes(action) || blockId === notebook ? [blockId] : []));
  return ids.some((id) => id === notebook || path.includes(`/${id}/`));
}

/** Orders run while nobody is there: only the person is asked about each change of their note, and a run may not propose one. */
export async function ordersNotice(
  { routes, storage }: { readonly routes: Pick<KernelRoutes, 'sql'>; readonly storage: Pick<PluginStorage, 'read'> },
  plan: ChangePlan,
  { documents, blocks }: Touched,
  signal: AbortSignal,
): Promise<readonly PlanNotice[]> {
  const note = await ordersNote(storage);
  if (note === '') return [];
  const notices: readonly PlanNotice[] = [{ code: 'changes-orders', count: 1, personOnly: true }];
  const shown = plan.operations.map(({ blockId }) => blockId);
  if ([...documents, ...blocks, ...shown].includes(note)) return notices;
  const rows = await routes.sql(`SELECT id, box, path FROM blocks WHERE root_id IN (${quotedList([note])}) LIMIT 10000`, signal);
  const own = new Set(rows.map(({ id }) => String(id)));
  const self = rows.find(({ id }) => id === note);
  const isInside = [...blocks, ...shown].some((id) => own.has(id));
  return isInside || (self && isAbove(plan, String(self.box), String(self.path))) ? notices : [];
}
