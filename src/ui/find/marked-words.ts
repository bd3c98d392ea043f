import { areForms } from '../../tools/util/plain-words.ts';
import { findPattern } from './text-runs.ts';

export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

type Range = readonly [start: number, end: number];

const WORD = /(?:(?![\p{Script=Han}\p{Script=Hangul}])[\p{L}\p{M}\p{N}_])+/gu;

const placesOf = (pattern: RegExp, text: string): Range[] =>
  Array.from(text.matchAll(pattern), ({ 0: found, index }) => [index, index + found.length]);

function wholeRanges(word: string, text: string): readonly Range[] {
  const asked = word.toLowerCase();
  return placesOf(WORD, text).filter(([start, end]) => areForms(asked, text.slice(start, end).toLowerCase()));
}

function letterRanges(word: string, text: string): readonly Range[] {
  const letters = findPattern(word);
  return letters ? placesOf(letters, text).filter(([start, end]) => end > start) : [];
}

/** The words that occur as whole words in one of the texts: then "bed" does not match in "albedo". */
export const wholeWords = (words: readonly string[], texts: readonly string[]): ReadonlySet<string> =>
  new Set(words.filter((word) => texts.some((text) => wholeRanges(word, text).length > 0)));

/**
 * A text split at the search words. A word without any form of its own in it is marked inside others, unless it is
 * among `whole`. Adjacent words are one mark.
 */
export function markWords(text: string, words: readonly string[], whole: ReadonlySet<string> = new Set()): readonly MarkedPart[] {
  const rangesOf = (word: string): readonly Range[] => {
    const ranges = wholeRanges(word, text);
    return ranges.length > 0 || whole.has(word) ? ranges : letterRanges(word, text);
  };
  const places = words.flatMap(rangesOf).sort(([one], [other]) => one - other);
  const parts: MarkedPart[] = [];
  let at = 0;
  const add = (end: number, isMarked: boolean): void => {
    const last = parts.at(-1);
    if (end <= at) return;
    if (isMarked && last?.isMarked) parts[parts.length - 1] = { text: last.text + text.slice(at, end), isMarked };
    else parts.push({ text: text.slice(at, end), isMarked });
    at = end;
  };
  for (const [start, end] of places) {
    add(start, false);
    add(end, true);
  }
  add(text.length, false);
  return parts;
}
