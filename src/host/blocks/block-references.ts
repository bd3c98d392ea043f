import { isTag } from 'domhandler';
import { type BlockElement, textOf } from './block-dom.ts';

function spans(element: BlockElement): BlockElement[] {
  const own = (element.attribs['data-type'] ?? '').split(' ').includes('block-ref') ? [element] : [];
  return [...own, ...element.children.flatMap((child) => (isTag(child) ? spans(child) : []))];
}

export const referencesIn = (block: BlockElement): { readonly id: string; readonly span: BlockElement }[] =>
  spans(block).map((span) => ({ id: span.attribs['data-id'] ?? '', span }));

export const textOfReference = (span: BlockElement): string => textOf(span);

/** True if SiYuan may have written the words: a reference without an id may be dynamic, with words of a deleted block. */
export const showsAnotherText = ({ attribs }: { readonly attribs: Readonly<Record<string, string>> }): boolean =>
  attribs['data-subtype'] === 'd' || attribs['data-id'] === '';

/** Replaces references by the words that they show, for text that leaves SiYuan. */
export function unwrapReferences(block: BlockElement): void {
  for (const { span } of referencesIn(block)) {
    const types = (span.attribs['data-type'] ?? '').split(' ').filter((type) => type !== 'block-ref');
    span.attribs['data-type'] = types.join(' ');
    if (types.length > 0) continue;
    const siblings = span.parent?.children;
    if (!siblings) continue;
    for (const child of span.children) child.parent = span.parent;
    siblings.splice(siblings.indexOf(span), 1, ...span.children);
  }
}
