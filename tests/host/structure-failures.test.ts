import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approvePlan, type ChangePlan } from '../../src/tools/contract/plans.ts';
import type { NotesPort } from '../../src/tools/contract/ports.ts';
import { codeOf, signal, startBench, steady, type TestBench } from './support.ts';

let bench: TestBench;
// A workspace for each: a listing of everything that the tests before made would take most of the time.
beforeEach(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
});
afterEach(() => bench.close());

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

interface Setting {
  plan(notes: NotesPort): Promise<ChangePlan>;
  /** One line over everything that the write may change. */
  state(): Promise<string>;
}

const pathOf = (id: string) => bench.api<string>('/api/filetree/getHPathByID', { id }).catch(() => 'gone');

const KINDS: Readonly<Record<string, (name: string) => Promise<Setting>>> = {
  attributes: async (name) => {
    const doc = await bench.document(`/${name}`, 'one\n\ntwo');
    const [one, two] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id: one, attrs: { memo: 'old' } });
    return {
      plan: (notes) => notes.planAttributes({ ids: [one!, two!], attrs: { memo: 'new' } }, 't', signal),
      state: async () => steady(await bench.dom(doc)),
    };
  },
  rename: async (name) => {
    const doc = await bench.document(`/${name}`, 'x');
    return {
      plan: (notes) => notes.planOrganize({ op: 'rename', ids: [doc], target: `${name} renamed` }, 't', signal),
      state: () => pathOf(doc),
    };
  },
  move: async (name) => {
    const goal = await bench.document(`/${name} goal`, 'x');
    const docs = [await bench.document(`/${name}/One`, 'x'), await bench.document(`/${name}/Two`, 'x')];
    return {
      plan: (notes) => notes.planOrganize({ op: 'move', ids: docs, target: goal }, 't', signal),
      state: async () => (await Promise.all(docs.map(pathOf))).join(' '),
    };
  },
  delete: async (name) => {
    const docs = [await bench.document(`/${name}`, 'parent'), await bench.document(`/${name}/One`, 'one')];
    return {
      plan: (notes) => notes.planDeleteDocuments({ ids: [docs[0]!] }, 't', signal),
      state: async () => (await Promise.all(docs.map(async (id) => `${await pathOf(id)} ${steady(await bench.dom(id))}`))).join('\n'),
    };
  },
  'create a notebook': async (name) => ({
    plan: (notes) => notes.planNotebook({ op: 'create', name }, 't', signal),
    state: async () => {
      const { notebooks } = await bench.api<{ notebooks: { name: string }[] }>('/api/notebook/lsNotebooks', {});
      return String(notebooks.filter((each) => each.name === name).length);
    },
  }),
};

const EXPECTED = /^(no error|kernel_unreachable|outcome_unknown|kernel_refused)$/;

describe('the kernel goes away at one call', () => {
  const cases = Object.keys(KINDS).flatMap((kind) => (['before', 'after'] as const).map((when) => [kind, when] as const));

  it.each(cases)('%s, %s it is carried out: undo finds the truth and puts all back', async (kind, when) => {
    const seen: string[] = [];
    for (let n = 1; ; n += 1) {
      const setting = await KINDS[kind]!(`Apply ${kind} ${when} ${n}`);
      const before = await setting.state();
      const host = bench.reopen();
      const from = { sessionId: `apply-${kind}-${when}-${n}`, nodeId: 'n', callId: 'c' };
      const probe = failAt(n, when);
      const code = await codeOf((async () => host.notes.apply(approvePlan(await setting.plan(host.notes)), from, signal))());
      bench.hooks = {};
      seen.push(`${probe.failed()} ${code}`);
      expect(code).toMatch(EXPECTED);
      const after = await setting.state();
      if (code === 'no error') expect(after).not.toBe(before);
      if (code === 'kernel_unreachable' && kind !== 'delete' && kind !== 'move' && kind !== 'attributes') expect(after).toBe(before);
      const report = await bench.reopen().history.undo(from.sessionId, 'n', signal);
      expect(report.conflicts, seen.at(-1)).toEqual([]);
      expect(await setting.state(), seen.at(-1)).toBe(before);
      if (probe.failed() === undefined) break;
    }
    expect(seen.length).toBeGreaterThan(6);
    expect(seen.some((line) => line.startsWith('/api/file/putFile'))).toBe(true);
  });

  it.each(cases)('%s, %s it is carried out: undo can be repeated until it is done', async (kind, when) => {
    for (let n = 1; ; n += 1) {
      const setting = await KINDS[kind]!(`Undo ${kind} ${when} ${n}`);
      const before = await setting.state();
      const from = { sessionId: `undo-${kind}-${when}-${n}`, nodeId: 'n', callId: 'c' };
      await bench.apply(await setting.plan(bench.host.notes), undefined, from);
      const probe = failAt(n, when);
      const code = await codeOf(bench.host.history.undo(from.sessionId, 'n', signal));
      bench.hooks = {};
      expect(code).toMatch(EXPECTED);
      expect((await bench.reopen().history.undo(from.sessionId, 'n', signal)).conflicts, String(probe.failed())).toEqual([]);
      expect(await setting.state(), String(probe.failed())).toBe(before);
      if (probe.failed() === undefined) break;
      // What is left to note in the journal is noted again.
      if (probe.failed() !== '/api/file/putFile') expect(code).not.toBe('no error');
    }
  });
});

describe('what the kernel does not do', () => {
  it.each(Object.keys(KINDS))('%s: code 0 and nothing done is kernel_refused, and undo has nothing to do', async (kind) => {
    const setting = await KINDS[kind]!(`Nothing ${kind}`);
    const before = await setting.state();
    const host = bench.reopen();
    const plan = await setting.plan(host.notes);
    const from = { sessionId: `nothing-${kind}`, nodeId: 'n', callId: 'c' };
    const silent = /setBlockAttrs|renameDocByID|moveDocsByID|removeDocByID|createNotebook/;
    bench.hooks = { instead: (path) => (silent.test(path) ? new Response('{"code":0,"msg":"","data":null}') : undefined) };
    const code = await codeOf(host.notes.apply(approvePlan(plan), from, signal));
    bench.hooks = {};
    expect(code).toBe('kernel_refused');
    expect(await setting.state()).toBe(before);
    expect((await bench.reopen().history.undo(from.sessionId, 'n', signal)).restored).toEqual([]);
    expect(await setting.state()).toBe(before);
  });
});
