import { ToolError } from '../../tools/contract/errors.ts';
import { holdsShownMarkup, normaliseText } from '../../tools/safe-content/normal-text.ts';

/** Characters that the kernel removes from names: all but letters, marks, numbers, punctuation, symbols, spaces and the emoji joiner. */
const DROPPED = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200d]/gu;

export const hasControl = (text: string): boolean => [...text].some((char) => char < ' ' || char === '\u007f');

/** A name of a notebook or a document as SiYuan stores it; the caller refuses control characters. */
export const keptName = (text: string): string => text.replaceAll('\u00a0', ' ').replace(DROPPED, '').trim();

/** SiYuan shows names, titles and attributes in menus, docks and on hover. Rejects with `unsafe_markdown` if they would be HTML there. */
export function assertPlainName(text: string, what: string): void {
  if (!holdsShownMarkup(text)) return;
  throw new ToolError(
    'unsafe_markdown',
    `the ${what} contains something like an HTML tag`,
    'leave a space after each <, or write it without',
  );
}

/** For attributes that SiYuan writes between quotes in its HTML (the list of documents to move to): a quote would end them. */
export function assertPlainAttribute(text: string, what: string): void {
  assertPlainName(text, what);
  if (!normaliseText(text).includes('"')) return;
  throw new ToolError('unsafe_markdown', `the ${what} contains a straight double quotation mark`, 'use typographic ones: “ ”');
}
