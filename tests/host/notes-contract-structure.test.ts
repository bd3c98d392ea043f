import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvePlan, type ChangePlan } from '../../src/tools/contract/plans.ts';
import type { WriteReport } from '../../src/tools/contract/ports.ts';
import { ABSENT, type ContractNotes, freshOrigin, idsOf, openHost, readWhole, textsOf } from './notes-contract.ts';
import { codeOf, signal } from './support.ts';

const today = (): string => new Date().toLocaleDateString('sv-SE');

describe('the structure of the host', () => {
  let world: ContractNotes;
  let counter = 0;
  beforeAll(async () => {
    world = await openHost();
    world.setRight(world.notebook, 'delete');
  });
  afterAll(() => world.close());

  /** A document with two below each other, at a path of its own. */
  async function make() {
    counter += 1;
    const path = `/Doc ${counter}`;
    const id = await world.document(path, 'one');
    const below = await world.document(`${path}/Below`, 'two');
    return { path, id, below };
  }
  const pathOf = async (id: string): Promise<string> => (await world.notes.document({ id }, { start: 0, blocks: 1 }, signal)).path;
  const isThere = async (id: string): Promise<string> => codeOf(pathOf(id));

  /** Applies, looks, undoes and expects every document as it was. */
  async function thereAndBack<Seen>(plan: ChangePlan, ids: readonly string[], look: (report: WriteReport) => Promise<Seen>): Promise<Seen> {
    const before = await Promise.all(ids.map((id) => readWhole(world, id)));
    const from = freshOrigin();
    const seen = await look(await world.notes.apply(approvePlan(plan), from, signal));
    expect((await world.history.undo(from.sessionId, from.nodeId, signal)).conflicts).toEqual([]);
    expect(await Promise.all(ids.map((id) => readWhole(world, id)))).toEqual(before);
    return seen;
  }

  describe('a new document', () => {
    const create = (path: string, markdown = '# Head\n\ntext') =>
      world.notes.planCreateDocument({ notebook: world.notebook, path, markdown }, 'create_doc', signal);

    it('is planned as one step that its blocks require', async () => {
      const plan = await create('/New/One');
      expect(plan.document).toEqual({ id: null, title: 'One', path: '/New/One' });
      expect(plan.anchorId).toBeNull();
      const [first, ...rest] = plan.operations;
      expect(first).toMatchObject({
        action: 'create-document',
        blockId: '',
        blockType: 'd',
        before: null,
        after: '/New/One',
        requires: [],
      });
      expect(rest.map(({ action, after, requires }) => [action, after, requires])).toEqual([
        ['insert', '# Head', [first?.id]],
        ['insert', 'text', [first?.id]],
      ]);
      const { documentId } = await world.notes.apply(approvePlan(plan, [first!.id, rest[1]!.id]), freshOrigin(), signal);
      expect(await textsOf(world, documentId)).toEqual(['text']);
      expect(await pathOf(documentId)).toBe('/New/One');
      expect(await codeOf(create('/New/One'))).toBe('path_exists');
    });

    it('is gone after undo, and its path is free again', async () => {
      const { documentId } = await thereAndBack(await create('/New/Two'), [], async (report) => {
        expect(await textsOf(world, report.documentId)).toEqual(['# Head', 'text']);
        return report;
      });
      expect(await isThere(documentId)).toBe('not_found');
      expect(await codeOf(create('/New/Two'))).toBe('no error');
    });

    it('has a code for a path or text that is none, and for a notebook that is not there', async () => {
      expect(await codeOf(create('/a//b'))).toBe('bad_path');
      expect(await codeOf(create(' '))).toBe('bad_path');
      expect(await codeOf(create('/New/Three', ' '))).toBe('empty_text');
      const elsewhere = (notebook: string) => codeOf(world.notes.planCreateDocument({ notebook, path: '/x', markdown: 'x' }, 't', signal));
      expect(await elsewhere(ABSENT)).toBe('not_found');
    });
  });

  describe('the day', () => {
    const append = (date: string, notebook = world.notebook) =>
      world.notes.planDailyAppend({ date, notebook, markdown: 'met Anna' }, 'daily_note', signal);
    const notes = () => world.notes.dailyNotes({ from: '2000-01-01', to: today(), notebook: world.notebook }, signal);

    it('is written into its note, which is made where it is missing', async () => {
      expect(await notes()).toEqual([]);
      const plan = await append(today());
      const path = plan.document.path;
      expect(path.endsWith(`/${today()}`)).toBe(true);
      expect(plan.operations.map(({ action }) => action)).toEqual(['create-document', 'insert']);
      const { documentId } = await world.notes.apply(approvePlan(plan), freshOrigin(), signal);
      expect(await notes()).toEqual([{ id: documentId, notebook: { id: world.notebook, name: 'Notes' }, date: today(), path }]);
      const more = await append(today());
      expect(more.operations.map(({ action }) => action)).toEqual(['insert']);
      await world.notes.apply(approvePlan(more), freshOrigin(), signal);
      expect((await textsOf(world, documentId)).slice(-2)).toEqual(['met Anna', 'met Anna']);
      expect(await world.notes.dailyNotes({ from: '2000-01-01', to: '2000-12-31' }, signal)).toEqual([]);
    });

    it('has a code for a day without a note, and for what is no day', async () => {
      expect(await codeOf(append('2001-01-01'))).toBe('not_found');
      expect(await codeOf(append('soon'))).toBe('bad_date');
      expect(await codeOf(append(today(), ABSENT))).toBe('not_found');
      expect(await codeOf(world.notes.dailyNotes({ from: 'x', to: today() }, signal))).toBe('bad_date');
    });
  });

  describe('organizing', () => {
    const organize = (op: 'rename' | 'move' | 'duplicate', ids: readonly string[], target?: string) =>
      world.notes.planOrganize({ op, ids, ...(target === undefined ? {} : { target }) }, 't', signal);

    it('renames a document, and what is below it goes along', async () => {
      const { path, id, below } = await make();
      const plan = await organize('rename', [id], `New ${counter}`);
      expect(plan.operations).toMatchObject([{ action: 'rename-document', blockId: id, before: path, after: `/New ${counter}` }]);
      expect(await thereAndBack(plan, [id, below], () => pathOf(below))).toBe(`/New ${counter}/Below`);
    });

    it('moves documents below another or to a notebook', async () => {
      const { path, id, below } = await make();
      const target = await make();
      const plan = await organize('move', [id], target.id);
      expect(plan.operations).toMatchObject([{ action: 'move-document', blockId: id, before: path, after: `${target.path}${path}` }]);
      expect(await thereAndBack(plan, [id, below], () => pathOf(below))).toBe(`${target.path}${path}/Below`);
      const other = await world.addNotebook(`Other ${counter}`, 'write');
      const notebookOf = async () => (await world.notes.document({ id }, { start: 0, blocks: 1 }, signal)).notebook.id;
      expect(await thereAndBack(await organize('move', [id], other), [id, below], notebookOf)).toBe(other);
    });

    it('duplicates a document', async () => {
      const { id } = await make();
      const texts = await thereAndBack(await organize('duplicate', [id]), [id], async (report) => {
        expect(report.documentId).not.toBe(id);
        return textsOf(world, report.documentId);
      });
      expect(texts).toEqual(['one']);
    });

    it('has a code for what cannot be done', async () => {
      const { path, id, below } = await make();
      const other = await make();
      const [block = ''] = await idsOf(world, id);
      expect(await codeOf(organize('rename', [id], path.slice(1)))).toBe('no_change');
      expect(await codeOf(organize('rename', [id], other.path.slice(1)))).toBe('path_exists');
      expect(await codeOf(organize('rename', [id], ' '))).toBe('empty_text');
      expect(await codeOf(organize('rename', [id], 'a/b'))).toBe('bad_path');
      expect(await codeOf(organize('rename', [id, other.id], 'x'))).toBe('bad_target');
      expect(await codeOf(organize('duplicate', [id, other.id]))).toBe('bad_target');
      expect(await codeOf(organize('move', [id], below))).toBe('bad_target');
      expect(await codeOf(organize('move', [id], world.notebook))).toBe('no_change');
      expect(await codeOf(organize('move', [id], block))).toBe('bad_target');
      expect(await codeOf(organize('move', [id]))).toBe('bad_target');
      expect(await codeOf(organize('move', [id], ABSENT))).toBe('not_found');
      expect(await codeOf(organize('rename', [block], 'x'))).toBe('bad_id');
      expect(await codeOf(organize('rename', [], 'x'))).toBe('bad_id');
      expect(await codeOf(organize('rename', [ABSENT], 'x'))).toBe('not_found');
      expect(await codeOf(organize('rename', [world.notebook], 'x'))).toBe('bad_id');
    });
  });

  it('loses documents with what is below them, and gets them back', async () => {
    const { path, id, below } = await make();
    const plan = await world.notes.planDeleteDocuments({ ids: [id, below] }, 't', signal);
    expect(plan.operations).toMatchObject([{ action: 'delete-document', blockId: id, before: path, after: null }]);
    expect(plan.notices).toEqual([{ code: 'children-deleted', count: 1 }]);
    const gone = await thereAndBack(plan, [id, below], async () => [await isThere(id), await isThere(below)]);
    expect(gone).toEqual(['not_found', 'not_found']);
    const [block = ''] = await idsOf(world, id);
    const codes = [block, ABSENT, 'nonsense'].map((each) => codeOf(world.notes.planDeleteDocuments({ ids: [each] }, 't', signal)));
    expect(await Promise.all(codes)).toEqual(['bad_id', 'not_found', 'bad_id']);
  });

  describe('attributes', () => {
    const set = (ids: readonly string[], attrs: Readonly<Record<string, string>>) =>
      world.notes.planAttributes({ ids, attrs }, 't', signal);

    it('are set and removed, of blocks and documents', async () => {
      const { id } = await make();
      const [block = ''] = await idsOf(world, id);
      const plan = await set([block, id], { Memo: 'mine', 'custom-state': 'done' });
      expect(plan.operations.map(({ action, blockId, before }) => [action, blockId, before])).toEqual([
        ['set-attributes', block, null],
        ['set-attributes', id, null],
      ]);
      expect(plan.operations[0]?.after?.split('\n').sort()).toEqual(['custom-state = done', 'memo = mine']);
      // What is shown is each value that is written, however it reads among the others.
      const forged = await set([block], { memo: 'A', 'custom-z': 'ok\nmemo = B' });
      expect(forged.operations[0]?.attributes).toEqual([
        { name: 'memo', before: null, after: 'A' },
        { name: 'custom-z', before: null, after: 'ok\nmemo = B' },
      ]);
      await thereAndBack(plan, [id], async () => {
        for (const each of [block, id])
          expect((await world.notes.attributes(each, signal)).attributes).toMatchObject({ memo: 'mine', 'custom-state': 'done' });
      });
      await world.notes.apply(approvePlan(await set([block], { memo: 'mine' })), freshOrigin(), signal);
      await world.notes.apply(approvePlan(await set([block], { memo: '' })), freshOrigin(), signal);
      expect((await world.notes.attributes(block, signal)).attributes).not.toHaveProperty('memo');
    });

    it('have a code for names that are not to be set', async () => {
      const { id } = await make();
      const [block = ''] = await idsOf(world, id);
      for (const name of ['id', 'updated', 'title', 'style', 'custom-ai-access', 'custom-marginalia-source', 'custom-avs'])
        expect([name, await codeOf(set([block], { [name]: 'x' }))]).toEqual([name, 'protected_attribute']);
      expect(await codeOf(set([block], { 'custom-Größe': 'x' }))).toBe('bad_attribute');
      expect(await codeOf(set([block], { icon: '1f680' }))).toBe('protected_attribute');
      expect(await codeOf(set([block], {}))).toBe('no_change');
      expect(await codeOf(set([block], { memo: '' }))).toBe('no_change');
      expect(await codeOf(set([], { memo: 'x' }))).toBe('bad_id');
      expect(await codeOf(set([ABSENT], { memo: 'x' }))).toBe('not_found');
      const elsewhere = await world.document('/Attributes', 'x', await world.addNotebook('Attributes', 'write'));
      expect(await codeOf(set([id, elsewhere], { memo: 'x' }))).toBe('bad_target');
    });
  });

  describe('a tag', () => {
    const rename = (label: string, to?: string) => world.notes.planTag({ label, ...(to === undefined ? {} : { to }) }, 't', signal);

    it('is renamed with the tags below it, or taken off', async () => {
      const id = await world.document('/Tagged', 'a #moon# b #moon/base#, not #moonlight#\n\nc #moon#\n\nd');
      const [first, second] = await idsOf(world, id);
      const plan = await rename('#moon#', 'space/moon');
      expect(plan.operations.map(({ blockId }) => blockId).sort()).toEqual([first, second].sort());
      const shown = { action: 'update', before: 'c #moon#', after: 'c #space/moon#' };
      expect(plan.operations.find(({ blockId }) => blockId === second)).toMatchObject(shown);
      expect(await thereAndBack(plan, [id], () => textsOf(world, id))).toEqual([
        'a #space/moon# b #space/moon/base#, not #moonlight#',
        'c #space/moon#',
        'd',
      ]);
      expect(await thereAndBack(await rename('moon'), [id], () => textsOf(world, id))).toEqual([
        'a moon b #moon/base#, not #moonlight#',
        'c moon',
        'd',
      ]);
    });

    it('has a code for what is none, no change and not there', async () => {
      expect(await codeOf(rename(' '))).toBe('bad_label');
      expect(await codeOf(rename('a', 'b#c'))).toBe('bad_label');
      expect(await codeOf(rename('a', '#a#'))).toBe('no_change');
      expect(await codeOf(rename('nowhere'))).toBe('not_found');
    });
  });

  it('can be asked for by one SELECT', async () => {
    const { id, path } = await make();
    const sql = (stmt: string, maxRows = 9) => world.notes.sql({ stmt, maxRows }, signal);
    // The kernel indexes in time; any read of its index brings it up to date.
    await world.notes.recentDocuments({ days: 1, limit: 1 }, signal);
    expect(await sql(`SELECT id, hpath FROM blocks WHERE root_id = '${id}' AND type = 'd'`)).toEqual({
      columns: ['id', 'hpath'],
      rows: [[id, path]],
      cut: false,
    });
    expect(await sql("SELECT id FROM blocks WHERE type = 'd'", 1)).toMatchObject({ rows: [expect.any(Array)], cut: true });
    expect(await codeOf(sql('DELETE FROM blocks'))).toBe('bad_sql');
  });

  describe('notebooks', () => {
    const names = async () => (await world.notes.notebooks(signal)).map(({ name, open: isOpen }) => `${name} ${isOpen}`);

    it('are made, renamed, closed and opened, and all of it comes back', async () => {
      const made = await thereAndBack(await world.notes.planNotebook({ op: 'create', name: 'Ideas' }, 't', signal), [], names);
      expect(made).toContain('Ideas true');
      expect(await names()).not.toContain('Ideas true');
      const id = await world.addNotebook('Shelf', 'write');
      const renamed = await thereAndBack(await world.notes.planNotebook({ op: 'rename', id, name: 'Rack' }, 't', signal), [], names);
      expect([renamed.includes('Rack true'), (await names()).includes('Shelf true')]).toEqual([true, true]);
      const closed = await thereAndBack(await world.notes.planNotebook({ op: 'close', id }, 't', signal), [], names);
      expect([closed.includes('Shelf false'), (await names()).includes('Shelf true')]).toEqual([true, true]);
    });

    it('are removed for good', async () => {
      const id = await world.addNotebook('Waste', 'delete');
      await world.document('/Gone', 'x', id);
      const plan = await world.notes.planNotebook({ op: 'remove', id }, 't', signal);
      expect(plan).toMatchObject({ undo: { kind: 'none' }, notices: [{ code: 'children-deleted', count: 1 }] });
      await world.notes.apply(approvePlan(plan), freshOrigin(), signal);
      expect(await names()).not.toContain('Waste true');
    });

    it('have a code for what cannot be done', async () => {
      const id = await world.addNotebook('Desk', 'write');
      const plan = (request: Parameters<ContractNotes['notes']['planNotebook']>[0]) =>
        codeOf(world.notes.planNotebook(request, 't', signal));
      expect(await plan({ op: 'create', name: 'Desk' })).toBe('path_exists');
      expect(await plan({ op: 'create', name: ' ' })).toBe('empty_text');
      expect(await plan({ op: 'open', id })).toBe('no_change');
      expect(await plan({ op: 'close', id: ABSENT })).toBe('not_found');
      expect(await plan({ op: 'close', id: 'nonsense' })).toBe('bad_id');
    });
  });
});
