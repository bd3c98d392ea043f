import { ToolError } from '../../tools/contract/errors.ts';
import { allBlocks, type BlockElement, blockType, cloneBlock, parseBlock, serializeBlock, textNodes, withoutZwsp } from './block-dom.ts';
import { hashOfContent } from './block-hash.ts';
import type { MarkdownEngine } from './markdown-engine.ts';

export interface TextEdit {
  readonly old: string;
  readonly new: string;
}

const NO_ZWSP = /\u200b/g;

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

/** Positions of each edit in the Markdown that the model read; each `old` exactly once. Rejects with no_match, many_matches. */
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

/** Markdown as it would be written: what content-filter.ts makes of it, or a rejection. */
export type WriteMarkdown = (markdown: string) => Promise<readonly string[]>;

/** White space at the end of a block says nothing, and Markdown drops it: `word /rewrite` leaves some behind. */
function withoutTrailingSpace(block: BlockElement): string {
  const copy = cloneBlock(block);
  for (const each of allBlocks(copy)) {
    const last = blockType(each) === 'c' ? undefined : textNodes(each).at(-1);
    if (last) last.data = last.data.replace(/[ \t\u00a0]+(?=\u200b*$)/, '');
  }
  return serializeBlock(copy);
}

/**
 * True when nothing of the block is lost by reading it as Markdown and writing that back through the filter (kramdown is not
 * lossless; the filter takes styles away).
 */
export async function isMarkdownSafe(engine: MarkdownEngine, block: BlockElement, write: WriteMarkdown): Promise<boolean> {
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
  return same !== undefined && hashOfContent(withoutTrailingSpace(same)) === hashOfContent(withoutTrailingSpace(block));
}

/** A list item alone is read as a list of one item. */
function unwrapItem(list: BlockElement): BlockElement | undefined {
  if (blockType(list) !== 'l') return undefined;
  const items = list.children.filter((child): child is BlockElement => 'attribs' in child && child.attribs['data-type'] === 'NodeListItem');
  return items.length === 1 ? items[0] : undefined;
}

/** The one leaf block under a container whose Markdown holds all the edits. */
export function leafWith(engine: MarkdownEngine, block: BlockElement, edits: readonly TextEdit[]): BlockElement | undefined {
  const leaves = allBlocks(block).filter((each) => allBlocks(each).length === 1);
  const holding = leaves.filter((leaf) => {
    const markdown = engine.toMarkdown(serializeBlock(leaf));
    return edits.every((edit) => countOf(markdown, withoutZwsp(edit.old)) === 1);
  });
  return holding.length === 1 ? holding[0] : undefined;
}

function replaceInNode(node: { data: string }, old: string, text: string): void {
  // ZWSP marks the edges of marks for the editor; it stays where it is unless it stands inside what is replaced.
  const positions: number[] = [];
  for (let index = 0; index < node.data.length; index += 1) if (node.data[index] !== '\u200b') positions.push(index);
  const plain = node.data.replace(NO_ZWSP, '');
  const start = plain.indexOf(old);
  const from = positions[start] ?? 0;
  const to = (positions[start + old.length - 1] ?? from) + 1;
  node.data = node.data.slice(0, from) + text + node.data.slice(to);
}

/**
 * Replaces text inside single text nodes of a block whose Markdown is not safe; `new` is text, not Markdown. Changes `block` in place.
 * Rejects with `not_markdown_safe` where an `old` does not stand in one text node exactly once.
 */
export function replaceInText(block: BlockElement, edits: readonly TextEdit[]): void {
  const nodes = allBlocks(block).flatMap(textNodes);
  const targets = edits.map((edit) => {
    const old = withoutZwsp(edit.old);
    const holding = nodes.filter((node) => countOf(withoutZwsp(node.data), old) > 0);
    const [node] = holding;
    if (!node || holding.length !== 1 || countOf(withoutZwsp(node.data), old) !== 1 || /\n\s*\n/.test(edit.new)) {
      throw new ToolError(
        'not_markdown_safe',
        'this block contains text that Markdown would change, and the edit does not stay inside one piece of plain text',
        'replace a shorter piece of plain text without marks, or insert a new block beside it',
      );
    }
    return { node, old, text: edit.new };
  });
  for (const target of targets) replaceInNode(target.node, target.old, target.text);
}

/** Copies a parsed block of `dom`, failing loudly: the kernel returns one block for one id. */
export function requireBlock(dom: string): BlockElement {
  const block = parseBlock(dom);
  if (!block) throw new ToolError('not_found', 'the block is no longer there', 'read the document again');
  return block;
}
