import { describe, expect, it } from 'vitest';
import { cardsAsMarkdown, cardsIn, wholeCards } from './card-answer.ts';

const pairs = (text: string) => cardsIn(text).map(({ question, answer }) => [question, answer]);

describe('the cards of an answer', () => {
  it.each([
    ['as they are asked for', 'Q: one?\nA: 1\n\nQ: two?\nA: 2\n'],
    ['with bullets and bold words', 'Here you are:\n\n- **Q:** one?\n- **A:** 1\n---\n- **Q:** two?\n- **A:** 2'],
    ['numbered and in full', '**Question 1:** one?\n**Answer 1:** 1\n\n**Question 2**: two?\n**Answer 2**: 2'],
    ['in Chinese', '问：one?\n答：1\n\n问题2：two?\n答案2：2'],
    ['with full colons after letters', 'Q：one?\nA：1\n=====\nQ：two?\nA：2'],
  ])('are found %s', (_how, text) => {
    expect(pairs(text)).toEqual([
      ['one?', '1'],
      ['two?', '2'],
    ]);
  });

  it('keep answers of several lines, and what looks like a card in code', () => {
    const text = 'Q: What is printed?\n```\nQ: no\n---\n```\nA: two lines\n\n- **b** A: c\n\nQ: next\nA: x';
    expect(pairs(text)).toEqual([
      ['What is printed?\n```\nQ: no\n---\n```', 'two lines\n\n- **b** A: c'],
      ['next', 'x'],
    ]);
  });

  it('are a list while they are written, and only whole ones are proposed', () => {
    const text = 'Q: one?\nA: 1\nmore\n\nQ: two?';
    expect(cardsAsMarkdown(text)).toBe('- one?\n  - 1\n    more\n- two?');
    expect(wholeCards(text)).toEqual([{ question: 'one?', answer: '1\nmore' }]);
    expect(() => wholeCards('I cannot do that. Quite: no.')).toThrow(expect.objectContaining({ code: 'model_bad_answer' }));
  });
});
