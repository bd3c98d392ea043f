import { ToolError } from '../../tools/contract/errors.ts';
import type { KernelOperation } from '../kernel/kernel-routes.ts';
import type { BlockTree, InsertionPoint } from '../tree/block-tree.ts';

/** The parameters of the operation that puts a block at a position; null if one cannot: a move directly after a folded heading. */
export function kernelPlace(
  tree: BlockTree,
  action: 'insert' | 'move',
  place: InsertionPoint,
): Pick<KernelOperation, 'previousID' | 'parentID' | 'nextID'> | null {
  const { parentId, previousId } = place;
  if (previousId === null) return { parentID: parentId };
  if (tree.landing(previousId, action) === previousId) return { previousID: previousId };
  const siblings = tree.childrenOf(parentId);
  const next = siblings[siblings.indexOf(previousId) + 1];
  return action === 'insert' && next !== undefined ? { nextID: next } : null;
}

/** The blocks, and those that the kernel moves along with folded headings among them. */
export const withHidden = (tree: BlockTree, ids: Iterable<string>): Set<string> =>
  new Set([...ids].flatMap((id) => [id, ...tree.hiddenBelow(id)]));

/** Containers that are empty once these blocks have left, inner ones first. */
export function emptiedBy(tree: BlockTree, ids: Iterable<string>): string[] {
  const gone = withHidden(tree, ids);
  const emptied: string[] = [];
  for (const id of gone) {
    const parent = tree.parentOf(id);
    if (parent === '' || tree.hasDocument(parent) || gone.has(parent)) continue;
    if (!tree.childrenOf(parent).every((child) => gone.has(child))) continue;
    emptied.push(parent);
    // The set grows while it is iterated: the parent is visited in its turn.
    gone.add(parent);
  }
  return emptied;
}

export const foldedPlace = (): ToolError =>
  new ToolError(
    'bad_target',
    'the place is hidden under a folded heading, where SiYuan cannot move a block',
    'ask the user to unfold the heading, or choose another place',
  );

/** The kernel would lose the blocks: those below a folded heading move with it. */
export const intoItself = (id: string): ToolError =>
  new ToolError('bad_target', `block ${id} cannot go into itself, nor a folded heading into what it hides`, 'choose a place outside it');
