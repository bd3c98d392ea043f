import type { NotePlace } from './note-readings.ts';

/** A part of a block that was found. */
interface FoundPassage {
  /** The block. */
  readonly id: string;
  readonly text: string;
  /** SearchMatch.alsoIn */
  readonly alsoIn?: readonly NotePlace[];
}

/** A note that was found. */
export interface FoundNote {
  /** The document. */
  readonly id: string;
  readonly title: string;
  /** Path in words, "/Projects/Apollo". */
  readonly path: string;
  /** The notebook's name. */
  readonly notebook: string;
  /** Best first; none where the note itself was found, by its title. */
  readonly passages: readonly FoundPassage[];
  /** Words that it has in common with the note that was asked about. */
  readonly shared?: readonly string[];
  /** SearchMatch.isSavedChat. */
  readonly isSavedChat?: true;
}

/** What a search found, for people to look at: notes, best first. */
export interface FoundList {
  readonly notes: readonly FoundNote[];
  /** What was looked for, to be marked in titles and passages. */
  readonly words?: readonly string[];
  /** Words that stand in no note. */
  readonly missing?: readonly string[];
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
const isList = hasFields({ notes: isListOf(isNote), words: isOptional(isListOf(isText)), missing: isOptional(isListOf(isText)) });

/** Whether something that a tool gave, or a file has, is such a list. Never throws: a getter of others may. */
export function isFoundList(value: unknown): value is FoundList {
  try {
    return isList(value);
  } catch {
    return false;
  }
}
