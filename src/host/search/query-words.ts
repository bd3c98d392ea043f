import { stemOf } from '../../tools/util/plain-words.ts';
import { CHINESE_STOP_WORDS, STOP_WORDS } from './stop-words.ts';

/** A word of a question, or two characters of a longer word where words are not set apart. */
export interface QueryWord {
  /** In lower case. */
  readonly text: string;
  /** What all forms of it begin with: "studi", "study" and "studies" have "stud". */
  readonly stem: string;
  /** The word as it was typed that this is (a part of). */
  readonly typed: string;
  /** Two characters that only stand next to each other in the question, or one of a word: a hint, which no passage is looked for by. */
  readonly isHint?: true;
}

/** Written without spaces: a word of more than two characters is looked for by its pairs, since another text may cut it elsewhere. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hangul}]+$/u;
/** Names with signs that cutting into words would lose: C++, C#, F#. */
const SIGNED = /[\p{L}\p{N}]+[+#]+/gu;
const LETTERS = /[\p{Script=Han}\p{Script=Hangul}]+|(?:(?![\p{Script=Han}\p{Script=Hangul}])[\p{L}\p{M}\p{N}_])+/gu;
const UNSPACED_RUNS = /[\p{Script=Han}\p{Script=Hangul}]+/gu;
/** Each costs the index a search of its own. */
const MOST_WORDS = 24;

const segmenter = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter('zh', { granularity: 'word' }) : null;

/** Words of a text in order. Older WebViews lack Intl.Segmenter: there Chinese is one run of characters, which is cut into pairs. */
export function wordsIn(text: string, cut: Intl.Segmenter | null = segmenter): readonly string[] {
  const signed = [...text.matchAll(SIGNED)].map(([name]) => name);
  const rest = text.replaceAll(SIGNED, ' ');
  const found = cut
    ? Array.from(cut.segment(rest)).flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []))
    : [...rest.matchAll(LETTERS)].map(([word]) => word);
  // Of "season's" and "l'histoire" what stands apart from the sign.
  return [...signed, ...found.flatMap((word) => word.split(/['’]/u)).filter((word) => word !== '')];
}

const isCharacter = (word: string | undefined): boolean => word !== undefined && UNSPACED.test(word) && [...word].length === 1;

/** A name that the dictionary does not know comes as single characters: they are one word again. Stop words end it. */
function joinCharacters(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    const isMore = isCharacter(word) && isCharacter(words[index - 1]) && !STOP_WORDS.has(word) && !STOP_WORDS.has(words[index - 1] ?? '');
    if (isMore) joined.push((joined.pop() ?? '') + word);
    else joined.push(word);
  }
  return joined;
}

const pairsOf = (word: string): readonly string[] => {
  const characters = [...word];
  return characters.length <= 2 ? [word] : characters.slice(0, -1).map((character, index) => character + characters[index + 1]);
};

/** One letter stands in every word. */
const saysMuch = (word: string): boolean => !STOP_WORDS.has(word) && (word.length > 1 || UNSPACED.test(word));

/** Words of a text that say something, in lower case and in order; only where there are no others stop words, too. */
export function contentWords(text: string, cut: Intl.Segmenter | null = segmenter): readonly string[] {
  const all = joinCharacters(wordsIn(text.normalize('NFKC').toLowerCase(), cut));
  const content = all.filter(saysMuch);
  return content.length > 0 ? content : all;
}

/** What a question asks about, each word once and in order, at most so many; hints come last. Only where there is nothing else are stop words words, too. */
export function queryWords(query: string, cut: Intl.Segmenter | null = segmenter, most = MOST_WORDS): readonly QueryWord[] {
  const text = query.normalize('NFKC').toLowerCase();
  const words = contentWords(text, cut).flatMap((typed) =>
    (UNSPACED.test(typed) ? pairsOf(typed) : [typed]).map((part) => ({ text: part, stem: stemOf(part), typed })),
  );
  const found = new Map<string, QueryWord>(words.slice(0, most).map((word) => [word.stem, word]));
  // Of "叫什么" neither "叫什" nor "什" says anything.
  const runs = [...text.replaceAll(CHINESE_STOP_WORDS, ' ').matchAll(UNSPACED_RUNS)].map(([run]) => run);
  for (const part of [...runs.flatMap(pairsOf), ...runs.flatMap((run) => [...run])]) {
    if (!found.has(part) && !STOP_WORDS.has(part)) found.set(part, { text: part, stem: part, typed: part, isHint: true });
  }
  return [...found.values()];
}
