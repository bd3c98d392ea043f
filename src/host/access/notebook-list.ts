import { isSeen } from '../../tools/contract/notebook-right.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { isGuarded } from './access-attribute.ts';
import type { AccessPolicy } from './access-policy.ts';

export const isVisible = ({ open, right }: Pick<NotebookInfo, 'open' | 'right'>): boolean => open && isSeen(right);

/** All notebooks with their rights; `none` for an encrypted or guarded notebook. */
export function notebookList(
  routes: Pick<KernelRoutes, 'notebooks' | 'attributesOf'>,
  policy: AccessPolicy,
): (signal: AbortSignal) => Promise<readonly NotebookInfo[]> {
  return async (signal) => {
    const all = await routes.notebooks(signal);
    const open = all.filter((each) => !each.closed).map((each) => each.id);
    const attributes = await routes.attributesOf(open, signal);
    return all.map(({ id, name, closed, encrypted }) => {
      const right = isGuarded(attributes[id]) ? 'none' : policy.right(id);
      if (!encrypted) return { id, name, open: !closed, right };
      return { id, name, open: !closed, right: 'none', encrypted: right === 'none' ? 'hidden' : 'named' };
    });
  };
}
