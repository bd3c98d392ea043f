import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkWords, readDictionary } from './check-words.ts';

const out = readDictionary(readFileSync(join(dirname(import.meta.dirname), 'docs/dictionary.md'), 'utf8'));
const problemsOf = (text: string, path = 'src/a.ts'): readonly string[] => checkWords(path, text, out);

describe('checkWords', () => {
  it('has its list from the dictionary', () => {
    expect([...out.words.keys()]).toContain('stood');
    expect(out.words.get('glance')).toBe('preview');
    expect(out.comments.has('tell')).toBe(false);
    expect(out.types.has('Found')).toBe(true);
  });

  it.each([
    'const told = 1;',
    'function tellOthers() {}',
    'const MAX_LOOKED_AT = 5;',
    'interface A { readonly lastSpot: number }',
    'class A { #standingIn = 1; }',
    'const f = ({ lookedAt }: { lookedAt: number }) => lookedAt;',
  ])('refuses a name: %s', (text) => {
    expect(problemsOf(text)).not.toEqual([]);
  });

  it('says where, why not, and what to say', () => {
    expect(problemsOf('\nconst glanceAt = 1;')).toEqual(['src/a.ts:2: "glanceAt": not "glance", say preview']);
    expect(problemsOf('// As it stood.')).toEqual([
      'src/a.ts:1: a comment says "stood"; say was; of what a write replaced: overwritten, before',
    ]);
  });

  it('refuses a type that says nothing of what it holds, and takes one that does', () => {
    expect(problemsOf('interface Found {}')).toHaveLength(1);
    expect(problemsOf('type Place = string;')).toHaveLength(1);
    expect(problemsOf('interface FoundNote {}')).toEqual([]);
  });

  it('looks at comments in and behind code, and at those of components', () => {
    expect(problemsOf('/**\n * Told of it.\n */\nlet a = 1; // at a glance')).toHaveLength(2);
    const component = '<script lang="ts">\n/** As it stood. */\nlet told = $state(1);\n</script>\n<p>told</p>\n';
    expect(problemsOf(component, 'src/A.svelte')).toEqual([
      expect.stringContaining('src/A.svelte:3: "told"'),
      expect.stringContaining('src/A.svelte:2: a comment'),
    ]);
  });

  it('refuses some words in comments alone', () => {
    expect(problemsOf('// Read anew.')).toHaveLength(1);
    expect(problemsOf('const startAnew = 1;')).toEqual([]);
  });

  it.each([
    "const a = 'what stood there';",
    '// The two are told by nothing else apart.',
    '// The saved field `stood`.',
    'const b = { stood: undefined };',
    'const understood = 1;',
    'const c = overlooked.told;',
  ])('takes what is plain, saved or text: %s', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });
});
