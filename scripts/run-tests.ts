// Runs test files with vitest and counts what came of each.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';

const root = dirname(import.meta.dirname);

export interface FileResult {
  /** Below the root, with forward slashes. */
  readonly file: string;
  readonly seconds: number;
  readonly passed: number;
  /** At least 1 for a file that fails before its tests run (a syntax error, a failing beforeAll). */
  readonly failed: number;
  readonly skipped: number;
  /** `file: name of the test`, one for each failed test. */
  readonly failures: readonly string[];
  /** Of a real SiYuan, those in which each test showed pages. */
  readonly frontends: readonly string[];
}

/** The part of vitest's JSON report that is read. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly meta?: { readonly cannotRun?: string; readonly frontends?: readonly string[] };
    }[];
  }[];
}

interface RunOptions {
  readonly chromium: string | undefined;
  /** Test files that run side by side. */
  readonly workers: number;
  /** The SiYuan that the development host answers as, where it is not the usual one. */
  readonly hostAs?: string | undefined;
}

/** Prints vitest's own report as it goes. A file of which vitest gave no report counts as failed. */
export function runTestFiles(files: readonly string[], { chromium, workers, hostAs }: RunOptions): readonly FileResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-test-'));
  const output = join(folder, 'report.json');
  const argv = [
    ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json'],
    ...[`--outputFile.json=${output}`, `--maxWorkers=${workers}`, ...files],
  ];
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...argv], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      NO_COLOR: '1',
      ...(chromium ? { MARGINALIA_CHROMIUM: chromium } : {}),
      ...(hostAs ? { MARGINALIA_HOST_AS: hostAs } : {}),
    },
  });
  try {
    const results = (JSON.parse(readFileSync(output, 'utf8')) as VitestReport).testResults.map(resultOf);
    const missing = files.filter((file) => !results.some((result) => result.file === file));
    return [...results, ...missing.map((file) => failedWhole(file, 'vitest did not report it'))];
  } catch (error) {
    const reason = `vitest gave no report: ${error instanceof Error ? error.message : error}`;
    return files.map((file) => failedWhole(file, reason));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function failedWhole(file: string, reason: string): FileResult {
  return { file, seconds: 0, passed: 0, failed: 1, skipped: 0, failures: [`${file}: ${reason}`], frontends: [] };
}

function resultOf({ name, status, message, startTime, endTime, assertionResults }: VitestReport['testResults'][number]): FileResult {
  const file = relative(root, name).split(sep).join('/');
  const withStatus = (wanted: string) => assertionResults.filter((test) => test.status === wanted);
  const failures = withStatus('failed').map((test) => `${file}: ${test.fullName}`);
  if (status === 'failed' && failures.length === 0) failures.push(`${file}: ${message}`);
  const skipped = assertionResults.filter((test) => test.status !== 'passed' && test.status !== 'failed');
  for (const { fullName, meta } of skipped) {
    console.log(`skipped: ${fullName}${meta?.cannotRun === undefined ? '' : ` (cannot run in a real SiYuan: ${meta.cannotRun})`}`);
  }
  return {
    file,
    seconds: (endTime - startTime) / 1000,
    passed: withStatus('passed').length,
    failed: failures.length,
    skipped: skipped.length,
    failures,
    frontends: assertionResults.flatMap(({ meta }) => meta?.frontends ?? []),
  };
}
