import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { BombReport } from '../src/tools/testing/variable-bomb.ts';
import type { Figure } from './figures.ts';

const HEAP = ['--max-old-space-size=60', '--max-semi-space-size=1'];

/** A bomb of references over 10,000 calls, in a process of its own with a small heap: 1 is linear. */
export function measureVariableBomb(): readonly Figure[] {
  const script = join(dirname(import.meta.dirname), 'src/tools/testing/variable-bomb.ts');
  const run = spawnSync(process.execPath, [...HEAP, '--disable-warning=ExperimentalWarning', script], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`the variable bomb ended with ${run.signal ?? run.status}: ${run.stderr}`);
  const report = JSON.parse(run.stdout) as BombReport;
  return [
    { name: 'variable bomb: peak heap', value: report.peakHeapBytes / 2 ** 20, unit: ' MiB', limit: 64 },
    { name: 'variable bomb: last fifth of 10,000 calls / second fifth', value: report.growthByCalls, unit: '', limit: 3 },
    { name: 'variable bomb: 16 times the size / 16 times as often', value: report.growthBySize, unit: '', limit: 3 },
  ];
}
