import type { BlockForest } from './block-forest.ts';

const MAX_CHARS = 40;

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length > MAX_CHARS ? `${letters.slice(0, MAX_CHARS).join('')}…` : line;
}

/** The last heading above a top-level block, or of the container that it stands in. */
function headingAbove(forest: BlockForest, id: string): string | undefined {
  const chain = [id, ...forest.parentsOf(id)];
  const top = chain.at(-2) ?? id;
  const siblings = forest.childrenOf(forest.parentOf(top));
  const own = top === id && forest.typeOf(id) === 'h' ? siblings.indexOf(top) : siblings.indexOf(top) + 1;
  return siblings.slice(0, own).findLast((each) => forest.typeOf(each) === 'h' && forest.sectionOf(each).includes(top));
}

/** Where a block stands, in words: "Apollo › Plan". Texts that are kept from the assistant are not named. */
export function placeWords(forest: BlockForest, title: string, id: string): string {
  const heading = headingAbove(forest, id);
  const words = heading === undefined || forest.isGuarded(heading) ? '' : shorten(forest.textOf(heading));
  return words === '' ? title : `${title} › ${words}`;
}

/** A block by its first words, for "after …". */
export function blockWords(forest: BlockForest, id: string): string {
  const words = forest.isGuarded(id) ? '' : shorten(forest.textOf(id));
  return words === '' ? 'a block' : `“${words}”`;
}
