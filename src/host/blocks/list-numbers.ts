import { isTag, Text } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { type BlockElement, blockType, serializeBlock } from './block-dom.ts';

export type ListKind = 'u' | 'o';

export function numberOf(item: BlockElement): number | undefined {
  if (blockType(item) !== 'i' || item.attribs['data-subtype'] !== 'o') return undefined;
  const number = Number.parseInt(item.attribs['data-marker'] ?? '', 10);
  return Number.isNaN(number) ? undefined : number;
}

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

const isAction = (child: BlockElement): boolean => (child.attribs.class ?? '').split(' ').includes('protyle-action');

/** Turns a bullet or numbered item into the kind of `sample`: a list has one kind of items. Tasks are not changed. */
export function takeListStyle(item: BlockElement, sample: BlockElement): void {
  const { 'data-subtype': own } = item.attribs;
  const { 'data-subtype': style, 'data-marker': marker } = sample.attribs;
  if (own === style || own === 't' || style === 't' || style === undefined || marker === undefined) return;
  const actions = [item, sample].map((block) => block.children.find((child): child is BlockElement => isTag(child) && isAction(child)));
  const copy = actions[1] && parseDocument(serializeBlock(actions[1])).children[0];
  if (!actions[0] || !copy) return;
  item.attribs['data-subtype'] = style;
  item.attribs['data-marker'] = marker;
  item.children.splice(item.children.indexOf(actions[0]), 1, copy);
  copy.parent = item;
}
