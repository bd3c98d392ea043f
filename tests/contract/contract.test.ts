// Replays the recorded answers of a real SiYuan 3.7.3 kernel against the development host, or against any kernel named by
// SIYUAN_URL and SIYUAN_TOKEN. The recording is the judge, not our reading of the documentation. `replay.mjs` and most scenarios are
// older than the plugin and stay as they are; README.md beside it says what those that were recorded for it say.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningHost, startHost } from '../../devhost/host.ts';

const external = process.env.SIYUAN_URL;
const names = readdirSync(join(import.meta.dirname, 'scenarios'))
  .map((file) => basename(file, '.json'))
  .sort();
const steps = (name: string): number =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'scenarios', `${name}.json`), 'utf8')).steps.length;

let host: RunningHost | undefined;
let workspace = '';
let url = external ?? '';

beforeAll(async () => {
  if (external) return;
  workspace = mkdtempSync(join(tmpdir(), 'marginalia-contract-'));
  // What is said before the index is written must not hang on how busy this machine is: the scenarios flush where they want it written.
  host = await startHost({ workspace, port: 0, indexDelayMs: 30_000 });
  url = host.url;
});

afterAll(async () => {
  await host?.close();
  if (workspace) rmSync(workspace, { recursive: true, force: true });
});

function replay(name: string): Promise<{ output: string; totals: string }> {
  const argv = [join(import.meta.dirname, 'replay.mjs'), 'check', url, ...(external ? ['--settle', '3000'] : []), '-v', name];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', () => resolve({ output, totals: output.trim().split('\n').at(-1) ?? '' }));
  });
}

describe('kernel contract', () => {
  for (const name of names) {
    it(`${name}: ${steps(name)} answers`, async () => {
      const { output, totals } = await replay(name);
      expect(totals, output).toBe(`${steps(name)} passed, 0 failed`);
    }, 600_000);
  }

  it.runIf(!external)('covers 926 answers', () => {
    expect(names.reduce((sum, name) => sum + steps(name), 0)).toBe(926);
  });
});
