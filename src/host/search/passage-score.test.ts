import { describe, expect, it } from 'vitest';
import { averageLength, densestPlace, type Field, readPassage, scoreOf, weightsOf } from './passage-score.ts';
import { queryWords } from './query-words.ts';

interface Sample {
  readonly body: string;
  readonly fields?: readonly Field[];
}

/** Numbers of the passages, best first. */
function ranked(question: string, samples: readonly Sample[], all = 1000): number[] {
  const words = queryWords(question);
  const read = samples.map(({ body, fields = [] }) => readPassage({ body, fields }, words));
  const holding = words.map((_word, number) => read.filter((each) => (each.words[number]?.count ?? 0) > 0).length);
  const weights = weightsOf(words, read, holding, all);
  const scores = read.map((each, index) => ({ index, score: scoreOf(each, weights, averageLength(read)) }));
  return scores.sort((one, other) => other.score - one.score).map(({ index }) => index);
}

describe('a passage is better', () => {
  it.each([
    ['with more of the words', 'red kettle lid', ['a red kettle', 'a red lid on the kettle', 'red and red and red']],
    ['with the whole word than with a part of one', 'heat', ['wheat grows here', 'heat grows here']],
    ['with another form of the word than with a part of one', 'study', ['a stubborn studyhall2', 'two studies of it']],
    ['with the rare word than with the usual one', 'garden quince', ['garden', 'quince', 'garden', 'garden', 'garden']],
    ['where the words stand together', 'cold store', [`cold ${'x '.repeat(20)} store`, `cold store ${'x '.repeat(20)}`]],
    ['where two characters stand together', '水壶盖', ['水在壶边，盖子在桌上', '水壶盖在桌上']],
    ['where little else is said', 'kettle', [`kettle ${'and words '.repeat(60)}`, 'the kettle']],
  ])('%s', (_what, question, bodies) => {
    expect(
      ranked(
        question,
        bodies.map((body) => ({ body })),
      )[0],
    ).toBe(1);
  });

  it('with a word in its title', () => {
    const body = 'the lid is red';
    expect(ranked('red kettle', [{ body }, { body, fields: [{ text: 'Kettle', weight: 1 }] }])).toEqual([1, 0]);
  });
});

it('of passages that all have a word, one with a rarer word, too, is better than one with more of the usual one', () => {
  expect(ranked('kettle quince', [{ body: 'kettle kettle kettle' }, { body: 'kettle quince' }, { body: 'kettle' }], 3)[0]).toBe(1);
  expect(ranked('kettle', [{ body: 'a kettle and much else' }, { body: 'kettle' }], 2)).toEqual([1, 0]);
});

it('a character of a word counts a little where the word stands nowhere, and is no place to cut a passage at', () => {
  const bodies = ['在学校里的人', '在学堂里的人', '在家里的人'];
  expect(
    ranked(
      '校里的学校',
      bodies.map((body) => ({ body })),
      3,
    ),
  ).toEqual([0, 1, 2]);
  const words = queryWords('学校');
  expect(words.map(({ text, isHint }) => [text, isHint === true])).toEqual([
    ['学校', false],
    ['学', true],
    ['校', true],
  ]);
  const read = readPassage({ body: '学堂', fields: [] }, words);
  expect(read.words.map(({ count, body }) => [count, body.length])).toEqual([
    [0, 0],
    [1, 0],
    [0, 0],
  ]);
});

it('a word that the index found in other letters counts a little', () => {
  const words = queryWords('复习');
  const [found, not] = [new Set([0]), new Set<number>()].map((indexed) => readPassage({ body: '複習', fields: [], indexed }, words));
  expect([(found?.words[0]?.count ?? 0) > 0, not?.words[0]?.count]).toEqual([true, 0]);
});

it('the densest place is where most of the words stand', () => {
  const body = `kettle ${'x '.repeat(200)}a red kettle with a lid ${'y '.repeat(200)}lid`;
  const words = queryWords('red kettle lid');
  const read = readPassage({ body, fields: [] }, words);
  const { start, end } = densestPlace(read, [1, 1, 1], 100);
  expect(body.slice(start, end)).toBe('red kettle with a lid');
});
