import { describe, expect, it } from 'vitest';
import type { SearchMatch } from '../../tools/contract/note-readings.ts';
import { NO_NOTES } from '../../tools/contract/provenance.ts';
import { estimateTokens } from '../../tools/util/estimate-tokens.ts';
import { createFindFirst } from './search-first.ts';

const match = (note: string, block: string, snippet = `Passage ${block}.`): SearchMatch => ({
  ...{ id: block, documentId: note, documentTitle: note.toUpperCase(), path: `/Notes/${note}`, notebook: 'nb', notebookName: 'Work' },
  ...{ type: 'p', snippet, words: ['launch'] },
});
const find = (matches: readonly SearchMatch[]) =>
  createFindFirst({ notes: { search: async () => ({ matches, total: 1, nextPage: null, missing: ['xyzzy'] }) }, rights: NO_NOTES })(
    'When is the launch?',
    new AbortController().signal,
  );

describe('what is found for a question', () => {
  it('is the same list for the model and for people', async () => {
    const found = await find([match('one', 'b1'), match('one', 'b2'), match('two', 'b3')]);
    expect(found?.text.split('\n').slice(1)).toEqual([
      '1. /Notes/one [one] in Work',
      '   [b1] Passage b1.',
      '   [b2] Passage b2.',
      '2. /Notes/two [two] in Work',
      '   [b3] Passage b3.',
    ]);
    expect(found).toMatchObject({ kind: 'found', title: 'ONE, TWO', found: { words: ['launch'], missing: ['xyzzy'] } });
    expect(found?.found?.notes.map(({ id, passages }) => [id, passages.map((passage) => passage.id)])).toEqual([
      ['one', ['b1', 'b2']],
      ['two', ['b3']],
    ]);
  });

  it('has room for 1,500 tokens: what is too long is left out, the next that fits is not', async () => {
    const matches = [
      match('one', 'b1', 'long '.repeat(4000)),
      ...Array.from({ length: 60 }, (_, at) => match(`n${at}`, `p${at}`, 'word '.repeat(48))),
    ];
    const found = await find(matches);
    expect(found?.text).not.toContain('long long');
    expect(found?.found?.notes.length).toBeGreaterThan(8);
    expect(estimateTokens(found?.text ?? '')).toBeLessThanOrEqual(1500);
    expect(found?.title).toMatch(/^N0, N1 \+\d+$/u);
  });

  it('names notes in Chinese as a Chinese list', async () => {
    expect((await find([match('发布', 'b1'), match('会议', 'b2'), match('two', 'b3')]))?.title).toBe('发布、会议 +1');
  });

  it('is nothing where nothing matches, or saved chats alone do', async () => {
    expect(await find([])).toBeUndefined();
    expect(await find([{ ...match('chat', 'b'), isSavedChat: true }])).toBeUndefined();
  });
});
