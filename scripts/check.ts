// npm run check: layers, sizes, citations, formatting and lint, types (with and without the DOM), unused code. Prints one line per check.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const bin = (path: string): string => join(root, 'node_modules', path);

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly output: string;
}

const CHECKS: readonly { readonly name: string; readonly argv: readonly string[] }[] = [
  { name: 'layers', argv: [join(root, 'scripts/check-layers.ts')] },
  { name: 'sizes of files and functions', argv: [join(root, 'scripts/check-sizes.ts')] },
  { name: 'citations', argv: [join(root, 'scripts/check-citations.ts')] },
  { name: 'biome', argv: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'types', argv: [bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'types of the core without DOM', argv: [bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.core.json'] },
  { name: 'svelte', argv: [bin('svelte-check/bin/svelte-check'), '--fail-on-warnings', '--output', 'human'] },
  { name: 'unused code (knip)', argv: [bin('knip/bin/knip.js'), '--no-progress'] },
];

/** Runs every check, also after a failure, so that one run shows everything that is wrong. */
export function runChecks(): CheckResult[] {
  return CHECKS.map(({ name, argv }) => {
    const run = spawnSync(process.execPath, [...argv], { cwd: root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
    const result = { name, passed: run.status === 0, output: `${run.stdout}${run.stderr}` };
    console.log(`${result.passed ? 'ok  ' : 'FAIL'} check: ${name}`);
    if (!result.passed) console.log(result.output);
    return result;
  });
}

if (import.meta.main) process.exitCode = runChecks().every((check) => check.passed) ? 0 : 1;
