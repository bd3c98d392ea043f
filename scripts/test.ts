// npm test: checks, build, then unit, contract and browser tests. The last line is `N passed, N failed[, N skipped]`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureChromium } from '../tests/support/chromium.ts';
import { runChecks } from './check.ts';

const root = dirname(import.meta.dirname);

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

/** The part of vitest's JSON report that is read. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly meta?: { readonly cannotRun?: string };
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

function buildStep(): boolean {
  const run = spawnSync(process.execPath, [join(root, 'esbuild.config.mjs')], { cwd: root, stdio: 'inherit' });
  console.log(`${run.status === 0 ? 'ok  ' : 'FAIL'} build`);
  return run.status === 0;
}

function countReport(report: VitestReport, totals: Totals): void {
  for (const file of report.testResults) {
    // A file that fails before its tests run (a syntax error, a failing beforeAll) has no failed assertion to count.
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) {
      totals.failed++;
      console.log(`FAIL ${file.name}\n${file.message}`);
    }
    for (const test of file.assertionResults) {
      if (test.status === 'passed') totals.passed++;
      else if (test.status === 'failed') totals.failed++;
      else {
        totals.skipped++;
        const reason = test.meta?.cannotRun;
        console.log(`skipped: ${test.fullName}${reason === undefined ? '' : ` (cannot run in a real SiYuan: ${reason})`}`);
      }
    }
  }
}

function vitestStep(args: readonly string[], chromium: string | undefined, totals: Totals): void {
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-test-'));
  const output = join(folder, 'report.json');
  const argv = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${output}`,
    ...args,
  ];
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...argv], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NO_COLOR: '1', ...(chromium ? { MARGINALIA_CHROMIUM: chromium } : {}) },
  });
  try {
    countReport(JSON.parse(readFileSync(output, 'utf8')) as VitestReport, totals);
  } catch (error) {
    totals.failed++;
    console.log(`FAIL vitest gave no report: ${error instanceof Error ? error.message : error}`);
  }
  rmSync(folder, { recursive: true, force: true });
}

function main(): void {
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  const count = (passed: boolean) => (passed ? totals.passed++ : totals.failed++);
  const only = process.argv.slice(2);
  if (!only.length) for (const check of runChecks()) count(check.passed);
  const built = buildStep();
  count(built);
  const chromium = ensureChromium();
  if ('missing' in chromium) console.log(`Browser tests are skipped: ${chromium.missing}`);
  vitestStep(only, 'path' in chromium ? chromium.path : undefined, totals);
  console.log(`${totals.passed} passed, ${totals.failed} failed${totals.skipped ? `, ${totals.skipped} skipped` : ''}`);
  process.exitCode = totals.failed ? 1 : 0;
}

main();
