import { expect, it } from 'vitest';
import { characteristicNumbers } from './notes-relevance.ts';
import type { QueryWord } from './query-words.ts';

const word = (text: string, more: Partial<QueryWord> = {}): QueryWord => ({ text, stem: text, typed: text, ...more });
const chosen = (words: readonly QueryWord[], holding: readonly number[], most: number, often = new Map<string, number>()): string[] =>
  characteristicNumbers(words, { holding, all: 1000 }, often, most).map((number) => words[number]?.text ?? '');

it('are those that few blocks have, and not those that the note says most often', () => {
  const words = ['day', 'quasar', 'work', 'redshift'].map((text) => word(text));
  const often = new Map(Object.entries({ day: 9, work: 6, quasar: 1, redshift: 1 }));
  expect(chosen(words, [800, 4, 700, 6], 2, often)).toEqual(['quasar', 'redshift']);
  // Of those that are as rare the one that it says more often.
  expect(chosen(words, [5, 5, 5, 5], 1, new Map([['work', 3]]))).toEqual(['work']);
});

it('are none that no other block has, nor hints, and a word that is cut into pairs is chosen whole', () => {
  const words = [
    word('间隔', { typed: '间隔重' }),
    word('隔重', { typed: '间隔重' }),
    word('typo'),
    word('复习'),
    word('重', { isHint: true }),
  ];
  expect(chosen(words, [90, 3, 0, 50, 1], 1)).toEqual(['间隔', '隔重']);
  expect(chosen(words, [90, 0, 0, 50, 1], 9)).toEqual(['复习']);
});
