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

function parseBlock(markdown: string): ParsedBlock {
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

export type StoredItem = NonNullable<StoredBlock['items']>[number];

/** An item with those below it, which follow it. */
export function withItemsBelow(items: readonly StoredItem[], item: StoredItem): readonly StoredItem[] {
  const at = items.indexOf(item);
  const end = items.findIndex(({ depth }, index) => index > at && depth <= item.depth);
  return items.slice(at, end < 0 ? undefined : end);
}

const ITEM_LINE = /^(\s*)([-*]|\d+\.) /u;

/** Lines of a list with the item that each begins, in order. */
function itemLines({ markdown, items = [] }: StoredBlock): readonly { readonly line: string; readonly item: StoredItem | undefined }[] {
  let next = 0;
  let item: StoredItem | undefined;
  return markdown.split('\n').map((line) => {
    if (ITEM_LINE.test(line)) item = items[next++];
    return { line, item };
  });
}

/** A list with these items and no others; those that it has already keep the lines below their own. */
export function withItems(list: StoredBlock, items: readonly StoredItem[]): StoredBlock {
  const old = itemLines(list);
  const marker = list.subtype === 'o' ? '1.' : '-';
  const lines = items.flatMap(({ id, depth, markdown }) => {
    const [own = `${'  '.repeat(depth)}${marker} `, ...more] = old.filter(({ item }) => item?.id === id).map(({ line }) => line);
    return [(ITEM_LINE.exec(own)?.[0] ?? own) + markdown, ...more];
  });
  return { ...list, markdown: lines.join('\n'), items };
}

/** Text with what a reader sees of references in their place. */
function withoutReferences(markdown: string): string {
  return markdown.replaceAll(/\(\([^ ]+ ["']([^"']*)["']\)\)/gu, '$1');
}

/** Text as a reader sees it: no marks. */
export function plainText(markdown: string): string {
  return withoutReferences(markdown.replaceAll(/^#+ |^\s*(?:[-*>]|\d+\.) /gmu, ''))
    .replaceAll(/#([^#\s][^#\n]*)#/gu, '$1')
    .trim();
}

export function tagsIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/#([^#\s][^#\n]*)#/gu)].map((found) => found[1] ?? '');
}

/** The section of a heading: what follows it, up to a heading of its level or above. */
export function sectionOf(blocks: readonly StoredBlock[], at: number): readonly StoredBlock[] {
  const level = blocks[at]?.subtype ?? '';
  const end = blocks.findIndex(({ type, subtype }, index) => index > at && type === 'h' && subtype <= level);
  return blocks.slice(at + 1, end < 0 ? undefined : end);
}
