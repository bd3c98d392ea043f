import type { NotePlace } from './note-readings.ts';

interface FoundPassage {
  readonly id: string;
  readonly text: string;
  readonly alsoIn?: readonly NotePlace[];
}

export interface FoundNote {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly notebook: string;
  /** Best first; none if the note itself was found, by its title. */
  readonly passages: readonly FoundPassage[];
  /** Words that it shares with the note in question; none if it is similar in meaning alone. */
  readonly shared?: readonly string[];
  readonly isSavedChat?: true;
}

/** Search results for people: notes, best first. */
export interface FoundList {
  readonly notes: readonly FoundNote[];
  /** The search words, to be marked in titles and passages. */
  readonly words?: readonly string[];
  /** Words that occur in no note. */
  readonly missing?: readonly string[];
  /** Whether meaning counted too; false: it was asked for, and the embedding service gave nothing. */
  readonly byMeaning?: boolean;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isOptional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const hasFields =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' && value !== null && Object.entries(fields).every(([name, check]) => check(Reflect.get(value, name)));

const isPassage = hasFields({ id: isText, text: isText, alsoIn: isOptional(isListOf(hasFields({ id: isText, path: isText }))) });
const isNote = hasFields({
  id: isText,
  title: isText,
  path: isText,
  notebook: isText,
  passages: isListOf(isPassage),
  shared: isOptional(isListOf(isText)),
  isSavedChat: isOptional((value) => value === true),
});
const isList = hasFields({
  notes: isListOf(isNote),
  words: isOptional(isListOf(isText)),
  missing: isOptional(isListOf(isText)),
  byMeaning: isOptional((value) => typeof value === 'boolean'),
});

/** Tells if a tool's result, or a saved value, is such a list. Never throws: external getters may. */
export function isFoundList(value: unknown): value is FoundList {
  try {
    return isList(value);
  } catch {
    return false;
  }
}
