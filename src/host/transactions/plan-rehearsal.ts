import type { PlanNotice } from '../../tools/contract/plans.ts';
import type { BlockForest } from '../tree/block-forest.ts';
import { newlyGuarded } from './guarded-sections.ts';
import { withHidden } from './kernel-place.ts';
import { resolveAnchor } from './plan-anchor.ts';
import { planSteps, type StepRequest } from './plan-steps.ts';
import type { Anchor, PreparedOperation } from './prepared-plan.ts';

/** Stands for the notebook's trash document, which may not be there yet. */
const TRASH = 'trash';

/**
 * Plays a plan through as it would be written, on the forest itself: rejects with `bad_target` where SiYuan cannot do it, while the
 * assistant can still plan otherwise. Gives what the person who approves has to know of it.
 */
export function rehearse(
  deps: Pick<StepRequest, 'clock' | 'random'>,
  forest: BlockForest,
  operations: readonly PreparedOperation[],
  anchor: Anchor | null,
): PlanNotice[] {
  const { clock, random } = deps;
  const moving = operations.filter((operation) => operation.action === 'move').map((operation) => operation.blockId);
  const start = anchor ? resolveAnchor(forest, anchor, withHidden(forest, moving)) : null;
  const guarded = forest.guardedIds();
  forest.addDocument(TRASH);
  planSteps({ forest, operations, start, trash: TRASH, containers: {}, clock, random });
  return newlyGuarded(forest, guarded);
}
