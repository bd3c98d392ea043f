import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { narrowedPolicy } from '../../src/app/workspace/narrowed-policy.ts';
import { createAccessPolicy } from '../../src/host/access/access-policy.ts';
import type { NotebookRight } from '../../src/tools/contract/notebook-right.ts';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import type { WriteOrigin } from '../../src/tools/contract/ports.ts';
import { codeOf, origin, signal, startBench, type TestBench } from './support.ts';

/** A notebook at `create`: new notes go in, nothing comes out. What every tool answers is in non-interference.test.ts. */
let bench: TestBench;
let inbox = '';
let count = 0;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  count += 1;
  const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: `Inbox ${count}` });
  inbox = notebook.id;
  bench.policy.setRight(inbox, 'create');
});

const made = (path: string, markdown = 'theirs'): Promise<string> =>
  bench.api('/api/filetree/createDocWithMd', { notebook: inbox, path, markdown });
const plan = (path: string, markdown = 'ours'): Promise<ChangePlan> =>
  bench.host.notes.planCreateDocument({ notebook: inbox, path, markdown }, 'create_doc', signal);
const from = (): WriteOrigin => ({ ...origin, nodeId: `inbox-${count}` });
const file = async (path: string, markdown?: string): Promise<string> =>
  (await bench.apply(await plan(path, markdown), undefined, from())).documentId;
const placeOf = (id: string): Promise<string> => bench.api<string>('/api/filetree/getHPathByID', { id });
const idsAt = (path: string): Promise<string[]> => bench.api('/api/filetree/getIDsByHPath', { notebook: inbox, path });

describe('a new note', () => {
  it('is put below what is there or not, and says the same of both', async () => {
    const parent = await made('/Old');
    const plans = [await plan('/Old/Note'), await plan('/New/Note')];
    const said = plans.map(({ notices, needsRight, document, anchorId }) => ({ notices, needsRight, document: document.id, anchorId }));
    expect(said[0]).toEqual(said[1]);
    expect(said[0]).toEqual({ notices: [{ code: 'new-notes-only', count: 1 }], needsRight: undefined, document: null, anchorId: null });
    for (const each of plans) await bench.apply(each, undefined, from());
    expect(await idsAt('/Old')).toEqual([parent]);
    expect([await idsAt('/Old/Note'), await idsAt('/New/Note')].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('stands beside one of the same path, which stays as it is', async () => {
    const theirs = await made('/Same');
    const ours = await file('/Same');
    expect((await idsAt('/Same')).toSorted()).toEqual([theirs, ours].toSorted());
    expect([await bench.markdown(theirs), await bench.markdown(ours)]).toEqual([['theirs'], ['ours']]);
  });

  it('is not put below a note that is kept from models', async () => {
    const guarded = await made('/Diary');
    await bench.api('/api/attr/setBlockAttrs', { id: guarded, attrs: { 'custom-ai-access': 'none' } });
    const ours = await file('/Diary/Note');
    expect(await placeOf(ours)).toBe('/Diary/Note');
    const { path } = await bench.api<{ path: string }>('/api/block/getBlockInfo', { id: ours });
    expect(path).not.toContain(guarded);
  });

  it('cannot be read, changed or referred to by whoever wrote it', async () => {
    const ours = await file('/Note');
    const { notes } = bench.host;
    expect(await codeOf(notes.document({ id: ours }, { start: 0, blocks: 9 }, signal))).toBe('not_found');
    expect(await codeOf(notes.planInsert({ anchor: ours, position: 'append', markdown: 'x' }, 't', signal))).toBe('not_found');
    expect(await codeOf(notes.planOrganize({ op: 'rename', ids: [ours], target: 'x' }, 't', signal))).toBe('not_found');
    expect(await codeOf(notes.planDailyAppend({ date: '2026-01-01', notebook: inbox, markdown: 'x' }, 't', signal))).toBe('not_found');
    expect(await codeOf(notes.planNotebook({ op: 'rename', id: inbox, name: 'x' }, 't', signal))).toBe('not_found');
    const open = await bench.document(`/Open ${count}`, 'open');
    bench.policy.setRight(bench.notebook, 'delete');
    expect(await codeOf(notes.planOrganize({ op: 'move', ids: [open], target: inbox }, 't', signal))).toBe('not_found');
    expect(await codeOf(notes.planOrganize({ op: 'move', ids: [open], target: ours }, 't', signal))).toBe('not_found');
  });

  it('says the same of an id in it that is there as of one that is nowhere', async () => {
    const theirs = await made('/Old');
    const said = async (id: string) => {
      const { operations, notices } = await plan(
        '/Note',
        `one ((${id} 'x')) ((${id}))\n{: id="${id}" custom-ai-access="" memo="m"}\n\n{{SELECT * FROM blocks WHERE root_id = '${id}'}}\n\n[a](siyuan://blocks/${id})`,
      );
      expect(operations.map(({ blockId }) => blockId)).not.toContain(id);
      return JSON.stringify([operations.map(({ after, drawn }) => [after, drawn]), notices])
        .replaceAll(id, 'ID')
        .replaceAll(/\d{14}-\w{7}/gu, 'NEW');
    };
    expect(await said(theirs)).toBe(await said('20200101000000-absent0'));
  });

  it('is taken back by the person with the notes made for it, and no other', async () => {
    const parent = await made('/Kept');
    await file('/Kept/Made/Note');
    const { nodeId } = from();
    expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    expect([await idsAt('/Kept'), await idsAt('/Kept/Made'), await idsAt('/Kept/Made/Note')]).toEqual([[parent], [], []]);
    expect((await bench.host.history.redo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    expect((await idsAt('/Kept/Made/Note')).length).toBe(1);
  });

  it('is put beside another of its path again where somebody made one meanwhile', async () => {
    const ours = await file('/Taken');
    const { nodeId } = from();
    expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    const theirs = await made('/Taken');
    expect((await bench.host.history.redo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    const both = await idsAt('/Taken');
    expect([both.length, both.includes(theirs)]).toEqual([2, true]);
    expect(ours).not.toBe('');
  });
});

describe('the right to add', () => {
  it.each<[NotebookRight, string]>([
    ['none', 'not_found'],
    ['read', 'no_right'],
    ['write', 'no error'],
  ])('that became %s while a note waited for its approval: %s', async (right, code) => {
    const waiting = await plan('/Note');
    bench.policy.setRight(inbox, right);
    expect(await codeOf(bench.apply(waiting, undefined, from()))).toBe(code);
  });

  it('is not enough for a note that was planned where reading was allowed', async () => {
    bench.policy.setRight(inbox, 'write');
    const waiting = await plan('/Note');
    bench.policy.setRight(inbox, 'create');
    expect(await codeOf(bench.apply(waiting, undefined, from()))).toBe('not_found');
  });

  it('ends where the notebook is closed', async () => {
    await bench.api('/api/notebook/closeNotebook', { notebook: inbox });
    expect(await codeOf(plan('/Note'))).toBe('closed_notebook');
  });

  it('is not raised by an approval, and gives a program that may only read nothing', () => {
    bench.policy.raise(inbox, 'write');
    expect(bench.policy.right(inbox)).toBe('create');
    const workspace = createAccessPolicy({ a: 'create', b: 'read', c: 'write' });
    const program = narrowedPolicy(workspace, { a: 'read', b: 'create', c: 'create' });
    expect(['a', 'b', 'c'].map((id) => program.right(id))).toEqual(['none', 'none', 'create']);
  });
});
