import { expect, it } from 'vitest';
import { markWords, wholeWords } from './marked-words.ts';

/** The text with its marks as signs. */
const marked = (text: string, ...words: string[]): string =>
  markWords(text, words)
    .map((part) => (part.isMarked ? `[${part.text}]` : part.text))
    .join('');

it.each([
  ['Planting beans, planted early.', ['plant'], '[Planting] beans, [planted] early.'],
  ['The plant by the planet.', ['plant'], 'The [plant] by the planet.'],
  ['An explanation of the plan.', ['plan'], 'An explanation of the [plan].'],
  ['Do not move notes to the party’s part.', ['note', 'party'], 'Do not move [notes] to the [party]’s part.'],
  ['An explanation.', ['plan'], 'An ex[plan]ation.'],
  ['城市热岛效应', ['热岛'], '城市[热岛]效应'],
  ['城市热岛效应', ['城市', '热岛'], '[城市热岛]效应'],
  ['Straße und Ärger', ['ärger', 'straße'], '[Straße] und [Ärger]'],
  ['the raised  bed', ['raised bed'], 'the [raised  bed]'],
  ['C++ and C# (a.b*)', ['c++', 'a.b*'], '[C++] and C# ([a.b*])'],
  ['overlap', ['over', 'verla'], '[overla]p'],
  ['nothing', ['', ' ', 'x'], 'nothing'],
  ['', ['x'], ''],
])('marks in %j of %j', (text, words, expected) => expect(marked(text, ...words)).toBe(expected));

it('marks no letters within words where the word itself was found in another text', () => {
  const words = ['bed', 'plan'];
  const texts = ['Albedo of the explanation', 'raised beds'];
  const whole = wholeWords(words, texts);
  const parts = texts.map((text) => markWords(text, words, whole).filter(({ isMarked }) => isMarked));
  expect(parts.map((marks) => marks.map(({ text }) => text))).toEqual([['plan'], ['beds']]);
});

it('loses nothing of a text', () => {
  const text = 'A 👨‍👩‍👧 family, İstanbul, ﬁne.';
  expect(
    markWords(text, ['family', 'istanbul', 'fine', '👨'])
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
