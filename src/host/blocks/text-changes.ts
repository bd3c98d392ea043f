import { type ChildNode, isTag } from 'domhandler';
import { isToolError, ToolError } from '../../tools/contract/errors.ts';
import { adoptIdentity } from './block-align.ts';
import { allBlocks, type BlockElement, blockId, blockType, childBlocks, cloneBlock, serializeBlock } from './block-dom.ts';
import { isMarkdownSafe, type TextEdit, type WriteMarkdown } from './block-edit.ts';
import { isSpan, namesOf } from './inline-marks.ts';
import type { MarkdownEngine } from './markdown-engine.ts';
import { replaceInText } from './text-edit.ts';

export interface ChangeDeps {
  readonly engine: MarkdownEngine;
  readonly write: WriteMarkdown;
}

const notSafe = (): ToolError =>
  new ToolError('not_markdown_safe', 'this change does not stay inside plain text', 'change it with edit_block');

const TOKEN = /\s+|[\p{L}\p{N}]+|./gsu;

const occurs = (text: string, part: string): number => text.split(part).length - 1;

/** The edit that turns one text into the other, with enough surrounding text to occur exactly once. */
function editBetween(old: string, fresh: string): TextEdit {
  const before = old.match(TOKEN) ?? [];
  const after = fresh.match(TOKEN) ?? [];
  const shorter = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < shorter && before[start] === after[start]) start += 1;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const part = (tokens: readonly string[]): string => tokens.slice(start, tokens.length - end).join('');
  while ((part(before) === '' || occurs(old, part(before)) !== 1) && (start > 0 || end > 0)) {
    if (start > 0) start -= 1;
    else end -= 1;
  }
  return { old: part(before), new: part(after) };
}

const PLAIN_MARKS = new Set(['a', 'backslash', 'code', 'em', 'kbd', 'mark', 's', 'strong', 'sub', 'sup', 'tag', 'u']);
const isPlain = (node: ChildNode): boolean =>
  !isTag(node) ||
  (isSpan(node) &&
    namesOf(node).every((name) => PLAIN_MARKS.has(name)) &&
    Object.keys(node.attribs).every((name) => name === 'data-type' || name === 'data-href') &&
    node.children.every(isPlain));

/** Only marks that Markdown has: the text itself is what it reads otherwise. */
const hasPlainMarks = (leaf: BlockElement): boolean =>
  leaf.children.every((line) => !isTag(line) || line.attribs.contenteditable !== 'true' || line.children.every(isPlain));

/** Changes the text of a leaf if it differs, so that its Markdown equals the new one's. */
async function changeText({ engine, write }: ChangeDeps, old: BlockElement, fresh: BlockElement): Promise<BlockElement> {
  const changed = cloneBlock(old);
  const markdownOf = (block: BlockElement): string => engine.toMarkdown(serializeBlock(block));
  if (blockType(old) !== blockType(fresh)) throw notSafe();
  try {
    await replaceInText(changed, [editBetween(markdownOf(old), markdownOf(fresh))], write);
    if (markdownOf(changed) !== markdownOf(fresh)) throw notSafe();
    return changed;
  } catch (error) {
    if (!isToolError(error) || error.code !== 'not_markdown_safe' || !hasPlainMarks(old)) throw error;
    adoptIdentity(old, fresh, markdownOf);
    return fresh;
  }
}

/** Changes the text of a block that Markdown cannot express: unchanged parts stay themselves. Rejects with `not_markdown_safe`. */
export async function changeWithin(deps: ChangeDeps, old: BlockElement, fresh: BlockElement): Promise<BlockElement> {
  if (childBlocks(old).length === 0) return changeText(deps, old, fresh);
  const leaves = new Map(allBlocks(old).map((block) => [blockId(block), cloneBlock(block)]));
  adoptIdentity(old, fresh, (block) => deps.engine.toMarkdown(serializeBlock(block)));
  const left = new Set(allBlocks(fresh).map(blockId));
  for (const block of allBlocks(fresh)) {
    const before = leaves.get(blockId(block));
    if (!before || childBlocks(block).length > 0 || serializeBlock(before) === serializeBlock(block)) continue;
    if (await isMarkdownSafe(deps.engine, before, deps.write)) continue;
    const changed = await changeText(deps, before, block);
    block.attribs = { ...changed.attribs };
    block.children = changed.children;
    for (const child of block.children) child.parent = block;
  }
  // A missing leaf was left out; one that only looks like a new one would be lost with what Markdown cannot express.
  for (const [id, before] of leaves) {
    if (left.has(id) || childBlocks(before).length > 0 || (await isMarkdownSafe(deps.engine, before, deps.write))) continue;
    const words = deps.engine.toMarkdown(serializeBlock(before));
    if (words !== '' && allBlocks(fresh).some((block) => !leaves.has(blockId(block)) && childBlocks(block).length === 0)) throw notSafe();
  }
  return fresh;
}
