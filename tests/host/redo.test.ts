import { describe, expect, it } from 'vitest';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import { applyAs, freshNode, paragraph } from './block-support.ts';
import { codeOf, origin, signal, steady, useBench } from './support.ts';

const bench = useBench('delete');

let counter = 0;
/** Writes as a message of its own; gives its Undo and Redo, each after a restart. */
async function write(plan: ChangePlan) {
  counter += 1;
  const nodeId = `redo-${process.pid}-${Date.now().toString(36)}-${counter}`;
  const report = await bench.apply(plan, undefined, { ...origin, nodeId });
  const history = () => bench.reopen().history;
  return {
    report,
    undo: () => history().undo(origin.sessionId, nodeId, signal),
    redo: () => history().redo(origin.sessionId, nodeId, signal),
    state: () => history().state(origin.sessionId, nodeId),
  };
}
const exists = (id: string) => bench.api<boolean>('/api/block/checkBlockExist', { id });
const pathOf = (id: string) => bench.api<string>('/api/filetree/getHPathByID', { id });
const create = (path: string) =>
  bench.host.notes.planCreateDocument({ notebook: bench.notebook, path, markdown: 'first\n\n- a\n- b' }, 't', signal);
const organize = (request: Parameters<typeof bench.host.notes.planOrganize>[0]) =>
  bench.host.notes.planOrganize(request, 'organize_doc', signal);
const edit = async (doc: string, markdown: string) => {
  const { blocks } = await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal);
  const { id = '', hash: expectHash = '' } = blocks[0] ?? {};
  return bench.host.notes.planEdit({ id, expectHash, markdown }, 't', signal);
};

const texts = async (doc: string) => (await bench.markdown(doc)).map((each) => each.split('\n')[0]);
const insert = (anchor: string, markdown: string) => bench.host.notes.planInsert({ anchor, position: 'after', markdown }, 't', signal);

describe('Undo and Redo of a message', () => {
  it('count what its writes wrote, of blocks and of notes', async () => {
    const doc = await bench.document('/Counted', 'one');
    const moved = [await bench.document('/Counted A', 'a'), await bench.document('/Counted B', 'b')];
    const nodeId = freshNode();
    const [one = ''] = await bench.blocks(doc);
    await bench.apply(await insert(one, 'two\n\nthree'), undefined, { ...origin, nodeId });
    await bench.apply(await organize({ op: 'move', ids: moved, target: doc }), undefined, { ...origin, nodeId });
    const counted: string[] = [];
    const count = (done: number, total: number): void => void counted.push(`${done}/${total}`);
    const { history } = bench.host;
    await history.undo(origin.sessionId, nodeId, signal, undefined, count);
    expect(counted.splice(0)).toEqual(['0/4', '1/4', '2/4', '4/4']);
    await history.redo(origin.sessionId, nodeId, signal, undefined, count);
    expect(counted).toEqual(['0/4', '2/4', '3/4', '4/4']);
  });
});

describe('Undo and Redo of a new document', () => {
  it('leave it in the index, so that it can be found and changed at once', async () => {
    const created = await write(await create(`/Indexed ${freshNode()}`));
    const id = created.report.documentId ?? '';
    const paths: string[] = [];
    bench.hooks.before = (path) => void paths.push(path);
    for (let round = 0; round < 3; round += 1) {
      await created.undo();
      await created.redo();
    }
    const removals = paths.flatMap((path, at) => (path.endsWith('/removeDocByID') ? [at] : []));
    const flushed = removals.map((at, round) => paths.slice(removals[round - 1] ?? 0, at).includes('/api/sqlite/flushTransaction'));
    expect(flushed).toEqual([true, true, true]);
    await bench.api('/api/sqlite/flushTransaction', {});
    const rows = await bench.api<unknown[]>('/api/query/sql', { stmt: `SELECT id FROM blocks WHERE root_id = '${id}' LIMIT 99` });
    expect(rows).toHaveLength(7);
    await write(await bench.host.notes.planRewrite({ id, markdown: 'second' }, 't', signal));
    expect(await texts(id)).toEqual(['second']);
  });
});

describe('Undo and Redo of blocks', () => {
  it('forget nothing while the notebook is closed', async () => {
    const doc = await bench.document('/Closed', 'one\n\ntwo');
    const [one = '', two = ''] = await bench.blocks(doc);
    const [edited, inserted] = [await write(await edit(doc, 'edited')), await write(await insert(one, 'ours'))];
    const deleted = await write(await bench.host.notes.planDeleteBlocks({ ids: [two] }, 't', signal));
    await deleted.undo();
    const whileClosed = async (run: () => Promise<unknown>): Promise<void> => {
      await bench.api('/api/notebook/closeNotebook', { notebook: bench.notebook });
      await run();
      await bench.api('/api/notebook/openNotebook', { notebook: bench.notebook });
    };
    const gone = [{ reasons: [{ code: 'notebook-gone' }] }];
    await whileClosed(async () => {
      expect((await inserted.undo()).conflicts).toMatchObject(gone);
      expect((await edited.undo()).conflicts).toMatchObject(gone);
      expect((await deleted.redo()).conflicts).toMatchObject(gone);
    });
    expect([(await edited.state()).undone, (await deleted.state()).undone]).toEqual([false, true]);
    expect((await deleted.redo()).conflicts).toEqual([]);
    expect(await texts(doc)).toEqual(['edited', 'ours']);
    await inserted.undo();
    await edited.undo();
    expect(await texts(doc)).toEqual(['one']);
  });

  it('remove no block that somebody took to another note since', async () => {
    const [doc, safe] = [await bench.document('/Taken from', 'x\n\nprecious'), await bench.document('/Safe', 'here')];
    const [, precious = ''] = await bench.blocks(doc);
    const [here = ''] = await bench.blocks(safe);
    const deleted = await write(await bench.host.notes.planDeleteBlocks({ ids: [precious] }, 't', signal));
    await deleted.undo();
    await bench.transact([{ action: 'move', id: precious, previousID: here }]);
    expect((await deleted.redo()).conflicts).toMatchObject([{ blockId: precious, reasons: [{ code: 'moved' }] }]);
    expect(await texts(safe)).toEqual(['here', 'precious']);
  });

  it('leave alone a text that the user wrote at the moment of the change, which no approval had shown', async () => {
    const doc = await bench.document('/Moment', 'one #many#\n\ntwo #many#');
    const [one = '', two = ''] = await bench.blocks(doc);
    await bench.delivered(doc);
    const plan = await bench.host.notes.planTag({ label: 'many', to: 'more' }, 'tags', signal);
    const nodeId = freshNode();
    bench.hooks = {
      before: async (path) => {
        if (path !== '/api/transactions') return;
        bench.hooks = {};
        await bench.transact([{ action: 'update', id: two, data: paragraph(two, 'mine first') }]);
      },
    };
    expect(await codeOf(applyAs(bench, plan, nodeId))).not.toBe('no error');
    const history = () => bench.reopen().history;
    await history().undo(origin.sessionId, nodeId, signal);
    expect(await texts(doc)).toEqual(['one #many#', 'mine first']);
    expect(await history().state(origin.sessionId, nodeId)).toMatchObject({ undone: true, redo: 1 });
    expect(await history().redo(origin.sessionId, nodeId, signal)).toEqual({
      restored: [one],
      conflicts: [{ blockId: two, reasons: [{ code: 'changed' }] }],
    });
    expect(await texts(doc)).toEqual(['one #more#', 'mine first']);
    expect((await history().undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    expect(await texts(doc)).toEqual(['one #many#', 'mine first']);
  });

  it('write nothing again where the user keeps the note or its notebook from the assistant by now', async () => {
    const doc = await bench.document('/Kept', 'one\n\ntwo');
    const [one = ''] = await bench.blocks(doc);
    const inserted = await write(await insert(one, 'ours'));
    await inserted.undo();
    const guard = (value: string) => bench.api('/api/attr/setBlockAttrs', { id: doc, attrs: { 'custom-ai-access': value } });
    await guard('none');
    expect((await inserted.redo()).conflicts).toMatchObject([{ reasons: [{ code: 'no-right' }] }]);
    await guard('');
    bench.policy.setRight(bench.notebook, 'none');
    expect((await inserted.redo()).conflicts).toMatchObject([{ reasons: [{ code: 'no-right' }] }]);
    expect(await texts(doc)).toEqual(['one', 'two']);
    bench.policy.setRight(bench.notebook, 'read');
    // The click is the consent.
    expect((await inserted.redo()).conflicts).toEqual([]);
    bench.policy.setRight(bench.notebook, 'delete');
    expect(await texts(doc)).toEqual(['one', 'ours', 'two']);
  });
});

describe('Redo of a note that was made', () => {
  it('brings back its blocks, its place and the notes above it', async () => {
    const made = await write(await create('/Deep/Down/Made'));
    const { documentId } = made.report;
    const written = steady(await bench.dom(documentId));
    expect((await made.undo()).conflicts).toEqual([]);
    expect(await exists(documentId)).toBe(false);
    expect((await made.redo()).conflicts).toEqual([]);
    expect(await pathOf(documentId)).toBe('/Deep/Down/Made');
    expect(steady(await bench.dom(documentId))).toBe(written);
    expect(await made.state()).toMatchObject({ undone: false });
    expect((await made.undo()).conflicts).toEqual([]);
    expect(await exists(documentId)).toBe(false);
  });

  it('is refused if another note has taken its path', async () => {
    const made = await write(await create('/Taken'));
    await made.undo();
    await bench.document('/Taken', 'mine');
    expect((await made.redo()).conflicts).toEqual([
      { blockId: made.report.documentId, reasons: [{ code: 'path-taken', title: '/Taken' }] },
    ]);
    expect(await exists(made.report.documentId)).toBe(false);
    expect(await made.state()).toMatchObject({ undone: true, redo: 3 });
  });

  it('is not offered if the user wrote in the note, so that Undo left it with that', async () => {
    const made = await write(await create('/With mine in it'));
    const id = '20260101000000-mineown';
    await bench.transact([{ action: 'insert', id, data: paragraph(id, 'mine'), parentID: made.report.documentId }]);
    await bench.delivered(made.report.documentId);
    expect((await made.undo()).conflicts).toEqual([
      { blockId: made.report.documentId, reasons: [{ code: 'document-kept' }], words: 'With mine in it' },
    ]);
    expect(await texts(made.report.documentId)).toEqual(['mine']);
    expect((await made.state()).redo).toBeUndefined();
    expect(await made.redo()).toEqual({ restored: [], conflicts: [] });
  });

  it('is not offered if the note was gone before Undo', async () => {
    const made = await write(await create('/Gone'));
    await bench.api('/api/filetree/removeDocByID', { id: made.report.documentId });
    await made.undo();
    expect((await made.state()).redo).toBeUndefined();
    expect(await made.redo()).toEqual({ restored: [], conflicts: [] });
    expect(await exists(made.report.documentId)).toBe(false);
  });
});

describe('Redo of what was done to notes as a whole', () => {
  it('renames, moves and removes them again', async () => {
    const [target, one, two, below] = [
      await bench.document('/Target', 'x'),
      await bench.document('/One', 'one'),
      await bench.document('/Two', 'two'),
      await bench.document('/Two/Below', 'below'),
    ];
    const renamed = await write(await organize({ op: 'rename', ids: [one], target: 'New' }));
    const moved = await write(await organize({ op: 'move', ids: [one], target }));
    const removed = await write(await bench.host.notes.planDeleteDocuments({ ids: [two] }, 'delete_doc', signal));
    for (const each of [removed, moved, renamed]) expect((await each.undo()).conflicts).toEqual([]);
    expect([await pathOf(one), await exists(two), await exists(below)]).toEqual(['/One', true, true]);
    for (const each of [renamed, moved, removed]) expect((await each.redo()).conflicts).toEqual([]);
    expect([await pathOf(one), await exists(two), await exists(below)]).toEqual(['/Target/New', false, false]);
    for (const each of [removed, moved, renamed]) expect((await each.undo()).conflicts).toEqual([]);
    expect([await pathOf(one), await exists(two), await exists(below)]).toEqual(['/One', true, true]);
  });

  it('is refused if they have been changed since, or are now hidden from the model', async () => {
    const [named, doomed, guarded] = [
      await bench.document('/Named', 'x'),
      await bench.document('/Doomed', 'x'),
      await bench.document('/Guarded', 'x'),
    ];
    const renamed = await write(await organize({ op: 'rename', ids: [named], target: 'Ours' }));
    const removed = await write(await bench.host.notes.planDeleteDocuments({ ids: [doomed] }, 'delete_doc', signal));
    const hidden = await write(await bench.host.notes.planDeleteDocuments({ ids: [guarded] }, 'delete_doc', signal));
    for (const each of [renamed, removed, hidden]) await each.undo();
    await bench.api('/api/filetree/renameDocByID', { id: named, title: 'Mine' });
    await bench.document('/Doomed/Came', 'x');
    await bench.api('/api/attr/setBlockAttrs', { id: guarded, attrs: { 'custom-ai-access': 'none' } });
    for (const [each, id] of [
      [renamed, named],
      [removed, doomed],
      [hidden, guarded],
    ] as const) {
      const { restored, conflicts } = await each.redo();
      expect([restored, conflicts.map(({ blockId }) => blockId)]).toEqual([[], [id]]);
    }
    expect([await pathOf(named), await exists(doomed), await exists(guarded)]).toEqual(['/Mine', true, true]);
  });

  it('creates a notebook of that name again', async () => {
    const made = await write(await bench.host.notes.planNotebook({ op: 'create', name: 'Again' }, 'manage_notebook', signal));
    const named = async () =>
      (await bench.api<{ notebooks: { name: string }[] }>('/api/notebook/lsNotebooks', {})).notebooks.filter(
        ({ name }) => name === 'Again',
      );
    await made.undo();
    expect(await named()).toHaveLength(0);
    expect((await made.redo()).conflicts).toEqual([]);
    expect(await named()).toHaveLength(1);
    expect((await made.undo()).conflicts).toEqual([]);
    expect(await named()).toHaveLength(0);
  });
});

describe('Redo', () => {
  it('waits for a caret in its blocks, and writes nothing if the user says no', async () => {
    const doc = await bench.document('/Caret', 'one');
    const [block = ''] = await bench.blocks(doc);
    const edited = await write(await edit(doc, 'ours'));
    await edited.undo();
    bench.caret = [block];
    bench.caretAnswer = 'cancel';
    expect(await codeOf(edited.redo())).toBe('not_approved');
    expect(await bench.markdown(doc)).toEqual(['one']);
    bench.caretAnswer = 'left';
    expect((await edited.redo()).conflicts).toEqual([]);
    expect(await bench.markdown(doc)).toEqual(['ours']);
  });

  it('keeps what somebody writes at the very moment it is sent', async () => {
    const doc = await bench.document('/Raced', 'one');
    const [block = ''] = await bench.blocks(doc);
    const edited = await write(await edit(doc, 'ours'));
    await edited.undo();
    let typed = false;
    bench.hooks = {
      before: async (path) => {
        if (path !== '/api/transactions' || typed) return;
        typed = true;
        await bench.transact([{ action: 'update', id: block, data: paragraph(block, 'mine') }]);
      },
    };
    expect((await edited.redo()).conflicts).toEqual([{ blockId: block, reasons: [{ code: 'changed' }] }]);
    expect(typed).toBe(true);
    expect(await bench.markdown(doc)).toEqual(['mine']);
  });

  it('goes on after a crash in the middle, and writes nothing twice', async () => {
    const doc = await bench.document('/Crash', 'one');
    const added = await write(await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown: 'a\n\nb' }, 't', signal));
    const written = steady(await bench.dom(doc));
    await added.undo();
    bench.hooks = {
      after: (path) => {
        if (path === '/api/transactions') throw new TypeError('connection reset');
      },
    };
    await expect(added.redo()).rejects.toThrow();
    bench.hooks = {};
    expect(await added.state()).toMatchObject({ undone: true, redo: 2 });
    expect((await added.redo()).conflicts).toEqual([]);
    expect(steady(await bench.dom(doc))).toBe(written);
    expect((await added.undo()).conflicts).toEqual([]);
    expect(await bench.markdown(doc)).toEqual(['one']);
  });
});
