import type { NotePlanner } from '../../tools/contract/note-planner.ts';
import { planAssetRename } from './asset-planner.ts';
import { planDeleteBlocks } from './delete-planner.ts';
import type { EditPlannerDeps } from './edit-planner.ts';
import { planMoveBlocks } from './move-planner.ts';
import { planNewCards } from './new-cards-planner.ts';
import { planRewrite } from './rewrite-planner.ts';
import { planTag } from './tag-planner.ts';

/** Plans of block transactions other than create, insert and edit. */
export type BlockPlanner = Pick<
  NotePlanner,
  'planMoveBlocks' | 'planDeleteBlocks' | 'planRewrite' | 'planTag' | 'planNewCards' | 'planAssetRename'
>;

export function createBlockPlanner(deps: EditPlannerDeps): BlockPlanner {
  return {
    planMoveBlocks: (request, tool, signal) => planMoveBlocks(deps, request, tool, signal),
    planDeleteBlocks: (request, tool, signal) => planDeleteBlocks(deps, request, tool, signal),
    planAssetRename: (request, tool, signal) => planAssetRename(deps, request, tool, signal),
    planTag: (...request) => planTag(deps, ...request),
    planNewCards: (request, tool, signal) => planNewCards(deps, request, tool, signal),
    planRewrite: (request, tool, signal) => planRewrite(deps, request, tool, signal),
  };
}
