// `npm run mutations -- [row | words]`: puts each defect of tests/mutations/defects.json alone into a copy of the repository and runs the
// tests that must notice it. A test that waits for more than 90 seconds has noticed it. Not part of `npm test`.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RUN_FOLDER } from '../tests/support/temp-folder.ts';

export interface Defect {
  readonly row: string;
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** `file` or `file::title`, with `%s` and its like as in the source of the test. */
  readonly tests: readonly string[];
}

/** Where no test ran at all, nothing was learned. */
export type TestRun = 'passed' | 'failed' | 'over the time limit' | 'not run';
type RunTests = (tests: readonly string[]) => Promise<TestRun>;
type Print = (line: string) => void;

const LIMIT_MS = 90_000;
const root = dirname(import.meta.dirname);

async function outcomeOf({ file, find, replace, tests }: Defect, folder: string, runTests: RunTests, print: Print) {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2 || find === replace) return 'DOES NOT APPLY';
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  const run = await runTests(tests);
  writeFileSync(path, source);
  if (run === 'over the time limit') print(`${run}:`);
  return ({ failed: 'caught', 'over the time limit': 'caught', passed: 'SURVIVED', 'not run': 'DOES NOT APPLY' } as const)[run];
}

/** Puts each defect in alone, and the file back after it; whether all were caught. */
export async function runDefects(defects: readonly Defect[], folder: string, runTests: RunTests, print: Print): Promise<boolean> {
  const counts = { caught: 0, SURVIVED: 0, 'DOES NOT APPLY': 0 };
  for (const defect of defects) {
    const outcome = await outcomeOf(defect, folder, runTests, print);
    counts[outcome] += 1;
    print(`${outcome}: ${defect.row}: ${defect.what} (${defect.file})`);
  }
  print(`${counts.caught} caught, ${counts.SURVIVED} survived, ${counts['DOES NOT APPLY']} do not apply`);
  return defects.length > 0 && counts.caught === defects.length;
}

/** Titles as a pattern; a file without a title represents all of its tests. */
function namePattern(tests: readonly string[]): readonly string[] {
  const titles = tests.map((test) => test.split('::')[1] ?? '%s');
  return ['-t', titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&').replaceAll(/%[sdijo]|\\\$\w+/gu, '.*')).join('|')];
}

/** End-to-end tests run the built plugin, which need not be small. */
const BUILD = "await (await import('./esbuild.config.mjs')).buildPlugin({ small: false })";

function build(folder: string, tests: readonly string[]): void {
  if (tests.some((test) => test.startsWith('tests/e2e/')))
    execFileSync(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: folder, stdio: 'ignore' });
}

/** What runs share: the development host's page and the sample notes, which no defect changes. */
const SHARED: ReadonlySet<string> = new Set(['shell', 'sample']);

function emptyRunFolder(runFolder: string): void {
  for (const name of readdirSync(runFolder)) if (!SHARED.has(name)) rmSync(join(runFolder, name), { recursive: true, force: true });
}

function runVitest(folder: string, tests: readonly string[], limit: number): Promise<TestRun> {
  build(folder, tests);
  const runFolder = join(folder, 'run');
  mkdirSync(runFolder, { recursive: true });
  emptyRunFolder(runFolder);
  const files = [...new Set(tests.map((test) => test.split('::')[0] ?? ''))];
  const report = join(folder, 'mutation-report.json');
  rmSync(report, { force: true });
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', ...files, ...namePattern(tests), '--bail=1', '--reporter=json', `--outputFile=${report}`];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, [RUN_FOLDER]: runFolder },
  });
  // With its workers, one of which may never give way.
  const kill = (): void => void (child.pid && process.kill(-child.pid, 'SIGKILL'));
  process.prependListener('exit', kill);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve('over the time limit');
      kill();
    }, limit);
    child.on('close', (code) => {
      process.off('exit', kill);
      clearTimeout(timer);
      const { numFailedTests = 0, numPassedTests = 0 } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
      if (numFailedTests + numPassedTests === 0) resolve('not run');
      else resolve(code === 0 ? 'passed' : 'failed');
    });
  });
}

interface Report {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly failureMessages: readonly string[] }[];
  }[];
}

function failuresIn(folder: string): string {
  const { testResults }: Report = JSON.parse(readFileSync(join(folder, 'mutation-report.json'), 'utf8'));
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ failureMessages }) => failureMessages.length > 0),
  );
  return [...testResults.map(({ message }) => message), ...failed.flatMap((test) => [test.fullName, ...test.failureMessages])].join('\n');
}

async function main(filter = ''): Promise<void> {
  const defects: readonly Defect[] = JSON.parse(readFileSync(join(root, 'tests/mutations/defects.json'), 'utf8'));
  const isRow = /^[A-Z]?\d+$/u.test(filter);
  const chosen = defects.filter(({ row, what, file }) => (isRow ? row === filter : `${row} ${what} ${file}`.includes(filter)));
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-mutations-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
  const files = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split('\0');
  // A file that was just removed is still listed.
  for (const file of files.filter((name) => name !== '' && existsSync(join(root, name)))) cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const all = chosen.flatMap(({ tests }) => tests);
  if ((await runVitest(folder, all, LIMIT_MS * 20)) !== 'passed')
    throw new Error(`without a defect the tests fail: mend them first\n${failuresIn(folder)}`);
  process.exitCode = (await runDefects(chosen, folder, (tests) => runVitest(folder, tests, LIMIT_MS), console.log)) ? 0 : 1;
}

if (import.meta.main) await main(process.argv[2]);
