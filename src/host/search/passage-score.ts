import { stemOf } from '../../tools/util/plain-words.ts';
import type { TextRange } from '../reading/snippet.ts';
import type { QueryWord } from './query-words.ts';

/** A text and how much a word in it counts beside one in the body. */
export interface Field {
  readonly text: string;
  readonly weight: number;
}

export interface PassageText {
  readonly body: string;
  /** Title, heading, names, tags. */
  readonly fields: readonly Field[];
  /** Numbers of the words that the index found in it, wherever that was. */
  readonly indexed?: ReadonlySet<number>;
}

/** Where a word stands, and how much of the word there it is: 1 for the whole one. */
interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly share: number;
}

interface FoundWord {
  /** How often. Of parts of words one counts, and none beside a whole word. */
  readonly count: number;
  readonly isWhole: boolean;
  readonly body: readonly Occurrence[];
}

/** A passage in which the words of a question were looked for. */
export interface ReadPassage {
  readonly words: readonly FoundWord[];
  /** Words, and characters where words are not set apart. */
  readonly length: number;
}

/** BM25's saturation, and how much the length of a text counts. */
const K1 = 0.9;
const B = 0.5;
/** Another form of a word; a word that begins with it, or holds it, counts by the part that it is. */
const OTHER_FORM = 0.9;
const BEGINNING = 0.8;
const INSIDE = 0.25;
/** What two words that stand next to each other add, of the weight of the lighter one; half as much so many characters apart. */
const NEAR = 0.5;
const NEAR_CHARACTERS = 8;
const HINT = 0.5;
/** A hint of one character: it stands in many words. */
const CHARACTER = 0.3;
/** So many times the blocks that have any of the words are as many as a word is rare among: one that all of them have still says something. */
const ALL = 3;

const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;
const UNITS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{M}\p{N}]+/gu;

/** In lower case, with every character where it was. */
const folded = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
};

const isSpaced = (character: string | undefined): boolean => character !== undefined && SPACED.test(character);

/** The word of the text around a place, as far as words are set apart there. */
function occurrenceAt(text: string, at: number, { text: word, stem }: QueryWord): Occurrence {
  let [from, to] = [at, at + stem.length];
  if (isSpaced(stem[0])) while (isSpaced(text[from - 1])) from -= 1;
  if (isSpaced(stem.at(-1))) while (isSpaced(text[to])) to += 1;
  const found = text.slice(from, to);
  if (found === word) return { start: at, end: to, share: 1 };
  if (stemOf(found) === stem) return { start: at, end: to, share: OTHER_FORM };
  return { start: at, end: at + stem.length, share: (stem.length / found.length) * (from === at ? BEGINNING : INSIDE) };
}

function occurrencesOf(text: string, word: QueryWord): readonly Occurrence[] {
  const found: Occurrence[] = [];
  const { stem } = word;
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + stem.length)) found.push(occurrenceAt(text, at, word));
  return found;
}

const isCharacter = ({ text, isHint }: QueryWord): boolean => isHint === true && [...text].length === 1;
const isWhole = ({ share }: Occurrence): boolean => share >= OTHER_FORM;

function countOf(found: readonly Occurrence[]): number {
  const whole = found.filter(isWhole);
  return whole.length > 0 ? whole.reduce((sum, { share }) => sum + share, 0) : Math.max(0, ...found.map(({ share }) => share));
}

export function readPassage({ body, fields, indexed }: PassageText, words: readonly QueryWord[]): ReadPassage {
  const text = folded(body);
  const besides = fields.map((field) => ({ text: folded(field.text), weight: field.weight }));
  return {
    words: words.map((word, number) => {
      const inBody = occurrencesOf(text, word);
      const elsewhere = word.isHint ? [] : besides.map((field) => ({ ...field, found: occurrencesOf(field.text, word) }));
      const count = countOf(inBody) + elsewhere.reduce((sum, { weight, found }) => sum + weight * countOf(found), 0);
      // The index takes for the same what are other letters here, such as simplified and traditional characters.
      const counted = count === 0 && indexed?.has(number) ? INSIDE : count;
      // Of single characters no place says anything.
      const body = isCharacter(word) ? [] : inBody;
      return { body, count: counted, isWhole: inBody.some(isWhole) || elsewhere.some(({ found }) => found.some(isWhole)) };
    }),
    length: (text.match(UNITS) ?? []).length,
  };
}

/** Characters between the nearest places of two words; undefined where one is missing. */
function distance(one: FoundWord, other: FoundWord): number | undefined {
  let least: number | undefined;
  for (const first of one.body)
    for (const second of other.body) {
      const gap = Math.max(0, first.start <= second.start ? second.start - first.end : first.start - second.end);
      if (least === undefined || gap < least) least = gap;
    }
  return least;
}

/** BM25 over the words, and for each two that follow one another in the question how near they stand. `weights`: of each word. */
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

/** The rarer, the more a word says; as BM25 has it. */
export const rarity = (holding: number, all: number): number => Math.log(1 + Math.max(0, all - holding + 0.5) / (holding + 0.5));

/**
 * What each word weighs among blocks that have any of the words: notes about other things, in other languages or hidden say nothing of it.
 * `holding`: how many of these `found` blocks have its letters, by its number. As many of these have it as a word as among the passages. A
 * hint is known from the passages alone.
 */
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

export const averageLength = (passages: readonly ReadPassage[]): number =>
  passages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, passages.length);

/** Where most of what a passage has of the words stands within so many characters. */
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
