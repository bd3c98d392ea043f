// The messages to and from the process that reads a page.
import type { PdfPages, PdfPart } from '../../tools/file-text/pdf-text.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';

export interface RawPage {
  /** The last address. */
  readonly url: URL;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export type PageRequest =
  | {
      readonly kind: 'html';
      readonly url: string;
      /** As the site sent it. */
      readonly contentType: string;
    }
  | { readonly kind: 'pdf'; readonly part: PdfPart };

export interface ReadableText {
  readonly title: string;
  readonly markdown: string;
}

const requireText = (value: unknown, name: string): string => {
  const text = fieldOf(value, name);
  if (typeof text !== 'string') throw new TypeError(`${name} is not a text`);
  return text;
};

const requireNumber = (value: unknown, name: string): number => {
  const number = fieldOf(value, name);
  if (typeof number !== 'number') throw new TypeError(`${name} is not a number`);
  return number;
};

export function readRequest(line: string): PageRequest {
  const value: unknown = JSON.parse(line);
  if (requireText(value, 'kind') === 'html')
    return { kind: 'html', url: requireText(value, 'url'), contentType: requireText(value, 'contentType') };
  const part = fieldOf(value, 'part');
  const given = (['from', 'to', 'maxChars'] as const).filter((name) => fieldOf(part, name) !== undefined);
  return { kind: 'pdf', part: Object.fromEntries(given.map((name) => [name, requireNumber(part, name)])) };
}

/** Throws if it is not an answer, for example a truncated one. */
export function parsePageRead(text: string): ReadableText {
  const value: unknown = JSON.parse(text);
  return { title: requireText(value, 'title'), markdown: requireText(value, 'markdown') };
}

/** The same of a PDF; null if it cannot be read. */
export function parsePdfRead(text: string): PdfPages | null {
  const value: unknown = JSON.parse(text);
  if (value === null) return null;
  const texts = fieldOf(value, 'texts');
  if (!Array.isArray(texts) || !texts.every((page) => typeof page === 'string')) throw new TypeError('texts are no texts');
  return { title: requireText(value, 'title'), total: requireNumber(value, 'total'), texts };
}
