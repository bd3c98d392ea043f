import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeOf, origin, signal, steady, useBench } from './support.ts';

const bench = useBench('delete');

let nodes = 0;
const fresh = () => {
  nodes += 1;
  return { ...origin, nodeId: `delete-${nodes}` };
};
const undo = (from: { sessionId: string; nodeId: string }) => bench.reopen().history.undo(from.sessionId, from.nodeId, signal);
const plan = (...ids: string[]) => bench.host.notes.planDeleteDocuments({ ids }, 'delete_doc', signal);
const exists = (id: string) => bench.api<boolean>('/api/block/checkBlockExist', { id });
const pathOf = (id: string) => bench.api<string>('/api/filetree/getHPathByID', { id });

/** A document with two below it, and one below those. */
async function family(name: string): Promise<{ ids: string[]; doms: () => Promise<string[]> }> {
  const ids = [
    await bench.document(`/${name}`, 'parent **text**\n\n- a\n- b'),
    await bench.document(`/${name}/One`, 'one'),
    await bench.document(`/${name}/One/Deep`, 'deep'),
    await bench.document(`/${name}/Two`, 'two'),
  ];
  return { ids, doms: async () => Promise.all(ids.map(async (id) => steady(await bench.dom(id)))) };
}

describe('documents are removed', () => {
  it('with all below, said before, and undo brings each back with its id, its place and its blocks', async () => {
    const { ids, doms } = await family('Family');
    const [root, one, deep] = ids;
    await bench.document('/Elsewhere', `((${one} 'a reference'))\n\n((${root} 'another'))`);
    await bench.api('/api/attr/setBlockAttrs', { id: one, attrs: { memo: 'kept' } });
    const before = await doms();
    const made = await plan(root!, deep!);
    expect(made.operations).toMatchObject([{ action: 'delete-document', blockId: root, blockType: 'd', before: '/Family', after: null }]);
    expect(made.notices).toEqual([
      { code: 'children-deleted', count: 3 },
      { code: 'references-lost', count: 2 },
    ]);
    expect(made.undo).toMatchObject({ kind: 'exact', notes: ['history'] });
    const removals: string[] = [];
    bench.hooks = { before: (path) => void (/removeDoc|createDocHistory/.test(path) && removals.push(path)) };
    const from = fresh();
    expect(await bench.apply(made, undefined, from)).toMatchObject({ documentId: root, blockIds: [root], undo: 'exact' });
    // One by one: of documents that go along with their parent the kernel would write no file when they come back.
    expect(removals).toEqual(['/api/history/createDocHistory', ...ids.map(() => '/api/filetree/removeDocByID')]);
    expect(await Promise.all(ids.map(exists))).toEqual([false, false, false, false]);
    expect(await bench.host.history.state(from.sessionId, from.nodeId)).toEqual({ blocks: 1, kind: 'exact', undone: false });
    expect(await undo(from)).toEqual({ restored: [root], conflicts: [] });
    expect(await doms()).toEqual(before);
    expect(await pathOf(deep!)).toBe('/Family/One/Deep');
    expect(await bench.api('/api/attr/getBlockAttrs', { id: one })).toMatchObject({ memo: 'kept', title: 'One' });
    expect(await undo(from)).toEqual({ restored: [], conflicts: [] });
    expect(await bench.reopen().history.state(from.sessionId, from.nodeId)).toMatchObject({ undone: true });
  });

  it('only with the right to delete, and not where something is hidden from the model', async () => {
    const { ids } = await family('Guarded');
    const [root, one, deep] = ids;
    bench.policy.setRight(bench.notebook, 'write');
    const asking = await plan(root!);
    expect(asking.needsRight).toBe('delete');
    expect(await codeOf(bench.apply(asking, undefined, fresh()))).toBe('no_right');
    bench.policy.raise(bench.notebook, 'delete');
    const made = await plan(root!);
    await bench.api('/api/attr/setBlockAttrs', { id: deep, attrs: { 'custom-ai-access': 'none' } });
    expect(await codeOf(plan(root!))).toBe('no_right');
    expect(await codeOf(bench.apply(made, undefined, fresh()))).toBe('stale');
    await bench.api('/api/attr/setBlockAttrs', { id: deep, attrs: { 'custom-ai-access': '' } });
    const [block] = await bench.blocks(one!);
    await bench.api('/api/attr/setBlockAttrs', { id: block, attrs: { 'custom-ai-access': 'none' } });
    expect(await codeOf(plan(root!))).toBe('no_right');
    expect(await Promise.all(ids.map(exists))).toEqual([true, true, true, true]);
    expect(await codeOf(plan(bench.notebook))).toBe('bad_id');
    expect(await codeOf(plan(block!))).toBe('not_found');
    expect(await codeOf(plan())).toBe('bad_id');
  });

  it('not when a block changed or a document came since the plan', async () => {
    const { ids } = await family('Stale');
    const [root, one] = ids;
    const changed = await plan(root!);
    await bench.transact([
      {
        action: 'insert',
        id: '20240101000000-stalene',
        parentID: one,
        data: '<div data-node-id="20240101000000-stalene" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">new</div></div>',
      },
    ]);
    expect(await codeOf(bench.apply(changed, undefined, fresh()))).toBe('stale');
    const came = await plan(root!);
    await bench.document('/Stale/New', 'x');
    expect(await codeOf(bench.apply(came, undefined, fresh()))).toBe('stale');
    expect(await Promise.all(ids.map(exists))).toEqual([true, true, true, true]);
  });

  it('not while the user types in one of them and wants to go on', async () => {
    const { ids } = await family('Typing');
    bench.caret = await bench.blocks(ids[2]!);
    bench.caretAnswer = 'cancel';
    expect(await codeOf(bench.apply(await plan(ids[0]!), undefined, fresh()))).toBe('not_approved');
    expect(bench.asked.at(-1)).toEqual(bench.caret);
    expect(await exists(ids[0]!)).toBe(true);
  });

  it('and a document that appears below while they go stops it', async () => {
    const { ids } = await family('Late');
    const made = await plan(ids[0]!);
    let late = '';
    bench.hooks = {
      before: async (path) => {
        if (path === '/api/history/createDocHistory') late = await bench.document('/Late/Two/Came late', 'x');
      },
    };
    const from = fresh();
    expect(await codeOf(bench.apply(made, undefined, from))).toBe('raced');
    bench.hooks = {};
    expect(await exists(late)).toBe(true);
    expect(await exists(ids[0]!)).toBe(true);
    expect((await undo(from)).conflicts).toEqual([]);
    expect(await Promise.all(ids.map(exists))).toEqual([true, true, true, true]);
  });
});

describe('undo of a deletion', () => {
  it('restores what is missing and leaves what came back otherwise', async () => {
    const { ids, doms } = await family('Back');
    const [root] = ids;
    const before = await doms();
    const from = fresh();
    await bench.apply(await plan(root!), undefined, from);
    // The user rolls the parent back by hand and goes on writing in it.
    const { histories } = await bench.api<{ histories: string[] }>('/api/history/searchHistory', { query: root, op: 'delete', type: 3 });
    const { items } = await bench.api<{ items: { path: string }[] }>('/api/history/getHistoryItems', {
      created: histories[0],
      query: root,
      op: 'delete',
      type: 3,
    });
    await bench.api('/api/history/rollbackDocHistory', { notebook: bench.notebook, historyPath: items[0]!.path });
    const [first] = await bench.blocks(root!);
    await bench.api('/api/attr/setBlockAttrs', { id: first, attrs: { memo: 'theirs' } });
    const report = await undo(from);
    expect(report.conflicts).toHaveLength(1);
    expect((await doms()).slice(1)).toEqual(before.slice(1));
    expect(await bench.api('/api/attr/getBlockAttrs', { id: first })).toMatchObject({ memo: 'theirs' });
    expect(await bench.api<string[]>('/api/filetree/getIDsByHPath', { notebook: bench.notebook, path: '/Back' })).toEqual([root]);
  });

  it('says so when the history was cleared, the notebook is closed, or the parent is gone', async () => {
    const { ids } = await family('Lost');
    const [root, one] = ids;
    const closed = fresh();
    await bench.apply(await plan(one!), undefined, closed);
    await bench.api('/api/notebook/closeNotebook', { notebook: bench.notebook });
    expect((await undo(closed)).conflicts).toMatchObject([
      { blockId: one, reasons: [{ code: 'notebook-gone' }], now: null, before: 'One', isWords: true },
    ]);
    await bench.api('/api/notebook/openNotebook', { notebook: bench.notebook });
    const { history: again } = bench.reopen();
    expect(await again.resolve(closed.sessionId, closed.nodeId, one!, 'undo', signal)).toEqual({ restored: [one], conflicts: [] });
    expect(await pathOf(ids[2]!)).toBe('/Lost/One/Deep');
    const two = ids[3]!;
    const orphan = fresh();
    await bench.apply(await plan(two), undefined, orphan);
    await bench.api('/api/filetree/removeDocByID', { id: root });
    expect((await undo(orphan)).conflicts).toMatchObject([{ blockId: two, reasons: [{ code: 'restored-elsewhere', title: 'Two' }] }]);
    expect(await pathOf(two)).toBe('/Two');
    const lost = fresh();
    await bench.apply(await plan(two), undefined, lost);
    const history = join(bench.workspace, 'history');
    for (const stamp of readdirSync(history)) rmSync(join(history, stamp), { recursive: true });
    expect((await undo(lost)).conflicts).toMatchObject([{ blockId: two, reasons: [{ code: 'copy-refused', detail: expect.any(String) }] }]);
    expect(await exists(two)).toBe(false);
  });

  it('is partial, and says why, where rows or databases are bound to what goes', async () => {
    const doc = await bench.document('/Rows', 'x');
    const [block] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id: block, attrs: { 'custom-avs': '20240101000000-rowsrow' } });
    const made = await plan(doc);
    expect(made.undo).toMatchObject({ kind: 'partial', notes: ['history', 'rows'] });
    expect(made.notices).toEqual([{ code: 'rows-lost', count: 1 }]);
    const from = fresh();
    expect(await bench.apply(made, undefined, from)).toMatchObject({ undo: 'partial' });
    expect(await bench.host.history.state(from.sessionId, from.nodeId)).toMatchObject({ kind: 'partial' });
  });
});
