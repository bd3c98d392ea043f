import { NEVER } from '../../tools/util/abort.ts';
import type { KernelOperation } from '../kernel/kernel-routes.ts';
import { loadTree } from '../tree/block-tree.ts';
import { plainAmong } from '../tree/near-tree.ts';
import { unhiding } from './fold-state.ts';
import type { SendDeps } from './send-steps.ts';

/** Unhides blocks without a folded heading above them, after an insert or a fold in between. A folded one above hides the rest. */
export async function showHiddenByFolds({ routes, writer }: SendDeps, documentIds: readonly string[]): Promise<void> {
  const plain = await plainAmong(routes, documentIds, NEVER);
  const tree = await loadTree(
    routes,
    documentIds.filter((id) => !plain.has(id)),
    NEVER,
  );
  const buried = tree.buried();
  if (buried.length === 0) return;
  const headings = new Set(buried.flatMap((id) => tree.headingAbove(id) ?? []));
  const doms = await routes.doms(
    buried.filter((id) => tree.headingAbove(id) === undefined),
    NEVER,
  );
  await writer.amend([
    ...[...headings].map((id): KernelOperation => ({ action: 'unfoldHeading', id })),
    ...Object.entries(doms).flatMap(([id, dom]) => unhiding(dom, tree.hiddenBelow(id).length > 0)),
  ]);
}
