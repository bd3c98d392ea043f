import { ToolError } from '../../tools/contract/errors.ts';
import type { PlanNotice } from '../../tools/contract/plans.ts';
import type { BlockTree } from '../tree/block-tree.ts';

// Moving or deleting the heading that ends a guarded section ends it elsewhere, though nobody touched a guarded block.

/** Rejects with `bad_target` if blocks that were kept back would become readable. `before`: those that were kept back. */
export function assertNoneLetOut(tree: BlockTree, before: ReadonlySet<string>): void {
  const after = tree.guardedIds();
  if ([...before].every((id) => !tree.has(id) || after.has(id))) return;
  throw new ToolError(
    'bad_target',
    'a part of the document that is hidden from the model would no longer be hidden',
    'leave these blocks where they are',
  );
}

/** Notices about readable blocks that enter the section of a guarded heading: the person who approves must know. */
export function newlyGuarded(tree: BlockTree, before: ReadonlySet<string>): PlanNotice[] {
  const count = [...tree.guardedIds()].filter((id) => !before.has(id)).length;
  return count === 0 ? [] : [{ code: 'comes-under-guard', count, personOnly: true }];
}
