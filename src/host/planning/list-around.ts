import { type BlockElement, blockType, childBlocks, parseBlock, textNodes } from '../blocks/block-dom.ts';
import type { FilteredContent } from '../content/content-filter.ts';

const MARKERS: Readonly<Record<string, string>> = { o: '1.', t: '- [ ]', u: '-' };

type MakeBlocks = (markdown: string) => Promise<FilteredContent>;

/** A list of one item with these blocks. Built from blocks, since some cannot follow a marker in Markdown: a divider, or what begins with a fence in a task. */
export async function listAround(make: MakeBlocks, style: string, blocks: readonly BlockElement[]): Promise<BlockElement> {
  const list = parseBlock((await make(`${MARKERS[style] ?? '-'} x`)).blocks[0] ?? '');
  const [item] = list ? childBlocks(list) : [];
  const paragraph = item ? childBlocks(item)[0] : undefined;
  if (!list || !item || !paragraph) throw new Error('the engine made no item');
  for (const node of textNodes(paragraph)) node.data = '';
  const type = blockType(blocks[0] ?? paragraph);
  // SiYuan adds a paragraph to a task that does not begin with one, with a new id each time.
  const isNeeded = type === 'l' || (style === 't' && type !== 'p');
  item.children.splice(item.children.indexOf(paragraph), 1, ...(isNeeded ? [paragraph] : []), ...blocks);
  return list;
}

export async function itemAround(make: MakeBlocks, style: string, blocks: readonly BlockElement[]): Promise<BlockElement> {
  const [item] = childBlocks(await listAround(make, style, blocks));
  if (!item) throw new Error('the list has no item');
  return item;
}
