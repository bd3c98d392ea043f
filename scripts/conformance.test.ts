// What the pages of docs/ name as proof exists: tests as `file::test name`, and on docs/kernel.md steps of recordings as `recording / step`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = dirname(import.meta.dirname);
const read = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const subjects = readdirSync(join(root, 'docs', 'conformance')).filter((name) => name.endsWith('.md'));
const recordings = join(root, 'tests', 'contract', 'recorded');

/** `file::test name` in backticks. */
const proofsIn = (page: string) =>
  [...page.matchAll(/`([\w./-]+\.test\.ts)::([^`]+)`/gu)].map(([, file = '', name = '']) => ({
    file,
    name: name.replaceAll(/\s+/gu, ' '),
  }));

const escaped = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');

function isThere({ file, name }: { readonly file: string; readonly name: string }): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8').replaceAll("\\'", "'");
  return ['"', "'"].some((quote) => new RegExp(`\\(\\s*${escaped(quote + name + quote)},\\s`, 'u').test(source));
}

/** Cells of the rows of all tables on a page, without their headings. */
function rowsOf(page: string): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const isRow = (line: string | undefined): boolean => line?.startsWith('|') === true;
  return lines
    .filter((line, index) => isRow(line) && isRow(lines[index - 1]) && !line.startsWith('| ---'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/u)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe.each([...subjects.map((name) => `conformance/${name}`), 'security.md', 'kernel.md'])('docs/%s', (name) => {
  it('names only tests that exist', () => {
    const proofs = proofsIn(read(name));
    expect(proofs.length).toBeGreaterThan(1);
    expect(proofs.filter((proof) => !isThere(proof))).toEqual([]);
  });
});

describe('docs/conformance/', () => {
  it.each(subjects)('is reached from the index: %s', (name) => {
    expect(read('conformance.md')).toContain(`(conformance/${name})`);
  });

  it.each(subjects)('has a proof, or says what is not built, in every row: %s', (name) => {
    const rows = rowsOf(read(`conformance/${name}`));
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter((cells) => !cells.some((cell) => cell.includes('`') || cell.startsWith('not built')))).toEqual([]);
  });
});

describe('docs/kernel.md', () => {
  const page = read('kernel.md');

  it('names only steps that were recorded', () => {
    const steps = [...page.matchAll(/`([a-z-]+) \/ ([^`]+)`/gu)].map(([, recording = '', step = '']) => ({ recording, step }));
    const missing = steps.filter(({ recording, step }) => {
      const path = join(recordings, `${recording}.json`);
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(`"id": ${JSON.stringify(step)}`);
    });
    expect(steps.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  it('shows what each fact rests on', () => {
    const facts = rowsOf(page.slice(0, page.indexOf('## Not recorded')));
    expect(facts.length).toBeGreaterThan(50);
    expect(facts.filter((cells) => !/`.+`|\]\(/u.test(cells.at(-1) ?? ''))).toEqual([]);
  });
});
