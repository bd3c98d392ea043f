import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyAs, freshNode, looks, paragraph } from './block-support.ts';
import { origin, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
let counter = 0;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
});
afterAll(() => bench.close());

const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Resolve ${counter}`, markdown);
};
const hashOf = async (doc: string, id: string): Promise<string> =>
  (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 99 }, signal)).blocks.find((block) => block.id === id)?.hash ?? '';
const edit = async (doc: string, id: string, markdown: string, node: string): Promise<void> => {
  const request = { id, expectHash: await hashOf(doc, id), markdown };
  await applyAs(bench, await bench.host.notes.planEdit(request, 'edit_block', signal), node);
};
const undo = (node: string) => bench.reopen().history.undo(origin.sessionId, node, signal);
const resolve = (node: string, id: string, choice: 'undo' | 'keep') =>
  bench.reopen().history.resolve(origin.sessionId, node, id, choice, signal);

describe('a block that undo left alone', () => {
  it('is shown as it stands and as it was, and undone over what the user wrote, which the journal keeps', async () => {
    const doc = await newDocument('old\n\nrest');
    const [id] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-mine': 'yes' } });
    const before = await looks(bench, [doc]);
    const node = freshNode();
    await edit(doc, id!, 'ours', node);
    await edit(doc, id!, 'ours again', node);
    await bench.transact([{ action: 'update', id, data: paragraph(id!, 'the user’s') }]);
    const { conflicts } = await undo(node);
    expect(conflicts[0]).toEqual({ blockId: id, reasons: [{ code: 'changed' }], now: 'the user’s', before: 'ours' });
    expect(await resolve(node, id!, 'undo')).toEqual({ restored: [id], conflicts: [] });
    expect(await looks(bench, [doc])).toEqual(before);
    const records = await bench.reopen().journal.ofMessage(origin.sessionId, node);
    expect(records.flatMap((record) => record.entry.undo?.overwritten ?? [])).toEqual([
      { blockId: id, dom: expect.stringContaining('the user’s'), time: expect.any(Number) },
    ]);
    expect(records.flatMap((record) => record.entry.undo?.conflicts ?? [])).toEqual([]);
    await bench.api('/api/transactions/undo', { rootID: doc, session: 'editor-1' });
    expect(await bench.markdown(doc)).toEqual(['the user’s', 'rest']);
    expect(await resolve(node, id!, 'undo')).toEqual({ restored: [], conflicts: [] });
    expect(await bench.markdown(doc)).toEqual(['the user’s', 'rest']);
  });

  it('is undone where the message’s own text stands again', async () => {
    const doc = await newDocument('old');
    const [id] = await bench.blocks(doc);
    const [older, newer] = [freshNode(), freshNode()];
    await edit(doc, id!, 'ours', older);
    await edit(doc, id!, 'newer', newer);
    await undo(older);
    await undo(newer);
    expect(await resolve(older, id!, 'undo')).toEqual({ restored: [id], conflicts: [] });
    expect(await bench.markdown(doc)).toEqual(['old']);
  });

  it('is not written over without having been shown: an older version kept no text', async () => {
    const doc = await newDocument('old');
    const [id] = await bench.blocks(doc);
    const node = freshNode();
    await edit(doc, id!, 'ours', node);
    await bench.transact([{ action: 'update', id, data: paragraph(id!, 'the user’s') }]);
    await undo(node);
    const { journal } = bench.reopen();
    const [record] = await journal.ofMessage(origin.sessionId, node);
    const conflicts = [{ blockId: id!, reasons: [{ code: 'changed' as const }] }];
    await journal.update(record!, { ...record!.entry, undo: { ...record!.entry.undo!, conflicts } });
    const told = { blockId: id, reasons: [{ code: 'changed' }], now: 'the user’s', before: 'old' };
    expect(await resolve(node, id!, 'undo')).toEqual({ restored: [], conflicts: [told] });
    expect(await bench.markdown(doc)).toEqual(['the user’s']);
    expect(await resolve(node, id!, 'undo')).toEqual({ restored: [id], conflicts: [] });
  });

  it('is not written over where somebody writes in the last moment, and is told as it stands then', async () => {
    const doc = await newDocument('old');
    const [id] = await bench.blocks(doc);
    const node = freshNode();
    await edit(doc, id!, 'ours', node);
    await bench.transact([{ action: 'update', id, data: paragraph(id!, 'the user’s') }]);
    await bench.host.history.undo(origin.sessionId, node, signal);
    bench.hooks = {
      before: async (path) => {
        if (path !== '/api/transactions') return;
        bench.hooks = {};
        await bench.transact([{ action: 'update', id, data: paragraph(id!, 'typed at last') }]);
      },
    };
    expect(await bench.host.history.resolve(origin.sessionId, node, id!, 'undo', signal)).toEqual({
      restored: [],
      conflicts: [{ blockId: id, reasons: [{ code: 'changed' }], now: 'typed at last', before: 'old' }],
    });
    expect(await bench.markdown(doc)).toEqual(['typed at last']);
  });

  it('is kept for good', async () => {
    const doc = await newDocument('old');
    const [id] = await bench.blocks(doc);
    const node = freshNode();
    await edit(doc, id!, 'ours', node);
    await bench.transact([{ action: 'update', id, data: paragraph(id!, 'the user’s') }]);
    await undo(node);
    expect(await resolve(node, id!, 'keep')).toEqual({ restored: [], conflicts: [] });
    expect(await resolve(node, id!, 'undo')).toEqual({ restored: [], conflicts: [] });
    expect(await bench.markdown(doc)).toEqual(['the user’s']);
    expect(await bench.reopen().history.state(origin.sessionId, node)).toMatchObject({ undone: true, kept: 1 });
  });

  it('goes, where the message had made it', async () => {
    const doc = await newDocument('start');
    const node = freshNode();
    const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown: 'ours' }, 't', signal);
    const { blockIds } = await applyAs(bench, plan, node);
    await bench.transact([{ action: 'update', id: blockIds[0], data: paragraph(blockIds[0]!, 'ours, and mine') }]);
    const { conflicts } = await undo(node);
    expect(conflicts).toEqual([{ blockId: blockIds[0], reasons: [{ code: 'changed' }], now: 'ours, and mine', before: null }]);
    expect(await resolve(node, blockIds[0]!, 'undo')).toEqual({ restored: blockIds, conflicts: [] });
    expect(await bench.markdown(doc)).toEqual(['start']);
  });

  it('comes back at its place, where the user deleted it after an edit', async () => {
    const doc = await newDocument('a\n\nb\n\nc');
    const [, b] = await bench.blocks(doc);
    const before = await looks(bench, [doc]);
    const node = freshNode();
    await edit(doc, b!, 'ours', node);
    await bench.transact([{ action: 'delete', id: b }]);
    const { conflicts } = await undo(node);
    expect(conflicts).toEqual([{ blockId: b, reasons: [{ code: 'removed' }], now: null, before: 'b' }]);
    expect(await resolve(node, b!, 'undo')).toEqual({ restored: [b], conflicts: [] });
    expect(await looks(bench, [doc])).toEqual(before);
  });

  it('is put over what the user made of a block that had been deleted', async () => {
    const doc = await newDocument('a\n\nb\n\nc');
    const [, b, c] = await bench.blocks(doc);
    const before = await looks(bench, [doc]);
    const node = freshNode();
    await applyAs(bench, await bench.host.notes.planDeleteBlocks({ ids: [b!] }, 't', signal), node);
    await bench.transact([{ action: 'insert', id: b, data: paragraph(b!, 'mine'), previousID: c }]);
    const { conflicts } = await undo(node);
    expect(conflicts).toEqual([{ blockId: b, reasons: [{ code: 'otherwise' }], now: 'mine', before: 'b' }]);
    expect(await resolve(node, b!, 'undo')).toEqual({ restored: [b], conflicts: [] });
    expect(await bench.markdown(doc)).toEqual(['a', 'c', 'b']);
    expect(before).not.toEqual(await looks(bench, [doc]));
  });

  it('never makes a block stand twice, and shows nothing that is hidden from the model', async () => {
    const doc = await newDocument('- a\n- b\n\nbetween\n\n- z');
    const [list, , other] = await bench.blocks(doc);
    const [a, b] = await bench.blocks(list!);
    const [z] = await bench.blocks(other!);
    const node = freshNode();
    await edit(doc, list!, '- a\n- b\n- c', node);
    await bench.transact([{ action: 'move', id: a, previousID: z }]);
    await bench.api('/api/attr/setBlockAttrs', { id: b, attrs: { 'custom-ai-access': 'none' } });
    const { conflicts } = await undo(node);
    expect(conflicts).toEqual([{ blockId: list, reasons: [{ code: 'changed' }], now: '- c', before: '- a\n- b' }]);
    const report = await resolve(node, list!, 'undo');
    expect(report).toEqual({ restored: [], conflicts: [{ blockId: list, reasons: [{ code: 'lost' }] }] });
    expect((await bench.markdown(doc)).join('\n').match(/- a/g)).toHaveLength(1);
    expect((await resolve(node, list!, 'keep')).conflicts).toEqual([]);
  });
});
