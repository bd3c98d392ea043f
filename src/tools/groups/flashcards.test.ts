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
    expect(asked).toMatchObject([{ scope: notebook('Work'), plan: { operations: [{ action: 'add-flashcard', blockId: card.id }] } }]);
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
});
