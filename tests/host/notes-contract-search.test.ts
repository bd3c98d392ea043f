import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchQuery } from '../../src/tools/contract/note-readings.ts';
import { addApollo, type ContractNotes, idsOf, openHost } from './notes-contract.ts';
import { codeOf, signal } from './support.ts';

describe('searching the host', () => {
  let world: ContractNotes;
  let apollo = '';
  let crew = '';
  let old = '';
  let zeta = '';
  let ids: string[] = [];

  beforeAll(async () => {
    world = await openHost();
    ({ apollo, crew, old, zeta, ids } = await addApollo(world));
  });
  afterAll(() => world.close());

  describe('search', () => {
    const search = (query: string, more: Partial<SearchQuery> = {}) =>
      world.notes.search({ query, mode: 'keyword', page: 1, pageSize: 9, ...more }, signal);
    const matchIds = async (query: string, more?: Partial<SearchQuery>) => (await search(query, more)).matches.map(({ id }) => id).sort();

    it('finds blocks by words, whatever their case, with where they are', async () => {
      const { matches, total, nextPage } = await search('ROCKET');
      const snippet = expect.stringContaining('fuel the rocket');
      expect([total, nextPage]).toEqual([1, null]);
      expect(matches).toMatchObject([{ documentId: apollo, documentTitle: 'Apollo', path: '/Apollo', notebook: world.notebook, snippet }]);
      expect(await matchIds('launch')).toEqual([ids[1], ...(await idsOf(world, crew)), (await idsOf(world, zeta))[0]].sort());
      expect(await matchIds('May. Launch')).toEqual([apollo, ids[1]].sort());
      // A document also by words that stand in different blocks of it.
      expect(await matchIds('rocket launch')).toEqual([apollo]);
      expect(await matchIds('nowhere')).toEqual([]);
    });

    it('finds documents by their titles', async () => {
      expect((await search('Zeta')).matches).toMatchObject([
        { id: zeta, type: 'd', documentId: zeta, documentTitle: 'Zeta', snippet: 'Zeta' },
      ]);
    });

    it('finds by a regular expression', async () => {
      expect(await matchIds('L[a-z]+ in May', { mode: 'regex' })).toEqual([ids[1]]);
      expect((await search('L[a-z]+ in|M[a-z]y', { mode: 'regex' })).matches.map(({ words }) => words)).toEqual([['Launch in', 'May']]);
      expect(await codeOf(search('(', { mode: 'regex' }))).toBe('bad_pattern');
    });

    it('is narrowed by notebook, type, tag and day', async () => {
      const other = await world.addNotebook('Search', 'read');
      const elsewhere = await world.document('/Elsewhere', 'Launch elsewhere.', other);
      expect(await matchIds('launch', { notebooks: [other] })).toEqual(await idsOf(world, elsewhere));
      world.setRight(other, 'none');
      expect(await codeOf(search('launch', { notebooks: [other] }))).toBe('not_found');
      expect(await matchIds('launch', { tags: ['space'] })).toEqual([ids[1], (await idsOf(world, zeta))[0]].sort());
      expect(await matchIds('launch', { tags: ['space', 'crew'] })).toEqual([ids[1]]);
      expect(await matchIds('crew', { types: ['h'] })).toEqual([ids[2]]);
      expect(await matchIds('launch', { updatedTo: '2001-01-01' })).toEqual([]);
    });

    it('comes in pages that tell the total at the end', async () => {
      const first = await search('launch', { pageSize: 2 });
      const second = await search('launch', { page: 2, pageSize: 2 });
      expect([first.total, first.nextPage, second.total, second.nextPage]).toEqual([null, 2, 3, null]);
      expect([...first.matches, ...second.matches].map(({ id }) => id).sort()).toEqual(await matchIds('launch'));
    });

    it('has a code for an empty query', async () => {
      expect(await codeOf(search(' '))).toBe('empty_text');
    });
  });

  describe('lists over all notes', () => {
    it('count tags by use, then name', async () => {
      const { tags, total } = await world.notes.tags({ limit: 9 }, signal);
      expect(tags).toEqual([
        { label: 'space', count: 2 },
        { label: 'crew', count: 1 },
        { label: 'space/party', count: 1 },
      ]);
      expect(total).toBe(3);
      expect(await world.notes.tags({ filter: 'SPACE', limit: 1 }, signal)).toEqual({ tags: [{ label: 'space', count: 2 }], total: 2 });
    });

    it('tell what was changed of late', async () => {
      const { documents } = await world.notes.recentDocuments({ days: 30, limit: 99 }, signal);
      expect(documents.map(({ id }) => id).sort()).toEqual([apollo, crew, old, zeta].sort());
      expect(documents.find(({ id }) => id === crew)).toEqual({
        id: crew,
        title: 'Crew',
        path: '/Apollo/Crew',
        notebook: { id: world.notebook, name: 'Notes' },
        updated: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/u),
      });
      expect((await world.notes.recentDocuments({ days: 30, limit: 2 }, signal)).documents).toHaveLength(2);
    });

    it('answer no SELECT while anything is hidden from the model', async () => {
      expect(await codeOf(world.notes.sql({ stmt: 'SELECT id FROM blocks', maxRows: 9 }, signal))).toBe('sql_off');
    });
  });
});
