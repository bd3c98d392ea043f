// The messages to and from the process that reads a page.
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

const requireText = (value: unknown, name: string): string => {
  const text = fieldOf(value, name);
  if (typeof text !== 'string') throw new TypeError(`${name} is not a text`);
  return text;
};

export function readRequest(line: string): PageRequest {
  const value: unknown = JSON.parse(line);
  return {
    kind: requireText(value, 'kind') === 'pdf' ? 'pdf' : 'html',
    url: requireText(value, 'url'),
    contentType: requireText(value, 'contentType'),
  };
}

/** Throws if it is not an answer, for example a truncated one. */
export function parsePageRead(text: string): PageRead {
  const value: unknown = JSON.parse(text);
  if (fieldOf(value, 'unreadable') === true) return { unreadable: true };
  return { title: requireText(value, 'title'), markdown: requireText(value, 'markdown') };
}
