import type { BlockTarget } from '../../tools/contract/note-planner.ts';
import type { PlanPosition } from '../../tools/contract/plans.ts';
import { type BlockElement, blockType } from '../blocks/block-dom.ts';
import type { Anchor } from '../transactions/prepared-plan.ts';
import type { BlockTree } from '../tree/block-tree.ts';
import { firstWords, namedBlock, placeNames } from '../tree/place-words.ts';
import { wordsOf } from '../tree/tree-block.ts';

export const namedElement = (block: BlockElement): NonNullable<PlanPosition['block']> => ({
  type: blockType(block),
  words: firstWords(wordsOf(block)),
});

/** The target of moved blocks. Under a heading, that is the end of its section. */
export function targetPosition(tree: BlockTree, title: string, target: BlockTarget): PlanPosition {
  if ('after' in target) return { path: placeNames(tree, title, target.after), at: 'after', block: namedBlock(tree, target.after) };
  if (tree.hasDocument(target.parent)) return { path: [title], at: 'end' };
  return { path: placeNames(tree, title, target.parent), at: 'end', block: namedBlock(tree, target.parent) };
}

/** The place of inserted blocks. `block`: the block of the anchor; undefined for the document itself. */
export function anchorPosition(title: string, anchor: Anchor, block: BlockElement | undefined): PlanPosition {
  const at = ({ first: 'start', last: 'end', 'section-end': 'end', before: 'before', after: 'after' } as const)[anchor.kind];
  return { path: [title], at, block: block ? namedElement(block) : undefined };
}
