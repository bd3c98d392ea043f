import { type Element, isTag, isText } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { startsReference, TAG_START, withoutInvisible } from '../../tools/safe-content/normal-text.ts';
import { isBlockElement, serializeBlock } from '../blocks/block-dom.ts';
import { KEPT_ATTRIBUTE } from '../blocks/block-hash.ts';
import { isUnescaped, marksOf } from './content-rules.ts';

const NEAR = 200;

/** Positions of signs that would be markup in text that is stored unescaped: `<` of a tag, `&` of a character reference. */
export function signsOf(text: string): number[] {
  const places: number[] = [];
  for (const { index } of text.matchAll(/[<&]/g)) {
    const next = withoutInvisible(text.slice(index + 1, index + NEAR));
    const isSign = text.charAt(index) === '<' ? TAG_START.test(`<${next.slice(0, 1)}`) : startsReference(text.slice(index, index + NEAR));
    // The text after the mark may become part of it.
    if (isSign || next === '') places.push(index);
  }
  return places;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Escapes user attributes of a block and what looks like a character reference; true if there was any. */
function escapeAttributes(element: Element): boolean {
  const read = Object.entries(element.attribs).filter(([name, value]) => KEPT_ATTRIBUTE.test(name) && /&#?\w+;/.test(value));
  for (const [name, value] of read) element.attribs[name] = value.replaceAll(/&(?=#?\w+;)/g, '&amp;');
  return read.length > 0;
}

const isImage = (node: Element['children'][number]): boolean => isTag(node) && node.attribs['data-type'] === 'img';

/** SiYuan adds a zero-width space before the first image in a cell, and reads it as text when it is written back; true if there was one. */
function takeDrawnSpace(cell: Element): boolean {
  const before = cell.children[cell.children.findIndex(isImage) - 1];
  if (before === undefined || !isText(before) || !before.data.endsWith('\u200b')) return false;
  before.data = before.data.slice(0, -1);
  return true;
}

/** Block DOM for the kernel, which decodes the text of such marks and attributes once more than it escapes them: escaped twice. */
export function forKernel(dom: string): string {
  if (!/&(?:lt|amp|#)|<t[dh]\b[^>]*>.*data-type="img"/is.test(dom)) return dom;
  const root = parseDocument(dom);
  let changed = false;
  const visit = (element: Element, inMark: boolean): void => {
    if (isBlockElement(element) && escapeAttributes(element)) changed = true;
    if ((element.name === 'td' || element.name === 'th') && takeDrawnSpace(element)) changed = true;
    const isMark = inMark || (element.name === 'span' && isUnescaped(marksOf(element.attribs['data-type'])));
    for (const child of element.children) {
      if (isTag(child)) visit(child, isMark);
      else if (isMark && isText(child) && signsOf(child.data).length > 0) {
        child.data = escaped(child.data);
        changed = true;
      }
    }
  };
  for (const node of root.children) if (isTag(node)) visit(node, false);
  return changed ? root.children.map(serializeBlock).join('') : dom;
}
