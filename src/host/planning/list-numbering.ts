import type { PlanNotice } from '../../tools/contract/plans.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { type OrderedLists, readOrderedLists, renumbered } from '../transactions/list-order.ts';
import type { Anchor } from '../transactions/prepared-plan.ts';
import type { BlockTree } from '../tree/block-tree.ts';
import type { PlanDraft } from './plan-draft.ts';

export const numberingNotices = (lists: OrderedLists, childrenOf: (list: string) => readonly string[]): PlanNotice[] => {
  const { size } = renumbered(lists, childrenOf);
  return size > 0 ? [{ code: 'items-renumbered', count: size }] : [];
};

export const numberedLists = ({ starts }: OrderedLists): Pick<PlanDraft, 'numbered'> =>
  starts.size > 0 ? { numbered: [...starts.keys()] } : {};

function indexFor(anchor: Anchor, items: readonly string[]): number {
  if (anchor.kind === 'before') return items.indexOf(anchor.id);
  if (anchor.kind === 'after') return items.indexOf(anchor.id) + 1;
  return anchor.kind === 'first' ? 0 : items.length;
}

export function withItems(items: readonly string[], anchor: Anchor, count: number): readonly string[] {
  const at = indexFor(anchor, items);
  return [...items.slice(0, at), ...new Array<string>(count).fill(''), ...items.slice(at)];
}

/** The ordered lists among these containers; their changes can be computed once the tree is in its final state. */
export async function readNumbering(
  routes: KernelRoutes,
  tree: BlockTree,
  parents: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly lists: Pick<PlanDraft, 'numbered'>; readonly notices: () => PlanNotice[] }> {
  const ordered = [...new Set(parents)].filter((id) => tree.typeOf(id) === 'l' && tree.subtypeOf(id) === 'o');
  const lists = await readOrderedLists(routes, ordered, signal);
  return {
    lists: numberedLists(lists),
    notices: () => numberingNotices(lists, (list) => (tree.has(list) ? tree.childrenOf(list) : [])),
  };
}
