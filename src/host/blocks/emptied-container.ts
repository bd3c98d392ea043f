import { isPart } from '../../tools/contract/block-kinds.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import {
  allBlocks,
  type BlockElement,
  blockType,
  childBlocks,
  cloneBlock,
  freshId,
  parseBlock,
  type Random,
  serializeBlock,
  timestamp,
  withoutZwsp,
} from './block-dom.ts';

/** Nothing in it can be lost: no text, and no mark, which may hold a formula, a picture or a reference. */
export const isEmptyParagraph = (block: BlockElement): boolean =>
  blockType(block) === 'p' && withoutZwsp(serializeBlock(block).replace(/<\/?(?:div|br|wbr)\b[^>]*>/g, '')).trim() === '';

export function emptyParagraph(id: string, updated: string): string {
  return (
    `<div data-node-id="${id}" data-type="NodeParagraph" class="p" updated="${updated}">` +
    '<div contenteditable="true" spellcheck="false"></div><div class="protyle-attr" contenteditable="false">\u200b</div></div>'
  );
}

function dropBlock(block: BlockElement): void {
  const siblings = block.parent?.children;
  if (siblings) siblings.splice(siblings.indexOf(block), 1);
}

/** A container without its children, with a placeholder, as the kernel keeps no empty one: children move back, then it is removed. */
export function emptiedContainer(dom: string, clock: Clock, random: Random): { readonly dom: string; readonly placeholder: string } {
  const parsed = parseBlock(dom);
  if (!parsed) throw new Error('a container in an unknown shape');
  const container = cloneBlock(parsed);
  const [first, ...rest] = childBlocks(container);
  if (!first) throw new Error('a container without blocks has no placeholder');
  for (const each of rest) dropBlock(each);
  const [placeholder, updated] = [freshId(clock, random), timestamp(clock)];
  const host = isPart(blockType(first)) ? first : undefined;
  const paragraph = parseBlock(emptyParagraph(host ? freshId(clock, random) : placeholder, updated));
  if (!paragraph) throw new Error('the empty paragraph is not a block');
  if (host) {
    const [inside, ...others] = childBlocks(host);
    for (const each of others) dropBlock(each);
    const kept = ['data-node-id', 'data-type', 'data-marker', 'data-subtype', 'class', 'updated'];
    for (const name of Object.keys(host.attribs)) if (!kept.includes(name)) delete host.attribs[name];
    host.attribs['data-node-id'] = placeholder;
    replaceBlock(inside, paragraph);
  } else replaceBlock(first, paragraph);
  return { dom: serializeBlock(container), placeholder };
}

function replaceBlock(old: BlockElement | undefined, fresh: BlockElement): void {
  const siblings = old?.parent?.children;
  if (!old || !siblings) throw new Error('a block without a parent cannot be replaced');
  fresh.parent = old.parent;
  siblings[siblings.indexOf(old)] = fresh;
}

/** The emptied container with the attributes that the container had at the end. */
export function likeOutside(emptied: string, written: string): string {
  const [inside, outside] = [parseBlock(emptied), parseBlock(written)];
  if (!inside || !outside) return emptied;
  inside.attribs = { ...outside.attribs };
  return serializeBlock(inside);
}

export function idsIn(dom: string): string[] {
  const block = parseBlock(dom);
  return block ? allBlocks(block).map((each) => each.attribs['data-node-id'] ?? '') : [];
}
