import { expect, it } from 'vitest';
import { usualWords } from './related-notes.ts';

const wordsOf = (...texts: string[]) => [...usualWords(texts.map((text) => ({ text, weight: 1 }))).keys()];

it('gives what a text says most often first, forms of a word as one, and the title before the body', () => {
  expect(wordsOf('the moon and a star', 'stars, stars')).toEqual(['star', 'moon']);
  expect(wordsOf('a big apartment, small')).toEqual(['apartment', 'small', 'big']);
  expect(
    usualWords([
      { text: 'moon moon', weight: 1 },
      { text: 'Star', weight: 3 },
    ]),
  ).toEqual(
    new Map([
      ['star', 3],
      ['moon', 2],
    ]),
  );
  expect(
    wordsOf(Array.from({ length: 90 }, (_one, index) => `word${String.fromCharCode(97 + (index % 26), 97 + (index % 7))}`).join(' ')),
  ).toHaveLength(40);
});

it('takes no number, id, address or file name for a word', () => {
  expect(wordsOf("2026 ((20200101000000-abcdefg 'moon')) https://example.org/star ![](assets/sun-20200101000000-abcdefg.png)")).toEqual([
    'moon',
  ]);
});
