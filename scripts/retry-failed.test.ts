import { expect, it } from 'vitest';
import { retryFailed } from './retry-failed.ts';
import type { FileResult } from './run-tests.ts';

const passing = (file: string): FileResult => ({ file, seconds: 1, passed: 2, failed: 0, skipped: 0, failures: [], frontends: [] });
const failing = (file: string): FileResult => ({ ...passing(file), passed: 1, failed: 1, failures: [`${file}: says so`] });

/** A runner whose answers come from the table, and the files that it was asked for. */
function runner(answers: Readonly<Record<string, FileResult>>) {
  const asked: string[] = [];
  const run = (file: string): readonly FileResult[] => {
    asked.push(file);
    return answers[file] ? [answers[file]] : [];
  };
  return { asked, run };
}

it('runs only what failed again: what passes then is flaky and counts as passed, what fails again stays failed', () => {
  const { asked, run } = runner({ 'b.test.ts': passing('b.test.ts'), 'c.test.ts': failing('c.test.ts') });
  const { results, flaky } = retryFailed([passing('a.test.ts'), failing('b.test.ts'), failing('c.test.ts')], run);
  expect(asked).toEqual(['b.test.ts', 'c.test.ts']);
  expect(flaky).toEqual(['b.test.ts: says so']);
  expect(results).toEqual([passing('a.test.ts'), passing('b.test.ts'), failing('c.test.ts')]);
});

it('leaves a file failed whose second run gives no report', () => {
  const { run } = runner({});
  expect(retryFailed([failing('a.test.ts')], run)).toEqual({ results: [failing('a.test.ts')], flaky: [] });
});

it('runs nothing again where so much failed that it is no accident', () => {
  const { asked, run } = runner({});
  const results = Array.from({ length: 13 }, (_, index) => failing(`${index}.test.ts`));
  expect(retryFailed(results, run)).toEqual({ results, flaky: [] });
  expect(asked).toEqual([]);
  retryFailed(results.slice(1), run);
  expect(asked).toHaveLength(12);
});
