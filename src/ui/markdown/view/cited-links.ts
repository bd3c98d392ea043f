import { lazyPart } from '../../../tools/util/lazy.ts';

/** Rejects with `not_loaded`. */
export const loadCitedSentence = lazyPart(() => import('../../find/cited-sentence.ts'));

const BLOCK = 'p, li, td, th, h1, h2, h3, h4, h5, h6, blockquote, div';
/** Characters before a citation that are compared with its words. */
const NEAR = 200;
/** Of the words that the sentence has, too, so many make them a repetition. */
const REPEATED = 2 / 3;

/** Words in lower case; of Chinese, which has no spaces, each pair of characters. */
const wordsIn = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) =>
    /\p{Script=Han}/u.test(word) && word.length > 2 ? Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)) : [word],
  );

function textBefore(link: HTMLElement): string {
  const range = document.createRange();
  range.setStart(link.closest(BLOCK) ?? link, 0);
  range.setEndBefore(link);
  return range.toString().slice(-NEAR);
}

/** The sentence is whole without the words: it ends before them, or has them already. */
export function isApart(before: string, words: string): boolean {
  if (/[.!?…。！？][\s"'”’)）]*$/u.test(before)) return true;
  const all = wordsIn(words);
  const known = new Set(wordsIn(before));
  return all.length > 0 && all.filter((word) => known.has(word)).length >= all.length * REPEATED;
}

/** Gives a citation its number, and its note's title to those who do not see it. @param generic the words of one that has none */
export function markCitation(link: HTMLElement, number: number, title: string, generic: string): void {
  const words = link.dataset.words ?? link.textContent ?? '';
  link.dataset.words = words;
  const isBare = words === generic || words.toLowerCase() === title.toLowerCase() || isApart(textBefore(link), words);
  if (number > 0) link.dataset.n = String(number);
  if (title !== '') link.setAttribute('aria-label', isBare ? title : `${words} (${title})`);
  if (!isBare) return;
  const hidden = document.createElement('span');
  hidden.className = 'mg-cite__words';
  hidden.textContent = words === generic && title !== '' ? title : words;
  link.replaceChildren(hidden);
  // A number stays with the word before it.
  const { previousSibling: before } = link;
  if (before instanceof Text) before.data = before.data.trimEnd();
}
