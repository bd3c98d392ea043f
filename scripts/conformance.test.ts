// What the pages name as proof exists: tests as `file` or `file::beginning of a title`, and on docs/kernel.md steps of recordings as `recording / step`.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = dirname(import.meta.dirname);
const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const FOLDER = 'tests/conformance';
const points = readdirSync(join(root, FOLDER))
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => `${FOLDER}/${name}`);
const recordings = join(root, 'tests', 'contract', 'recorded');
const testFiles = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.test.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path && existsSync(join(root, path)));

interface Proof {
  readonly file: string;
  readonly title: string;
}

/** `name.test.ts`, with its folder where two have that name and that title, and the beginning of a title where one is meant. */
const proofsIn = (page: string): readonly Proof[] =>
  [...page.matchAll(/`([\w./-]+\.test\.ts)(?:::([^`]+))?`/gu)].map(([, file = '', title = '']) => ({
    file,
    title: title.replaceAll(/\s+/gu, ' '),
  }));

const escaped = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');

const hasTitle = (path: string, title: string): boolean => {
  const source = read(path).replaceAll("\\'", "'").replaceAll(/\s+/gu, ' ');
  return new RegExp(`\\( ?["'\`]${escaped(title)}`, 'u').test(source);
};

/** What is wrong with a proof; nothing where it leads to one file that has such a title. */
function problemOf({ file, title }: Proof): string | undefined {
  const named = testFiles.filter((path) => path === file || path.endsWith(`/${file}`));
  const paths = named.filter((path) => title === '' || hasTitle(path, title));
  if (paths.length === 1) return undefined;
  return paths.length > 1 ? `one of ${paths.join(', ')}` : `no such ${named.length > 0 ? 'title' : 'file'}`;
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

describe.each([...points, 'docs/security.md', 'docs/kernel.md'])('%s', (page) => {
  it('names only tests that exist', () => {
    const proofs = proofsIn(read(page));
    expect(proofs.length).toBeGreaterThan(1);
    expect(proofs.flatMap((proof) => (problemOf(proof) ? [{ ...proof, problem: problemOf(proof) }] : []))).toEqual([]);
  });
});

describe('tests/conformance/', () => {
  it.each(points)('is reached from the index: %s', (page) => {
    expect(read(`${FOLDER}/README.md`)).toContain(`(${page.slice(FOLDER.length + 1)})`);
  });

  it.each(points)('has a proof in every row: %s', (page) => {
    const rows = rowsOf(read(page));
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(([, tests = '']) => !/`(?:[\w./-]+\.test\.ts|npm run bench)/u.test(tests))).toEqual([]);
  });
});

describe('docs/kernel.md', () => {
  const page = read('docs/kernel.md');

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
