import { describe, expect, it } from 'vitest';
import { nearestBlock } from './context-choices.ts';
import { findNotes } from './note-choices.ts';

const { signal } = new AbortController();

describe('notes by words', () => {
  it('have first those whose title has what was typed, in the order of the search', async () => {
    const titles = ['Books to read', 'Reading notes – Make it stick', 'Week', 'A reading list'];
    const matches = titles.map((documentTitle, at) => ({ documentId: `${at}`, documentTitle, path: '/x', notebook: 'n' }));
    const notes = { notebooks: async () => [{ id: 'n', name: 'Work' }], search: async () => ({ matches }) };
    const found = await findNotes(notes as never, 'reading', signal);
    expect(found.map(({ title }) => title)).toEqual(['Reading notes – Make it stick', 'A reading list', 'Books to read', 'Week']);
  });
});

describe('the block nearest to a sentence', () => {
  const block = (id: string, markdown: string, items?: readonly object[]) => ({ id, markdown, ...(items ? { items } : {}) });
  const blocks = [
    block('p1', 'Shade is cool.'),
    block('l', '- roofs\n- street trees', [block('i1', 'roofs'), block('i2', 'street trees at night')]),
    block('p2', 'Trees.'),
  ];
  const nearest = (words: RegExp, read = async () => ({ blocks })) =>
    nearestBlock({ notes: { blocks: read } as never, signal }, 'doc', words);

  it('is the one that has most of its words, of a list the item', async () => {
    expect(await nearest(/street|trees|night/giu)).toBe('i2');
    expect(await nearest(/shade/giu)).toBe('p1');
  });

  it('is what was cited where none has them, or nothing is below it', async () => {
    expect(await nearest(/fog/giu)).toBe('doc');
    expect(await nearest(/fog/giu, async () => ({ blocks: [] }))).toBe('doc');
  });
});
