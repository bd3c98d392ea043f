import type { BlockTree } from './block-tree.ts';

const MAX_CHARS = 40;

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length > MAX_CHARS ? `${letters.slice(0, MAX_CHARS).join('')}…` : line;
}

/** The heading above a block, or above the container that it stands in at the top. */
const headingAbove = (tree: BlockTree, id: string): string | undefined => tree.headingAbove([id, ...tree.parentsOf(id)].at(-2) ?? id);

/** Where a block stands, in words: "Apollo › Plan". Texts that are hidden from the model are not named. */
export function placeWords(tree: BlockTree, title: string, id: string): string {
  const heading = headingAbove(tree, id);
  const words = heading === undefined || tree.isGuarded(heading) ? '' : shorten(tree.textOf(heading));
  return words === '' ? title : `${title} › ${words}`;
}

/** A block by its first words, for "after …". */
export function blockWords(tree: BlockTree, id: string): string {
  const words = tree.isGuarded(id) ? '' : shorten(tree.textOf(id));
  return words === '' ? 'a block' : `“${words}”`;
}
