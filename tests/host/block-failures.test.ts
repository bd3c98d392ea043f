import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvePlan, type ChangePlan } from '../../src/tools/contract/plans.ts';
import type { NotesPort } from '../../src/tools/contract/ports.ts';
import { looks } from './block-support.ts';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
});
afterAll(() => bench.close());

/** Lets the nth request of the host fail, once, before the kernel sees it or after it was carried out. */
function failAt(n: number, when: 'before' | 'after'): { readonly failed: () => string | undefined } {
  let count = 0;
  let failed: string | undefined;
  bench.hooks = {
    [when]: (path: string) => {
      count += 1;
      if (count !== n) return;
      failed = path;
      throw new TypeError('connection reset');
    },
  };
  return { failed: () => failed };
}

const EXPECTED = /^(no error|kernel_unreachable|outcome_unknown|raced|kernel_refused)$/;
/** Asked once more by undo: what it notes in the journal, and what is after a request. */
const ASKED_AGAIN: ReadonlySet<string> = new Set([
  '/api/file/putFile',
  '/api/block/getBlockDOMs',
  '/api/block/getChildBlocks',
  '/api/attr/batchGetBlockAttrs',
]);
const TEXT = 'a\n\n- x\n- y\n\n> q\n\nb\n\nc';

interface Case {
  readonly name: string;
  readonly plan: (notes: NotesPort, doc: string, other: string) => Promise<ChangePlan>;
}

const CASES: readonly Case[] = [
  {
    name: 'a deletion',
    plan: async (notes, doc) => {
      const [a, list, , b] = await bench.blocks(doc);
      const [x] = await bench.blocks(list!);
      return notes.planDeleteBlocks({ ids: [a!, x!, b!] }, 't', signal);
    },
  },
  {
    name: 'a move',
    plan: async (notes, doc) => {
      const [a, list, quote, , c] = await bench.blocks(doc);
      const [q] = await bench.blocks(quote!);
      return notes.planMoveBlocks({ ids: [q!, list!, a!], target: { after: c! } }, 't', signal);
    },
  },
  {
    name: 'a move to another document',
    plan: async (notes, doc, other) => {
      const [a, list] = await bench.blocks(doc);
      return notes.planMoveBlocks({ ids: [list!, a!], target: { parent: other } }, 't', signal);
    },
  },
];

describe.each(CASES)('the kernel goes away at one call of $name', ({ name, plan }) => {
  it.each(['before', 'after'] as const)(
    '%s it is carried out: it stands as a whole or not at all, and undo finds the truth',
    async (when) => {
      const seen: string[] = [];
      const results = new Set<string>();
      for (let n = 1; ; n += 1) {
        const [doc, other] = [await bench.document(`/${name} ${when} ${n}`, TEXT), await bench.document(`/O ${name} ${when} ${n}`, 'o')];
        const before = await looks(bench, [doc, other]);
        const from = { sessionId: `fail-${name}-${when}-${n}`, nodeId: 'n', callId: 'c' };
        const host = bench.reopen();
        const made = await plan(host.notes, doc, other);
        const probe = failAt(n, when);
        const code = await codeOf(host.notes.apply(approvePlan(made), from, signal));
        bench.hooks = {};
        seen.push(`${probe.failed()} ${code}`);
        expect(code).toMatch(EXPECTED);
        const now = await looks(bench, [doc, other]);
        const written = now.join() !== before.join();
        results.add((await bench.markdown(doc)).join('|') + written);
        if (code === 'no error') expect(written).toBe(true);
        if (code === 'kernel_unreachable') expect(written).toBe(false);
        expect((await bench.reopen().history.undo(from.sessionId, 'n', signal)).conflicts).toEqual([]);
        expect(await looks(bench, [doc, other])).toEqual(before);
        if (probe.failed() === undefined) break;
      }
      expect(results.size).toBeLessThanOrEqual(2);
      expect(seen.some((line) => line.startsWith('/api/transactions'))).toBe(true);
      expect(seen.some((line) => line.startsWith('/api/file/putFile'))).toBe(true);
    },
  );

  it.each(['before', 'after'] as const)('%s it is carried out: undo can be repeated until it is done', async (when) => {
    for (let n = 1; ; n += 1) {
      const [doc, other] = [await bench.document(`/U ${name} ${when} ${n}`, TEXT), await bench.document(`/UO ${name} ${when} ${n}`, 'o')];
      const before = await looks(bench, [doc, other]);
      const from = { sessionId: `undo-${name}-${when}-${n}`, nodeId: 'n', callId: 'c' };
      await bench.apply(await plan(bench.host.notes, doc, other), undefined, from);
      const probe = failAt(n, when);
      const code = await codeOf(bench.host.history.undo(from.sessionId, 'n', signal));
      bench.hooks = {};
      expect(code).toMatch(EXPECTED);
      expect((await bench.reopen().history.undo(from.sessionId, 'n', signal)).conflicts).toEqual([]);
      expect(await looks(bench, [doc, other])).toEqual(before);
      if (probe.failed() === undefined) break;
      // What is left to note in the journal is noted again, and what was sent is read back again.
      if (!ASKED_AGAIN.has(probe.failed() ?? '')) expect(code, probe.failed()).not.toBe('no error');
    }
  });
});
