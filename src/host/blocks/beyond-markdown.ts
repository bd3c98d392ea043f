import { type ChildNode, isTag, isText } from 'domhandler';
import { BLOCK_KINDS } from '../../tools/contract/block-kinds.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { allBlocks, type BlockElement, blockId, blockType, childBlocks } from './block-dom.ts';

// Blocks that Markdown expresses only in part (tabs, mind maps, rich cells): they are moved, deleted, and edited leaf by leaf.

const KNOWN: ReadonlySet<string> = new Set(BLOCK_KINDS.map(({ type }) => type));
const PROJECTED: ReadonlySet<string> = new Set(['tabs', 'tab', 'mindmap', 'mindmap_item', 'custom']);
const RICH_CELL = ['data-sy-table-cell-rich', 'data-sy-table-cell-inline'];

const holdsRichCell = (element: BlockElement): boolean =>
  RICH_CELL.some((name) => element.attribs[name] !== undefined) || element.children.some((child) => isTag(child) && holdsRichCell(child));

/** A rich cell has a source of its own, from which SiYuan renders its text. */
export const isRichTable = (block: BlockElement): boolean =>
  blockType(block) === 't' && (block.attribs['custom-sy-table-rich'] === '1' || holdsRichCell(block));

/** A list that is shown as a mind map keeps the layout of its items in an attribute. */
const isMapList = (block: BlockElement): boolean =>
  blockType(block) === 'l' && Object.keys(block.attribs).some((name) => name.startsWith('custom-sy-list-mindmap'));

const isBeyond = (block: BlockElement): boolean =>
  PROJECTED.has(blockType(block)) || !KNOWN.has(blockType(block)) || isRichTable(block) || isMapList(block);

export const isBeyondMarkdown = (block: BlockElement): boolean => allBlocks(block).some(isBeyond);

/** All words in it, including those of rich cells and of what plugins render; cells are separated. */
export function wordsIn(node: ChildNode): string {
  if (isText(node)) return node.data;
  if (!isTag(node)) return '';
  return [node.attribs['data-content'] ?? '', ...node.children.map(wordsIn)].join(' ');
}

function nameOf(block: BlockElement): string {
  const type = blockType(block);
  if (type === 't') return 'a table with rich cells';
  if (type === 'l' || type.startsWith('mindmap')) return 'a mind map';
  if (type.startsWith('tab')) return 'tabs';
  return type === 'custom' ? 'a block of a plugin' : 'a kind of block that is not known here';
}

/** The reason why its text cannot be edited as a whole. */
export function beyondMarkdown(block: BlockElement): ToolError {
  const [found = block] = allBlocks(block).filter(isBeyond);
  const next =
    childBlocks(found).length > 0
      ? 'edit one paragraph at a time: quote text of only one of its blocks, or give that block’s id from read_block with children'
      : 'ask the user to edit it; it can be moved and deleted, and a block can be written beside it';
  const what = `block ${blockId(found)} is ${nameOf(found)}: Markdown shows only a part of it, and writing it would lose the rest`;
  return new ToolError('not_markdown_safe', what, next);
}
