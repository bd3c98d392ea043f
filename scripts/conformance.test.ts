import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = dirname(import.meta.dirname);
const text = readFileSync(join(root, 'docs', 'conformance.md'), 'utf8');
/** `file::test name` in backticks; a file without `src/` or `tests/` is one of the tool system. */
const proofs = [...text.matchAll(/`([\w./-]+\.test\.ts)::([^`]+)`/gu)].map(([, file = '', name = '']) => ({
  file: /^(src|tests)\//u.test(file) ? file : `src/tools/${file}`,
  name,
}));

describe('docs/conformance.md', () => {
  it('names only tests that exist', () => {
    expect(proofs.length).toBeGreaterThan(80);
    const missing = proofs.filter(({ file, name }) => {
      const path = join(root, file);
      if (!existsSync(path)) return true;
      const source = readFileSync(path, 'utf8').replaceAll("\\'", "'");
      return !['"', "'"].some((quote) => source.includes(`(${quote}${name}${quote}, `));
    });
    expect(missing).toEqual([]);
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
