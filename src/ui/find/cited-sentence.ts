import { findPattern } from './text-runs.ts';

const BLOCK = 'p, li, td, th, h1, h2, h3, h4, h5, h6, blockquote, div';
const END = /[.!?…](?=\s|$)|[。！？]|\n/g;
/** Words that say nothing about what is cited are short. */
const SHORTEST = 4;
const MOST_WORDS = 60;
/** Between two words that are marked as one: spaces and signs, but no long gap. */
const BETWEEN = '[^\\p{L}\\p{N}\\n]{1,4}';

function placeIn(block: Element, link: Element): { readonly text: string; readonly from: number; readonly to: number } {
  const before = document.createRange();
  before.setStart(block, 0);
  before.setEndBefore(link);
  const from = before.toString().length;
  return { text: block.textContent ?? '', from, to: from + (link.textContent ?? '').length };
}

/** Offsets of the sentence around these ones. A citation behind the full stop belongs to the sentence before it. */
function sentenceAround(text: string, from: number, to: number): readonly [number, number] {
  const ends = [...text.matchAll(END)].map((found) => found.index + found[0].length);
  const isBehind = ends.some((end) => end <= from && text.slice(end, from).trim() === '');
  const until = isBehind ? from : to;
  const start = ends.filter((end) => (isBehind ? text.slice(end, from).trim() !== '' : end <= from)).at(-1) ?? 0;
  return [start, Math.max(to, ends.find((end) => end >= until) ?? text.length)];
}

function rangeOf(block: Element, from: number, to: number): Range {
  const range = document.createRange();
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  range.selectNodeContents(block);
  let at = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (from >= at && from < at + length) range.setStart(node, from - at);
    if (to > at && to <= at + length) range.setEnd(node, to - at);
    at += length;
  }
  return range;
}

/** The sentence that a citation supports, as it is in the answer. */
export function citedSentence(link: HTMLElement): Range | undefined {
  const block = link.closest(BLOCK);
  if (!block) return undefined;
  const { text, from, to } = placeIn(block, link);
  return rangeOf(block, ...sentenceAround(text, from, to));
}

const patternOf = (words: readonly string[]): string =>
  [...new Set(words)]
    .slice(0, MOST_WORDS)
    .map((word) => findPattern(word)?.source ?? '')
    .join('|');

/**
 * The words of a sentence that a block may share with it: longer ones, numbers, and pairs of Chinese characters. Those that are
 * together are one match, with at most two short words of the sentence between them. Null for none.
 */
export function sharedWords(sentence: string): RegExp | null {
  const words = sentence.match(/[\p{L}\p{N}]+/gu) ?? [];
  const wanted = words.flatMap((word) => {
    if (/\p{Script=Han}/u.test(word)) return Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => word.slice(at, at + 2));
    return word.length >= SHORTEST || /\d/.test(word) ? [word] : [];
  });
  const parts = patternOf(wanted);
  if (parts === '') return null;
  const short = patternOf(words.filter((word) => word.length < SHORTEST && !/\d/.test(word)));
  const gap = short === '' ? BETWEEN : `${BETWEEN}(?:(?:${short})${BETWEEN}){0,2}`;
  return new RegExp(`(?<![a-z0-9])(?:${parts})(?:${gap}(?:${parts}))*`, 'giu');
}
