import { areForms } from '../../tools/util/plain-words.ts';
import { findPattern } from './text-runs.ts';

export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

type Range = readonly [start: number, end: number];

const WORD = /(?:(?![\p{Script=Han}\p{Script=Hangul}])[\p{L}\p{M}\p{N}_])+/gu;

/** Where a word stands in one of its forms; where it does not, where its letters stand in other words. */
function wordRanges(word: string, text: string): readonly Range[] {
  const places = (pattern: RegExp): Range[] => Array.from(text.matchAll(pattern), ({ 0: found, index }) => [index, index + found.length]);
  const asked = word.toLowerCase();
  const whole = places(WORD).filter(([start, end]) => areForms(asked, text.slice(start, end).toLowerCase()));
  const letters = findPattern(word);
  return whole.length > 0 || !letters ? whole : places(letters).filter(([start, end]) => end > start);
}

/** A text cut where words that were looked for begin and end. Words that touch are one mark. */
export function markWords(text: string, words: readonly string[]): readonly MarkedPart[] {
  const places = words.flatMap((word) => wordRanges(word, text)).sort(([one], [other]) => one - other);
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
