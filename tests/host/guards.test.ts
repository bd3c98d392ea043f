import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hashOfBlock } from '../../src/host/blocks/block-hash.ts';
import { approvePlan, type ChangePlan } from '../../src/tools/contract/plans.ts';
import { codeOf, origin, signal, startBench, steady, type TestBench } from './support.ts';

let bench: TestBench;
let counter = 0;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());
afterEach(() => {
  bench.hooks = {};
  bench.caret = [];
  bench.caretAnswer = 'left';
  bench.policy.setRight(bench.notebook, 'read');
});

/** A document with one paragraph, and the plan of an edit to it. */
async function editPlan(text = 'the old text'): Promise<{ doc: string; id: string; plan: ChangePlan; node: string }> {
  counter += 1;
  const doc = await bench.document(`/Guard ${counter}`, text);
  const [id] = await bench.blocks(doc);
  const [block] = (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks;
  const plan = await bench.host.notes.planEdit(
    { id: id!, expectHash: block!.hash, edits: [{ old: 'old', new: 'new' }] },
    'edit_block',
    signal,
  );
  return { doc, id: id!, plan, node: `guard-${counter}` };
}
const apply = (plan: ChangePlan, node = 'x'): Promise<unknown> => bench.apply(plan, undefined, { ...origin, nodeId: node });
const paragraph = (id: string, text: string): string =>
  `<div data-node-id="${id}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${text}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;

describe('consent', () => {
  it('writes nothing for a plan that nobody approved, a look-alike, a copy, or one without accepted operations', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { plan } = await editPlan();
    const print = bench.fingerprint();
    const lookAlike = { plan, accepted: new Set(plan.operations.map((each) => each.id)) } as unknown as ReturnType<typeof approvePlan>;
    expect(await codeOf(bench.host.notes.apply(lookAlike, origin, signal))).toBe('not_approved');
    expect(await codeOf(bench.host.notes.apply(approvePlan({ ...plan }), origin, signal))).toBe('not_approved');
    expect(bench.fingerprint()).toBe(print);
    expect(await codeOf(bench.apply(plan, []))).toBe('not_approved');
    expect(bench.fingerprint()).toBe(print);
  });

  it('applies a plan once', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { plan } = await editPlan();
    await apply(plan);
    const print = bench.fingerprint();
    expect(await codeOf(apply(plan))).toBe('not_approved');
    expect(bench.fingerprint()).toBe(print);
  });

  it('writes the accepted operations only', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const doc = await bench.document('/Part', 'start');
    const plan = await bench.host.notes.planInsert(
      { anchor: doc, position: 'append', markdown: 'one\n\ntwo\n\nthree' },
      'insert_blocks',
      signal,
    );
    await bench.apply(plan, [plan.operations[0]!.id, plan.operations[2]!.id]);
    expect(await bench.markdown(doc)).toEqual(['start', 'one', 'three']);
  });
});

describe('rights', () => {
  it('plans in a notebook at read, says what it needs, and writes only after the user allowed it', async () => {
    const { plan, doc } = await editPlan();
    expect(plan.needsRight).toBe('write');
    const print = bench.fingerprint();
    expect(await codeOf(apply(plan))).toBe('no_right');
    expect(bench.fingerprint()).toBe(print);
    const create = await bench.host.notes.planCreateDocument({ notebook: bench.notebook, path: '/Unasked', markdown: 'x' }, 't', signal);
    expect(create.needsRight).toBe('write');
    expect(await codeOf(apply(create))).toBe('no_right');
    expect(bench.fingerprint()).toBe(print);
    const again = await editPlan();
    bench.policy.raise(bench.notebook, 'write');
    expect(bench.policy.right(bench.notebook)).toBe('write');
    await apply(again.plan);
    expect(await bench.markdown(again.doc)).toEqual(['the new text']);
    expect(await bench.markdown(doc)).toEqual(['the old text']);
    expect((await editPlan()).plan.needsRight).toBeUndefined();
  });

  it('lets one change pass that a person approved beyond the right, and nothing more', async () => {
    bench.policy.setRight(bench.notebook, 'read');
    const { plan, doc } = await editPlan();
    const approved = approvePlan(plan, undefined, true);
    await bench.host.notes.apply(approved, origin, signal);
    expect(await bench.markdown(doc)).toEqual(['the new text']);
    expect(bench.policy.right(bench.notebook)).toBe('read');
    expect(await codeOf(apply((await editPlan()).plan))).toBe('no_right');
    const hidden = await editPlan();
    bench.policy.setRight(bench.notebook, 'none');
    expect(await codeOf(bench.host.notes.apply(approvePlan(hidden.plan, undefined, true), origin, signal))).toBe('not_found');
    bench.policy.setRight(bench.notebook, 'read');
    expect(await bench.markdown(hidden.doc)).toEqual(['the old text']);
  });

  it('tells listeners of changes and does not raise a hidden notebook', () => {
    let calls = 0;
    const stop = bench.policy.subscribe(() => {
      calls += 1;
    });
    bench.policy.setRight(bench.notebook, 'none');
    bench.policy.raise(bench.notebook, 'write');
    stop();
    bench.policy.setRight(bench.notebook, 'read');
    expect(calls).toBe(1);
    expect(bench.policy.rights()).toEqual({ [bench.notebook]: 'read' });
  });

  it('hides a notebook at none on every road', async () => {
    const { doc, id } = await editPlan('the old unicorn');
    await bench.api('/api/sqlite/flushTransaction', {});
    bench.policy.setRight(bench.notebook, 'none');
    const { notes } = bench.host;
    expect(await notes.notebooks(signal)).toEqual([]);
    expect(await codeOf(notes.document({ id: doc }, { start: 0, blocks: 1 }, signal))).toBe('not_found');
    expect(await codeOf(notes.document({ path: `/Guard ${counter}` }, { start: 0, blocks: 1 }, signal))).toBe('not_found');
    expect(await codeOf(notes.documents({ parent: bench.notebook, depth: 1, page: 1, pageSize: 9 }, signal))).toBe('not_found');
    expect((await notes.search({ query: 'unicorn', mode: 'keyword', page: 1, pageSize: 9 }, signal)).matches).toEqual([]);
    expect((await notes.search({ query: id, mode: 'keyword', page: 1, pageSize: 9 }, signal)).matches).toEqual([]);
    expect(await codeOf(notes.search({ query: 'x', mode: 'keyword', notebooks: [bench.notebook], page: 1, pageSize: 9 }, signal))).toBe(
      'not_found',
    );
    expect(await codeOf(notes.planInsert({ anchor: doc, position: 'append', markdown: 'x' }, 't', signal))).toBe('not_found');
    expect(await codeOf(notes.planEdit({ id, expectHash: 'x', markdown: 'x' }, 't', signal))).toBe('not_found');
    expect(await codeOf(notes.planCreateDocument({ notebook: bench.notebook, path: '/x', markdown: 'x' }, 't', signal))).toBe('not_found');
  });

  it('has a code for ids that are malformed or unknown', async () => {
    const range = { start: 0, blocks: 1 };
    expect(await codeOf(bench.host.notes.document({ id: 'nonsense' }, range, signal))).toBe('bad_id');
    expect(await codeOf(bench.host.notes.document({ id: '20200101000000-zzzzzzz' }, range, signal))).toBe('not_found');
    expect(
      await codeOf(bench.host.notes.planInsert({ anchor: '20200101000000-zzzzzzz', position: 'after', markdown: 'x' }, 't', signal)),
    ).toBe('not_found');
    expect(
      await codeOf(bench.host.notes.planCreateDocument({ notebook: '20200101000000-zzzzzzz', path: '/x', markdown: 'x' }, 't', signal)),
    ).toBe('not_found');
  });
});

describe('blocks that change meanwhile', () => {
  it('refuses a plan that was made from an older reading, and says what stands now', async () => {
    const { id } = await editPlan();
    await bench.transact([{ action: 'update', id, data: paragraph(id, 'typed by hand') }]);
    const run = bench.host.notes.planEdit({ id, expectHash: '00000000', edits: [{ old: 'typed', new: 'x' }] }, 't', signal);
    await expect(run).rejects.toMatchObject({ code: 'stale', quoted: 'typed by hand' });
    expect(await codeOf(bench.host.notes.planEdit({ id, expectHash: '', edits: [{ old: 'typed', new: 'x' }] }, 't', signal))).toBe('stale');
  });

  it.each([
    ['its text', (id: string) => bench.transact([{ action: 'update', id, data: paragraph(id, 'the old text, and more') }])],
    ['an attribute', (id: string) => bench.api('/api/attr/setBlockAttrs', { id, attrs: { memo: 'mine' } })],
    ['its being there', (id: string) => bench.transact([{ action: 'delete', id }])],
  ])('is stale when the user changed %s between plan and approval', async (_what, change) => {
    bench.policy.setRight(bench.notebook, 'write');
    const { plan, id } = await editPlan();
    await change(id);
    const print = bench.fingerprint();
    expect(await codeOf(apply(plan))).toBe('stale');
    expect(bench.fingerprint()).toBe(print);
  });

  it('is stale by the hash alone, where no push tells of the change', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { id, doc } = await editPlan();
    const quiet = bench.reopen({ pushes: false });
    const [block] = (await quiet.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks;
    const plan = await quiet.notes.planEdit({ id, expectHash: block!.hash, edits: [{ old: 'old', new: 'new' }] }, 't', signal);
    await bench.transact([{ action: 'update', id, data: paragraph(id, 'the old text, and more') }]);
    expect(await codeOf(quiet.notes.apply(approvePlan(plan), origin, signal))).toBe('stale');
    expect(await bench.markdown(doc)).toEqual(['the old text, and more']);
  });

  it('is stale when the block was moved to a notebook that may only be read, where no push tells of it', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { id, doc } = await editPlan();
    await bench.transact([
      { action: 'insert', id: '20260101000000-stays00', parentID: doc, data: paragraph('20260101000000-stays00', 'stays') },
    ]);
    const quiet = bench.reopen({ pushes: false });
    const [block] = (await quiet.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks.filter((each) => each.id === id);
    const plan = await quiet.notes.planEdit({ id, expectHash: block!.hash, edits: [{ old: 'old', new: 'new' }] }, 't', signal);
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Read only' });
    const other = await bench.api<string>('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/There', markdown: 'there' });
    const [there = ''] = await bench.blocks(other);
    await bench.transact([{ action: 'move', id, previousID: there }]);
    expect(await codeOf(quiet.notes.apply(approvePlan(plan), origin, signal))).toBe('stale');
    expect(await bench.markdown(other)).toEqual(['there', 'the old text']);
  });

  it('is stale when the id of a new block is taken by now', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const [doc, other] = [await bench.document('/Mine', 'a'), await bench.document('/Theirs', 'b')];
    const quiet = bench.reopen({ pushes: false });
    const plan = await quiet.notes.planInsert({ anchor: doc, position: 'append', markdown: 'x' }, 't', signal);
    const id = plan.operations[0]?.blockId ?? '';
    await bench.transact([{ action: 'insert', id, parentID: other, data: paragraph(id, 'theirs') }]);
    expect(await codeOf(quiet.notes.apply(approvePlan(plan), origin, signal))).toBe('stale');
    expect([...(await bench.markdown(doc)), ...(await bench.markdown(other))].sort()).toEqual(['a', 'b', 'theirs']);
  });

  it('is stale before anything is written, though the changed block is in a later request', async () => {
    bench.policy.setRight(bench.notebook, 'delete');
    const doc = await bench.document('/Many', Array.from({ length: 40 }, (_line, index) => `line ${index}`).join('\n\n'));
    const ids = await bench.blocks(doc);
    const quiet = bench.reopen({ pushes: false });
    const plan = await quiet.notes.planDeleteBlocks({ ids }, 'delete_blocks', signal);
    await bench.transact([{ action: 'update', id: ids[39], data: paragraph(ids[39] ?? '', 'typed by hand') }]);
    const print = bench.fingerprint();
    expect(await codeOf(quiet.notes.apply(approvePlan(plan), origin, signal))).toBe('stale');
    expect(bench.fingerprint()).toBe(print);
  });

  /** Something happens at the last look, which comes after the journal was written: before it, or when the kernel has answered it. */
  function atLastLook(when: 'before' | 'after', happens: () => Promise<void>): void {
    let written = false;
    const act = async (path: string): Promise<void> => {
      if (!written || path !== '/api/block/getBlockDOMs') return;
      bench.hooks = {};
      await happens();
    };
    const before = async (path: string): Promise<void> => {
      if (when === 'before') await act(path);
      written ||= path === '/api/file/putFile';
    };
    bench.hooks = { before, ...(when === 'after' ? { after: act } : {}) };
  }

  it('is stale by the hash at the last look, where no push tells of the change', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { id, doc } = await editPlan();
    const quiet = bench.reopen({ pushes: false });
    const [block] = (await quiet.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks;
    const plan = await quiet.notes.planEdit({ id, expectHash: block!.hash, edits: [{ old: 'old', new: 'new' }] }, 't', signal);
    atLastLook('before', () => bench.transact([{ action: 'update', id, data: paragraph(id, 'typed by hand') }]));
    expect(await codeOf(quiet.notes.apply(approvePlan(plan), origin, signal))).toBe('stale');
    expect(await bench.markdown(doc)).toEqual(['typed by hand']);
  });

  it('is stale by the push that comes with the answer of the last look', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { plan, id, doc } = await editPlan();
    atLastLook('after', async () => {
      await bench.transact([{ action: 'update', id, data: paragraph(id, 'typed by hand') }]);
      await bench.delivered(id);
    });
    expect(await codeOf(apply(plan))).toBe('stale');
    expect(await bench.markdown(doc)).toEqual(['typed by hand']);
  });

  it('is stale when a foreign transaction touched the block, even if its text is as before', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { plan, id } = await editPlan();
    bench.pushed({ session: 'marginalia-test', blockIds: [id] });
    bench.pushed({ session: 'editor-1', blockIds: ['20200101000000-zzzzzzz'] });
    const other = await editPlan();
    bench.pushed({ session: 'editor-1', blockIds: [other.id] });
    expect(await codeOf(apply(other.plan))).toBe('stale');
    await apply(plan);
  });

  it('is stale when what holds the block was guarded since, though the block itself is as it was', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const doc = await bench.document('/Quoted', '> the old text');
    const [quote = ''] = await bench.blocks(doc);
    const [inner = ''] = await bench.blocks(quote);
    const request = { id: inner, expectHash: hashOfBlock(await bench.dom(inner)), edits: [{ old: 'old', new: 'new' }] };
    const plan = await bench.host.notes.planEdit(request, 'edit_block', signal);
    await bench.api('/api/attr/setBlockAttrs', { id: quote, attrs: { 'custom-ai-access': 'none' } });
    const print = bench.fingerprint();
    expect(await codeOf(apply(plan))).toBe('stale');
    expect(bench.fingerprint()).toBe(print);
  });

  it('is stale when the place of an insert is gone', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const doc = await bench.document('/Place', 'a\n\nb\n\nc');
    const ids = await bench.blocks(doc);
    const plan = await bench.host.notes.planInsert({ anchor: ids[1]!, position: 'after', markdown: 'x' }, 't', signal);
    await bench.transact([{ action: 'delete', id: ids[1] }]);
    expect(await codeOf(apply(plan))).toBe('stale');
    expect(await bench.markdown(doc)).toEqual(['a', 'c']);
  });

  it('is stale when the place of an insert was moved to another document', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const doc = await bench.document('/Left', 'a\n\nb\n\nc');
    const other = await bench.document('/Reached', 'd');
    const [, anchor = ''] = await bench.blocks(doc);
    const plan = await bench.host.notes.planInsert({ anchor, position: 'after', markdown: 'x' }, 't', signal);
    await bench.transact([{ action: 'move', id: anchor, previousID: (await bench.blocks(other))[0] }]);
    expect(await codeOf(apply(plan))).toBe('stale');
    expect([await bench.markdown(doc), await bench.markdown(other)]).toEqual([
      ['a', 'c'],
      ['d', 'b'],
    ]);
  });

  it('is raced when somebody writes between the transaction and its reading back; both versions stay', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { plan, id, node, doc } = await editPlan();
    bench.hooks = {
      after: async (path) => {
        if (path !== '/api/transactions') return;
        bench.hooks = {};
        await bench.transact([{ action: 'update', id, data: paragraph(id, 'what the user typed') }]);
      },
    };
    expect(await codeOf(apply(plan, node))).toBe('raced');
    expect(await bench.markdown(doc)).toEqual(['what the user typed']);
    const [record] = await bench.host.journal.ofMessage(origin.sessionId, node);
    expect(record!.entry).toMatchObject({ state: 'failed', operations: [{ result: 'different' }] });
    expect(record!.entry.operations[0]!.before!.dom).toContain('the old text');
    expect(record!.entry.operations[0]!.after.dom).toContain('what the user typed');
    const report = await bench.host.history.undo(origin.sessionId, node, signal);
    expect(report).toMatchObject({ restored: [], conflicts: [{ blockId: id, now: 'what the user typed', before: 'the old text' }] });
    expect(await bench.markdown(doc)).toEqual(['what the user typed']);
    await bench.host.history.resolve(origin.sessionId, node, id, 'undo', signal);
    expect(await bench.markdown(doc)).toEqual(['the old text']);
  });
});

describe('the user types', () => {
  it('does not ask when the caret is elsewhere', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { plan } = await editPlan();
    bench.caret = ['20200101000000-zzzzzzz'];
    bench.asked.length = 0;
    await apply(plan);
    expect(bench.asked).toEqual([]);
  });

  it('asks, and writes nothing when the user says no', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { plan, id } = await editPlan();
    bench.asked.length = 0;
    bench.caret = [id];
    bench.caretAnswer = 'cancel';
    const print = bench.fingerprint();
    expect(await codeOf(apply(plan))).toBe('not_approved');
    expect(bench.asked).toEqual([[id]]);
    expect(bench.fingerprint()).toBe(print);
  });

  it('writes when the caret leaves or the user says so', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    for (const answer of ['left', 'write'] as const) {
      const { plan, id, doc } = await editPlan();
      bench.caret = [id];
      bench.caretAnswer = answer;
      await apply(plan);
      expect(await bench.markdown(doc)).toEqual(['the new text']);
    }
  });

  it('notices what was typed while it waited', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { plan, id, doc } = await editPlan();
    bench.caret = [id];
    await bench.transact([{ action: 'update', id, data: paragraph(id, 'typed while waiting') }]);
    expect(await codeOf(apply(plan))).toBe('stale');
    expect(await bench.markdown(doc)).toEqual(['typed while waiting']);
  });
});

describe('undo', () => {
  it('leaves what the user changed since, and says so; the rest is undone', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const doc = await bench.document('/Undo conflict', 'start');
    const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown: 'one\n\ntwo\n\nthree' }, 't', signal);
    const { blockIds } = await bench.apply(plan, undefined, { ...origin, nodeId: 'conflict' });
    await bench.transact([{ action: 'update', id: blockIds[1], data: paragraph(blockIds[1]!, 'two, mine now') }]);
    const report = await bench.host.history.undo(origin.sessionId, 'conflict', signal);
    const reasons = [{ code: 'changed' }];
    expect(report.conflicts).toEqual([{ blockId: blockIds[1], reasons, now: 'two, mine now', before: null }]);
    expect(await bench.markdown(doc)).toEqual(['start', 'two, mine now']);
    expect(await bench.host.history.undo(origin.sessionId, 'conflict', signal)).toEqual({ restored: [], conflicts: [] });
    expect(await bench.host.history.state(origin.sessionId, 'conflict')).toMatchObject({ undone: true });
  });

  it('undoes one call of a message and leaves its others', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const doc = await bench.document('/Undo of one call', 'start');
    const write = async (markdown: string, callId: string): Promise<void> => {
      const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
      await bench.apply(plan, undefined, { ...origin, nodeId: 'one-call', callId });
    };
    await write('by the model', 'call-1');
    await write('appended', 'call-2');
    await bench.host.history.undo(origin.sessionId, 'one-call', signal, 'call-2');
    expect(await bench.markdown(doc)).toEqual(['start', 'by the model']);
    expect(await bench.host.history.state(origin.sessionId, 'one-call')).toMatchObject({ undone: false });
    await bench.host.history.undo(origin.sessionId, 'one-call', signal);
    expect(await bench.markdown(doc)).toEqual(['start']);
  });

  it('undoes several writes of one message, newest first', async () => {
    bench.policy.setRight(bench.notebook, 'write');
    const { plan, doc, id, node } = await editPlan();
    const before = steady(await bench.dom(doc));
    await apply(plan, node);
    const [block] = (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks;
    await apply(
      await bench.host.notes.planEdit({ id, expectHash: block!.hash, edits: [{ old: 'new', new: 'newest' }] }, 't', signal),
      node,
    );
    await apply(await bench.host.notes.planInsert({ anchor: id, position: 'after', markdown: '- a\n- b' }, 't', signal), node);
    expect(await bench.markdown(doc)).toEqual(['the newest text', '- a\n- b']);
    expect((await bench.reopen().history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(steady(await bench.dom(doc))).toBe(before);
  });

  it('knows nothing of other messages', async () => {
    expect(await bench.host.history.state('chat-1', 'never')).toEqual({ blocks: 0, kind: 'none', undone: false });
    expect(await bench.host.history.undo('chat-1', 'never', signal)).toEqual({ restored: [], conflicts: [] });
  });
});
