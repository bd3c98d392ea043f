import type { PlanNotice } from '../../tools/contract/plans.ts';
import type { BlockTree } from '../tree/block-tree.ts';
import { newlyGuarded } from './guarded-sections.ts';
import { withHidden } from './kernel-place.ts';
import { resolveAnchor } from './plan-anchor.ts';
import { planSteps, type StepRequest } from './plan-steps.ts';
import type { Anchor, PreparedOperation } from './prepared-plan.ts';

/** Represents the notebook's trash document, which may not exist yet. */
const TRASH = 'trash';

/** Simulates a plan on the tree: rejects with `bad_target` while it can be planned differently. Returns notices for the person. */
export function rehearse(
  deps: Pick<StepRequest, 'clock' | 'random'>,
  tree: BlockTree,
  operations: readonly PreparedOperation[],
  anchor: Anchor | null,
): PlanNotice[] {
  const { clock, random } = deps;
  const moving = operations.filter((operation) => operation.action === 'move').map((operation) => operation.blockId);
  const start = anchor ? resolveAnchor(tree, anchor, withHidden(tree, moving)) : null;
  const guarded = tree.guardedIds();
  tree.addDocument(TRASH);
  planSteps({ tree, operations, start, trash: TRASH, containers: {}, clock, random });
  return newlyGuarded(tree, guarded);
}
