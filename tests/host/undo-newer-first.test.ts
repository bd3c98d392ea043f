import { describe, expect, it } from 'vitest';
import { hashOfBlock } from '../../src/host/blocks/block-hash.ts';
import { approvePlan } from '../../src/tools/contract/plans.ts';
import { freshNode } from './block-support.ts';
import { origin, signal, steady, useBench } from './support.ts';

const bench = useBench('delete');
const undo = (nodeId: string) => bench.reopen().history.undo(origin.sessionId, nodeId, signal);
const redo = (nodeId: string) => bench.reopen().history.redo(origin.sessionId, nodeId, signal);
const state = (nodeId: string) => bench.reopen().history.state(origin.sessionId, nodeId);
const write = async (plan: Promise<Parameters<typeof approvePlan>[0]>, nodeId: string) => {
  const report = await bench.host.notes.apply(approvePlan(await plan), { ...origin, nodeId }, signal);
  await bench.api('/api/sqlite/flushTransaction', {});
  return report;
};
const organize = (op: 'move' | 'rename', id: string, target: string, nodeId: string) =>
  write(bench.host.notes.planOrganize({ op, ids: [id], target }, 't', signal), nodeId);
const at = (id: string) => bench.api<string>('/api/filetree/getHPathByID', { id });
const edit = async (id: string) => {
  const expectHash = hashOfBlock(await bench.dom(id));
  return bench.host.notes.planEdit({ id, expectHash, edits: [{ old: 'body', new: 'text' }] }, 't', signal);
};
const newerFirst = (blockId: string) => ({
  restored: [],
  conflicts: [{ blockId, reasons: [{ code: 'newer-first' }] }],
});

async function madeNote(path: string) {
  const nodeId = freshNode();
  const plan = bench.host.notes.planCreateDocument({ notebook: bench.notebook, path, markdown: 'made' }, 't', signal);
  const { documentId } = await write(plan, nodeId);
  const [block] = await bench.blocks(documentId!);
  return { nodeId, note: documentId!, block: block! };
}

describe('Undo of the older message first', () => {
  it('leaves a note whole that a newer one wrote more into, and takes it away once that is undone', async () => {
    const path = `/Newer ${freshNode()}`;
    const { nodeId, note, block } = await madeNote(path);
    const newer = freshNode();
    await write(bench.host.notes.planInsert({ anchor: block, position: 'after', markdown: 'more' }, 't', signal), newer);
    expect(await undo(nodeId)).toMatchObject(newerFirst(note));
    expect(await bench.markdown(note)).toEqual(['made', 'more']);
    expect(await state(nodeId)).toMatchObject({ undone: false, report: newerFirst(note) });
    await undo(newer);
    expect((await undo(nodeId)).conflicts).toEqual([]);
    expect(await bench.api('/api/filetree/getIDsByHPath', { notebook: bench.notebook, path })).toEqual([]);
    await redo(nodeId);
    await redo(newer);
    expect(await bench.markdown(note)).toEqual(['made', 'more']);
  });

  it('leaves a note whole below which a newer one made another', async () => {
    const path = `/Above ${freshNode()}`;
    const { nodeId, note } = await madeNote(path);
    const below = await madeNote(`${path}/Below`);
    expect(await undo(nodeId)).toMatchObject(newerFirst(note));
    expect((await undo(below.nodeId)).conflicts).toEqual([]);
    expect((await undo(nodeId)).conflicts).toEqual([]);
    expect(await bench.api('/api/filetree/getIDsByHPath', { notebook: bench.notebook, path })).toEqual([]);
  });

  it('takes its text out of a note that only the user wrote more into', async () => {
    const { nodeId, note, block } = await madeNote(`/Mine ${freshNode()}`);
    const paragraph = await bench.api<{ id: string }[]>('/api/block/insertBlock', {
      dataType: 'markdown',
      data: 'mine',
      previousID: block,
    });
    expect(paragraph).toHaveLength(1);
    expect((await undo(nodeId)).conflicts).toEqual([{ blockId: note, reasons: [{ code: 'document-kept' }], words: expect.any(String) }]);
    expect(await bench.markdown(note)).toEqual(['mine']);
  });

  it.each(['move', 'rename'] as const)('is not spent on a note that the newer one did %s back', async (op) => {
    const top = `Back ${freshNode()}`;
    const over = await bench.document(`/${top}`, 'x');
    const [a, x] = [await bench.document(`/${top}/A`, 'a'), await bench.document(`/${top}/X`, 'x')];
    const [older, newer] = [freshNode(), freshNode()];
    await organize(op, x, op === 'move' ? a : 'Other', older);
    await organize(op, x, op === 'move' ? over : 'X', newer);
    const report = await undo(older);
    expect(report).toMatchObject(newerFirst(x));
    expect(await state(older)).toMatchObject({ undone: false });
    // Nothing is in the way that could be written over.
    expect(await bench.reopen().history.resolve(origin.sessionId, older, x, 'undo', signal)).toEqual(report);
    await undo(newer);
    expect(await at(x)).toBe(op === 'move' ? `/${top}/A/X` : `/${top}/Other`);
    expect(await undo(older)).toEqual({ restored: [x], conflicts: [] });
    expect(await at(x)).toBe(`/${top}/X`);
  });

  it('is over where the user moved the note back', async () => {
    const top = `By hand ${freshNode()}`;
    const over = await bench.document(`/${top}`, 'x');
    const [a, x] = [await bench.document(`/${top}/A`, 'a'), await bench.document(`/${top}/X`, 'x')];
    const nodeId = freshNode();
    await organize('move', x, a, nodeId);
    await bench.api('/api/filetree/moveDocsByID', { fromIDs: [x], toID: over });
    expect(await undo(nodeId)).toEqual({ restored: [], conflicts: [] });
    expect(await state(nodeId)).toMatchObject({ undone: true });
  });

  it.each([
    ['a change', (ids: readonly string[]) => edit(ids[1]!)],
    ['a deletion', (ids: readonly string[]) => bench.host.notes.planDeleteBlocks({ ids: [ids[1]!] }, 't', signal)],
    ['a move', (ids: readonly string[]) => bench.host.notes.planMoveBlocks({ ids: [ids[1]!], target: { after: ids[2]! } }, 't', signal)],
  ])('takes attributes off for good, and leaves those of the user: %s in between brings none back', async (_what, plan) => {
    const doc = await bench.document(`/Attributes ${freshNode()}`, '# head\n\nbody\n\nend');
    const ids = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id: ids[0]!, attrs: { memo: 'mine', bookmark: 'mine' } });
    await bench.api('/api/attr/setBlockAttrs', { id: ids[1]!, attrs: { memo: 'mine' } });
    const before = steady(await bench.dom(doc));
    const [older, newer] = [freshNode(), freshNode()];
    await write(bench.host.notes.planAttributes({ ids: [ids[0]!, ids[2]!], attrs: { memo: 'ours', name: 'n' } }, 't', signal), older);
    const between = steady(await bench.dom(doc));
    await write(plan(ids), newer);
    expect((await undo(older)).conflicts).toEqual([]);
    expect((await undo(newer)).conflicts).toEqual([]);
    expect(steady(await bench.dom(doc))).toBe(before);
    expect(between).not.toBe(before);
  });
});
