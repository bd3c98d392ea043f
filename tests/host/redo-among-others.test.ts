import { describe, expect, it } from 'vitest';
import { approvePlan } from '../../src/tools/contract/plans.ts';
import { origin, signal, useBench } from './support.ts';

const bench = useBench('delete');
const undo = (nodeId: string) => bench.reopen().history.undo(origin.sessionId, nodeId, signal);
const redo = (nodeId: string) => bench.reopen().history.redo(origin.sessionId, nodeId, signal);
const write = async (plan: Promise<Parameters<typeof approvePlan>[0]>, nodeId: string) =>
  bench.host.notes.apply(approvePlan(await plan), { ...origin, nodeId }, signal);

describe('Undo and Redo of a write beside which something came since', () => {
  it('put what was inserted back among it, in the same order', async () => {
    const { notes } = bench.host;
    const document = await bench.document('/Among inserted', 'one\n\ntwo');
    const [one] = await bench.blocks(document);
    await write(notes.planInsert({ anchor: one!, position: 'after', markdown: 'A1\n\nA2' }, 't', signal), 'among-a');
    await write(notes.planInsert({ anchor: one!, position: 'after', markdown: 'B' }, 't', signal), 'among-b');
    expect(await bench.markdown(document)).toEqual(['one', 'B', 'A1', 'A2', 'two']);
    await undo('among-a');
    expect(await bench.markdown(document)).toEqual(['one', 'B', 'two']);
    expect((await redo('among-a')).conflicts).toEqual([]);
    expect(await bench.markdown(document)).toEqual(['one', 'B', 'A1', 'A2', 'two']);
    await undo('among-b');
    await undo('among-a');
    expect(await bench.markdown(document)).toEqual(['one', 'two']);
  });

  it('put what was moved back where it stood before Undo', async () => {
    const { notes } = bench.host;
    const document = await bench.document('/Among moved', 'one\n\ntwo\n\nthree');
    const [one, , three] = await bench.blocks(document);
    await write(notes.planMoveBlocks({ ids: [three!], target: { after: one! } }, 't', signal), 'among-move');
    await write(notes.planInsert({ anchor: one!, position: 'after', markdown: 'B' }, 't', signal), 'among-c');
    expect(await bench.markdown(document)).toEqual(['one', 'B', 'three', 'two']);
    await undo('among-move');
    expect(await bench.markdown(document)).toEqual(['one', 'B', 'two', 'three']);
    await redo('among-move');
    expect(await bench.markdown(document)).toEqual(['one', 'B', 'three', 'two']);
  });
});
