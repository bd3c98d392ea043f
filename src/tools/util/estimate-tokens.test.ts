import { expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

const ID = '20261128202959-cb5tsxg';
const line = (words: string): string => `@@${ID}@@p#153d923d ${words}`;

// What Llama 2 and Mistral count, which have a token for each digit.
it.each([
  ['a block as it is read', `${line('The garden needs water in the morning.')}\n`.repeat(20), 822],
  ['ids', `${ID} `.repeat(20), 422],
  ['numbers', '1234567890 '.repeat(20), 222],
  ['a hash', '9f86d081884c7d659a2feaa0c55ad015', 31],
])('is not far below what a tokenizer counts that splits digits: %s', (_name, text, tokens) => {
  expect(estimateTokens(text)).toBeGreaterThan(tokens * 0.8);
  expect(estimateTokens(text)).toBeLessThan(tokens * 1.2);
});

it('leaves words as they are', () => {
  expect(estimateTokens('The garden needs water in the morning.')).toBe(8);
});
