import { describe, expect, it } from 'vitest';
import { approvePlan } from '../../src/tools/contract/plans.ts';
import { origin, signal, useBench } from './support.ts';

const bench = useBench('delete');
const undo = (nodeId: string) => bench.reopen().history.undo(origin.sessionId, nodeId, signal);
const state = (nodeId: string) => bench.reopen().history.state(origin.sessionId, nodeId);
const write = async (plan: Promise<Parameters<typeof approvePlan>[0]>, nodeId: string) =>
  bench.host.notes.apply(approvePlan(await plan), { ...origin, nodeId }, signal);

describe('Undo of the older message first, where the newer one deleted what it wrote', () => {
  it.each(['block', 'document'])('is not spent, and undoes it once the %s is back', async (what) => {
    const { notes } = bench.host;
    const document = await bench.document(`/Later ${what}`, 'one');
    const [one] = await bench.blocks(document);
    const [older, newer] = [`older-${what}`, `newer-${what}`];
    await write(notes.planInsert({ anchor: one!, position: 'after', markdown: 'ours' }, 't', signal), older);
    const [, ours] = await bench.blocks(document);
    await write(
      what === 'block'
        ? notes.planDeleteBlocks({ ids: [ours!] }, 't', signal)
        : notes.planDeleteDocuments({ ids: [document] }, 't', signal),
      newer,
    );
    expect(await undo(older)).toMatchObject({
      restored: [],
      conflicts: [{ blockId: ours, reasons: [{ code: 'deleted-later' }], words: 'ours' }],
    });
    expect(await state(older)).toMatchObject({ undone: false });
    await undo(newer);
    expect(await bench.markdown(document)).toEqual(['one', 'ours']);
    expect(await undo(older)).toEqual({ restored: [ours], conflicts: [] });
    expect(await bench.markdown(document)).toEqual(['one']);
    expect(await state(older)).toMatchObject({ undone: true });
  });

  it('says of one that is gone which it is, while the rest is undone, and undoes it once it is back', async () => {
    const { notes } = bench.host;
    const document = await bench.document('/Later in part', 'one');
    const [one] = await bench.blocks(document);
    await write(notes.planInsert({ anchor: one!, position: 'after', markdown: 'ours\n\nours too' }, 't', signal), 'part-older');
    const [, , second] = await bench.blocks(document);
    await write(notes.planDeleteBlocks({ ids: [second!] }, 't', signal), 'part-newer');
    const left = { blockId: second, reasons: [{ code: 'deleted-later' }], words: 'ours too' };
    expect((await undo('part-older')).conflicts).toMatchObject([left]);
    expect(await bench.markdown(document)).toEqual(['one']);
    expect((await state('part-older')).report?.conflicts).toMatchObject([left]);
    const resolve = () => bench.reopen().history.resolve(origin.sessionId, 'part-older', second!, 'undo', signal, null);
    // Too early: the choice is not spent.
    expect((await resolve()).conflicts).toMatchObject([left]);
    await undo('part-newer');
    expect(await bench.markdown(document)).toEqual(['one', 'ours too']);
    expect((await resolve()).conflicts).toEqual([]);
    expect(await bench.markdown(document)).toEqual(['one']);
    expect((await state('part-older')).report).toBeUndefined();
  });

  it('is over where the user deleted it', async () => {
    const { notes } = bench.host;
    const document = await bench.document('/Later by hand', 'one');
    const [one] = await bench.blocks(document);
    await write(notes.planInsert({ anchor: one!, position: 'after', markdown: 'ours' }, 't', signal), 'by-hand');
    const [, ours] = await bench.blocks(document);
    await bench.transact([{ action: 'delete', id: ours }]);
    expect(await undo('by-hand')).toEqual({ restored: [], conflicts: [] });
    expect(await state('by-hand')).toMatchObject({ undone: true });
  });
});
