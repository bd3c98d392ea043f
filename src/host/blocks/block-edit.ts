import { ToolError } from '../../tools/contract/errors.ts';
import { isBeyondMarkdown } from './beyond-markdown.ts';
import {
  allBlocks,
  type BlockElement,
  blockType,
  childBlocks,
  cloneBlock,
  parseBlock,
  serializeBlock,
  textNodes,
  withoutZwsp,
} from './block-dom.ts';
import { hashOfContent } from './block-hash.ts';
import { unifyMarks } from './inline-marks.ts';
import type { MarkdownEngine } from './markdown-engine.ts';
import { carryTableLayout } from './table-layout.ts';

export interface TextEdit {
  readonly old: string;
  readonly new: string;
}

export function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

/** Applies the edits to the Markdown that the model read; each `old` must occur exactly once. Rejects with no_match, many_matches. */
export function replaceOnce(markdown: string, edits: readonly TextEdit[]): string {
  if (edits.length === 0) throw new ToolError('no_match', 'there is no edit', 'give at least one {old, new}');
  const found = edits.map((edit) => {
    const old = withoutZwsp(edit.old);
    if (old === '') throw new ToolError('no_match', 'an edit has an empty `old`', 'quote the text to replace');
    const count = countOf(markdown, old);
    if (count === 0)
      throw new ToolError(
        'no_match',
        `the block does not contain ${JSON.stringify(old.slice(0, 120))}`,
        'quote the text exactly as it was read',
      );
    if (count > 1) {
      throw new ToolError(
        'many_matches',
        `${JSON.stringify(old.slice(0, 120))} occurs ${count} times in the block`,
        'quote more of the text around it',
      );
    }
    const start = markdown.indexOf(old);
    return { start, end: start + old.length, text: edit.new };
  });
  found.sort((one, other) => one.start - other.start);
  let result = '';
  let at = 0;
  for (const each of found) {
    if (each.start < at) throw new ToolError('many_matches', 'two edits overlap', 'join them into one edit');
    result += markdown.slice(at, each.start) + each.text;
    at = each.end;
  }
  return result + markdown.slice(at);
}

/** Filters Markdown before writing (content-filter.ts): returns block DOM, or rejects. */
export type WriteMarkdown = (markdown: string) => Promise<readonly string[]>;

/** Trailing white space in a block has no meaning, and Markdown drops it: `word /rewrite` leaves some. */
function trimEnd(block: BlockElement): void {
  const last = blockType(block) === 'c' ? undefined : textNodes(block).at(-1);
  if (last) last.data = last.data.replace(/(?<![ \t\u00a0])[ \t\u00a0]+(?=\u200b*$)/, '');
}

/** Numbers the items from the first one on, whatever their markers say, as SiYuan's editor does. */
function countItems(list: BlockElement): void {
  let number: number | undefined;
  for (const item of childBlocks(list)) {
    const own = Number.parseInt(item.attribs['data-marker'] ?? '', 10);
    number = number === undefined ? own : number + 1;
    item.attribs['data-marker'] = Number.isNaN(number) ? '*' : `${number}.`;
  }
}

/** What SiYuan adds over an image from elsewhere. */
const IMAGE_ICON = /<span class="img__net">.*?<\/span>/gs;

function hashOfLook(block: BlockElement): string {
  const copy = cloneBlock(block);
  for (const each of allBlocks(copy)) {
    if (blockType(each) === 'l') countItems(each);
    if (childBlocks(each).length > 0 || blockType(each) === 'c') continue;
    unifyMarks(each);
    trimEnd(each);
  }
  return hashOfContent(serializeBlock(copy).replace(IMAGE_ICON, ''));
}

/** True if a reader sees no difference after printing as Markdown and reading back through the filter, which is not lossless. */
export async function isMarkdownSafe(engine: MarkdownEngine, block: BlockElement, write: WriteMarkdown): Promise<boolean> {
  if (isBeyondMarkdown(block)) return false;
  const dom = serializeBlock(block);
  let blocks: readonly string[];
  try {
    blocks = await write(engine.toMarkdown(dom));
  } catch (error) {
    if (error instanceof ToolError && ['unsafe_markdown', 'empty_text', 'too_large'].includes(error.code)) return false;
    throw error;
  }
  const first = parseBlock(blocks.join(''));
  if (!first) return false;
  const same = blockType(block) === 'i' ? unwrapItem(first) : first;
  if (same && !carriesTables(block, same)) return false;
  return same !== undefined && hashOfLook(same) === hashOfLook(block);
}

/** Restores the layout of tables, as an edit does; false if that is not possible. */
function carriesTables(block: BlockElement, same: BlockElement): boolean {
  const fresh = allBlocks(same);
  for (const [index, old] of allBlocks(block).entries()) {
    const table = fresh[index];
    if (blockType(old) !== 't') continue;
    if (!table || blockType(table) !== 't') return false;
    carryTableLayout(old, table);
  }
  return true;
}

/** A list item alone is parsed as a list with one item. */
function unwrapItem(list: BlockElement): BlockElement | undefined {
  if (blockType(list) !== 'l') return undefined;
  const items = list.children.filter((child): child is BlockElement => 'attribs' in child && child.attribs['data-type'] === 'NodeListItem');
  return items.length === 1 ? items[0] : undefined;
}

/** The one leaf block inside a container whose Markdown contains all the edits. */
export function leafWith(engine: MarkdownEngine, block: BlockElement, edits: readonly TextEdit[]): BlockElement | undefined {
  const leaves = allBlocks(block).filter((each) => allBlocks(each).length === 1);
  const holding = leaves.filter((leaf) => {
    const markdown = engine.toMarkdown(serializeBlock(leaf));
    return edits.every((edit) => countOf(markdown, withoutZwsp(edit.old)) === 1);
  });
  return holding.length === 1 ? holding[0] : undefined;
}

export function requireBlock(dom: string): BlockElement {
  const block = parseBlock(dom);
  if (!block) throw new ToolError('not_found', 'the block is no longer there', 'read the document again');
  return block;
}
