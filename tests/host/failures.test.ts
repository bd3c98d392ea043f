import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvePlan } from '../../src/tools/contract/plans.ts';
import { codeOf, origin, signal, startBench, steady, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
});
afterAll(() => bench.close());

/** Lets the nth request of the host fail, once, before the kernel sees it or after it was carried out. */
function failAt(n: number, when: 'before' | 'after'): { readonly calls: () => number; readonly failed: () => string | undefined } {
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
  return { calls: () => count, failed: () => failed };
}

const EXPECTED = /^(no error|kernel_unreachable|outcome_unknown|raced|kernel_refused)$/;
/** Asked once more by undo: what it notes in the journal, and what is after a request. */
const ASKED_AGAIN: ReadonlySet<string> = new Set(['/api/file/putFile', '/api/block/getBlockDOMs']);
/** One question to the index is only for what the editor shows beside a block: how often it is referred to. Nothing fails for that. */
const INDEX = '/api/query/sql';

describe('the kernel goes away at one call', () => {
  it.each(['before', 'after'] as const)(
    '%s it is carried out: an insert is there as a whole or not at all, and undo finds the truth',
    async (when) => {
      const seen: string[] = [];
      for (let n = 1; ; n += 1) {
        const doc = await bench.document(`/Fail ${when} ${n}`, 'start\n\nend');
        const [start] = await bench.blocks(doc);
        const before = steady(await bench.dom(doc));
        const from = { sessionId: `fail-${when}-${n}`, nodeId: 'n', callId: 'c' };
        const host = bench.reopen();
        const probe = failAt(n, when);
        const code = await codeOf(
          (async () => {
            const plan = await host.notes.planInsert({ anchor: start!, position: 'after', markdown: 'one\n\n- two\n- three' }, 't', signal);
            await host.notes.apply(approvePlan(plan), from, signal);
          })(),
        );
        bench.hooks = {};
        seen.push(`${probe.failed()} ${code}`);
        expect(code).toMatch(EXPECTED);
        const now = await bench.markdown(doc);
        const written = now.length === 4;
        expect(now).toEqual(written ? ['start', 'one', '- two\n- three', 'end'] : ['start', 'end']);
        if (code === 'no error') expect(written).toBe(true);
        if (code === 'kernel_unreachable') expect(written).toBe(false);
        expect((await bench.reopen().history.undo(from.sessionId, 'n', signal)).conflicts).toEqual([]);
        expect(steady(await bench.dom(doc))).toBe(before);
        if (probe.failed() === undefined) break;
      }
      expect(seen.length).toBeGreaterThan(10);
      expect(seen.some((line) => line.startsWith('/api/transactions'))).toBe(true);
      expect(seen.some((line) => line.startsWith('/api/file/putFile'))).toBe(true);
    },
  );

  it.each(['before', 'after'] as const)('%s it is carried out: undo can be repeated until it is done', async (when) => {
    const withoutIndex: string[] = [];
    for (let n = 1; ; n += 1) {
      const doc = await bench.document(`/Undo fail ${when} ${n}`, 'start');
      const [start] = await bench.blocks(doc);
      const before = steady(await bench.dom(doc));
      const from = { sessionId: `undo-fail-${when}-${n}`, nodeId: 'n', callId: 'c' };
      await bench.apply(
        await bench.host.notes.planInsert({ anchor: start!, position: 'after', markdown: 'one\n\ntwo' }, 't', signal),
        undefined,
        from,
      );
      const { blocks } = await bench.host.notes.document({ id: doc }, { start: 0, blocks: 1 }, signal);
      const edit = { id: start!, expectHash: blocks[0]!.hash, edits: [{ old: 'start', new: 'changed' }] };
      await bench.apply(await bench.host.notes.planEdit(edit, 't', signal), undefined, from);
      const probe = failAt(n, when);
      const code = await codeOf(bench.host.history.undo(from.sessionId, 'n', signal));
      bench.hooks = {};
      expect(code).toMatch(EXPECTED);
      expect((await bench.reopen().history.undo(from.sessionId, 'n', signal)).conflicts).toEqual([]);
      expect(steady(await bench.dom(doc))).toBe(before);
      if (probe.failed() === undefined) break;
      // What is left to note in the journal is noted again, and what was sent is read back again.
      if (probe.failed() === INDEX) withoutIndex.push(code);
      else if (!ASKED_AGAIN.has(probe.failed() ?? '')) expect(code, probe.failed()).not.toBe('no error');
    }
    expect(withoutIndex.filter((code) => code === 'no error')).toHaveLength(1);
  });
});

describe('what the kernel does not say', () => {
  it('is outcome_unknown when nothing can be read back, and undo looks for itself', async () => {
    const doc = await bench.document('/Unknown', 'start');
    const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown: 'one' }, 't', signal);
    bench.hooks = {
      before: (path) => {
        if (path === '/api/block/getBlockDOMs' && sent) throw new TypeError('gone');
      },
      after: (path) => {
        if (path !== '/api/transactions') return;
        sent = true;
        throw new TypeError('gone');
      },
    };
    let sent = false;
    expect(await codeOf(bench.apply(plan, undefined, { ...origin, nodeId: 'unknown' }))).toBe('outcome_unknown');
    bench.hooks = {};
    expect(await bench.markdown(doc)).toEqual(['start', 'one']);
    expect(await bench.host.history.state(origin.sessionId, 'unknown')).toEqual({ blocks: 1, kind: 'partial', undone: false });
    expect((await bench.reopen().history.undo(origin.sessionId, 'unknown', signal)).conflicts).toEqual([]);
    expect(await bench.markdown(doc)).toEqual(['start']);
  });

  it('is kernel_refused when a transaction answers 0 and does nothing', async () => {
    const doc = await bench.document('/Nothing', 'start');
    const print = bench.fingerprint();
    const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown: 'one' }, 't', signal);
    const { transact } = bench.host.routes;
    Object.assign(bench.host.routes, { transact: async () => undefined });
    expect(await codeOf(bench.apply(plan, undefined, { ...origin, nodeId: 'nothing' }))).toBe('kernel_refused');
    Object.assign(bench.host.routes, { transact });
    expect(bench.fingerprint()).toBe(print);
    expect(await bench.host.history.undo(origin.sessionId, 'nothing', signal)).toEqual({ restored: [], conflicts: [] });
  });

  it('writes nothing when the journal cannot be written', async () => {
    const doc = await bench.document('/No journal', 'start');
    const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown: 'one' }, 't', signal);
    const print = bench.fingerprint();
    bench.kernel.failures.set('/api/file/putFile', { mode: 'error', times: 1 });
    expect(await codeOf(bench.apply(plan, undefined, { ...origin, nodeId: 'no-journal' }))).toMatch(/^kernel_/);
    bench.kernel.failures.clear();
    expect(bench.fingerprint()).toBe(print);
  });

  it('stops between requests when it is aborted, and undo reverts what stands', async () => {
    const doc = await bench.document('/Abort', 'start');
    const markdown = Array.from({ length: 70 }, (_unused, index) => `p${index}`).join('\n\n');
    const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
    const stop = new AbortController();
    bench.hooks = {
      after: (path) => {
        if (path === '/api/transactions') stop.abort();
      },
    };
    expect(await codeOf(bench.host.notes.apply(approvePlan(plan), { ...origin, nodeId: 'abort' }, stop.signal))).toBe('aborted');
    bench.hooks = {};
    expect((await bench.blocks(doc)).length).toBe(32);
    expect((await bench.host.history.undo(origin.sessionId, 'abort', signal)).conflicts).toEqual([]);
    expect(await bench.markdown(doc)).toEqual(['start']);
  });

  it('says so when the kernel is gone altogether, and works again afterwards', async () => {
    const doc = await bench.document('/Gone', 'start');
    await bench.kernel.pause();
    expect(await codeOf(bench.host.notes.document({ id: doc }, { start: 0, blocks: 1 }, signal))).toBe('kernel_unreachable');
    await bench.kernel.resume();
    expect((await bench.host.notes.document({ id: doc }, { start: 0, blocks: 1 }, signal)).blocks[0]!.markdown).toBe('start');
  });
});

describe('the journal', () => {
  it('survives a file that cannot be read: it is copied aside, the rest is undone', async () => {
    const doc = await bench.document('/Broken', 'start');
    const from = { ...origin, sessionId: 'broken', nodeId: 'n' };
    await bench.apply(
      await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown: 'one' }, 't', signal),
      undefined,
      from,
    );
    await bench.host.storage.write('writes/broken/other-000001.json', '{"schema":1,"trunc');
    await bench.host.storage.write('writes/broken/other-000002.json', '{"schema":2,"new":true}');
    await bench.reopen().history.undo('broken', 'other', signal);
    const next = bench.reopen();
    expect((await next.history.undo('broken', 'n', signal)).conflicts).toEqual([]);
    expect(await bench.markdown(doc)).toEqual(['start']);
    const names = (await next.storage.list('writes/broken')).map((entry) => entry.name).sort();
    expect(names).toEqual([
      expect.stringMatching(/^dev1-\w+-000001\.json$/),
      'other-000001.json',
      expect.stringMatching(/^other-000001\.json\.broken-\d+$/),
      'other-000002.json',
    ]);
    expect(await next.storage.read('writes/broken/other-000001.json')).toBe('{"schema":1,"trunc');
    await next.journal.forget('broken');
    expect(await next.storage.list('writes/broken')).toEqual([]);
  });

  it('keeps what was written before a restart, and odd names inside its folder', async () => {
    const doc = await bench.document('/Names', 'start');
    const from = { sessionId: '../../evil/é', nodeId: 'n', callId: 'c' };
    for (let index = 0; index < 2; index += 1) {
      const host = bench.reopen();
      const plan = await host.notes.planInsert({ anchor: doc, position: 'append', markdown: 'x' }, 't', signal);
      await host.notes.apply(approvePlan(plan), from, signal);
    }
    const folders = (await bench.host.storage.list('writes')).map((entry) => entry.name);
    const folder = folders.find((name) => name.includes('evil'))!;
    expect((await bench.host.storage.list(`writes/${folder}`)).map((entry) => entry.name).sort()).toEqual([
      expect.stringMatching(/^dev1-\w+-000001\.json$/),
      expect.stringMatching(/^dev1-\w+-000001\.json$/),
    ]);
    expect(await codeOf(bench.host.storage.write('../x', 'y'))).toBe('bad_path');
  });
});
