import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockInfo, BlockRange } from '../../src/tools/contract/note-queries.ts';
import { ABSENT, APOLLO, addApollo, type ContractNotes, idsOf, openHost } from './notes-contract.ts';
import { codeOf, signal } from './support.ts';

describe('reading the host', () => {
  let world: ContractNotes;
  let apollo = '';
  let crew = '';
  let old = '';
  let zeta = '';
  let ids: string[] = [];

  const read = (id: string, start = 0, blocks = 99) => world.notes.document({ id }, { start, blocks }, signal);
  const titles = (documents: readonly { readonly title: string }[]): string[] => documents.map(({ title }) => title);

  beforeAll(async () => {
    world = await openHost();
    ({ apollo, crew, old, zeta, ids } = await addApollo(world));
  });
  afterAll(() => world.close());

  describe('lists', () => {
    const list = (parent: string, depth: number, page = 1, pageSize = 99) =>
      world.notes.documents({ parent, depth, page, pageSize }, signal);

    it('tell the notebooks that may be seen, with their rights', async () => {
      const closed = await world.addNotebook('Closed', 'read');
      await world.closeNotebook(closed);
      const notebooks = await world.notes.notebooks(signal);
      expect(notebooks.map(({ name, open: isOpen, right }) => [name, isOpen, right]).sort()).toEqual([
        ['Closed', false, 'read'],
        ['Notes', true, 'write'],
      ]);
      expect(notebooks.find(({ name }) => name === 'Notes')?.id).toBe(world.notebook);
      expect(await codeOf(list(closed, 1))).toBe('closed_notebook');
    });

    it('tell the documents of a notebook, and how many each holds that were not opened', async () => {
      const { notebook, documents, total, nextPage } = await list(world.notebook, 1);
      expect([notebook, total, nextPage]).toEqual([{ id: world.notebook, name: 'Notes' }, 2, null]);
      expect([...documents].sort((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
        { id: apollo, title: 'Apollo', path: '/Apollo', depth: 0, moreChildren: 1 },
        { id: zeta, title: 'Zeta', path: '/Zeta', depth: 0, moreChildren: 0 },
      ]);
    });

    it('go down as far as asked, from a document too', async () => {
      const all = await list(world.notebook, 9);
      expect(all.documents.filter(({ id }) => id !== zeta)).toEqual([
        { id: apollo, title: 'Apollo', path: '/Apollo', depth: 0, moreChildren: 0 },
        { id: crew, title: 'Crew', path: '/Apollo/Crew', depth: 1, moreChildren: 0 },
        { id: old, title: 'Old', path: '/Apollo/Crew/Old', depth: 2, moreChildren: 0 },
      ]);
      expect((await list(apollo, 1)).documents).toEqual([{ id: crew, title: 'Crew', path: '/Apollo/Crew', depth: 0, moreChildren: 1 }]);
    });

    it('come in pages', async () => {
      const all = titles((await list(world.notebook, 9)).documents);
      const first = await list(world.notebook, 9, 1, 3);
      const second = await list(world.notebook, 9, 2, 3);
      expect([first.total, first.nextPage, second.nextPage]).toEqual([4, 2, null]);
      expect([...titles(first.documents), ...titles(second.documents)]).toEqual(all);
    });

    it('have a code for what is not there', async () => {
      expect(await codeOf(list(ABSENT, 1))).toBe('not_found');
      expect(await codeOf(list('nonsense', 1))).toBe('bad_id');
    });
  });

  describe('a document', () => {
    it('is read by its id, by its path, and by a block in it', async () => {
      const reading = await read(apollo);
      expect(reading).toMatchObject({ id: apollo, title: 'Apollo', path: '/Apollo', start: 0, totalBlocks: 7, hidden: 0 });
      expect(reading.notebook).toEqual({ id: world.notebook, name: 'Notes' });
      expect(reading.blocks.map(({ type, subtype }) => `${type} ${subtype}`.trim())).toEqual([
        'h h1',
        'p',
        'h h2',
        'p',
        'l u',
        'h h1',
        'p',
      ]);
      expect(reading.blocks.filter(({ type }) => type !== 'l').map(({ markdown }) => markdown)).toEqual(
        APOLLO.filter((text) => !text.startsWith('-')),
      );
      const range = { start: 0, blocks: 99 };
      for (const address of [{ path: '/Apollo' }, { path: '/Apollo', notebook: world.notebook }, { id: ids[3]! }])
        expect(await world.notes.document(address, range, signal)).toEqual(reading);
    });

    it('has an outline, whatever window is read', async () => {
      const outline = [
        { id: ids[0], level: 1, text: 'Plan' },
        { id: ids[2], level: 2, text: 'Crew' },
        { id: ids[5], level: 1, text: 'End' },
      ];
      expect((await read(apollo)).outline).toEqual(outline);
      const cut = await read(apollo, 3, 2);
      expect(cut).toMatchObject({ outline, start: 3, totalBlocks: 7 });
      expect(cut.blocks).toEqual((await read(apollo)).blocks.slice(3, 5));
      expect((await read(apollo, 50)).blocks).toEqual([]);
    });

    it('tells each item of a list, with a hash that edits it', async () => {
      const items = (await read(apollo)).blocks[4]?.items ?? [];
      expect(items.map(({ depth, markdown }) => [depth, markdown])).toEqual([
        [0, 'pack food'],
        [0, 'fuel the rocket'],
        [1, 'twice'],
      ]);
      for (const { id, hash } of items) {
        const [alone] = (await world.notes.blocks({ id, range: 'self', limit: 1 }, signal)).blocks;
        expect(alone).toMatchObject({ id, type: 'i', hash });
      }
    });

    it('has a code for what is not there', async () => {
      const at = (path: string, notebook?: string) =>
        codeOf(world.notes.document({ path, ...(notebook ? { notebook } : {}) }, { start: 0, blocks: 1 }, signal));
      expect(await codeOf(read(ABSENT))).toBe('not_found');
      expect(await codeOf(read('nonsense'))).toBe('bad_id');
      expect(await at('/Nowhere')).toBe('not_found');
      expect(await at('/Apollo', ABSENT)).toBe('not_found');
      expect(await at('/Zeta/Guarded')).toBe('not_found');
      const other = await world.addNotebook('Other', 'read');
      await world.document('/Apollo', 'another', other);
      expect(await at('/Apollo')).toBe('ambiguous_path');
      expect(await at('/Apollo', other)).toBe('no error');
      world.setRight(other, 'none');
      expect(await at('/Apollo')).toBe('no error');
      expect(await at('/Apollo', other)).toBe('not_found');
    });

    it('is exported as a whole', async () => {
      const exported = await world.notes.exportMarkdown({ path: '/Apollo/Crew' }, signal);
      expect(exported).toEqual({
        document: { id: crew, title: 'Crew', path: '/Apollo/Crew' },
        notebook: { id: world.notebook, name: 'Notes' },
        markdown: 'Anna and Li, see the launch.',
        hidden: 0,
      });
      expect((await world.notes.exportMarkdown({ id: apollo }, signal)).markdown).toContain(
        '## Crew\n\nAnna flies. #space# #crew#\n\n- pack',
      );
      expect(await codeOf(world.notes.exportMarkdown({ id: ABSENT }, signal))).toBe('not_found');
    });
  });

  describe('blocks', () => {
    const around = (id: string, range: BlockRange, limit = 9) => world.notes.blocks({ id, range, limit }, signal);
    const indices = async (id: string, range: BlockRange, limit?: number) =>
      (await around(id, range, limit)).blocks.map((block) => ids.indexOf(block.id));

    it('are given with what stands around them', async () => {
      const self = await around(ids[1]!, 'self');
      expect(self.blocks).toEqual([(await read(apollo)).blocks[1]]);
      expect(self).toMatchObject({ document: { id: apollo, title: 'Apollo', path: '/Apollo' }, notebook: { name: 'Notes' }, more: 0 });
      expect(await indices(ids[3]!, 'context', 3)).toEqual([2, 3, 4]);
      expect(await indices(ids[0]!, 'context', 3)).toEqual([0, 1, 2]);
      expect(await indices(ids[6]!, 'context', 2)).toEqual([5, 6]);
      expect(await indices(ids[3]!, 'before', 2)).toEqual([1, 2]);
      expect(await indices(ids[3]!, 'after', 2)).toEqual([4, 5]);
      expect((await around(ids[3]!, 'after', 2)).more).toBe(1);
    });

    it('below a heading are those of its section, below a document its first ones', async () => {
      expect(await indices(ids[0]!, 'children')).toEqual([1, 2, 3, 4]);
      expect(await indices(ids[2]!, 'children')).toEqual([3, 4]);
      expect(await indices(ids[1]!, 'children')).toEqual([]);
      expect((await around(ids[4]!, 'children')).blocks.map(({ type }) => type)).toEqual(['i', 'i']);
      for (const range of ['self', 'children', 'context', 'after'] as const) expect(await indices(apollo, range, 2)).toEqual([0, 1]);
      expect(await indices(apollo, 'before')).toEqual([]);
    });

    it('have a code for what is not there', async () => {
      expect(await codeOf(around(ABSENT, 'self'))).toBe('not_found');
      expect(await codeOf(around('nonsense', 'self'))).toBe('bad_id');
    });

    it('tell where they are, what refers to them and what they carry; an id that fails fails alone', async () => {
      const answers = await world.notes.blockInfo([ids[3]!, 'nonsense', apollo, ABSENT, ids[1]!], signal);
      const info = answers[0] as BlockInfo;
      expect(info).toMatchObject({ id: ids[3], type: 'p', document: { id: apollo }, notebook: { id: world.notebook }, databases: [] });
      expect(info.breadcrumb.map(({ text }) => text)).toEqual(['Apollo', 'Plan', 'Crew', 'Anna flies. space crew']);
      expect(answers[1]).toMatchObject({ id: 'nonsense', code: 'bad_id', message: expect.any(String), next: expect.any(String) });
      expect(answers[2]).toMatchObject({ id: apollo, type: 'd', breadcrumb: [{ id: apollo, text: 'Apollo' }] });
      expect(answers[3]).toMatchObject({ id: ABSENT, code: 'not_found' });
      expect(answers[4]).toMatchObject({ backlinks: 1 });
    });

    it('tell what refers to them and what names them', async () => {
      const links = await world.notes.backlinks({ id: ids[1]!, kind: 'links', page: 1, pageSize: 9 }, signal);
      expect(links).toMatchObject({ total: 1, nextPage: null });
      expect(links.items).toEqual([
        {
          id: (await idsOf(world, crew))[0],
          document: { id: crew, title: 'Crew', path: '/Apollo/Crew' },
          notebook: { id: world.notebook, name: 'Notes' },
          text: 'Anna and Li, see the launch.',
        },
      ]);
      for (const id of [ids[0]!, apollo])
        expect(await world.notes.backlinks({ id, kind: 'links', page: 1, pageSize: 9 }, signal)).toEqual(links);
      const mentions = await world.notes.backlinks({ id: apollo, kind: 'mentions', page: 1, pageSize: 9 }, signal);
      expect(mentions.items.map(({ id }) => id)).toEqual([(await idsOf(world, zeta))[1]]);
      expect(await codeOf(world.notes.backlinks({ id: ABSENT, kind: 'links', page: 1, pageSize: 9 }, signal))).toBe('not_found');
    });

    it('are searched line by line', async () => {
      const grep = (pattern: string, regex = false, limit = 9, id = apollo) => world.notes.grep({ id, pattern, regex, limit }, signal);
      const found = await grep('ROCKET');
      const item = (await read(apollo)).blocks[4]?.items?.[1];
      expect(found).toMatchObject({ document: { id: apollo }, notebook: { id: world.notebook }, total: 1, hidden: 0 });
      expect(found.matches).toEqual([{ blockId: item?.id, type: 'i', index: 4, line: 'fuel the rocket', matched: 'rocket' }]);
      expect((await grep('#space#', false, 1)).matches.map(({ index }) => index)).toEqual([1]);
      expect((await grep('#space#', false, 1)).total).toBe(2);
      expect((await grep('^H.me', true)).matches.map(({ blockId }) => blockId)).toEqual([ids[6]]);
      expect((await grep('^h.me', true)).total).toBe(0);
      expect(await codeOf(grep('(', true))).toBe('bad_pattern');
      expect(await codeOf(grep('x', false, 9, ABSENT))).toBe('not_found');
    });
  });

  it('stops when it is told to', async () => {
    const stopped = AbortSignal.abort();
    expect(await codeOf(world.notes.notebooks(stopped))).toBe('aborted');
    expect(await codeOf(world.notes.document({ id: apollo }, { start: 0, blocks: 1 }, stopped))).toBe('aborted');
  });
});
