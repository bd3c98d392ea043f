import type { PlanNotice } from '../../tools/contract/plans.ts';
import type { BlockTree } from '../tree/block-tree.ts';
import { newlyGuarded } from './guarded-sections.ts';
import { withHidden } from './kernel-place.ts';
import { resolveAnchor } from './plan-anchor.ts';
import { planSteps, type StepRequest } from './plan-steps.ts';
import type { Anchor, PreparedOperation } from './prepared-plan.ts';

/** Stands for the notebook's trash document, which may not be there yet. */
const TRASH = 'trash';

/**
 * Plays a plan through as it would be written, on the tree itself: rejects with `bad_target` where SiYuan cannot do it, while the
 * assistant can still plan otherwise. Gives what the person who approves has to know of it.
 */
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
