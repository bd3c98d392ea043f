import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { origin, signal, startBench, steady, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
});
afterAll(() => bench.close());

describe('read, plan, apply, undo', () => {
  it('writes a summary at the end of a document and undoes it exactly', async () => {
    const doc = await bench.document('/Projects/Apollo', '# Goals\n\nLand on the **Moon**.\n\n* fuel\n* crew');
    const reading = await bench.host.notes.document({ path: '/Projects/Apollo' }, { start: 0, blocks: 50 }, signal);
    expect(reading.blocks.map((block) => block.markdown)).toEqual(['# Goals', 'Land on the **Moon**.', '- fuel\n- crew']);
    expect(reading).toMatchObject({ id: doc, title: 'Apollo', path: '/Projects/Apollo', totalBlocks: 3, hidden: 0 });

    const before = steady(await bench.dom(doc));
    const print = bench.fingerprint();
    const plan = await bench.host.notes.planInsert(
      { anchor: doc, position: 'append', markdown: '## Summary\n\nTwo items.' },
      'insert_blocks',
      signal,
    );
    expect(plan.operations.map((operation) => [operation.action, operation.blockType, operation.after])).toEqual([
      ['insert', 'h', '## Summary'],
      ['insert', 'p', 'Two items.'],
    ]);
    expect(bench.fingerprint()).toBe(print);

    const report = await bench.apply(plan);
    expect(report.blockIds).toEqual(plan.operations.map((operation) => operation.blockId));
    expect(await bench.markdown(doc)).toEqual(['# Goals', 'Land on the **Moon**.', '- fuel\n- crew', '## Summary', 'Two items.']);
    expect(await bench.dom(report.blockIds[0]!)).toContain('custom-marginalia-source="chat-1/node-1/call-1"');

    expect(await bench.host.history.state(origin.sessionId, origin.nodeId)).toEqual({ blocks: 2, kind: 'exact', undone: false });
    const undone = await bench.reopen().history.undo(origin.sessionId, origin.nodeId, signal);
    expect(undone.conflicts).toEqual([]);
    expect([...undone.restored].sort()).toEqual([...report.blockIds].sort());
    expect(steady(await bench.dom(doc))).toBe(before);
    expect(await bench.markdown(doc)).toEqual(['# Goals', 'Land on the **Moon**.', '- fuel\n- crew']);
  });

  it('edits a block, keeps its id and attributes, and undoes it', async () => {
    const doc = await bench.document('/Edit', 'one **two** three');
    const [id] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-keep': 'yes "q" <b>', memo: 'm', name: 'n' } });
    const before = await bench.dom(id!);
    const [block] = (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks;
    const edit = { id: id!, expectHash: block!.hash, edits: [{ old: 'three', new: '*four*' }] };
    const report = await bench.apply(await bench.host.notes.planEdit(edit, 'edit_block', signal), undefined, { ...origin, nodeId: 'edit' });
    expect(await bench.dom(id!)).toContain('custom-marginalia-source="chat-1/edit/call-1"');
    expect(await bench.markdown(doc)).toEqual(['one **two** *four*']);
    expect(await bench.api('/api/attr/getBlockAttrs', { id })).toMatchObject({ 'custom-keep': 'yes "q" <b>', memo: 'm', name: 'n' });
    expect(report.hashes[id!]).toBe((await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks[0]!.hash);
    await bench.host.history.undo(origin.sessionId, 'edit', signal);
    expect(steady(await bench.dom(id!))).toBe(steady(before));
  });
});
