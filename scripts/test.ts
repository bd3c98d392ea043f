// npm test: checks, build, then unit, host and browser tests. The last line is `N passed, N failed[, N skipped]`.
//   npm test -- PATH…           the tests below these paths
//   npm test -- --tier T        one tier (unit, host or browser; also npm run test:unit and so on)
//   npm test -- --changed       what a change since the last commit can reach
//   npm run test:browser -- --siyuan URL --token T [--access-code C] [--workspace DIR]      the end-to-end tests on a real SiYuan
// A file that fails runs once more, alone, at the end: if it passes then, it is reported as flaky and does not fail the run.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium } from '../tests/support/chromium.ts';
import { changedFiles, testsReaching } from './changed-tests.ts';
import { runChecks, SIDE_BY_SIDE } from './check.ts';
import { DEVELOPMENT_ONLY, printDevelopmentOnly, realSiYuanEnvironment } from './real-siyuan.ts';
import { retryFailed } from './retry-failed.ts';
import { type FileResult, runTestFiles } from './run-tests.ts';
import { filesByTier, ON_NEWER_HOST, TIERS, type Tier, testFiles } from './test-tiers.ts';

const root = dirname(import.meta.dirname);
const SLOWEST = 20;

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

interface Request {
  readonly files: readonly string[];
  readonly tiers: readonly Tier[];
  /** Whether the checks belong to the run: not where only some of the tests were asked for. */
  readonly checks: boolean;
}

async function readRequest(argv: readonly string[]): Promise<Request> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      ...{ tier: text, changed: { type: 'boolean', default: false } },
      ...{ siyuan: text, token: text, 'access-code': text, workspace: text },
    },
  });
  const { siyuan, token = '', 'access-code': accessCode, workspace } = values;
  if (siyuan !== undefined) Object.assign(process.env, await realSiYuanEnvironment({ url: siyuan, token, accessCode, workspace }));
  const tier = TIERS.find((each) => each === values.tier);
  if (values.tier !== undefined && tier === undefined) throw new Error(`unknown tier "${values.tier}": use one of ${TIERS.join(', ')}`);
  const known = values.changed ? testsReaching(changedFiles()) : testFiles();
  const all = siyuan === undefined ? known : known.filter((file) => file.startsWith(E2E) && !isDevelopmentOnly(file));
  // Vitest takes a part of a path for a filter, so that `npm test -- e2e` names a folder.
  const files = all.filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)));
  return { files, tiers: tier === undefined ? TIERS : [tier], checks: positionals.length === 0 && tier === undefined };
}

const E2E = 'tests/e2e/';
const isDevelopmentOnly = (file: string): boolean =>
  DEVELOPMENT_ONLY.some((row) => row.tests === undefined && file === `${E2E}${row.file}`);

function build(): boolean {
  const run = spawnSync(process.execPath, [join(root, 'esbuild.config.mjs')], { cwd: root, stdio: 'inherit' });
  console.log(`${run.status === 0 ? 'ok  ' : 'FAIL'} build`);
  return run.status === 0;
}

/** Whether a ratio of the benchmarks is far beyond its limit. */
function bench(): boolean {
  const run = spawnSync(process.execPath, [join(root, 'bench/main.ts'), '--short'], { cwd: root, stdio: 'inherit' });
  console.log(`${run.status === 0 ? 'ok  ' : 'FAIL'} the benchmarks in short`);
  return run.status === 0;
}

function printSlowest(results: readonly FileResult[]): void {
  const slowest = results.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  console.log(`\nthe ${slowest.length} slowest files:`);
  for (const { file, seconds } of slowest) console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${file}`);
}

function printOnRealSiYuan(results: readonly FileResult[]): void {
  const shown = results.flatMap(({ frontends }) => frontends);
  const count = (wanted: string): number => shown.filter((frontend) => frontend === wanted).length;
  const failed = results.filter((result) => result.failed > 0).length;
  printDevelopmentOnly();
  console.log(
    `\n${results.length - failed} files passed, ${failed} failed; ${count('desktop')} tests in the desktop’s pages, ${count('mobile')} in the phone’s`,
  );
}

const NEWER_HOST = '3.8';
const AS_NEWER = ` as ${NEWER_HOST}`;

/** Results of a second run of these files, over a host of 3.8; they carry that in their names. */
function runOnNewerHost(files: readonly string[], chromium: string | undefined, workers: number): readonly FileResult[] {
  if (files.length === 0 || process.env.SIYUAN_URL !== undefined) return [];
  const named = (text: string): string => text.replace(/\.test\.ts/, `.test.ts${AS_NEWER}`);
  return runTestFiles(files, { chromium, workers, hostAs: NEWER_HOST }).map((result) => ({
    ...result,
    file: named(result.file),
    failures: result.failures.map(named),
  }));
}

function runTiers({ files, tiers }: Request, chromium: string | undefined): readonly FileResult[] {
  const byTier = filesByTier(files);
  const results: FileResult[] = [];
  for (const tier of tiers) {
    if (byTier[tier].length === 0) continue;
    const began = Date.now();
    const workers = process.env.SIYUAN_URL === undefined ? SIDE_BY_SIDE : 1;
    results.push(...runTestFiles(byTier[tier], { chromium, workers }));
    if (tier === 'host') {
      const again = byTier.host.filter((file) => ON_NEWER_HOST.includes(file));
      results.push(...runOnNewerHost(again, chromium, workers));
    }
    console.log(`tier ${tier}: ${byTier[tier].length} files in ${((Date.now() - began) / 1000).toFixed(0)} s`);
  }
  return results;
}

async function main(): Promise<void> {
  const request = await readRequest(process.argv.slice(2));
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  const count = (passed: boolean) => (passed ? totals.passed++ : totals.failed++);
  if (request.checks) for (const check of await runChecks()) count(check.passed);
  // The unit tier needs no built plugin.
  if (request.tiers.some((tier) => tier !== 'unit') || !existsSync(join(root, 'dist'))) count(build());
  const chromium = ensureChromium();
  if ('missing' in chromium) console.log(`Browser tests are skipped: ${chromium.missing}`);
  const path = 'path' in chromium ? chromium.path : undefined;
  const { results, flaky } = retryFailed(runTiers(request, path), (file) => {
    console.log(`\nonce more, alone: ${file}`);
    if (file.endsWith(AS_NEWER)) return runOnNewerHost([file.slice(0, -AS_NEWER.length)], path, 1);
    return runTestFiles([file], { chromium: path, workers: 1 });
  });
  if (request.checks) count(bench());
  printSlowest(results);
  if (process.env.SIYUAN_URL !== undefined) printOnRealSiYuan(results);
  for (const failure of flaky) console.log(`flaky: ${failure}`);
  for (const { failures } of results) for (const failure of failures) console.log(`FAIL ${failure}`);
  for (const result of results) for (const name of ['passed', 'failed', 'skipped'] as const) totals[name] += result[name];
  console.log(`${totals.passed} passed, ${totals.failed} failed${totals.skipped ? `, ${totals.skipped} skipped` : ''}`);
  process.exitCode = totals.failed ? 1 : 0;
}

await main();
