import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NotebookRequest } from '../../src/tools/contract/note-planner.ts';
import { realKernelUrl } from './real-kernel.ts';
import { codeOf, origin, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
});
afterAll(() => bench.close());

let nodes = 0;
const fresh = () => {
  nodes += 1;
  return { ...origin, nodeId: `notebook-${nodes}` };
};
const undo = (from: { sessionId: string; nodeId: string }) => bench.reopen().history.undo(from.sessionId, from.nodeId, signal);
const plan = (request: NotebookRequest) => bench.host.notes.planNotebook(request, 'manage_notebook', signal);
interface Book {
  readonly id: string;
  readonly name: string;
  readonly closed: boolean;
}
const books = async () => (await bench.api<{ notebooks: Book[] }>('/api/notebook/lsNotebooks', {})).notebooks;
const book = async (id: string) => (await books()).find((each) => each.id === id);

describe('notebooks', () => {
  it('are created, and undo takes an empty one away', async () => {
    const made = await plan({ op: 'create', name: ' Fresh ' });
    expect(made.operations).toMatchObject([{ action: 'create-notebook', blockId: '', before: null, after: 'Fresh' }]);
    expect(made.needsRight).toBeUndefined();
    const from = fresh();
    const { documentId, blockIds } = await bench.apply(made, undefined, from);
    expect(blockIds).toEqual([documentId]);
    expect(await book(documentId)).toMatchObject({ name: 'Fresh', closed: false });
    expect(await undo(from)).toEqual({ restored: [documentId], conflicts: [] });
    expect(await book(documentId)).toBeUndefined();
  });

  it('are named as SiYuan keeps names: without characters that nobody sees', async () => {
    const { documentId } = await bench.apply(
      await plan({ op: 'create', name: 'un\u202eseen\u00a0\ue000n\u00adame\u{e0067} 👩\u200d🔬' }),
      undefined,
      fresh(),
    );
    expect((await book(documentId))?.name).toBe('unseen name 👩\u200d🔬');
    bench.policy.setRight(documentId, 'write');
    const { documentId: titled } = await bench.apply(
      await bench.host.notes.planCreateDocument({ notebook: documentId, path: '/fol\u202eder/ti\u00adtle', markdown: 'x' }, 't', signal),
    );
    expect(await bench.api('/api/filetree/getHPathByID', { id: titled })).toBe('/folder/title');
  });

  it.skipIf(realKernelUrl !== undefined)(
    'are taken away though the kernel refuses at first, because its indexer writes there',
    async () => {
      const from = fresh();
      const { documentId } = await bench.apply(await plan({ op: 'create', name: 'Busy' }), undefined, from);
      bench.kernel.failures.set('/api/notebook/removeNotebook', { mode: 'error', times: 2 });
      expect(await undo(from)).toEqual({ restored: [documentId], conflicts: [] });
      expect(await book(documentId)).toBeUndefined();
    },
  );

  it('are kept by undo once something is in them', async () => {
    const from = fresh();
    const { documentId } = await bench.apply(await plan({ op: 'create', name: 'Filled' }), undefined, from);
    await bench.api('/api/filetree/createDocWithMd', { notebook: documentId, path: '/Theirs', markdown: 'x' });
    expect((await undo(from)).conflicts).toMatchObject([{ blockId: documentId, reasons: [{ code: 'notebook-filled' }] }]);
    expect(await book(documentId)).toBeDefined();
  });

  it('are renamed, closed and opened, each with its way back', async () => {
    const before = (await book(bench.notebook))!;
    for (const request of [
      { op: 'rename', id: bench.notebook, name: 'Renamed' },
      { op: 'close', id: bench.notebook },
    ] as const) {
      const from = fresh();
      const made = await plan(request);
      expect(made.undo.kind).toBe('exact');
      await bench.apply(made, undefined, from);
      expect(await book(bench.notebook)).not.toMatchObject({ name: before.name, closed: before.closed });
      expect(await undo(from)).toEqual({ restored: [bench.notebook], conflicts: [] });
      expect(await book(bench.notebook)).toMatchObject({ name: before.name, closed: before.closed });
    }
    await bench.api('/api/notebook/closeNotebook', { notebook: bench.notebook });
    expect(await codeOf(plan({ op: 'rename', id: bench.notebook, name: 'Closed' }))).toBe('closed_notebook');
    const opening = await plan({ op: 'open', id: bench.notebook });
    expect(opening.operations).toMatchObject([{ before: 'Notes (closed)', after: 'Notes (open)' }]);
    const from = fresh();
    await bench.apply(opening, undefined, from);
    expect(await book(bench.notebook)).toMatchObject({ closed: false });
    await undo(from);
    expect(await book(bench.notebook)).toMatchObject({ closed: true });
    await bench.api('/api/notebook/openNotebook', { notebook: bench.notebook });
  });

  it('are removed only with the right to delete, with no undo but a note that leads to the copy', async () => {
    const { notebook } = await bench.api<{ notebook: Book }>('/api/notebook/createNotebook', { name: 'Doomed' });
    await bench.api('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/In it', markdown: 'x' });
    const asking = await plan({ op: 'remove', id: notebook.id });
    expect(asking).toMatchObject({ needsRight: 'delete', undo: { kind: 'none', notes: ['notebook'] } });
    expect(asking.notices).toEqual([{ code: 'children-deleted', count: 1 }]);
    expect(await codeOf(bench.apply(asking, undefined, fresh()))).toBe('no_right');
    bench.policy.setRight(notebook.id, 'write');
    expect((await plan({ op: 'remove', id: notebook.id })).needsRight).toBe('delete');
    bench.policy.raise(notebook.id, 'delete');
    const from = fresh();
    await bench.apply(await plan({ op: 'remove', id: notebook.id }), undefined, from);
    expect(await book(notebook.id)).toBeUndefined();
    expect(await bench.host.history.state(from.sessionId, from.nodeId)).toMatchObject({ kind: 'none', undone: false });
    expect((await undo(from)).conflicts).toMatchObject([{ blockId: notebook.id, reasons: [{ code: 'notebook-removed' }] }]);
    const history = join(bench.workspace, 'history');
    expect(readdirSync(history).some((stamp) => existsSync(join(history, stamp, notebook.id, '.siyuan', 'conf.json')))).toBe(true);
  });

  it('are left alone where they are hidden, guarded, named twice, or already so', async () => {
    const { notebook } = await bench.api<{ notebook: Book }>('/api/notebook/createNotebook', { name: 'Guarded' });
    const doc = await bench.api<string>('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/In it', markdown: 'x' });
    await bench.api('/api/attr/setBlockAttrs', { id: doc, attrs: { 'custom-ai-access': 'none' } });
    bench.policy.setRight(notebook.id, 'delete');
    expect(await codeOf(plan({ op: 'remove', id: notebook.id }))).toBe('no_right');
    bench.policy.setRight(notebook.id, 'none');
    expect(await codeOf(plan({ op: 'close', id: notebook.id }))).toBe('not_found');
    // A hidden name is not told either.
    expect((await plan({ op: 'create', name: 'Guarded' })).operations).toHaveLength(1);
    expect(await codeOf(plan({ op: 'create', name: 'Notes' }))).toBe('path_exists');
    expect(await codeOf(plan({ op: 'create', name: 'a/b' }))).toBe('bad_path');
    expect(await codeOf(plan({ op: 'create', name: ' ' }))).toBe('empty_text');
    expect(await codeOf(plan({ op: 'open', id: bench.notebook }))).toBe('no_change');
    expect(await codeOf(plan({ op: 'open', id: '20200101000000-abcdefg' }))).toBe('not_found');
    expect(await codeOf(plan({ op: 'remove', id: "x' OR 1" }))).toBe('bad_id');
  });

  it('are never touched where they are encrypted, whatever right is set', async () => {
    const doc = await bench.document('/Plain', 'x');
    const { notebook } = await bench.api<{ notebook: Book }>('/api/notebook/createNotebook', { name: 'Encrypted' });
    const inside = await bench.api<string>('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/In it', markdown: 'x' });
    bench.policy.setRight(notebook.id, 'delete');
    const host = bench.reopen();
    const { notebooks } = host.routes;
    Object.assign(host.routes, {
      notebooks: async () => (await notebooks(signal)).map((each) => (each.id === notebook.id ? { ...each, encrypted: true } : each)),
    });
    for (const op of ['close', 'remove'] as const)
      expect(await codeOf(host.notes.planNotebook({ op, id: notebook.id }, 't', signal))).toBe('encrypted_notebook');
    expect(await codeOf(host.notes.planNotebook({ op: 'rename', id: notebook.id, name: 'x' }, 't', signal))).toBe('encrypted_notebook');
    expect(await codeOf(host.notes.planOrganize({ op: 'move', ids: [doc], target: notebook.id }, 't', signal))).toBe('encrypted_notebook');
    expect(await codeOf(host.notes.planOrganize({ op: 'rename', ids: [inside], target: 'x' }, 't', signal))).toBe('encrypted_notebook');
    expect(await codeOf(host.notes.planDeleteDocuments({ ids: [inside] }, 't', signal))).toBe('encrypted_notebook');
    expect(await codeOf(host.notes.planAttributes({ ids: [inside], attrs: { memo: 'x' } }, 't', signal))).toBe('encrypted_notebook');
  });

  it('are stale when somebody was faster', async () => {
    const renaming = await plan({ op: 'rename', id: bench.notebook, name: 'Ours' });
    await bench.api('/api/notebook/renameNotebook', { notebook: bench.notebook, name: 'Theirs' });
    expect(await codeOf(bench.apply(renaming, undefined, fresh()))).toBe('stale');
    expect(await book(bench.notebook)).toMatchObject({ name: 'Theirs' });
    const from = fresh();
    await bench.apply(await plan({ op: 'rename', id: bench.notebook, name: 'Ours' }), undefined, from);
    await bench.api('/api/notebook/renameNotebook', { notebook: bench.notebook, name: 'Newer' });
    expect((await undo(from)).conflicts).toMatchObject([{ blockId: bench.notebook, now: 'Newer', before: 'Theirs' }]);
  });
});
