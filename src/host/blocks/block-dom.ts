import render from 'dom-serializer';
import { type ChildNode, type Element, isTag, isText, type Text } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { BLOCK_KINDS } from '../../tools/contract/block-kinds.ts';
import type { Clock } from '../../tools/contract/ports.ts';

/** SiYuan's block DOM as strings and small trees; no browser needed. */
export type BlockElement = Element;

/** SiYuan's type letters by `data-type` (the kernel's TypeAbbr). */
const TYPE_LETTERS: ReadonlyMap<string, string> = new Map(BLOCK_KINDS.map(({ node, type }) => [node, type]));

const ID_PATTERN = /^\d{14}-[0-9a-z]{7}$/;
export const isBlockId = (text: string): boolean => ID_PATTERN.test(text);
export const withoutZwsp = (text: string): string => text.replaceAll('\u200b', '');

/** True for the element of a block, not for inline elements or wrappers. */
export const isBlockElement = (element: Element): boolean =>
  element.attribs['data-node-id'] !== undefined && (element.attribs['data-type'] ?? '').startsWith('Node');
const isBlock = (node: ChildNode): node is Element => isTag(node) && isBlockElement(node);

export function parseBlocks(dom: string): Element[] {
  return parseDocument(dom).children.filter(isBlock);
}

export function parseBlock(dom: string): Element | undefined {
  const blocks = parseBlocks(dom);
  return blocks.length === 1 ? blocks[0] : undefined;
}

export const serializeBlock = (block: ChildNode): string => render(block, { encodeEntities: 'utf8', selfClosingTags: false });
export const blockId = (block: Element): string => block.attribs['data-node-id'] ?? '';

export function blockType(block: Element): string {
  const node = block.attribs['data-type'] ?? '';
  return TYPE_LETTERS.get(node) ?? node;
}

/** Blocks directly inside, through any wrapper (a callout's content). */
export function childBlocks(block: Element): Element[] {
  return block.children.flatMap((child) => {
    if (!isTag(child)) return [];
    return isBlock(child) ? [child] : childBlocks(child);
  });
}

export function allBlocks(block: Element): Element[] {
  return [block, ...childBlocks(block).flatMap(allBlocks)];
}

export type Parent = Element | ReturnType<typeof parseDocument>;

export function setChildren(parent: Parent, children: ChildNode[]): void {
  parent.children = children;
  for (const [index, child] of children.entries()) {
    child.parent = parent;
    child.prev = children[index - 1] ?? null;
    child.next = children[index + 1] ?? null;
  }
}

/** Finds a block by id, with its parents, innermost first. */
export function findBlock(roots: readonly Element[], id: string): { block: Element; parents: readonly Element[] } | undefined {
  for (const root of roots) {
    if (blockId(root) === id) return { block: root, parents: [] };
    const inside = findBlock(childBlocks(root), id);
    if (inside) return { block: inside.block, parents: [...inside.parents, root] };
  }
  return undefined;
}

/** Editable text nodes of the block itself (not of blocks inside it), in order. */
export function textNodes(block: Element): Text[] {
  const found: Text[] = [];
  const visit = (node: ChildNode, editable: boolean): void => {
    if (isText(node)) {
      if (editable) found.push(node);
      return;
    }
    if (!isTag(node) || isBlockElement(node)) return;
    const flag = node.attribs.contenteditable;
    const inside = flag === undefined ? editable : flag === 'true';
    for (const child of node.children) visit(child, inside);
  };
  for (const child of block.children) visit(child, false);
  return found;
}

export function attributeValues(element: Element, name: string): ReadonlySet<string> {
  const own = element.attribs[name];
  const inside = element.children.flatMap((child) => (isTag(child) ? [...attributeValues(child, name)] : []));
  return new Set(own === undefined ? inside : [own, ...inside]);
}

export function plainText(block: Element): string {
  return allBlocks(block)
    .map((each) =>
      withoutZwsp(
        textNodes(each)
          .map((node) => node.data)
          .join(''),
      ),
    )
    .filter((line) => line !== '')
    .join('\n');
}

export function textOf(node: ChildNode): string {
  if (isText(node)) return node.data;
  return isTag(node) ? node.children.map(textOf).join('') : '';
}

export function cloneBlock(block: Element): Element {
  const copy = parseBlock(serializeBlock(block));
  if (!copy) throw new Error('a block did not survive copying');
  return copy;
}

/** Block DOM as it may be written: without attributes that getBlockDOM adds for display, which would be stored. `updated`: if given. */
export function writableDom(block: Element, updated?: string): string {
  const copy = cloneBlock(block);
  for (const each of allBlocks(copy)) {
    for (const name of ['parent-heading', 'refcount', 'data-node-index']) delete each.attribs[name];
  }
  if (updated) copy.attribs.updated = updated;
  return serializeBlock(copy);
}

/** SiYuan's second-precision local time, YYYYMMDDHHmmss. */
export function timestamp(clock: Clock): string {
  const date = new Date(clock.now());
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`;
  return `${day}${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`;
}

export type Random = () => number;

export function freshId(clock: Clock, random: Random): string {
  let tail = '';
  while (tail.length < 7) tail += Math.floor(random() * 36).toString(36);
  return `${timestamp(clock)}-${tail}`;
}
