import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContractNotes, freshOrigin, idsOf, openHost, textsOf, writingIn } from './notes-contract.ts';
import { signal } from './support.ts';

describe('redoing in the host', () => {
  let world: ContractNotes;
  beforeAll(async () => {
    world = await openHost();
    world.setRight(world.notebook, 'delete');
  });
  afterAll(() => world.close());

  const { apply, make, edit, insert, undo, redo, stateOf } = writingIn(() => world, '/Redo');

  it('does nothing if nothing was undone', async () => {
    const { id, blocks } = await make('one');
    const from = freshOrigin();
    await edit(id, blocks[0]!, 'ours', from);
    expect((await stateOf(from)).redo).toBeUndefined();
    expect(await redo(from)).toEqual({ restored: [], conflicts: [] });
    expect(await textsOf(world, id)).toEqual(['ours']);
  });

  it('writes everything again, in order and under the same ids, and Undo is offered again', async () => {
    const { id, blocks } = await make('one\n\ntwo\n\nthree');
    const from = freshOrigin();
    await edit(id, blocks[0]!, 'ours', from);
    await edit(id, blocks[0]!, 'ours, better', { ...from, callId: 'call-2' });
    const { blockIds } = await insert(id, 'more\n\nand more', { ...from, callId: 'call-3' });
    await apply(await world.notes.planDeleteBlocks({ ids: [blocks[1]!] }, 't', signal), { ...from, callId: 'call-4' });
    const written = await idsOf(world, id);
    for (const _again of [1, 2]) {
      await undo(from);
      expect(await stateOf(from)).toMatchObject({ undone: true, redo: 4 });
      expect(await textsOf(world, id)).toEqual(['one', 'two', 'three']);
      const { restored, conflicts } = await redo(from);
      expect([[...restored].sort(), conflicts]).toEqual([[blocks[0]!, blocks[1]!, ...blockIds].sort(), []]);
      expect(await textsOf(world, id)).toEqual(['ours, better', 'three', 'more', 'and more']);
      expect(await idsOf(world, id)).toEqual(written);
      expect(await stateOf(from)).toEqual({ blocks: 4, kind: 'exact', undone: false });
    }
    expect(await redo(from)).toEqual({ restored: [], conflicts: [] });
  });

  it('writes only what one call wrote', async () => {
    const { id, blocks } = await make('one\n\ntwo');
    const from = freshOrigin();
    await edit(id, blocks[0]!, 'ours', from);
    await edit(id, blocks[1]!, 'ours too', { ...from, callId: 'call-2' });
    await undo(from);
    expect(await redo(from, 'call-2')).toEqual({ restored: [blocks[1]], conflicts: [] });
    expect(await textsOf(world, id)).toEqual(['one', 'ours too']);
    expect(await stateOf(from)).toMatchObject({ undone: false, redo: 1 });
  });

  it('leaves and reports what the user has changed since Undo, and no later Undo touches it', async () => {
    const { id, blocks } = await make('one\n\ntwo');
    const from = freshOrigin();
    await edit(id, blocks[0]!, 'ours', from);
    await edit(id, blocks[1]!, 'ours too', { ...from, callId: 'call-2' });
    await undo(from);
    await world.change(blocks[0]!, 'mine');
    expect(await redo(from)).toEqual({
      restored: [blocks[1]],
      conflicts: [{ blockId: blocks[0], reasons: [{ code: 'changed' }] }],
    });
    expect(await textsOf(world, id)).toEqual(['mine', 'ours too']);
    await undo(from);
    expect(await textsOf(world, id)).toEqual(['mine', 'two']);
  });

  it('remains possible when everything has been changed since', async () => {
    const { id, blocks } = await make('one');
    const from = freshOrigin();
    await edit(id, blocks[0]!, 'ours', from);
    await undo(from);
    await world.change(blocks[0]!, 'mine');
    expect((await redo(from)).conflicts).toHaveLength(1);
    expect(await stateOf(from)).toMatchObject({ undone: true, redo: 1 });
    await world.change(blocks[0]!, 'one');
    expect((await redo(from)).conflicts).toEqual([]);
    expect(await textsOf(world, id)).toEqual(['ours']);
  });

  it('does not overwrite what the user chose to keep', async () => {
    const { id, blocks } = await make('one\n\ntwo');
    const from = freshOrigin();
    await edit(id, blocks[0]!, 'ours', from);
    await edit(id, blocks[1]!, 'ours too', { ...from, callId: 'call-2' });
    await world.change(blocks[0]!, 'mine');
    await undo(from);
    await world.history.resolve(from.sessionId, from.nodeId, blocks[0]!, 'keep', signal);
    expect(await redo(from)).toEqual({ restored: [blocks[1]], conflicts: [] });
    expect(await textsOf(world, id)).toEqual(['mine', 'ours too']);
  });

  it('does not hide from the next Undo what the user chose to keep', async () => {
    const { id } = await make('one');
    const from = freshOrigin();
    const { blockIds } = await insert(id, 'ours\n\nours too', from);
    await world.change(blockIds[0]!, 'mine');
    await undo(from);
    await world.history.resolve(from.sessionId, from.nodeId, blockIds[0]!, 'keep', signal);
    await redo(from);
    await undo(from);
    expect(await textsOf(world, id)).toEqual(['one', 'mine']);
    expect(await stateOf(from)).toMatchObject({ undone: true, kept: 1 });
  });

  it('overwrites again what the user had given up', async () => {
    const { id, blocks } = await make('one');
    const from = freshOrigin();
    await edit(id, blocks[0]!, 'ours', from);
    await world.change(blocks[0]!, 'mine');
    await undo(from);
    await world.history.resolve(from.sessionId, from.nodeId, blocks[0]!, 'undo', signal);
    expect(await textsOf(world, id)).toEqual(['one']);
    expect((await redo(from)).conflicts).toEqual([]);
    expect(await textsOf(world, id)).toEqual(['ours']);
  });

  it('creates a note again under its id, and sets attributes again', async () => {
    const [from, attributed] = [freshOrigin(), freshOrigin()];
    const made = await world.notes.planCreateDocument({ notebook: world.notebook, path: '/Redo/Made', markdown: 'ours' }, 't', signal);
    const { documentId } = await apply(made, from);
    const [block = ''] = await idsOf(world, documentId);
    await apply(await world.notes.planAttributes({ ids: [block], attrs: { memo: 'kept' } }, 't', signal), attributed);
    const memo = async () => (await world.notes.attributes(block, signal)).attributes.memo;
    await undo(attributed);
    expect(await memo()).toBeUndefined();
    await undo(from);
    await expect(textsOf(world, documentId)).rejects.toMatchObject({ code: 'not_found' });
    expect((await redo(from)).conflicts).toEqual([]);
    expect(await textsOf(world, documentId)).toEqual(['ours']);
    expect((await redo(attributed)).conflicts).toEqual([]);
    expect(await memo()).toBe('kept');
    await undo(attributed);
    await undo(from);
    await expect(textsOf(world, documentId)).rejects.toMatchObject({ code: 'not_found' });
  });
});
