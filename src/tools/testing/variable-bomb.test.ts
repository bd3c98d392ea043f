import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BombReport } from './variable-bomb.ts';

/** 64 MiB for everything that lives in the process: engine, modules, variables, what a call needs, and the young generation. */
const HEAP = ['--max-old-space-size=60', '--max-semi-space-size=1'];

describe('a variable bomb', () => {
  // That its cost grows with its size and no faster is a ratio: `npm run bench -- toolchain`.
  it('stays within 64 MiB over 10,000 calls', () => {
    const script = join(import.meta.dirname, 'variable-bomb.ts');
    const run = spawnSync(process.execPath, [...HEAP, '--disable-warning=ExperimentalWarning', script], {
      encoding: 'utf8',
      timeout: 150_000,
    });
    expect([run.signal, run.stderr]).toEqual([null, '']);
    const report = JSON.parse(run.stdout) as BombReport;
    // Refused is only what would pass 1 MiB.
    expect(Object.keys(report.outcomes).sort()).toEqual(['success', 'too_large']);
    expect(report.outcomes.success).toBeGreaterThan(8000);
    expect(report.peakHeapBytes).toBeLessThanOrEqual(64 * 1024 * 1024);
    expect(report.calls).toBe(10_000);
    expect(report.variableBytes).toBeGreaterThan(30 * 1024 * 1024);
    expect(report.variableBytes).toBeLessThanOrEqual(32 * 1024 * 1024);
    expect(report.variables).toBeLessThanOrEqual(1000);
    expect(report.longestVariable).toBeLessThanOrEqual(1024 * 1024);
  }, 180_000);
});
