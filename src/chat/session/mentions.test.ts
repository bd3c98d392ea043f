import { describe, expect, it } from 'vitest';
import { withContext } from './contexts.ts';
import { mentionFor, mentionParts, namedIn } from './mentions.ts';

const named = (...mentions: string[]) => mentions.map((mention) => ({ mention }));
const tokens = (text: string, ...mentions: string[]) =>
  mentionParts(text, named(...mentions)).flatMap((part) => (part.context ? [[part.start, part.text]] : []));

describe('mentions in a question', () => {
  it('are found wherever they stand, and the pieces make the text again', () => {
    const text = 'Compare @Travel with @Urban heat, then @Travel.';
    expect(tokens(text, '@Travel', '@Urban heat')).toEqual([
      [8, '@Travel'],
      [21, '@Urban heat'],
      [39, '@Travel'],
    ]);
    const parts = mentionParts(text, named('@Travel', '@Urban heat'));
    expect(parts.map((part) => part.text).join('')).toBe(text);
    expect(mentionParts('', named('@Travel'))).toEqual([]);
    expect(mentionParts('No names', [{}])).toEqual([{ text: 'No names', start: 0 }]);
  });

  it('are whole names: neither the beginning of a longer word nor part of an address', () => {
    expect(tokens('@Travels a@Travel /@Travel @Travel', '@Travel')).toEqual([[27, '@Travel']]);
    expect(tokens('@Travel plan and @Travel', '@Travel', '@Travel plan')).toEqual([
      [0, '@Travel plan'],
      [17, '@Travel'],
    ]);
    // Chinese has no spaces between words.
    expect(tokens('看@旅行怎么样', '@旅行')).toEqual([[1, '@旅行']]);
    const both = ['@A', '@A (B)'].map((mention) => ({ kind: 'document', id: mention, title: 'A', text: '', contextId: mention, mention }));
    expect([...namedIn('Is @A (B)?', both)]).toEqual(['@A (B)']);
    expect([...namedIn('Is @A or @A (B)?', both)]).toEqual(['@A', '@A (B)']);
  });

  it('tell equal titles apart by their places, and are short', () => {
    expect(mentionFor('Inbox', 'Work', [])).toBe('@Inbox');
    expect(mentionFor('Inbox', 'Work', named('@Inbox'))).toBe('@Inbox (Work)');
    expect(mentionFor('Inbox', 'Work', named('@Inbox', '@Inbox (Work)'))).toBe('@Inbox (Work) 2');
    expect(mentionFor('Inbox', '', named('@Inbox'))).toBe('@Inbox 2');
    expect(mentionFor('one\ntwo  @three', '', [])).toBe('@one two three');
    expect(mentionFor('', 'Work', [])).toBe('');
    expect(mentionFor('x'.repeat(60), '', [])).toBe(`@${'x'.repeat(40)}…`);
  });

  it('stay with what is attached once more in another way', () => {
    const note = { kind: 'document', id: 'one', title: 'Travel', text: 'old' } as const;
    const first = withContext({ contexts: [], attachments: [] }, { ...note, mention: '@Travel' });
    expect(withContext(first, { ...note, text: 'new' }).contexts).toMatchObject([{ text: 'new', mention: '@Travel' }]);
  });
});
