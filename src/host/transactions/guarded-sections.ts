import { ToolError } from '../../tools/contract/errors.ts';
import type { PlanNotice } from '../../tools/contract/plans.ts';
import type { BlockForest } from '../tree/block-forest.ts';

/*
 * The section of a guarded heading reaches to the next heading of its level or a higher one. When that one moves, goes or becomes
 * another, the section ends elsewhere, though nobody touched a guarded block.
 */

/** Rejects with `bad_target` where blocks that were kept back would stand in the open. `before`: those that were. */
export function assertNoneLetOut(forest: BlockForest, before: ReadonlySet<string>): void {
  const after = forest.guardedIds();
  if ([...before].every((id) => !forest.has(id) || after.has(id))) return;
  throw new ToolError(
    'bad_target',
    'a part of the document that the user keeps from the assistant would not be kept from it any more',
    'leave these blocks where they are',
  );
}

/** Blocks that stood in the open and come into the section of a guarded heading: the person who approves has to know. */
export function newlyGuarded(forest: BlockForest, before: ReadonlySet<string>): PlanNotice[] {
  const count = [...forest.guardedIds()].filter((id) => !before.has(id)).length;
  return count === 0 ? [] : [{ code: 'comes-under-guard', count, personOnly: true }];
}
