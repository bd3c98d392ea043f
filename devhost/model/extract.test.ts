import { describe, expect, it } from 'vitest';
import { citation, extract, mentions, mergeUnits, outlineSentences, plainText, sentencesOf } from './extract.ts';
import type { Unit } from './tool-results.ts';

const unit = (n: number, markdown: string, type = 'p', title = 'Doc'): Unit => ({ id: `20260101000000-aaaaaa${n}`, type, markdown, title });

describe('plainText', () => {
  it('takes marks away and keeps the words', () => {
    expect(
      plainText('**Bold** ==mark== *it* `code`\u200b #tag# and [link](https://x.y) ((20260101000000-aaaaaa1 "a ref")) {: id="x"}'),
    ).toBe('Bold mark it code tag and link a ref');
  });
  it('drops tags at the end of a line, where they are no words of the sentence', () => {
    expect(plainText('Heat at night. #heat# #town#')).toBe('Heat at night.');
  });
  it('leaves formulas and stars that are no marks', () => {
    expect(plainText('2 * 3 and $x^2$')).toBe('2 * 3 and $x^2$');
  });
});

describe('sentencesOf', () => {
  it('splits English and Chinese, not at numbers', () => {
    expect(sentencesOf(unit(1, 'Yield was 1.84 kg. It rained! 试点结束。记住 82 %。'))).toEqual([
      'Yield was 1.84 kg.',
      'It rained! 试点结束。',
      '记住 82 %。',
    ]);
  });
  it('takes list items one by one and drops tables, code, formulas, headings', () => {
    const markdown = '- [x] done thing\n  - inner thing\n- second\n\n| a | b |\n| - | - |\n\n```js\nlet spaced = 1;\n```\n\n$$\nx\n$$';
    expect(sentencesOf(unit(1, markdown, 'l'))).toEqual(['done thing', 'inner thing', 'second']);
    expect(sentencesOf(unit(1, '## Spaced repetition', 'h'))).toEqual([]);
    expect(sentencesOf(unit(1, '| spaced |', 't'))).toEqual([]);
  });
  it('joins soft-wrapped lines', () => {
    expect(sentencesOf(unit(1, 'one line\ngoes on here'))).toEqual(['one line goes on here']);
  });
});

describe('mentions', () => {
  it('knows the whole, the parts and nothing', () => {
    expect(mentions('Spaced repetition works', 'spaced repetition')).toBe(1);
    expect(mentions('Repetitions that are spaced', 'spaced repetition')).toBeCloseTo(0.7);
    expect(mentions('repetition alone', 'spaced repetition')).toBeCloseTo(0.35);
    expect(mentions('nothing', 'spaced repetition')).toBe(0);
    expect(mentions('anything', '')).toBe(0);
  });
  it('matches Chinese by the whole word or by most of its pairs', () => {
    expect(mentions('用间隔重复的人记得更牢', '间隔重复')).toBe(1);
    expect(mentions('数据采集与压缩方案', '数据采集方案')).toBeGreaterThan(0.4);
    expect(mentions('重复劳动', '间隔重复')).toBe(0);
  });
});

describe('extract', () => {
  it('gives only sentences that stand in the units, each with the id of its unit', () => {
    const units = [
      unit(1, 'Spaced repetition kept 87 %. The weather was fine.'),
      unit(2, 'Cats sleep.', 'p', 'Cats'),
      unit(3, '- nothing\n- spaced repetition again', 'l', 'Other'),
    ];
    const found = extract(units, 'spaced repetition', { total: 5, perDocument: 2 });
    expect(found.map(({ text, id }) => [text, id])).toEqual([
      ['Spaced repetition kept 87 %.', '20260101000000-aaaaaa1'],
      ['spaced repetition again', '20260101000000-aaaaaa3'],
    ]);
  });
  it('keeps the limits and says nothing twice', () => {
    const units = [1, 2, 3, 4]
      .map((n) => unit(n, `Spaced repetition point ${n} is here.`))
      .concat(unit(5, 'Spaced repetition point 1 is here.'));
    expect(extract(units, 'spaced repetition', { total: 9, perDocument: 9 })).toHaveLength(4);
    expect(extract(units, 'spaced repetition', { total: 9, perDocument: 2 })).toHaveLength(2);
    expect(extract(units, 'spaced repetition', { total: 1, perDocument: 2 })).toHaveLength(1);
  });
  it('leaves cut snippets, pointers and questions behind whole sentences', () => {
    const units = [
      unit(1, '...cut spaced repetition of a snippet.', '?'),
      unit(2, 'See the notes on spaced repetition.'),
      unit(3, 'Spaced repetition is one.'),
      unit(4, 'Spaced repetition is two.'),
    ];
    expect(extract(units, 'spaced repetition', { total: 2, perDocument: 2 }).map((found) => found.id.at(-1))).toEqual(['3', '4']);
    expect(extract(units, 'spaced repetition', { total: 9, perDocument: 9 }).map((found) => found.id.at(-1))).not.toContain('1');
  });
  it('takes from a document that is called like the topic when few sentences name it', () => {
    const units = [unit(1, 'We go by train and fly back on 18 April.', 'p', 'Lisbon 2027'), unit(2, 'Nothing to see.', 'p', 'Else')];
    expect(extract(units, 'Lisbon', { total: 7, perDocument: 3 }).map((found) => found.id.at(-1))).toEqual(['1']);
  });
  it('prefers the whole block to the cut snippet of a search', () => {
    const merged = mergeUnits([unit(1, '…spaced rep…', '?'), unit(1, 'All of spaced repetition.')]);
    expect(merged).toEqual([unit(1, 'All of spaced repetition.')]);
  });
});

describe('outlineSentences', () => {
  it('takes the strongest of each section, in order, within the limit', () => {
    const units = [
      unit(1, 'The lead says 3 things about it.'),
      unit(2, '## A', 'h'),
      unit(3, 'Alpha is first.'),
      unit(4, '## B', 'h'),
      unit(5, 'Beta comes with 20 facts in it.'),
    ];
    expect(outlineSentences(units, 8).map((sentence) => sentence.id.at(-1))).toEqual(['1', '3', '5']);
    expect(outlineSentences(units, 2).map((sentence) => sentence.id.at(-1))).toEqual(['1', '5']);
  });
});

describe('citation', () => {
  it('has the form that the panel checks, with an anchor that cannot break it', () => {
    expect(citation({ id: '20260101000000-aaaaaa1', title: 'A "quoted" (title)', text: 'x' })).toBe(
      '((20260101000000-aaaaaa1 "A quoted title"))',
    );
    expect(citation({ id: '20260101000000-aaaaaa1', title: '', text: 'x' })).toBe('((20260101000000-aaaaaa1 "x"))');
  });
});
