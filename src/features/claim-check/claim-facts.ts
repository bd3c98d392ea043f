import { evenForm } from '../../tools/equal-text/equal-text.ts';
import { isMonth, wrongNumbers } from './claim-numbers.ts';

/** A name in a script with capitals, also with hyphens and apostrophes. */
const NAME = /\p{Lu}[\p{L}\p{M}\d]*(?:[-’'][\p{L}\d]+)*/gu;
const QUOTED = /[“"「『《]([^”"」』》]{2,40})[”"」』》]/gu;
/** Words that begin a sentence and name nothing. */
const OPENERS =
  /^(?:a|about|after|all|also|although|an|and|any|as|at|because|before|both|but|by|during|each|either|even|every|for|from|he|her|his|how|however|i|if|in|is|it|its|many|most|my|no|not|of|on|one|only|or|other|our|she|since|so|some|such|than|that|the|their|then|there|these|they|this|those|though|thus|to|under|until|we|what|when|where|which|while|who|with|you|your)$/iu;
const NEGATIONS = /\b(?:not|never|no|none|nobody|nothing|without|cannot|neither|nor)\b|n['’]t\b|[不没沒無无非未]/giu;
const WORD = /\p{Script=Han}|[\p{L}\p{N}]+/gu;
const SENTENCE = /[^.!?。！？\n]+/gu;
/** Of the words of a claim so many are in the sentence of the source that says it or denies it. */
const SAME_CLAIM = 0.7;

const folded = (text: string): string => evenForm(text, 'bare');
function namesOf(sentence: string): readonly string[] {
  return [...sentence.matchAll(NAME)].flatMap(({ 0: name, index }) => {
    const before = sentence.slice(0, index).trimEnd();
    const isFirst = before === '' || /[.!?:;—–\-*•(“"]$/u.test(before);
    const isBesideName = /^\s+\p{Lu}/u.test(sentence.slice(index + name.length));
    if (name.length < 2 || OPENERS.test(name) || isMonth(folded(name))) return [];
    return isFirst && !isBesideName && !/^\p{Lu}{2}/u.test(name) ? [] : [name];
  });
}

const stem = (name: string): string =>
  folded(name)
    .replace(/['’]s?$/u, '')
    .replaceAll(/['’.-]/gu, '');

/** Tells if a name, without the sign of its plural, is a part of the source. */
function hasName(source: string, name: string): boolean {
  const wanted = stem(name).replace(/(?:es|s)$/u, '');
  return wanted.length < 2 || source.includes(wanted);
}

/** A claim and the sentence of the source that has the most of its words agree on whether it is denied. */
function isDenied(sentence: string, source: string): boolean {
  const words = new Set(folded(sentence.replaceAll(NEGATIONS, ' ')).match(WORD) ?? []);
  let best = { share: 0, negations: 0 };
  for (const [part] of source.matchAll(SENTENCE)) {
    const own = new Set(folded(part).match(WORD) ?? []);
    const share = [...words].filter((word) => own.has(word)).length / Math.max(1, words.size);
    if (share > best.share) best = { share, negations: part.match(NEGATIONS)?.length ?? 0 };
  }
  return words.size > 4 && best.share >= SAME_CLAIM && best.negations > 0 !== (sentence.match(NEGATIONS) !== null);
}

export interface Doubt {
  /** Numbers, names and quotations of the sentence that the source does not have. */
  readonly missing: readonly string[];
  /** One of them denies what the other says. */
  readonly denies: boolean;
}

/**
 * Compares a sentence with the text of the blocks that it cites; undefined if nothing speaks against it. No model is asked.
 * @param around texts that may name what the sentence is about: the question, other cited blocks
 */
export function doubtOf(sentence: string, source: string, around = ''): Doubt | undefined {
  const text = folded(source);
  const joined = folded(`${source}\n${around}`).replaceAll(/['’.-]/gu, '');
  // A name is written otherwise in another script.
  const hasScript = /[a-z]{3}/u.test(text);
  const wrongNames = hasScript ? namesOf(sentence).filter((name) => !hasName(joined, name)) : [];
  const quotes = [...sentence.matchAll(QUOTED)].flatMap(([, quote = '']) => (/\p{Script=Han}/u.test(quote) ? [quote] : []));
  const wrongQuotes = /\p{Script=Han}/u.test(text) ? quotes.filter((quote) => !text.includes(folded(quote))) : [];
  const missing = [...new Set([...wrongNumbers(sentence, source), ...wrongNames, ...wrongQuotes])];
  const denies = isDenied(sentence, source);
  return missing.length === 0 && !denies ? undefined : { missing, denies };
}
