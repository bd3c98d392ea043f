import { describe, expect, it } from 'vitest';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import { freshNode } from './block-support.ts';
import { codeOf, origin, signal, useBench } from './support.ts';

const bench = useBench('write');

const idsAt = (path: string): Promise<string[]> => bench.api('/api/filetree/getIDsByHPath', { notebook: bench.notebook, path });
const paragraph = (id: string, text: string): string =>
  `<div data-node-id="${id}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${text}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;
async function create(path: string, markdown: string, node: string): Promise<string> {
  const plan = await bench.host.notes.planCreateDocument({ notebook: bench.notebook, path, markdown }, 'create_doc', signal);
  return (await bench.apply(plan, undefined, { ...origin, nodeId: node })).documentId;
}

describe('a new document', () => {
  it('is planned without being made, made with its parents, filled, and undone with its parents', async () => {
    const print = bench.fingerprint();
    const request = { notebook: bench.notebook, path: 'Area/Project/Plan', markdown: '# Plan\n\ntext' };
    const plan = await bench.host.notes.planCreateDocument(request, 'create_doc', signal);
    expect(plan).toMatchObject({
      document: { id: null, title: 'Plan', path: '/Area/Project/Plan' },
      anchorId: null,
      undo: { kind: 'exact' },
    });
    expect(plan.operations.map((operation) => operation.action)).toEqual(['create-document', 'insert', 'insert']);
    expect(bench.fingerprint()).toBe(print);
    const { documentId } = await bench.apply(plan, undefined, { ...origin, nodeId: 'create' });
    expect(await idsAt('/Area/Project/Plan')).toEqual([documentId]);
    expect(await bench.markdown(documentId)).toEqual(['# Plan', 'text']);
    expect(await bench.host.history.undo(origin.sessionId, 'create', signal)).toMatchObject({ conflicts: [] });
    for (const path of ['/Area/Project/Plan', '/Area/Project', '/Area']) expect(await idsAt(path)).toEqual([]);
  });

  it('holds long text in order', async () => {
    const lines = Array.from({ length: 80 }, (_unused, index) => `line ${index}`);
    const id = await create('/Long', lines.join('\n\n'), 'long');
    expect(await bench.markdown(id)).toEqual(lines);
  });

  it('is refused where one stands, at plan and at apply', async () => {
    const request = { notebook: bench.notebook, path: '/Taken', markdown: 'x' };
    const plan = await bench.host.notes.planCreateDocument(request, 't', signal);
    await bench.document('/Taken', 'mine');
    const print = bench.fingerprint();
    expect(await codeOf(bench.apply(plan))).toBe('path_exists');
    expect(await codeOf(bench.host.notes.planCreateDocument(request, 't', signal))).toBe('path_exists');
    expect(bench.fingerprint()).toBe(print);
    for (const path of ['', '/', '/a/../b', '/a//b', '/a\n']) {
      const code = await codeOf(bench.host.notes.planCreateDocument({ ...request, path }, 't', signal));
      expect(code === 'bad_path' || path === '/a\n').toBe(true);
    }
  });

  it('is kept by undo when the user wrote into it, or put documents under it', async () => {
    const id = await create('/Kept', 'ours', 'kept');
    const [ours] = await bench.blocks(id);
    const mine = '20260101000000-minemin';
    await bench.transact([{ action: 'insert', id: mine, data: paragraph(mine, 'mine'), previousID: ours }]);
    const report = await bench.host.history.undo(origin.sessionId, 'kept', signal);
    expect(report.conflicts).toEqual([{ blockId: id, reasons: [{ code: 'document-kept' }], words: 'Kept' }]);
    expect(await bench.markdown(id)).toEqual(['mine']);

    const parent = await create('/Parent', 'ours', 'parent');
    await bench.document('/Parent/Child', 'mine');
    expect((await bench.host.history.undo(origin.sessionId, 'parent', signal)).conflicts).toMatchObject([{ blockId: parent }]);
    expect(await idsAt('/Parent/Child')).toHaveLength(1);
  });

  it('is kept by undo when the user edited what we wrote', async () => {
    const id = await create('/Edited', 'ours\n\nours too', 'edited');
    const [first] = await bench.blocks(id);
    await bench.transact([{ action: 'update', id: first, data: paragraph(first!, 'ours, better') }]);
    const report = await bench.host.history.undo(origin.sessionId, 'edited', signal);
    expect(report.conflicts.map((conflict) => conflict.blockId)).toEqual([first, id]);
    expect(await bench.markdown(id)).toEqual(['ours, better']);
  });

  it('is outcome_unknown when the kernel goes away while it is made, and nothing is made twice', async () => {
    const plan = await bench.host.notes.planCreateDocument({ notebook: bench.notebook, path: '/Lost', markdown: 'x' }, 't', signal);
    bench.hooks = {
      after: (path) => {
        if (path === '/api/filetree/createDocWithMd') throw new TypeError('gone');
      },
    };
    expect(await codeOf(bench.apply(plan, undefined, { ...origin, nodeId: 'lost' }))).toBe('outcome_unknown');
    bench.hooks = {};
    expect(await idsAt('/Lost')).toHaveLength(1);
    expect((await bench.host.history.undo(origin.sessionId, 'lost', signal)).conflicts).toHaveLength(1);
    expect(await idsAt('/Lost')).toHaveLength(1);
  });

  it.each<[string, string, string, (path: string, markdown: string) => Promise<ChangePlan>]>([
    [
      'made',
      'new',
      '/api/transactions',
      (path, markdown) => bench.host.notes.planCreateDocument({ notebook: bench.notebook, path, markdown }, 't', signal),
    ],
    [
      'duplicated',
      'old copy',
      '/api/sqlite/flushTransaction',
      async (path, markdown) => {
        const id = await bench.document(path.replace(/ copy$/, ''), markdown);
        return bench.host.notes.planOrganize({ op: 'duplicate', ids: [id] }, 't', signal);
      },
    ],
  ])('that was %s although its blocks could not be written is said to stand, and undo removes it', async (_what, name, failing, plan) => {
    const [target = ''] = await bench.blocks(await bench.document(`/Target ${freshNode()}`, 'there'));
    const path = `/Empty ${freshNode()} ${name}`;
    const made = await plan(path, `one ((${target} "there"))`);
    let isMade = false;
    bench.hooks = {
      after: (route) => {
        isMade ||= route === '/api/filetree/createDocWithMd';
      },
      before: (route) => {
        if (isMade && route === failing) throw new TypeError('gone');
      },
    };
    const nodeId = freshNode();
    const failure = await bench.apply(made, undefined, { ...origin, nodeId }).catch((error: unknown) => error);
    bench.hooks = {};
    expect(failure).toMatchObject({
      code: 'kernel_unreachable',
      message: expect.stringContaining('the document itself had been written before, and is empty'),
      next: 'Undo removes it',
    });
    expect(await idsAt(path)).toHaveLength(1);
    expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    expect(await idsAt(path)).toEqual([]);
  });
});

describe("today's note", () => {
  const today = new Date().toLocaleDateString('sv-SE');

  it('is not made by planning, made once by applying, appended to, and undone', async () => {
    const { notes, history } = bench.host;
    expect(await notes.dailyNotes({ from: today, to: today }, signal)).toEqual([]);
    const print = bench.fingerprint();
    const plan = await notes.planDailyAppend({ date: today, notebook: bench.notebook, markdown: 'first' }, 'daily_note', signal);
    const rival = await notes.planDailyAppend({ date: today, notebook: bench.notebook, markdown: 'second' }, 'daily_note', signal);
    expect(plan.document).toMatchObject({ id: null, title: today });
    expect(bench.fingerprint()).toBe(print);
    const { documentId } = await bench.apply(plan, undefined, { ...origin, nodeId: 'daily-1' });
    expect(await bench.markdown(documentId)).toEqual(['first']);
    expect((await bench.apply(rival, undefined, { ...origin, nodeId: 'daily-2' })).documentId).toBe(documentId);
    const third = await notes.planDailyAppend({ date: today, notebook: bench.notebook, markdown: 'third' }, 'daily_note', signal);
    expect(third.document.id).toBe(documentId);
    await bench.apply(third, undefined, { ...origin, nodeId: 'daily-3' });
    expect(await bench.markdown(documentId)).toEqual(['first', 'second', 'third']);
    expect(await notes.dailyNotes({ from: '2020-01-01', to: today, notebook: bench.notebook }, signal)).toMatchObject([
      { id: documentId, date: today },
    ]);
    for (const node of ['daily-3', 'daily-2']) expect((await history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(await bench.markdown(documentId)).toEqual(['first']);
    expect((await history.undo(origin.sessionId, 'daily-1', signal)).conflicts).toEqual([]);
    expect(await notes.dailyNotes({ from: today, to: today }, signal)).toEqual([]);
  });

  it('of another day is only appended to where it is', async () => {
    expect(
      await codeOf(bench.host.notes.planDailyAppend({ date: '2001-01-01', notebook: bench.notebook, markdown: 'x' }, 't', signal)),
    ).toBe('not_found');
    expect(await codeOf(bench.host.notes.planDailyAppend({ date: '1.1.2001', markdown: 'x' }, 't', signal))).toBe('bad_date');
    const old = await bench.document('/Diary 2001', 'old');
    await bench.api('/api/attr/setBlockAttrs', { id: old, attrs: { 'custom-dailynote-20010101': '20010101' } });
    await bench.apply(
      await bench.host.notes.planDailyAppend({ date: '2001-01-01', notebook: bench.notebook, markdown: 'added' }, 't', signal),
    );
    expect(await bench.markdown(old)).toEqual(['old', 'added']);
  });
});

describe('reading', () => {
  it('lists documents in depth and in pages', async () => {
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Tree' });
    const make = (path: string): Promise<string> =>
      bench.api('/api/filetree/createDocWithMd', { notebook: notebook.id, path, markdown: '# H\n\ntext\n\n## Sub' });
    const a = await make('/A');
    await make('/A/B');
    await make('/A/B/C');
    await make('/D');
    const { notes } = bench.host;
    const list = (depth: number, page = 1, pageSize = 50, parent = notebook.id) =>
      notes.documents({ parent, depth, page, pageSize }, signal);
    const paths = async (run: ReturnType<typeof list>): Promise<string[]> =>
      (await run).documents.map((each) => `${each.path} +${each.moreChildren}`).sort();
    expect(await paths(list(1))).toEqual(['/A +1', '/D +0']);
    expect(await paths(list(2))).toEqual(['/A +0', '/A/B +1', '/D +0']);
    expect(await paths(list(9, 1, 50, a))).toEqual(['/A/B +0', '/A/B/C +0']);
    expect(await list(9, 1, 3)).toMatchObject({ total: 4, nextPage: 2 });
    expect((await list(9, 2, 3)).documents).toHaveLength(1);
    const reading = await notes.document({ notebook: 'Tree', path: 'A/B' }, { start: 1, blocks: 1 }, signal);
    expect(reading).toMatchObject({
      path: '/A/B',
      title: 'B',
      totalBlocks: 3,
      start: 1,
      outline: [
        { level: 1, text: 'H' },
        { level: 2, text: 'Sub' },
      ],
    });
    expect(reading.blocks.map((block) => [block.type, block.markdown])).toEqual([['p', 'text']]);
    expect(await notes.document({ path: '/Tree/A/B' }, { start: 0, blocks: 1 }, signal)).toMatchObject({ path: '/A/B' });
    await bench.document('/D', 'another D');
    expect(await codeOf(notes.document({ path: '/D' }, { start: 0, blocks: 1 }, signal))).toBe('ambiguous_path');
    expect(await codeOf(notes.document({ path: '/No' }, { start: 0, blocks: 1 }, signal))).toBe('not_found');
  });

  it('searches with snippets, types and pages', async () => {
    await bench.document('/Search/Rockets', '# Rocket notes\n\nthe quick brown fox\n\nquick silver\n\n思源笔记是一款隐私优先的笔记软件');
    await bench.api('/api/sqlite/flushTransaction', {});
    const search = (query: string, extra: object = {}) =>
      bench.host.notes.search({ query, mode: 'keyword', page: 1, pageSize: 10, ...extra }, signal);
    const quick = await search('quick');
    expect(quick.matches.map((match) => match.snippet).sort()).toEqual(['quick silver', 'the quick brown fox']);
    expect(quick.matches[0]).toMatchObject({ documentTitle: 'Rockets', path: '/Search/Rockets', notebook: bench.notebook, type: 'p' });
    expect((await search('隐私')).matches).toHaveLength(1);
    expect((await search('Rocket', { types: ['h'] })).matches.map((match) => match.type)).toEqual(['h']);
    expect((await search('qu.ck', { mode: 'regex' })).matches).toHaveLength(2);
    expect((await search('quick NOT silver', { mode: 'syntax' })).matches).toHaveLength(1);
    expect(await search('quick', { pageSize: 1 })).toMatchObject({ total: null, nextPage: 2 });
    expect(await codeOf(search(' '))).toBe('empty_text');
  });
});
