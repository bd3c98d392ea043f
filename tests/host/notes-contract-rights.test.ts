import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NotebookRight } from '../../src/tools/contract/notebook-right.ts';
import { approvePlan, type ChangePlan } from '../../src/tools/contract/plans.ts';
import type { NotesPort } from '../../src/tools/contract/ports.ts';
import { type NoteSource, Withheld } from '../../src/tools/contract/provenance.ts';
import { type ContractNotes, freshOrigin, idsOf, openHost, readWhole, textsOf } from './notes-contract.ts';
import { codeOf, signal } from './support.ts';

/** Everything that an id is given to: one that is hidden is answered as one that is nowhere. */
const BY_ID: readonly (readonly [string, (notes: NotesPort, id: string, open: string) => Promise<unknown>])[] = [
  ['documents', (notes, id) => notes.documents({ parent: id, depth: 1, page: 1, pageSize: 9 }, signal)],
  ['document', (notes, id) => notes.document({ id }, { start: 0, blocks: 9 }, signal)],
  ['blocks', (notes, id) => notes.blocks({ id, range: 'self', limit: 9 }, signal)],
  ['grep', (notes, id) => notes.grep({ id, pattern: 'x', regex: false, limit: 9 }, signal)],
  ['backlinks', (notes, id) => notes.backlinks({ id, kind: 'links', page: 1, pageSize: 9 }, signal)],
  ['attributes', (notes, id) => notes.attributes(id, signal)],
  ['exportMarkdown', (notes, id) => notes.exportMarkdown({ id }, signal)],
  ['planInsert', (notes, id) => notes.planInsert({ anchor: id, position: 'append', markdown: 'x' }, 't', signal)],
  ['planEdit', (notes, id) => notes.planEdit({ id, expectHash: '00000000', markdown: 'x' }, 't', signal)],
  ['planMoveBlocks of it', (notes, id, open) => notes.planMoveBlocks({ ids: [id], target: { after: open } }, 't', signal)],
  ['planMoveBlocks to it', (notes, id, open) => notes.planMoveBlocks({ ids: [open], target: { parent: id } }, 't', signal)],
  ['planDeleteBlocks', (notes, id) => notes.planDeleteBlocks({ ids: [id] }, 't', signal)],
  ['planRewrite', (notes, id) => notes.planRewrite({ id, markdown: 'x' }, 't', signal)],
  ['planAttributes', (notes, id) => notes.planAttributes({ ids: [id], attrs: { memo: 'x' } }, 't', signal)],
  ['planOrganize of it', (notes, id) => notes.planOrganize({ op: 'rename', ids: [id], target: 'x' }, 't', signal)],
  ['planDeleteDocuments', (notes, id) => notes.planDeleteDocuments({ ids: [id] }, 't', signal)],
];

describe('the rights over the host', () => {
  let world: ContractNotes;
  let counter = 0;
  beforeAll(async () => {
    world = await openHost();
  });
  afterAll(() => world.close());

  async function make(markdown = 'one\n\ntwo', notebook = world.notebook) {
    counter += 1;
    const path = `/Right ${counter}`;
    const id = await world.document(path, markdown, notebook);
    return { path, id, blocks: await idsOf(world, id) };
  }
  const apply = (plan: ChangePlan, beyondRight = false) =>
    world.notes.apply(approvePlan(plan, undefined, beyondRight), freshOrigin(), signal);
  const insert = (anchor: string) => world.notes.planInsert({ anchor, position: 'append', markdown: 'x' }, 't', signal);

  describe('of a notebook', () => {
    it.each(['read', 'write', 'delete'] as const)('at %s let read, and tell what a plan takes', async (right) => {
      const notebook = await world.addNotebook(`At ${right}`, right);
      const { id, blocks } = await make(undefined, notebook);
      expect(await textsOf(world, id)).toEqual(['one', 'two']);
      const write = right === 'read' ? 'write' : undefined;
      const erase = right === 'delete' ? undefined : 'delete';
      const { notes } = world;
      expect((await insert(id)).needsRight).toBe(write);
      expect((await notes.planCreateDocument({ notebook, path: '/New', markdown: 'x' }, 't', signal)).needsRight).toBe(write);
      expect((await notes.planAttributes({ ids: [id], attrs: { memo: 'x' } }, 't', signal)).needsRight).toBe(write);
      expect((await notes.planOrganize({ op: 'rename', ids: [id], target: 'x' }, 't', signal)).needsRight).toBe(write);
      expect((await notes.planDeleteBlocks({ ids: [blocks[0]!] }, 't', signal)).needsRight).toBe(erase);
      expect((await notes.planRewrite({ id, markdown: 'one' }, 't', signal)).needsRight).toBe(erase);
      const list = await make('- a\n- b\n- c', notebook);
      const [block] = (await notes.blocks({ id: list.blocks[0]!, range: 'self', limit: 1 }, signal)).blocks;
      const edit = (markdown: string) => notes.planEdit({ id: block!.id, expectHash: block!.hash, markdown }, 't', signal);
      expect((await edit('- a\n- B\n- c')).needsRight).toBe(write);
      const less = await edit('- a');
      expect([less.needsRight, less.notices]).toEqual([erase, [{ code: 'blocks-removed', count: 2 }]]);
      expect((await edit('a')).needsRight).toBe(erase);
      expect((await notes.planRewrite({ id: list.id, markdown: '- a\n- c' }, 't', signal)).needsRight).toBe(erase);
      expect((await notes.planDeleteDocuments({ ids: [id] }, 't', signal)).needsRight).toBe(erase);
      expect((await notes.planNotebook({ op: 'remove', id: notebook }, 't', signal)).needsRight).toBe(erase);
      expect((await notes.planNotebook({ op: 'close', id: notebook }, 't', signal)).needsRight).toBe(write);
    });

    it.each([
      ['read', insert],
      ['write', (id: string) => world.notes.planDeleteDocuments({ ids: [id] }, 't', signal)],
    ] as const)('at %s refuse what goes beyond, unless the person lets this one pass', async (right, plan) => {
      const notebook = await world.addNotebook(`Beyond ${right}`, right);
      const { id } = await make(undefined, notebook);
      const before = await readWhole(world, id);
      expect(await codeOf(apply(await plan(id)))).toBe('no_right');
      expect(await readWhole(world, id)).toEqual(before);
      expect(await codeOf(apply(await plan(id), true))).toBe('no error');
    });

    it('are asked again when a plan is applied', async () => {
      const notebook = await world.addNotebook('Asked again', 'write');
      const { id } = await make(undefined, notebook);
      const plans = [await insert(id), await insert(id), await insert(id)];
      const at = async (right: NotebookRight): Promise<string> => {
        world.setRight(notebook, right);
        return codeOf(apply(plans.pop()!));
      };
      expect(await at('read')).toBe('no_right');
      expect(await at('none')).toBe('not_found');
      expect(await at('write')).toBe('no error');
      expect(await textsOf(world, id)).toEqual(['one', 'two', 'x']);
      const last = await insert(id);
      await world.closeNotebook(notebook);
      expect(await codeOf(apply(last))).toBe('closed_notebook');
    });
  });

  describe('hide', () => {
    it.each(BY_ID)('a notebook, a closed one, a document and a block from %s', async (_method, call) => {
      const { blocks } = await make();
      const [secret, shut] = [await world.addNotebook(`Secret ${counter}`, 'write'), await world.addNotebook(`Shut ${counter}`, 'write')];
      const [hidden, closed, guarded, holder] = [await make('x', secret), await make('x', shut), await make('x'), await make()];
      world.setRight(secret, 'none');
      await world.closeNotebook(shut);
      await world.guard(guarded.id);
      await world.guard(holder.blocks[1]!);
      const ids = [secret, hidden.id, ...hidden.blocks, closed.id, ...closed.blocks, guarded.id, ...guarded.blocks, holder.blocks[1]!];
      const codes: string[] = [];
      for (const id of ids) codes.push(await codeOf(call(world.notes, id, blocks[0]!)));
      expect(codes).toEqual(ids.map(() => 'not_found'));
    });

    it('a document with all that is below it, a heading with its section, an item with what is below it', async () => {
      const { id, path } = await make('above\n\n# Secret\n\nbelow\n\n# Open\n\n- a\n  - b\n- c');
      const below = await world.document(`${path}/Below`, 'x');
      const { blocks } = await world.notes.document({ id }, { start: 0, blocks: 9 }, signal);
      const heading = blocks[1]!.id;
      const item = blocks[4]!.items![0]!.id;
      await world.guard(heading);
      const cut = await world.notes.document({ id }, { start: 0, blocks: 9 }, signal);
      expect([cut.blocks.map(({ markdown }) => markdown.split('\n')[0]), cut.hidden]).toEqual([['above', '# Open', '- a'], 2]);
      expect(cut.outline.map(({ text }) => text)).toEqual(['Open']);
      expect(await codeOf(world.notes.attributes(blocks[2]!.id, signal))).toBe('not_found');
      await world.guard(item);
      const list = (await world.notes.document({ id }, { start: 0, blocks: 9 }, signal)).blocks.at(-1);
      expect([list?.markdown, list?.items?.map(({ markdown }) => markdown), list?.hash]).toEqual(['- c', ['c'], list?.hash]);
      expect(await codeOf(world.notes.attributes(item, signal))).toBe('not_found');
      const exported = await world.notes.exportMarkdown({ id }, signal);
      expect(exported).toMatchObject({ markdown: 'above\n\n# Open\n\n- c', hidden: 3 });
      await world.guard(id);
      expect(await codeOf(textsOf(world, below))).toBe('not_found');
    });

    it('nothing else: the window counts on, and what a rewrite or an edit leaves is told', async () => {
      const { id, blocks } = await make('a\n\nb\n\nc\n\nd');
      await world.guard(blocks[1]!);
      const window = (start: number, count: number) => world.notes.document({ id }, { start, blocks: count }, signal);
      const texts = async (start: number, count: number) => (await window(start, count)).blocks.map(({ markdown }) => markdown);
      expect(await window(0, 9)).toMatchObject({ totalBlocks: 4, hidden: 1 });
      expect(await window(2, 9)).toMatchObject({ totalBlocks: 4, hidden: 0 });
      expect([await texts(0, 2), await texts(1, 2), await texts(2, 9)]).toEqual([['a'], ['c'], ['c', 'd']]);
      const around = await world.notes.blocks({ id: blocks[0]!, range: 'after', limit: 2 }, signal);
      expect([around.blocks.map(({ markdown }) => markdown), around.more, around.hidden]).toEqual([['c'], 1, 1]);
      expect((await world.notes.grep({ id, pattern: 'd', regex: false, limit: 9 }, signal)).matches).toMatchObject([{ index: 3 }]);
      const plan = await world.notes.planRewrite({ id, markdown: 'a\n\nc, changed\n\nd' }, 't', signal);
      expect(plan.notices).toEqual([{ code: 'hidden-kept', count: 1 }]);
      await apply(plan);
      await world.guard(blocks[1]!, false);
      expect(await textsOf(world, id)).toEqual(['a', 'b', 'c, changed', 'd']);
    });

    it('what is hidden between a plan and its approval', async () => {
      const { id, blocks } = await make();
      const plans = [await insert(blocks[0]!), await world.notes.planDeleteBlocks({ ids: [blocks[0]!] }, 't', signal)];
      await world.guard(blocks[0]!);
      for (const plan of plans) expect(await codeOf(apply(plan, true))).toBe('stale');
      await world.guard(blocks[0]!, false);
      expect(await textsOf(world, id)).toEqual(['one', 'two']);
    });
  });

  describe('over what was read before', () => {
    const traced = async (ids: readonly string[], notebooks: readonly string[] = []): Promise<readonly NoteSource[]> =>
      world.rights.trace({ ids, notebooks }, await world.rights.currentObstacles(signal), signal);
    const isWithheld = async (sources: readonly NoteSource[]): Promise<boolean> =>
      (await Withheld.ask(world.rights, sources, signal)).holds(sources);

    it('follow documents and blocks', async () => {
      const { id, blocks } = await make();
      const other = await make();
      const sources = await traced([id, ...blocks], [world.notebook]);
      expect(sources).toMatchObject([{ notebook: world.notebook, document: id, blocks: expect.arrayContaining(blocks) }]);
      expect(await isWithheld(sources)).toBe(false);
      await world.guard(other.id);
      expect(await isWithheld(sources)).toBe(false);
      for (const each of [id, blocks[1]!]) {
        await world.guard(each);
        expect(await isWithheld(sources)).toBe(true);
        await world.guard(each, false);
        expect(await isWithheld(sources)).toBe(false);
      }
    });

    it('follow the notebook', async () => {
      const notebook = await world.addNotebook('Followed', 'read');
      const { id } = await make(undefined, notebook);
      const [sources, whole] = [await traced([id]), await traced([], [notebook])];
      expect(await isWithheld([...sources, ...whole])).toBe(false);
      world.setRight(notebook, 'none');
      expect([await isWithheld(sources), await isWithheld(whole)]).toEqual([true, true]);
      world.setRight(notebook, 'read');
      await world.guard(id);
      expect(await isWithheld(whole)).toBe(true);
      await world.guard(id, false);
      await world.closeNotebook(notebook);
      expect(await isWithheld(sources)).toBe(true);
    });

    it('count what stood in the way already when it was read', async () => {
      const { id, blocks } = await make();
      await world.guard(blocks[0]!);
      const sources = await traced([id]);
      expect(sources).toMatchObject([{ except: [blocks[0]] }]);
      expect(await isWithheld(sources)).toBe(false);
      await world.guard(blocks[1]!);
      expect(await isWithheld(sources)).toBe(true);
    });
  });
});
