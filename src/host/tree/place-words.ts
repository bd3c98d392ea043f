import type { PlanPosition } from '../../tools/contract/plans.ts';
import type { BlockTree } from './block-tree.ts';

const MAX_CHARS = 40;

export function firstWords(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length > MAX_CHARS ? `${letters.slice(0, MAX_CHARS).join('')}…` : line;
}

/** The heading above a block, or above its top-level container. */
const headingAbove = (tree: BlockTree, id: string): string | undefined => tree.headingAbove([id, ...tree.parentsOf(id)].at(-2) ?? id);

/** The position of a block: the note, and the heading above. Texts that are hidden from the model are not named. */
export function placeNames(tree: BlockTree, title: string, id: string): readonly string[] {
  const heading = headingAbove(tree, id);
  const words = heading === undefined || tree.isGuarded(heading) ? '' : firstWords(tree.textOf(heading));
  return words === '' ? [title] : [title, words];
}

export function namedBlock(tree: BlockTree, id: string): NonNullable<PlanPosition['block']> {
  return { type: tree.typeOf(id), words: tree.isGuarded(id) ? '' : firstWords(tree.textOf(id)) };
}
