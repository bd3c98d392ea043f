import { isTag, Text } from 'domhandler';
import { type BlockElement, blockType } from './block-dom.ts';

/** The number of an item of an ordered list; undefined for any other block. */
export function numberOf(item: BlockElement): number | undefined {
  if (blockType(item) !== 'i' || item.attribs['data-subtype'] !== 'o') return undefined;
  const number = Number.parseInt(item.attribs['data-marker'] ?? '', 10);
  return Number.isNaN(number) ? undefined : number;
}

/** Puts a number on an item as SiYuan's editor does: into its marker, and into what it draws before the text. */
export function setNumber(item: BlockElement, number: number): void {
  const marker = `${number}.`;
  item.attribs['data-marker'] = marker;
  for (const child of item.children) {
    if (!isTag(child) || !(child.attribs.class ?? '').split(' ').includes('protyle-action--order')) continue;
    const text = new Text(marker);
    text.parent = child;
    child.children = [text];
  }
}
