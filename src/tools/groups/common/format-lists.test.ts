import { describe, expect, it } from 'vitest';
import { groupByDocument } from './format-lists.ts';

const NOTE = '20260412093011-abc1234';
const BLOCK = '20260412093012-abc1234';
const found = { id: BLOCK, documentId: NOTE, path: '/Roofs', notebook: 'Research', text: 'white  roofs\nare cool' };

describe('Matches by document', () => {
  it('have the document once, and each block in one line', () => {
    expect(groupByDocument([found, { ...found, id: NOTE }])).toEqual([
      `1. /Roofs [${NOTE}] in Research`,
      `   [${BLOCK}] white roofs are cool`,
    ]);
  });

  it('say which documents are saved chats, so that the notes behind them are cited', () => {
    expect(groupByDocument([{ ...found, isSavedChat: true }])[0]).toBe(
      `1. /Roofs [${NOTE}] in Research (a saved chat: cite the notes that it cites)`,
    );
  });
});
