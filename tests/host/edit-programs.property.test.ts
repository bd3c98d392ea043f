import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { corpusExists, loadCorpus } from '../corpus/corpus.ts';
import { full } from '../support/property-runs.ts';
import { outcomes, type Program, type ProgramStep, runProgram } from './edit-program.ts';
import { hostVersion, settle } from './real-kernel.ts';
import { startBench, type TestBench } from './support.ts';

/**
 * Random edit programs: never a lost or duplicated block, never an attribute lost, undo of exact plans restores equal block DOM but for
 * `updated`, rejected plans write nothing. MARGINALIA_FUZZ=full for the long form, MARGINALIA_FUZZ_RUNS and _SEED for another one;
 * SIYUAN_URL for a real kernel, which is given SIYUAN_SETTLE milliseconds after each program. Requests fail in our client, there too.
 */
// The run on 3.8 is for the kinds that only it holds.
const short = hostVersion === '3.8' ? 6 : 12;
const runs = Number(process.env.MARGINALIA_FUZZ_RUNS ?? (full ? 400 : short));
const seed = process.env.MARGINALIA_FUZZ_SEED === undefined ? 20260101 : Number(process.env.MARGINALIA_FUZZ_SEED);
const corpusRuns = Number(process.env.MARGINALIA_FUZZ_RUNS ?? (full ? 100 : 5));
const LONG = 36_000_000;

const KINDS = [
  ...(['insert', 'insert', 'edit', 'edit', 'edit', 'move', 'move', 'delete', 'delete', 'rewrite', 'rewrite', 'rewrite'] as const),
  ...(['create', 'daily', 'attributes', 'tags', 'organize'] as const),
];

const step: fc.Arbitrary<ProgramStep> = fc.record({
  kind: fc.constantFrom(...KINDS),
  seed: fc.nat(1_000_000),
  answer: fc.constantFrom('all', 'all', 'all', 'part', 'reject', 'later'),
  failAt: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 24 })),
  failWhen: fc.constantFrom('before', 'after'),
  typeAt: fc.integer({ min: 0, max: 22 }),
  keys: fc.constantFrom('', '', '', '', '', '', 'undo', 'redo'),
});
const programOf = (typing: boolean): fc.Arbitrary<Program> =>
  fc.record({ seed: fc.nat(1_000_000), steps: fc.array(step, { minLength: 1, maxLength: full ? 8 : 4 }), typing: fc.constant(typing) });

let bench: TestBench;
let programs = 0;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
});
afterAll(async () => {
  console.log(
    `${programs} programs: `,
    [...outcomes]
      .sort()
      .map(([what, count]) => `${count} ${what}`)
      .join(' · '),
  );
  await bench.close();
});

const check = (program: fc.Arbitrary<Program>, count: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(program, async (each) => {
      bench.hooks = {};
      await runProgram(bench, each);
      programs += 1;
      await settle();
    }),
    { numRuns: count, seed, endOnFailure: !full, verbose: 1 },
  );

describe('random edit programs', () => {
  it('come back exactly, whatever request fails', () => check(programOf(false), runs), LONG);
  it('lose nothing, whatever a person types meanwhile', () => check(programOf(true), runs), LONG);

  it.skipIf(!corpusExists || hostVersion === '3.8')(
    'hold over documents of the user guide',
    async () => {
      const texts = loadCorpus()
        .map((line) => line.markdown)
        .filter((text) => text.length < (full ? 20_000 : 5000));
      const program = fc
        .record({ base: fc.oneof(programOf(false), programOf(true)), at: fc.nat(texts.length - 1) })
        .map(({ base, at }) => ({ ...base, text: texts[at] ?? '' }));
      await check(program, corpusRuns);
    },
    LONG,
  );
});
