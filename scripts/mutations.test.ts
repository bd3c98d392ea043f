import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type Defect, runDefects, type TestRun } from './mutations.ts';

const SOURCE = 'if (a) stop();\nif (b) stop();\n';
const folder = mkdtempSync(join(tmpdir(), 'mutations-test-'));
const path = join(folder, 'guard.ts');
beforeEach(() => writeFileSync(path, SOURCE));
afterAll(() => rmSync(folder, { recursive: true }));

const without = (find: string, replace = ''): Defect => {
  return { row: '1', what: `without ${find}`, file: 'guard.ts', find, replace, tests: ['guard.test.ts::stops'] };
};

/** The defects over tests of which each run ends as it says; what they saw, and what was printed. */
async function run(defects: readonly Defect[], outcome: TestRun) {
  const seen: string[] = [];
  const printed: string[] = [];
  const runTests = async (): Promise<TestRun> => {
    seen.push(readFileSync(path, 'utf8'));
    return outcome;
  };
  const isGood = await runDefects(defects, folder, runTests, (line) => printed.push(line));
  return { isGood, seen, last: printed.at(-1), source: readFileSync(path, 'utf8') };
}

it('puts each defect in alone, literally, and the file back after it', async () => {
  const { isGood, seen, last, source } = await run([without('if (a) stop();\n'), without('(b)', "($&, '$1')")], 'failed');
  expect(seen).toEqual(['if (b) stop();\n', "if (a) stop();\nif ($&, '$1') stop();\n"]);
  expect([isGood, last, source]).toEqual([true, '2 caught, 0 survived, 0 do not apply', SOURCE]);
});

it('fails where a defect survives', async () => {
  const { isGood, last, source } = await run([without('(a)', '(!a)')], 'passed');
  expect([isGood, last, source]).toEqual([false, '0 caught, 1 survived, 0 do not apply', SOURCE]);
});

it.each([
  ['stands twice', 'stop()'],
  ['is gone', '(c)'],
])('fails, and runs nothing, where what a defect replaces %s', async (_what, find) => {
  const { isGood, seen, last } = await run([without(find)], 'failed');
  expect([isGood, seen, last]).toEqual([false, [], '0 caught, 0 survived, 1 do not apply']);
});

it('fails where no test ran, and where there is no defect at all', async () => {
  expect(await run([without('(a)')], 'not run')).toMatchObject({ isGood: false, last: '0 caught, 0 survived, 1 do not apply' });
  expect(await run([], 'failed')).toMatchObject({ isGood: false });
});

it('each known defect applies: what it replaces is in its file, once', () => {
  const root = join(import.meta.dirname, '..');
  const defects = JSON.parse(readFileSync(join(root, 'tests/mutations/defects.json'), 'utf8')) as readonly Defect[];
  const times = ({ file, find }: Defect): number => readFileSync(join(root, file), 'utf8').split(find).length - 1;
  expect(defects.length).toBeGreaterThan(500);
  expect(defects.filter((defect) => times(defect) !== 1).map(({ row, what }) => `${row}: ${what}`)).toEqual([]);
});
