import type { BlockReading } from '../contract/note-readings.ts';

export type StoredBlock = Omit<BlockReading, 'hash'>;

interface ParsedBlock {
  readonly type: string;
  readonly subtype: string;
  readonly markdown: string;
}

/** Blocks are what blank lines part. */
export function parseMarkdown(markdown: string): readonly ParsedBlock[] {
  const parts = markdown.split(/\n{2,}/u).map((part) => part.trim());
  return parts.filter((part) => part !== '').map(parseBlock);
}

export function parseBlock(markdown: string): ParsedBlock {
  return { ...typeOf(markdown), markdown };
}

function typeOf(markdown: string): { readonly type: string; readonly subtype: string } {
  const heading = /^(#{1,6}) /u.exec(markdown)?.[1];
  if (heading !== undefined) return { type: 'h', subtype: `h${heading.length}` };
  if (markdown.startsWith('```')) return { type: 'c', subtype: '' };
  if (markdown.startsWith('|')) return { type: 't', subtype: '' };
  if (markdown.startsWith('> ')) return { type: 'b', subtype: '' };
  if (/^[-*] /u.test(markdown)) return { type: 'l', subtype: 'u' };
  return /^\d+\. /u.test(markdown) ? { type: 'l', subtype: 'o' } : { type: 'p', subtype: '' };
}

/** Items of a list with ids; `nextId` gives one for each. */
export function itemsOf(markdown: string, nextId: () => string): NonNullable<BlockReading['items']> {
  return markdown.split('\n').flatMap((line) => {
    const found = /^(\s*)(?:[-*]|\d+\.) (.*)$/u.exec(line);
    if (found === null) return [];
    const text = found[2] ?? '';
    return [{ id: nextId(), hash: hashOf(text), depth: Math.floor((found[1] ?? '').length / 2), markdown: text }];
  });
}

/** Eight hexadecimal digits; any change of the text changes it (FNV-1a). */
export function hashOf(markdown: string): string {
  let hash = 0x811c9dc5;
  for (const character of markdown) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

export function toReading(block: StoredBlock): BlockReading {
  return { ...block, hash: hashOf(block.markdown) };
}

/** Text as a reader sees it: no marks. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^#+ |^[-*>] /gmu, '')
    .replaceAll(/\(\([^ ]+ ["']([^"']*)["']\)\)/gu, '$1')
    .trim();
}

export function tagsIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/#([^#\s][^#\n]*)#/gu)].map((found) => found[1] ?? '');
}

/** Ids that a text refers to by `((id "words"))`. */
export function referencesIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\(\((\d{14}-[0-9a-z]{7})/gu)].map((found) => found[1] ?? '');
}
