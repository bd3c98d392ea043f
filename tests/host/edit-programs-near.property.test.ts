import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ProgramStep } from './edit-program.ts';
import type { TestBench } from './support.ts';

// Every document counts as a long one, of which only what stands around a change is loaded (src/host/tree/near-tree.ts).
vi.mock('../../src/host/tree/near-limit.ts', () => ({ FEW_BLOCKS: 0 }));
// Files share their modules: without the number above they were loaded before, and must not be used with it after.
vi.resetModules();
afterAll(() => void vi.resetModules());
const { outcomes, runProgram } = await import('./edit-program.ts');
const { startBench } = await import('./support.ts');

const runs = Number(process.env.MARGINALIA_FUZZ_RUNS ?? 8);
const seed = Number(process.env.MARGINALIA_FUZZ_SEED ?? 20260102);

const step: fc.Arbitrary<ProgramStep> = fc.record({
  kind: fc.constantFrom('insert', 'edit', 'move', 'delete', 'rewrite', 'attributes'),
  seed: fc.nat(1_000_000),
  answer: fc.constantFrom('all', 'all', 'part', 'later'),
  failAt: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 24 })),
  failWhen: fc.constantFrom('before', 'after'),
  typeAt: fc.integer({ min: 0, max: 22 }),
  keys: fc.constantFrom('', '', 'undo', 'redo'),
});

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
});
afterAll(() => bench.close());

it.each([false, true])(
  'programs of which each loads what is around it lose nothing either; somebody types: %s',
  { timeout: 3_600_000 },
  async (typing) => {
    const program = fc.record({
      seed: fc.nat(1_000_000),
      steps: fc.array(step, { minLength: 1, maxLength: 3 }),
      typing: fc.constant(typing),
    });
    await fc.assert(
      fc.asyncProperty(program, async (each) => {
        bench.hooks = {};
        await runProgram(bench, each);
      }),
      { numRuns: runs, seed, endOnFailure: true },
    );
    expect(outcomes.size).toBeGreaterThan(0);
  },
);
