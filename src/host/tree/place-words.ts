import type { BlockTree } from './block-tree.ts';

const MAX_CHARS = 40;

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length > MAX_CHARS ? `${letters.slice(0, MAX_CHARS).join('')}…` : line;
}

/** The last heading above a top-level block, or of the container that it stands in. */
function headingAbove(tree: BlockTree, id: string): string | undefined {
  const chain = [id, ...tree.parentsOf(id)];
  const top = chain.at(-2) ?? id;
  const siblings = tree.childrenOf(tree.parentOf(top));
  const own = top === id && tree.typeOf(id) === 'h' ? siblings.indexOf(top) : siblings.indexOf(top) + 1;
  return siblings.slice(0, own).findLast((each) => tree.typeOf(each) === 'h' && tree.sectionOf(each).includes(top));
}

/** Where a block stands, in words: "Apollo › Plan". Texts that are kept from the assistant are not named. */
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
