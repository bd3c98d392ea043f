import { RADICALS } from './radicals.ts';

/** What readers hold for one text: `same` under NFKC, and quotes, blanks and dashes of every kind; `bare` without accents as well. */
export type Likeness = 'same' | 'bare';

/** A text in its even form; the unit `n` of it is at `[starts[n], ends[n])` of the text. */
export interface EvenText {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ASCII = /^[\u0000-\u007f]*$/;
/** Composes to one sign: a letter with its marks, the Jamo of a syllable, a half-width kana with its sign. */
const CLUSTERS =
  /[\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff\uffa1-\uffdc]+|[\uac00-\ud7a3][\u11a8-\u11ff]|(?:\P{M}|^)[\p{M}\uff9e\uff9f]*|\p{M}+/gsu;
/** Not seen, and without a meaning of their own. */
const UNSEEN = /\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\ufe00-\ufe0f]/g;
const SIGNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'‘’‚‛′`´ʼ＇'].map((sign) => [sign, "'"])),
  ...Object.fromEntries([...'“”„‟″＂'].map((sign) => [sign, '"'])),
  ...Object.fromEntries([...'‐‑‒–—―−﹣－'].map((sign) => [sign, '-'])),
};
const SIGN = new RegExp(`[${Object.keys(SIGNS).join('')}]`, 'gu');
const RADICAL = /[\u2e80-\u2eff]/g;
const BLANK = /[^\S\n\r\t]/g;
const ACCENTS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g;
/** Letters that have no accent to Unicode, and are typed without one. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ŧ: 't', ŋ: 'n', ĸ: 'k', ς: 'σ', ȷ: 'j' },
  ...{ ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ٱ: 'ا' },
};
const LETTER = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');

function evenSigns(text: string): string {
  return text
    .replace(RADICAL, (sign) => RADICALS[sign] ?? sign)
    .replace(SIGN, (sign) => SIGNS[sign] ?? sign)
    .normalize('NFKC')
    .replace(SIGN, (sign) => SIGNS[sign] ?? sign)
    .replace(UNSEEN, '')
    .replace(BLANK, ' ');
}

const bareOf = (text: string): string =>
  text
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(LETTER, (letter) => PLAIN[letter] ?? letter);

function formOf(text: string, likeness: Likeness, cased: boolean): string {
  if (ASCII.test(text)) return cased ? text : text.toLowerCase();
  const even = evenSigns(text);
  // In Turkish the letter İ is an i.
  const lower = cased ? even : even.toLowerCase().replaceAll('i\u0307', 'i').normalize('NFC');
  return likeness === 'bare' ? bareOf(lower) : lower;
}

export const evenForm = (text: string, likeness: Likeness = 'same', cased = false): string => formOf(text, likeness, cased);

export const areAlike = (one: string, other: string): boolean => evenForm(one.trim()) === evenForm(other.trim());

/** Those with this name as it is written; else those with one that is alike. */
export function namedAlike<T>(items: readonly T[], nameOf: (item: T) => string, wanted: string): readonly T[] {
  const exact = items.filter((item) => nameOf(item).trim() === wanted.trim());
  return exact.length > 0 ? exact : items.filter((item) => areAlike(nameOf(item), wanted));
}

/** Tells if it is typed without accents: it also matches words that have some. */
export const isBare = (text: string): boolean => evenForm(text, 'bare') === evenForm(text);

export function evenText(text: string, likeness: Likeness = 'same', cased = false): EvenText {
  const starts: number[] = [];
  const ends: number[] = [];
  const whole = formOf(text, likeness, cased);
  // Most texts are in that form but for their case.
  if (whole === text || (whole.length === text.length && whole === text.toLowerCase())) {
    for (let at = 0; at < text.length; at += 1) {
      starts.push(at);
      ends.push(at + 1);
    }
    return { text: whole, starts, ends };
  }
  let even = '';
  for (const { 0: cluster, index } of text.matchAll(CLUSTERS)) {
    const form = formOf(cluster, likeness, cased);
    even += form;
    for (let unit = 0; unit < form.length; unit += 1) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
  }
  return { text: even, starts, ends };
}

/** Tells if the unit of an even text begins a sign of the text; its length is a border as well. */
const isBorder = ({ starts, text }: EvenText, unit: number): boolean =>
  unit === 0 || unit === text.length || starts[unit] !== starts[unit - 1];

/** The places of a part in even form in a text, in whole signs. */
export function placesOf(even: EvenText, part: string): readonly Range[] {
  const places: Range[] = [];
  if (part === '') return places;
  for (let at = even.text.indexOf(part); at >= 0; at = even.text.indexOf(part, at + 1)) {
    const end = at + part.length;
    if (isBorder(even, at) && isBorder(even, end)) places.push({ start: even.starts[at] ?? 0, end: even.ends[end - 1] ?? 0 });
  }
  return places;
}

/** The first place of a part in a text: as it is written but for case, else alike, else with accents that the part has not. */
export function findAlike(text: string, part: string): Range | undefined {
  if (part === '' || (ASCII.test(text) && ASCII.test(part))) {
    const at = part === '' ? -1 : text.toLowerCase().indexOf(part.toLowerCase());
    return at < 0 ? undefined : { start: at, end: at + part.length };
  }
  const [same] = placesOf(evenText(text), evenForm(part));
  if (same || !isBare(part)) return same;
  return placesOf(evenText(text, 'bare'), evenForm(part, 'bare'))[0];
}

export const containsAlike = (text: string, part: string): boolean => part === '' || findAlike(text, part) !== undefined;

/** An edit in the signs of the text that it is of: what the old and the new text have in common at their ends stays as it is written there. */
export function inOwnSigns(
  text: string,
  edit: { readonly old: string; readonly new: string },
): { readonly old: string; readonly new: string } {
  if (edit.old === '' || text.includes(edit.old)) return edit;
  const [place, ...others] = placesOf(evenText(text, 'same', true), evenForm(edit.old, 'same', true));
  if (!place || others.length > 0) return edit;
  const own = text.slice(place.start, place.end);
  const even = evenText(own, 'same', true);
  const [from, to] = [[...edit.old], [...edit.new]];
  const common = (one: readonly string[], other: readonly string[]): number => {
    const at = one.findIndex((sign, index) => sign !== other[index]);
    return at < 0 ? one.length : at;
  };
  /** The length in `own` of what is first or last in the old text; undefined inside of a sign. */
  const lengthOf = (part: string, isEnd: boolean): number | undefined => {
    const units = evenForm(part, 'same', true).length;
    if (units === 0) return 0;
    const unit = isEnd ? even.text.length - units : units;
    if (!isBorder(even, unit)) return undefined;
    return isEnd ? own.length - (even.starts[unit] ?? 0) : (even.ends[unit - 1] ?? 0);
  };
  let [head, tail] = [common(from, to), 0];
  while (head > 0 && (/^\p{M}/u.test(from[head] ?? '') || lengthOf(from.slice(0, head).join(''), false) === undefined)) head -= 1;
  tail = common(from.slice(head).reverse(), to.slice(head).reverse());
  while (tail > 0 && (/^\p{M}/u.test(from[from.length - tail] ?? '') || lengthOf(from.slice(-tail).join(''), true) === undefined))
    tail -= 1;
  const first = lengthOf(from.slice(0, head).join(''), false) ?? 0;
  const last = tail === 0 ? 0 : (lengthOf(from.slice(-tail).join(''), true) ?? 0);
  return { old: own, new: own.slice(0, first) + to.slice(head, to.length - tail).join('') + own.slice(own.length - last) };
}
