// npm run check: layers, sizes, words, citations, formatting and lint, types (with and without the DOM), unused code. Prints one line per check.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = dirname(import.meta.dirname);
const bin = (path: string): string => join(root, 'node_modules', path);

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly output: string;
}

interface Check {
  readonly name: string;
  readonly argv: readonly string[];
}

/** Those that take longest come first. */
const CHECKS: readonly Check[] = [
  { name: 'types, Svelte’s with them', argv: [bin('svelte-check/bin/svelte-check'), '--fail-on-warnings', '--output', 'human'] },
  { name: 'promises that nobody handles', argv: [join(root, 'scripts/check-types.ts')] },
  { name: 'types of the core without DOM', argv: [bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.core.json'] },
  { name: 'the core without three of the features', argv: [join(root, 'scripts/check-features.ts')] },
  { name: 'unused code (knip)', argv: [bin('knip/bin/knip.js'), '--no-progress'] },
  { name: 'biome', argv: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'layers', argv: [join(root, 'scripts/check-layers.ts')] },
  { name: 'what a page uses of Node', argv: [join(root, 'scripts/check-app-node.ts')] },
  { name: 'sizes of files and functions', argv: [join(root, 'scripts/check-sizes.ts')] },
  { name: 'words', argv: [join(root, 'scripts/check-words.ts')] },
  { name: 'citations', argv: [join(root, 'scripts/check-citations.ts')] },
];
/** One for each core, and two at least: half of the time they wait. */
export const SIDE_BY_SIDE = Math.max(2, availableParallelism());

async function runCheck({ name, argv }: Check): Promise<CheckResult> {
  const child = spawn(process.execPath, argv, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } });
  const status = new Promise<number | null>((resolve) => child.once('close', resolve));
  const printed = await Promise.all([text(child.stdout), text(child.stderr)]);
  const result = { name, passed: (await status) === 0, output: printed.join('') };
  console.log(`${result.passed ? 'ok  ' : 'FAIL'} check: ${name}`);
  if (!result.passed) console.log(result.output);
  return result;
}

/** Runs every check, also after a failure, so that one run shows everything that is wrong. */
export async function runChecks(): Promise<readonly CheckResult[]> {
  const waiting = [...CHECKS];
  const results: CheckResult[] = [];
  const runner = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) results.push(await runCheck(check));
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, runner));
  return results;
}

if (import.meta.main) process.exitCode = (await runChecks()).every((check) => check.passed) ? 0 : 1;
