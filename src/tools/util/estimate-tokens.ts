import { estimateTokenCount } from 'tokenx';

/** Shorter runs of letters and digits, and words with a number, are estimated well. */
const SHORTEST = 4;
const WORD_WITH_NUMBER = /^[A-Za-z]{5,}\d{1,3}$/;

/** Added for ids and numbers, where a tokenizer has a token for each digit, as those of most local models have. */
function digitTokens(text: string): number {
  let more = 0;
  // The look-behind keeps letters from being read again from each of them; its place keeps it out of the start script.
  for (const [run] of text.matchAll(/(?<![A-Za-z\d])[A-Za-z]*\d[A-Za-z\d]*/g)) {
    if (run.length < SHORTEST || WORD_WITH_NUMBER.test(run)) continue;
    const parts = run.split(/\d/).filter((part) => part !== '');
    const letters = parts.reduce((sum, { length }) => sum + length, 0);
    const tokens = parts.reduce((sum, { length }) => sum + Math.ceil(length / 2), run.length - letters);
    more += Math.max(0, tokens - Math.ceil(run.length / (letters === 0 ? 3 : 7)));
  }
  return more;
}

/** Approximate tokens of a text: each model counts differently. */
export const estimateTokens = (text: string): number => estimateTokenCount(text) + digitTokens(text);

/** Tool definitions contain much punctuation, which small models' tokenizers split more than the estimate assumes. */
export const DEFINITION_WEIGHT = 1.45;
