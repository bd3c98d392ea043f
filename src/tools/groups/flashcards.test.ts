import { afterEach, describe, expect, it } from 'vitest';
import { closeNotes, openNotes } from '../../../tests/host/open-notes.ts';

afterEach(closeNotes);

describe('flashcards', () => {
  it('are made of a block, listed with their text by note and by notebook, and taken away', async () => {
    const { text, block, id, notebook, asked } = await openNotes();
    const card = block('/Apollo', 1);
    expect(await text('flashcards', { op: 'due' })).toBe('0 cards are due');
    expect(asked).toEqual([]);
    expect(await text('flashcards', { op: 'create', ids: [card.id] })).toContain(`made flashcards\n- [${card.id}]`);
    expect(asked).toMatchObject([
      { scope: `${notebook('Work')} add-flashcard`, plan: { operations: [{ action: 'add-flashcard', blockId: card.id }] } },
    ]);
    for (const args of [{ op: 'due' }, { op: 'list', id: id('/Apollo') }, { op: 'list', id: notebook('Work') }]) {
      const [count, head, words] = (await text('flashcards', args)).split('\n');
      expect(count).toBe(args.op === 'due' ? '1 cards are due' : '1 cards');
      expect(head).toMatch(/^\[[\w-]+\] due \d{4}-\d\d-\d\dT\d\d:\d\d, new, in \/Apollo \[/u);
      expect(words?.trim()).toBe(card.markdown.split('\n')[0]);
    }
    expect(await text('flashcards', { op: 'remove', ids: [card.id] })).toContain('removed flashcards');
    expect(await text('flashcards', { op: 'list' })).toBe('0 cards');
    expect(await text('flashcards', { op: 'create' })).toMatch(/^bad_id/u);
  });

  it('are written from questions and answers at the end of a note or after a block, and are all ticked by themselves', async () => {
    const { text, id, asked } = await openNotes();
    const cards = [
      { question: 'Who led Apollo?', answer: 'Ada' },
      { question: 'When?', answer: '1969' },
    ];
    const said = await text('flashcards', { op: 'create', id: id('/Apollo'), cards });
    expect(said).toMatch(/^made flashcards\n- \[[\w-]+\] .*Who led Apollo\?/u);
    expect(asked).toMatchObject([
      {
        plan: {
          operations: [
            { action: 'add-flashcard', before: null },
            { before: null, requires: [] },
          ],
        },
      },
    ]);
    const listed = await text('flashcards', { op: 'list', id: id('/Apollo') });
    expect(listed).toContain('- Who led Apollo?\n  \n    - Ada');
    expect(listed.split('\n')[0]).toBe('2 cards');
  });

  it('are refused with the next step where it is not clear what to make', async () => {
    const { text, id, block, asked } = await openNotes();
    const card = { question: 'a', answer: 'b' };
    const at = id('/Apollo');
    expect(await text('flashcards', { op: 'create', id: at, cards: [card], ids: [block('/Apollo', 1).id] })).toMatch(/^bad_arguments/u);
    expect(await text('flashcards', { op: 'create', cards: [card] })).toMatch(/^bad_id/u);
    expect(await text('flashcards', { op: 'create', id: at, cards: [{ question: 'a' }] })).toMatch(/^bad_arguments/u);
    expect(await text('flashcards', { op: 'create', id: at, cards: Array(31).fill(card) })).toMatch(/^too_many: 31 cards at once/u);
    expect(await text('flashcards', { op: 'create', id: at, cards: [{ question: '', answer: 'b' }] })).toMatch(/^empty_text/u);
    expect(await text('flashcards', { op: 'list' })).toBe('0 cards');
    expect(asked).toEqual([]);
  });
});
