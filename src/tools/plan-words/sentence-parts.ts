import { pathWords } from '../util/place-words.ts';
import type { MessageKey, Translate } from './i18n.ts';
import { sentenceCase } from './sentences.ts';

/** A name given by somebody: nothing in it is a word of the sentence. */
interface NamePart {
  readonly name: string;
  /** The note that the sentence is about: set apart, and a link if it can be opened. */
  readonly isSubject?: true;
}

/** A sentence whose names are separate from its words: text is never searched for them. */
export type SentencePart = string | NamePart | { readonly path: readonly string[]; readonly isSubject?: true };
export type Sentence = readonly SentencePart[];

/** Delimiters of part numbers. Names are inserted after the text was split, so a name that contains one has no effect. */
const MARK = '\u0000';

/** A text of the dictionary with its parts inserted. Numbers select plural forms, as in `t`. */
export function filledSentence(t: Translate, key: MessageKey, values: Readonly<Record<string, number | Sentence>>): Sentence {
  const parts: Sentence[] = [];
  const places = Object.entries(values).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'number' ? value : `${MARK}${parts.push(value) - 1}${MARK}`,
  ]);
  return t(key, Object.fromEntries(places))
    .split(MARK)
    .flatMap((piece, index) => {
      if (index % 2 === 1) return parts[Number(piece)] ?? [];
      return piece === '' ? [] : [piece];
    });
}

/** With its first word in upper case, unless it begins with a name. */
export const capitalized = ([first, ...rest]: Sentence): Sentence =>
  first === undefined ? [] : [typeof first === 'string' ? sentenceCase(first) : first, ...rest];

export const sentenceText = (sentence: Sentence): string =>
  sentence
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'path' in part ? pathWords(part.path) : part.name;
    })
    .join('');
