import { describe, expect, it } from 'vitest';
import { isFoundList } from '../../contract/found-notes.ts';
import { foundIds, groupByNote, noteLines } from './found-notes.ts';

const NOTE = '20260412093011-abc1234';
const BLOCK = '20260412093012-abc1234';
const OTHER = '20260412093013-abc1234';
const found = { id: BLOCK, documentId: NOTE, title: 'Roofs', path: '/Roofs', notebook: 'Research', text: 'white  roofs\nare cool' };

describe('Blocks that were found, by note', () => {
  it('give each note once, and of each block one line; a title is no passage', () => {
    const notes = groupByNote([found, { ...found, id: OTHER, documentId: OTHER, title: 'Trees' }, { ...found, id: NOTE }]);
    expect(notes).toEqual([
      { id: NOTE, title: 'Roofs', path: '/Roofs', notebook: 'Research', passages: [{ id: BLOCK, text: 'white roofs are cool' }] },
      { id: OTHER, title: 'Trees', path: '/Roofs', notebook: 'Research', passages: [] },
    ]);
    expect(noteLines(notes)).toEqual([
      `1. /Roofs [${NOTE}] in Research`,
      `   [${BLOCK}] white roofs are cool`,
      `2. /Roofs [${OTHER}] in Research`,
    ]);
    expect(foundIds(notes)).toEqual([NOTE, BLOCK, OTHER]);
  });

  it('say which notes are saved chats, so that the notes behind them are cited', () => {
    expect(noteLines(groupByNote([{ ...found, isSavedChat: true }]))[0]).toBe(
      `1. /Roofs [${NOTE}] in Research (a saved chat: cite the notes that it cites)`,
    );
  });

  it('name two of the other notes that say the same, which were not read', () => {
    const alsoIn = ['Heat', 'Cities', 'Paint'].map((title, index) => ({ id: `2026041209301${index}-copy000`, path: `/${title}` }));
    const notes = groupByNote([
      { ...found, alsoIn: alsoIn.slice(0, 1) },
      { ...found, id: OTHER, alsoIn },
    ]);
    expect(noteLines(notes).slice(1)).toEqual([
      `   [${BLOCK}] white roofs are cool (the same text: /Heat [20260412093010-copy000])`,
      `   [${OTHER}] white roofs are cool (the same text: /Heat [20260412093010-copy000], /Cities [20260412093011-copy000] and others)`,
    ]);
    expect(foundIds(notes)).toEqual([NOTE, BLOCK, OTHER]);
    expect(isFoundList({ notes })).toBe(true);
  });
});

it('says of a related note which words both have, or that it is similar in meaning', () => {
  const lines = noteLines(
    groupByNote([
      { ...found, shared: ['roof', 'tin'] },
      { ...found, documentId: OTHER, id: OTHER, shared: [] },
    ]),
  );
  expect(lines[0]).toMatch(/; both have: roof, tin$/u);
  expect(lines.find((line) => line.startsWith('2.'))).toMatch(/; similar in meaning$/u);
});

describe('A list that others gave', () => {
  const notes = groupByNote([{ ...found, shared: ['roof'], isSavedChat: true }]);

  it('counts where each of its fields is what it should be', () => {
    for (const list of [{ notes: [] }, { notes, words: ['roof'], missing: ['x'], later: 1 }, JSON.parse(JSON.stringify({ notes }))])
      expect(isFoundList(list)).toBe(true);
  });

  it.each([
    [undefined],
    ['text'],
    [{}],
    [{ notes: {} }],
    [{ notes: [null] }],
    [{ notes, words: 'roof' }],
    [{ notes, missing: [1] }],
    [{ notes: [{ ...notes[0], passages: undefined }] }],
    [{ notes: [{ ...notes[0], passages: [{ id: 1, text: '' }] }] }],
    [{ notes: [{ ...notes[0], passages: [{ id: BLOCK, text: '', alsoIn: [{ id: NOTE }] }] }] }],
    [{ notes: [{ ...notes[0], shared: [1] }] }],
    [{ notes: [{ ...notes[0], isSavedChat: 'yes' }] }],
    [
      {
        get notes() {
          throw new Error('a getter of others');
        },
      },
    ],
  ])('does not count otherwise: %#', (list) => expect(isFoundList(list)).toBe(false));
});
