import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = dirname(import.meta.dirname);
const read = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const text = read('conformance.md');

/** `file::test name` in backticks; a file without `src/` or `tests/` is one of the tool system. */
const proofsIn = (page: string) =>
  [...page.matchAll(/`([\w./-]+\.test\.ts)::([^`]+)`/gu)].map(([, file = '', name = '']) => ({
    file: /^(src|tests)\//u.test(file) ? file : `src/tools/${file}`,
    name,
  }));

function isThere({ file, name }: { readonly file: string; readonly name: string }): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8').replaceAll("\\'", "'");
  return ['"', "'"].some((quote) => new RegExp(`\\(\\s*${escaped(quote + name + quote)},\\s`, 'u').test(source));
}

const escaped = (words: string): string => words.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&');

describe('docs/conformance.md', () => {
  it('names only tests that exist', () => {
    const proofs = proofsIn(text);
    expect(proofs.length).toBeGreaterThan(80);
    expect(proofs.filter((proof) => !isThere(proof))).toEqual([]);
  });

  it('has a proof or a reason in every row', () => {
    const rows = text.split('\n').filter((line) => /^\| \d+\.\d+ \|/u.test(line));
    const bare = rows.filter((row) => {
      const [, , , proof = '', reason = ''] = row.split(/(?<!\\)\|/u).map((cell) => cell.trim());
      return proof === '' || (proof === '–' && reason === '');
    });
    expect(rows.length).toBeGreaterThanOrEqual(80);
    expect(bare).toEqual([]);
  });
});

describe('docs/security.md', () => {
  it('names only tests that exist', () => {
    const proofs = proofsIn(read('security.md'));
    expect(proofs.length).toBeGreaterThan(20);
    expect(proofs.filter((proof) => !isThere(proof))).toEqual([]);
  });
});
