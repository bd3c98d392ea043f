// Svelte gives a whole component up when a list has one key twice, so no list is keyed by what data say: see keyed.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';
import { keyed } from './controls/keyed.ts';

interface Each {
  readonly list: string;
  readonly key: string;
  readonly index: string | undefined;
}

interface Placed {
  readonly start: number;
  readonly end: number;
}

const isPlaced = (value: unknown): value is Placed => typeof Object(value).start === 'number' && typeof Object(value).end === 'number';

/** Every keyed list of a component. */
function keyedLists(source: string): Each[] {
  const found: Each[] = [];
  const text = (part: unknown): string => (isPlaced(part) ? source.slice(part.start, part.end) : '');
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, expression, key, index } = Object(node);
    if (type === 'EachBlock' && key) found.push({ list: text(expression), key: text(key), index });
    for (const child of Object.values(node)) visit(child);
  };
  visit(parse(source, { modern: true }).fragment);
  return found;
}

/** Constants of the code, keys of an object, and numbers that the Markdown stream counts are never there twice. */
const isSafe = (file: string, { list, key, index }: Each): boolean =>
  list.startsWith('keyed(') ||
  key === index ||
  /^[A-Z][A-Z_]*$/.test(list) ||
  list.startsWith('Object.entries(') ||
  (file.startsWith('ui/markdown') && /^(group|block|part)\.key$/.test(key));

const src = dirname(import.meta.dirname);
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.svelte'));

describe('lists', () => {
  it('have keys that no data can give twice', () => {
    const lists = files.flatMap((file) => keyedLists(readFileSync(join(src, file), 'utf8')).map((each) => ({ file, each })));
    expect(lists.length).toBeGreaterThan(30);
    expect(lists.filter(({ file, each }) => !isSafe(file, each)).map(({ file, each }) => `${file}: ${each.list} (${each.key})`)).toEqual(
      [],
    );
  });

  it('tell equal entries apart, and keep the keys of the others', () => {
    expect(keyed(['a', 'b', 'a', 'a\n2', 'a'], String).map(({ key }) => key)).toEqual(['a', 'b', 'a\n2', 'a\n2\n2', 'a\n3']);
    expect(new Set(keyed(['__proto__', '', '', '__proto__'], String).map(({ key }) => key)).size).toBe(4);
  });
});
