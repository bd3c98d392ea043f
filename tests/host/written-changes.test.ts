import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyAs, freshNode } from './block-support.ts';
import { origin, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
});
afterAll(() => bench.close());

const changes = (node: string, callId = origin.callId) => bench.reopen().history.changes(origin.sessionId, node, callId);

it('tells after a restart what a call wrote, as its approval did, whatever stands there by now', async () => {
  const doc = await bench.document('/Changes', 'old\n\n- x\n- y\n\nlast');
  const [first, list] = await bench.blocks(doc);
  const node = freshNode();
  const { notes } = bench.host;
  const blocks = (await notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks;
  const edit = { id: first!, expectHash: blocks[0]!.hash, markdown: 'new **words**' };
  await applyAs(bench, await notes.planEdit(edit, 'edit_block', signal), node);
  await applyAs(bench, await notes.planDeleteBlocks({ ids: [list!] }, 'delete_blocks', signal), node);
  await applyAs(bench, await notes.planInsert({ anchor: doc, position: 'append', markdown: '## Added' }, 'insert_blocks', signal), node);
  await bench.host.history.undo(origin.sessionId, node, signal);
  const told = (await changes(node)).map(({ action, blockType, before, after }) => [action, blockType, before, after]);
  expect(told).toEqual([
    ['update', 'p', 'old', 'new **words**'],
    ['delete', 'l', '- x\n- y', null],
    ['insert', 'h', null, '## Added'],
  ]);
  expect(await changes(node, 'another call')).toEqual([]);
  expect(await changes('another message')).toEqual([]);
});

it('keeps to itself what is hidden from the assistant', async () => {
  const doc = await bench.document('/Kept', 'secret\n\nopen');
  const [secret] = await bench.blocks(doc);
  const node = freshNode();
  const { blocks } = await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal);
  const request = { id: secret!, expectHash: blocks[0]!.hash, markdown: 'secret still' };
  await applyAs(bench, await bench.host.notes.planEdit(request, 'edit_block', signal), node);
  const [record] = await bench.reopen().journal.ofMessage(origin.sessionId, node);
  const guarded = structuredClone(record!.entry);
  guarded.operations[0]!.before!.dom = guarded.operations[0]!.before!.dom.replace('<div ', '<div custom-ai-access="none" ');
  await bench.reopen().journal.update(record!, guarded);
  expect(await changes(node)).toEqual([]);
});
