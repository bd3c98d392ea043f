import { type EvenText, evenText, type Likeness } from '../../tools/equal-text/equal-text.ts';
import { stemOf } from '../../tools/util/plain-words.ts';
import type { TextRange } from '../reading/snippet.ts';
import { isPlainWord, spellingsOf } from '../sql/written-forms.ts';
import type { QueryWord } from './query-words.ts';

/** A text, and the weight of its words relative to the body. */
export interface Field {
  readonly text: string;
  readonly weight: number;
}

export interface PassageText {
  readonly body: string;
  readonly fields: readonly Field[];
  /** Numbers of the words that the index found in any of its columns. */
  readonly indexed?: ReadonlySet<number>;
}

/** The position of a word, and the share of it that is there: 1 for the whole word. */
interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly share: number;
}

interface FoundWord {
  readonly count: number;
  readonly isWhole: boolean;
  readonly body: readonly Occurrence[];
}

export interface ReadPassage {
  readonly words: readonly FoundWord[];
  /** Words, or characters in scripts without spaces. */
  readonly length: number;
}

/** BM25's saturation, and the influence of the text's length. */
const K1 = 0.9;
const B = 0.5;
/** Weight of an inflected form; a word that begins with the word, or contains it, counts by the matching share. */
const OTHER_FORM = 0.9;
const BEGINNING = 0.8;
const INSIDE = 0.25;
/** The bonus of two adjacent words, relative to the lighter one; half as much at this many characters apart. */
const NEAR = 0.5;
const NEAR_CHARACTERS = 8;
const HINT = 0.5;
/** Weight of a hint of one character, which occurs in many words. */
const CHARACTER = 0.3;
/** Rarity is measured against this multiple of the blocks that have any of the words, so that a word in all of them still counts. */
const ALL = 3;

const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;
/** Within a word, which somebody else writes without it. */
const HYPHEN = /(?<=\p{L})-(?=\p{L})/gu;
const UNITS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{M}\p{N}]+/gu;

/** Weight of a word in another spelling, or with accents that the question has not. */
const ALIKE = 0.95;

class ReadText {
  private readonly text: string;
  private readonly forms = new Map<Likeness, EvenText>();

  constructor(text: string) {
    this.text = text;
  }

  in(likeness: Likeness): EvenText {
    const form = this.forms.get(likeness) ?? evenText(likeness === 'bare' ? this.text.replaceAll(HYPHEN, '\u200b') : this.text, likeness);
    this.forms.set(likeness, form);
    return form;
  }
}

const isSpaced = (character: string | undefined): boolean => character !== undefined && SPACED.test(character);

/** The word of the text around an index, in scripts that separate words. */
function occurrenceAt(text: string, at: number, { text: word, stem }: QueryWord): Occurrence {
  let [from, to] = [at, at + stem.length];
  if (isSpaced(stem[0])) while (isSpaced(text[from - 1])) from -= 1;
  if (isSpaced(stem.at(-1))) while (isSpaced(text[to])) to += 1;
  const found = text.slice(from, to);
  if (found === word) return { start: at, end: to, share: 1 };
  if (stemOf(found) === stem) return { start: at, end: to, share: OTHER_FORM };
  return { start: at, end: at + stem.length, share: (stem.length / found.length) * (from === at ? BEGINNING : INSIDE) };
}

function placesIn({ text, starts, ends }: EvenText, word: QueryWord, weight: number): readonly Occurrence[] {
  const found: Occurrence[] = [];
  const { stem } = word;
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + stem.length)) {
    const { start, end, share } = occurrenceAt(text, at, word);
    found.push({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0, share: share * weight });
  }
  return found;
}

/** As it is asked for, in another spelling, or with accents and hyphens that the question has not. */
function occurrencesOf(text: ReadText, word: QueryWord): readonly Occurrence[] {
  const found = placesIn(text.in('same'), word, 1);
  if (found.length > 0 || word.isHint) return found;
  const spelled = spellingsOf(word.text).flatMap((spelling) =>
    placesIn(text.in('same'), { text: spelling, stem: stemOf(spelling), typed: word.typed }, ALIKE),
  );
  return spelled.length > 0 || !isPlainWord(word.stem) ? spelled : placesIn(text.in('bare'), word, ALIKE);
}

const isCharacter = ({ text, isHint }: QueryWord): boolean => isHint === true && [...text].length === 1;
const isWhole = ({ share }: Occurrence): boolean => share >= OTHER_FORM * ALIKE;

function countOf(found: readonly Occurrence[]): number {
  const whole = found.filter(isWhole);
  return whole.length > 0 ? whole.reduce((sum, { share }) => sum + share, 0) : Math.max(0, ...found.map(({ share }) => share));
}

export function readPassage({ body, fields, indexed }: PassageText, words: readonly QueryWord[]): ReadPassage {
  const text = new ReadText(body);
  const besides = fields.map((field) => ({ text: new ReadText(field.text), weight: field.weight }));
  return {
    words: words.map((word, number) => {
      const inBody = occurrencesOf(text, word);
      const elsewhere = word.isHint ? [] : besides.map((field) => ({ ...field, found: occurrencesOf(field.text, word) }));
      const count = countOf(inBody) + elsewhere.reduce((sum, { weight, found }) => sum + weight * countOf(found), 0);
      // The index treats characters as equal that differ here, such as simplified and traditional ones.
      const counted = count === 0 && indexed?.has(number) ? INSIDE : count;
      // The position of a single character says nothing.
      const body = isCharacter(word) ? [] : inBody;
      return { body, count: counted, isWhole: inBody.some(isWhole) || elsewhere.some(({ found }) => found.some(isWhole)) };
    }),
    length: (body.match(UNITS) ?? []).length,
  };
}

/** Characters between the nearest occurrences of two words; undefined if one is missing. */
function distance(one: FoundWord, other: FoundWord): number | undefined {
  let least: number | undefined;
  for (const first of one.body)
    for (const second of other.body) {
      const gap = Math.max(0, first.start <= second.start ? second.start - first.end : first.start - second.end);
      if (least === undefined || gap < least) least = gap;
    }
  return least;
}

/** BM25 over the words, plus the proximity of each two consecutive words of the question. `weights`: by word number. */
export function scoreOf({ words, length }: ReadPassage, weights: readonly number[], averageLength: number): number {
  const room = K1 * (1 - B + (B * length) / Math.max(1, averageLength));
  return words.reduce((sum, word, number) => {
    if (word.count === 0) return sum;
    const weight = weights[number] ?? 0;
    const next = words[number + 1];
    const gap = next && distance(word, next);
    const near = gap === undefined ? 0 : NEAR / (1 + gap / NEAR_CHARACTERS);
    return sum + (weight * word.count * (K1 + 1)) / (word.count + room) + near * Math.min(weight, weights[number + 1] ?? 0);
  }, 0);
}

/** The rarer a word, the higher, as in BM25. */
export const rarity = (holding: number, all: number): number => Math.log(1 + Math.max(0, all - holding + 0.5) / (holding + 0.5));

/** The weight of each word among blocks that have any of them, so unrelated or hidden notes have no influence. `holding`: of `found`. */
export function weightsOf(
  words: readonly QueryWord[],
  passages: readonly ReadPassage[],
  holding: readonly number[],
  found: number,
): number[] {
  const all = ALL * Math.max(found, passages.length);
  return words.map((word, number) => {
    const having = passages.filter((passage) => (passage.words[number]?.count ?? 0) > 0).length;
    if (word.isHint) return (isCharacter(word) ? CHARACTER : HINT) * rarity(having, passages.length);
    const whole = passages.filter((passage) => passage.words[number]?.isWhole).length;
    return rarity((Math.max(having, holding[number] ?? 0) * (whole + 1)) / (having + 1), all);
  });
}

export const averageLength = (passages: readonly { readonly length: number }[]): number =>
  passages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, passages.length);

/** The start of the span of this many characters that contains most of the words. */
export function densestPlace({ words }: ReadPassage, weights: readonly number[], characters: number): TextRange {
  const places = words
    .flatMap(({ body }, number) => body.map(({ start, end, share }) => ({ start, end, number, weight: share * (weights[number] ?? 0) })))
    .sort((one, other) => one.start - other.start);
  let best = { start: 0, end: 0, weight: 0 };
  for (const [index, { start }] of places.entries()) {
    const inside = places.slice(index).filter(({ end }) => end <= start + characters);
    const heaviest = new Map<number, number>();
    for (const each of inside) heaviest.set(each.number, Math.max(each.weight, heaviest.get(each.number) ?? 0));
    const weight = [...heaviest.values()].reduce((sum, each) => sum + each, 0);
    if (weight > best.weight) best = { start, end: inside.at(-1)?.end ?? start, weight };
  }
  return best;
}
