import { describe, expect, it } from 'vitest';
import { approvePlan } from '../../src/tools/contract/plans.ts';
import { applyAs, freshNode, looks, paragraph } from './block-support.ts';
import { codeOf, origin, signal, steady, useBench } from './support.ts';

const bench = useBench('delete');
let counter = 0;

const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Delete raced ${counter}`, markdown);
};
const plan = (...ids: (string | undefined)[]) =>
  bench.host.notes.planDeleteBlocks({ ids: ids.map((id) => id ?? '') }, 'delete_blocks', signal);

describe('blocks that change meanwhile', () => {
  it.each([
    ['the block', (ids: string[]) => bench.transact([{ action: 'update', id: ids[1], data: paragraph(ids[1]!, 'typed') }])],
    ['its attributes', (ids: string[]) => bench.api('/api/attr/setBlockAttrs', { id: ids[1], attrs: { memo: 'mine' } })],
    ['a guard', (ids: string[]) => bench.api('/api/attr/setBlockAttrs', { id: ids[0], attrs: { 'custom-ai-access': 'none' } })],
    ['its being there', (ids: string[]) => bench.transact([{ action: 'delete', id: ids[1] }])],
  ])('writes nothing when the user changed %s', async (_what, change) => {
    const doc = await newDocument('# H\n\ntarget\n\nrest');
    const ids = await bench.blocks(doc);
    const quiet = bench.reopen({ pushes: false });
    const plans = [await plan(ids[1]), await quiet.notes.planDeleteBlocks({ ids: [ids[1]!] }, 't', signal)];
    await change(ids);
    const before = await looks(bench, [doc]);
    for (const made of plans) {
      const host = made === plans[0] ? bench.host : quiet;
      expect(await codeOf(host.notes.apply(approvePlan(made), origin, signal))).toBe('stale');
    }
    expect(await looks(bench, [doc])).toEqual(before);
  });

  it('is raced when the block stands again before it is read back; undo leaves it', async () => {
    const doc = await newDocument('target\n\nrest');
    const [target] = await bench.blocks(doc);
    const made = await plan(target);
    bench.hooks = {
      after: async (path) => {
        if (path !== '/api/transactions') return;
        bench.hooks = {};
        await bench.transact([{ action: 'insert', id: target, data: paragraph(target!, 'back, and otherwise'), parentID: doc }]);
      },
    };
    const node = freshNode();
    expect(await codeOf(applyAs(bench, made, node))).toBe('raced');
    expect(await bench.markdown(doc)).toEqual(['back, and otherwise', 'rest']);
    const [record] = await bench.host.journal.ofMessage(origin.sessionId, node);
    expect(record!.entry.operations[0]!.before!.dom).toContain('target');
    expect(record!.entry.operations[0]!.after.dom).toContain('back, and otherwise');
    await bench.host.history.undo(origin.sessionId, node, signal);
    expect(await bench.markdown(doc)).toEqual(['back, and otherwise', 'rest']);
  });

  it('is stale when the block changes in the moment before the request', async () => {
    const doc = await newDocument('target\n\nrest');
    const [target] = await bench.blocks(doc);
    const made = await plan(target);
    bench.hooks = {
      after: async (path) => {
        if (path !== '/api/file/putFile') return;
        bench.hooks = {};
        await bench.transact([{ action: 'update', id: target, data: paragraph(target!, 'typed at the last moment') }]);
      },
    };
    const node = freshNode();
    expect(await codeOf(applyAs(bench, made, node))).toBe('stale');
    expect(await bench.markdown(doc)).toEqual(['typed at the last moment', 'rest']);
    expect(await bench.host.history.undo(origin.sessionId, node, signal)).toEqual({ restored: [], conflicts: [] });
  });

  /** Lets somebody write when the request is on its way. */
  function atRequest(write: () => Promise<unknown>): void {
    bench.hooks = {
      before: async (path) => {
        if (path !== '/api/transactions') return;
        bench.hooks = {};
        await write();
      },
    };
  }

  it('keeps what is typed while the request is on its way, and undo brings that back', async () => {
    const doc = await newDocument('target\n\n- a\n- b\n\nrest');
    const [target, list] = await bench.blocks(doc);
    const [a] = await bench.blocks(list!);
    const before = await bench.markdown(doc);
    const node = freshNode();
    const made = await plan(target);
    atRequest(() => bench.transact([{ action: 'update', id: target, data: paragraph(target!, 'typed in time') }]));
    expect(await codeOf(applyAs(bench, made, node))).toBe('raced');
    expect(await bench.markdown(doc)).toEqual(before.slice(1));
    await bench.reopen().history.undo(origin.sessionId, node, signal);
    expect(await bench.markdown(doc)).toEqual(['typed in time', ...before.slice(1)]);

    const whole = freshNode();
    const listPlan = await plan(list);
    const id = `${a!.slice(0, 15)}slipped`;
    atRequest(async () => {
      const [inItem] = await bench.blocks(a!);
      await bench.transact([{ action: 'insert', id, data: paragraph(id, 'one more'), previousID: inItem }]);
      await bench.api('/api/attr/setBlockAttrs', { id: a, attrs: { memo: 'mine' } });
    });
    expect(await codeOf(applyAs(bench, listPlan, whole))).toBe('raced');
    expect((await bench.reopen().history.undo(origin.sessionId, whole, signal)).conflicts).toEqual([]);
    expect((await bench.markdown(doc))[1]).toBe('- a\n\n  one more\n- b');
    expect(await bench.api('/api/attr/getBlockAttrs', { id: a })).toMatchObject({ memo: 'mine' });
  });

  it('waits for a caret inside of what goes', async () => {
    const doc = await newDocument('- a\n- b');
    const [list] = await bench.blocks(doc);
    const [a] = await bench.blocks(list!);
    const made = await plan(list);
    bench.asked.length = 0;
    bench.caret = [a!, list!];
    bench.caretAnswer = 'cancel';
    expect(await codeOf(bench.apply(made))).toBe('not_approved');
    expect(bench.asked).toEqual([[list, a]]);
  });
});

describe('undo', () => {
  it('puts a block back as near as it can when its neighbours are gone, and says so', async () => {
    const doc = await newDocument('a\n\nb\n\nc\n\nd\n\ne');
    const ids = await bench.blocks(doc);
    const node = freshNode();
    await applyAs(bench, await plan(ids[2]), node);
    await bench.transact([{ action: 'delete', id: ids[1] }]);
    expect(await bench.host.history.undo(origin.sessionId, node, signal)).toEqual({ restored: [ids[2]], conflicts: [] });
    expect(await bench.markdown(doc)).toEqual(['a', 'c', 'd', 'e']);
    const later = freshNode();
    await applyAs(bench, await plan(ids[2]), later);
    await bench.transact([{ action: 'delete', id: ids[0] }]);
    await bench.transact([{ action: 'delete', id: ids[3] }]);
    const report = await bench.host.history.undo(origin.sessionId, later, signal);
    expect(report).toEqual({ restored: [ids[2]], conflicts: [{ blockId: ids[2], reasons: [{ code: 'nearby' }], words: 'c' }] });
    expect(await bench.markdown(doc)).toEqual(['e', 'c']);
  });

  it('never makes a block stand twice', async () => {
    const doc = await newDocument('- a\n- b\n\nend');
    const [list] = await bench.blocks(doc);
    const dom = await bench.dom(list!);
    const [a] = await bench.blocks(list!);
    const node = freshNode();
    await applyAs(bench, await plan(list), node);
    const aDom = await bench.dom(list!).then(() => /<div[^>]*data-node-id="[^"]*"[^>]*data-type="NodeListItem"/.exec(dom)?.[0] ?? '');
    expect(aDom).not.toBe('');
    const inner = '20260101000000-newlst1';
    const copy = dom.replace(list!, inner);
    await bench.transact([{ action: 'insert', id: inner, data: copy, parentID: doc }]);
    expect(steady(await bench.dom(a!))).not.toBe('');
    const report = await bench.host.history.undo(origin.sessionId, node, signal);
    expect(report).toEqual({ restored: [], conflicts: [{ blockId: list, reasons: [{ code: 'elsewhere' }], words: 'a b' }] });
    expect((await bench.markdown(doc)).filter((line) => line.startsWith('- a'))).toHaveLength(1);
  });

  it('has nothing to do when the editor’s own undo was quicker', async () => {
    const doc = await newDocument('a\n\n> b\n>\n> c\n\nd');
    const [, quote] = await bench.blocks(doc);
    const before = await looks(bench, [doc]);
    const node = freshNode();
    await applyAs(bench, await plan(quote), node);
    await bench.api('/api/transactions/undo', { rootID: doc, session: 'editor-1' });
    expect(await looks(bench, [doc])).toEqual(before);
    expect(await bench.host.history.undo(origin.sessionId, node, signal)).toEqual({ restored: [], conflicts: [] });
    expect(await looks(bench, [doc])).toEqual(before);
  });
});
