import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WriteOrigin } from '../../src/tools/contract/ports.ts';
import { type ContractNotes, freshOrigin, idsOf, openHost, textsOf, writingIn } from './notes-contract.ts';
import { signal } from './support.ts';

describe('undoing in the host', () => {
  let world: ContractNotes;
  beforeAll(async () => {
    world = await openHost();
    world.setRight(world.notebook, 'delete');
  });
  afterAll(() => world.close());

  const { apply, make, edit, insert, undo, stateOf, resolve } = writingIn(() => world, '/Undo');

  it('knows nothing of a message that wrote nothing', async () => {
    const from = freshOrigin();
    expect(await stateOf(from)).toEqual({ blocks: 0, kind: 'none', undone: false });
    expect(await undo(from)).toEqual({ restored: [], conflicts: [] });
    expect(await world.history.changes(from.sessionId, from.nodeId, from.callId)).toEqual([]);
  });

  it('undoes all that a message wrote, or what one call of it did', async () => {
    const { id, blocks } = await make('one\n\ntwo');
    const from = freshOrigin();
    const second = { ...from, callId: 'call-2' };
    await edit(id, blocks[0]!, 'ours', from);
    const { blockIds } = await insert(id, 'more', second);
    expect(await stateOf(from)).toEqual({ blocks: 2, kind: 'exact', undone: false });
    expect(await undo(from, 'call-2')).toEqual({ restored: blockIds, conflicts: [] });
    expect(await textsOf(world, id)).toEqual(['ours', 'two']);
    expect(await stateOf(from)).toMatchObject({ undone: false });
    expect(await undo(from)).toEqual({ restored: [blocks[0]], conflicts: [] });
    expect(await textsOf(world, id)).toEqual(['one', 'two']);
    expect(await stateOf(from)).toMatchObject({ undone: true });
  });

  it('undoes what calls wrote over each other', async () => {
    const { id, blocks } = await make('one');
    const from = freshOrigin();
    await edit(id, blocks[0]!, 'first', from);
    await edit(id, blocks[0]!, 'second', { ...from, callId: 'call-2' });
    expect(await undo(from)).toEqual({ restored: blocks, conflicts: [] });
    expect(await textsOf(world, id)).toEqual(['one']);
  });

  it('leaves what the user wrote beside it', async () => {
    const { id, blocks } = await make('one\n\ntwo\n\nthree');
    const from = freshOrigin();
    await edit(id, blocks[0]!, 'ours', from);
    await world.change(blocks[1]!, 'mine');
    expect(await undo(from)).toEqual({ restored: [blocks[0]], conflicts: [] });
    expect(await textsOf(world, id)).toEqual(['one', 'mine', 'three']);
  });

  it('tells what a call did, for a look at it later', async () => {
    const { id, blocks } = await make('one\n\ntwo');
    const from = freshOrigin();
    await edit(id, blocks[0]!, 'ours', from);
    await apply(await world.notes.planDeleteBlocks({ ids: [blocks[1]!] }, 't', signal), { ...from, callId: 'call-2' });
    const changes = (callId: string) => world.history.changes(from.sessionId, from.nodeId, callId);
    expect(await changes(from.callId)).toMatchObject([
      { action: 'update', blockId: blocks[0], blockType: 'p', before: 'one', after: 'ours', requires: [] },
    ]);
    expect(await changes('call-2')).toMatchObject([{ action: 'delete', blockId: blocks[1], before: 'two', after: null }]);
  });

  describe('what the user changed since', () => {
    it('stands as it is and is told with both texts; the rest is undone', async () => {
      const { id, blocks } = await make('one\n\ntwo');
      const from = freshOrigin();
      await edit(id, blocks[0]!, 'ours', from);
      await edit(id, blocks[1]!, 'ours too', { ...from, callId: 'call-2' });
      await world.change(blocks[0]!, 'ours, and mine');
      const { restored, conflicts } = await undo(from);
      expect(restored).toEqual([blocks[1]]);
      expect(conflicts).toEqual([{ blockId: blocks[0], reasons: [{ code: 'changed' }], now: 'ours, and mine', before: 'one' }]);
      expect(await textsOf(world, id)).toEqual(['ours, and mine', 'two']);
    });

    it('is still told of by the state, with both texts, until the user decides', async () => {
      const { id, blocks } = await make('one\n\ntwo');
      const from = freshOrigin();
      await edit(id, blocks[0]!, 'ours', from);
      await edit(id, blocks[1]!, 'ours too', { ...from, callId: 'call-2' });
      await world.change(blocks[0]!, 'mine');
      expect((await stateOf(from)).report).toBeUndefined();
      const report = await undo(from);
      expect(report.conflicts).toHaveLength(1);
      expect(await stateOf(from)).toMatchObject({ undone: true, report });
      await resolve(from, blocks[0]!, 'keep');
      expect((await stateOf(from)).report).toBeUndefined();
    });

    it('is not told of by the state where Undo has more to try first', async () => {
      const { id, blocks } = await make('one\n\ntwo');
      const from = freshOrigin();
      const second = { ...from, callId: 'call-2' };
      await edit(id, blocks[0]!, 'ours', from);
      await edit(id, blocks[1]!, 'ours too', second);
      await world.change(blocks[1]!, 'mine');
      await undo(from, 'call-2');
      expect(await stateOf(from)).toEqual({ blocks: 2, kind: 'exact', undone: false });
    });

    it('is put back as it was where the user says so', async () => {
      const { id, blocks } = await make('one');
      const from = freshOrigin();
      await edit(id, blocks[0]!, 'ours', from);
      await world.change(blocks[0]!, 'mine');
      const told = await undo(from);
      expect(await undo(from)).toEqual(told);
      expect(await textsOf(world, id)).toEqual(['mine']);
      expect(await resolve(from, blocks[0]!, 'undo')).toEqual({ restored: blocks, conflicts: [] });
      expect(await textsOf(world, id)).toEqual(['one']);
      expect(await stateOf(from)).toMatchObject({ undone: true });
      expect(await undo(from)).toEqual({ restored: [], conflicts: [] });
    });

    it('is not written over where the user went on since it was shown: it is told anew', async () => {
      const { id, blocks } = await make('one\n\nrest');
      const from = freshOrigin();
      await edit(id, blocks[0]!, 'ours', from);
      await world.change(blocks[0]!, 'mine');
      await undo(from);
      await world.change(blocks[0]!, 'mine, and an hour of work');
      const anew = {
        restored: [],
        conflicts: [{ blockId: blocks[0], reasons: [{ code: 'changed' }], now: 'mine, and an hour of work', before: 'one' }],
      };
      expect(await resolve(from, blocks[0]!, 'undo', 'mine')).toEqual(anew);
      expect(await textsOf(world, id)).toEqual(['mine, and an hour of work', 'rest']);
      expect(await stateOf(from)).toMatchObject({ undone: false, report: anew });
      // Another window still shows what was told first.
      expect(await resolve(from, blocks[0]!, 'undo', 'mine')).toEqual(anew);
      await world.remove(blocks[0]!);
      expect((await resolve(from, blocks[0]!, 'undo', 'mine, and an hour of work')).conflicts).toMatchObject([
        { now: null, before: 'one' },
      ]);
      expect(await resolve(from, blocks[0]!, 'undo', null)).toEqual({ restored: [blocks[0]], conflicts: [] });
      expect(await textsOf(world, id)).toEqual(['one', 'rest']);
    });

    it('is undone with the older message, once Undo of the newer one has cleared the way', async () => {
      const { id, blocks } = await make('one');
      const [older, newer] = [freshOrigin(), freshOrigin()];
      await edit(id, blocks[0]!, 'two', older);
      await edit(id, blocks[0]!, 'three', newer);
      expect((await undo(older)).conflicts).toMatchObject([{ blockId: blocks[0]!, reasons: [{ code: 'changed' }] }]);
      expect(await stateOf(older)).toMatchObject({ undone: false });
      await undo(newer);
      expect(await textsOf(world, id)).toEqual(['two']);
      expect(await undo(older)).toEqual({ restored: blocks, conflicts: [] });
      expect(await textsOf(world, id)).toEqual(['one']);
      expect(await stateOf(older)).toMatchObject({ undone: true });
    });

    it('is kept for good where the user says so', async () => {
      const { id, blocks } = await make('one');
      const from = freshOrigin();
      await edit(id, blocks[0]!, 'ours', from);
      await world.change(blocks[0]!, 'mine');
      await undo(from);
      expect(await resolve(from, blocks[0]!, 'keep')).toEqual({ restored: [], conflicts: [] });
      expect(await stateOf(from)).toMatchObject({ undone: true, kept: 1 });
      expect(await undo(from)).toEqual({ restored: [], conflicts: [] });
      expect(await textsOf(world, id)).toEqual(['mine']);
    });

    it('of what was inserted is a conflict, too', async () => {
      const { id } = await make('one');
      const from = freshOrigin();
      const { blockIds } = await insert(id, 'ours\n\nours too', from);
      await world.change(blockIds[0]!, 'mine');
      const { restored, conflicts } = await undo(from);
      expect([restored, conflicts]).toEqual([
        [blockIds[1]],
        [{ blockId: blockIds[0], reasons: [{ code: 'changed' }], now: 'mine', before: null }],
      ]);
      expect(await textsOf(world, id)).toEqual(['one', 'mine']);
      expect(await resolve(from, blockIds[0]!, 'undo')).toEqual({ restored: [blockIds[0]], conflicts: [] });
      expect(await textsOf(world, id)).toEqual(['one']);
    });

    it('and deleted comes back only where the user says so', async () => {
      const { id, blocks } = await make('one\n\ntwo\n\nthree');
      const from = freshOrigin();
      await edit(id, blocks[1]!, 'ours', from);
      await world.remove(blocks[1]!);
      const { restored, conflicts } = await undo(from);
      expect([restored, conflicts]).toEqual([[], [{ blockId: blocks[1], reasons: [{ code: 'removed' }], now: null, before: 'two' }]]);
      expect(await textsOf(world, id)).toEqual(['one', 'three']);
      expect(await resolve(from, blocks[1]!, 'undo')).toEqual({ restored: [blocks[1]], conflicts: [] });
      expect(await textsOf(world, id)).toEqual(['one', 'two', 'three']);
    });

    it('to what was inserted and is gone by now needs nothing', async () => {
      const { id } = await make('one');
      const from = freshOrigin();
      const { blockIds } = await insert(id, 'ours', from);
      await world.remove(blockIds[0]!);
      expect((await undo(from)).conflicts).toEqual([]);
      expect(await textsOf(world, id)).toEqual(['one']);
    });
  });

  it('puts back what was deleted beside what the user wrote', async () => {
    const { id, blocks } = await make('one\n\ntwo\n\nthree');
    const from = freshOrigin();
    await apply(await world.notes.planDeleteBlocks({ ids: [blocks[1]!] }, 't', signal), from);
    await world.change(blocks[0]!, 'mine');
    expect(await undo(from)).toEqual({ restored: [blocks[1]], conflicts: [] });
    expect(await textsOf(world, id)).toEqual(['mine', 'two', 'three']);
  });

  it('removes a document that was made, unless there is more in it by now', async () => {
    const create = (path: string) => world.notes.planCreateDocument({ notebook: world.notebook, path, markdown: 'ours' }, 't', signal);
    const [from, other] = [freshOrigin(), freshOrigin()];
    const { documentId, blockIds } = await apply(await create('/Undo/Made'), from);
    expect(blockIds).toEqual(await idsOf(world, documentId));
    expect(await stateOf(from)).toMatchObject({ blocks: 1 });
    expect((await undo(from)).conflicts).toEqual([]);
    await expect(textsOf(world, documentId)).rejects.toMatchObject({ code: 'not_found' });
    const kept = await apply(await create('/Undo/Kept'), other);
    const [block = ''] = await idsOf(world, kept.documentId);
    await world.change(block, 'mine');
    expect((await undo(other)).conflicts).toContainEqual({ blockId: kept.documentId, reasons: [{ code: 'document-kept' }], words: 'Kept' });
    expect(await textsOf(world, kept.documentId)).toEqual(['mine']);
  });

  it('puts back attributes, unless the user set them since', async () => {
    const { id, blocks } = await make('one');
    const set = async (memo: string, from: WriteOrigin) =>
      apply(await world.notes.planAttributes({ ids: [blocks[0]!], attrs: { memo } }, 't', signal), from);
    const memo = async () => (await world.notes.attributes(blocks[0]!, signal)).attributes.memo;
    const [first, second, third] = [freshOrigin(), freshOrigin(), freshOrigin()];
    await set('first', first);
    await set('second', second);
    expect((await undo(first)).conflicts).toMatchObject([{ blockId: blocks[0], reasons: [{ code: 'changed' }] }]);
    expect(await memo()).toBe('second');
    expect((await undo(second)).conflicts).toEqual([]);
    expect(await memo()).toBe('first');
    await set('', third);
    expect(await memo()).toBeUndefined();
    expect((await undo(third)).conflicts).toEqual([]);
    expect(await memo()).toBe('first');
    expect(await textsOf(world, id)).toEqual(['one']);
  });
});
