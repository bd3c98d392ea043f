// What the process that reads a page is told, and what it says.
import { fieldOf } from '../../tools/util/plain-value.ts';

export interface PageRequest {
  readonly kind: 'html' | 'pdf';
  readonly url: string;
  /** As the site sent it. */
  readonly contentType: string;
}

export interface ReadableText {
  readonly title: string;
  readonly markdown: string;
}

/** `unreadable`: the file is damaged, or has a password. */
export type PageRead = ReadableText | { readonly unreadable: true };

const textOf = (value: unknown, name: string): string => {
  const text = fieldOf(value, name);
  if (typeof text !== 'string') throw new TypeError(`${name} is not a text`);
  return text;
};

export function readRequest(line: string): PageRequest {
  const value: unknown = JSON.parse(line);
  return { kind: textOf(value, 'kind') === 'pdf' ? 'pdf' : 'html', url: textOf(value, 'url'), contentType: textOf(value, 'contentType') };
}

/** Throws where it is not an answer, such as one that was cut off. */
export function readAnswer(text: string): PageRead {
  const value: unknown = JSON.parse(text);
  if (fieldOf(value, 'unreadable') === true) return { unreadable: true };
  return { title: textOf(value, 'title'), markdown: textOf(value, 'markdown') };
}
