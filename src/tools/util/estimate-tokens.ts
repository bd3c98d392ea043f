import { estimateTokenCount } from 'tokenx';

/** Runs of letters and digits with a digit in them: ids, hashes, dates, numbers. */
const WITH_DIGITS = /[A-Za-z]*\d[A-Za-z\d]*/g;

/** What ids and numbers take more than tokenx assumes, where a tokenizer has a token for each digit, as those of most local models have. */
function digitTokens(text: string): number {
  let more = 0;
  for (const [run] of text.matchAll(WITH_DIGITS)) {
    let digits = 0;
    for (let at = 0; at < run.length; at += 1) if (run.charCodeAt(at) < 58) digits += 1;
    const letters = run.length - digits;
    const assumed = run.length <= 3 ? 1 : Math.ceil(run.length / (letters === 0 ? 3 : 7));
    more += Math.max(0, digits + Math.ceil(letters / 2) - assumed);
  }
  return more;
}

/** Approximate tokens of a text: each model counts differently. */
export const estimateTokens = (text: string): number => estimateTokenCount(text) + digitTokens(text);

/** Tool definitions contain much punctuation, which small models' tokenizers split more than the estimate assumes. */
export const DEFINITION_WEIGHT = 1.45;
