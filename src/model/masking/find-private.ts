import { lazyPart } from '../../tools/util/lazy.ts';
import { placeholdersIn } from './placeholders.ts';
import { badField, type FieldProblem, isMasking, type PrivacyField, type PrivacySettings, readField } from './privacy-fields.ts';
import { foldText, type TextView, textViews } from './text-views.ts';

/** A range of a text (UTF-16 units) that matches a field; field 0: text that looks like a placeholder and is masked as itself. */
interface PrivateRange {
  readonly start: number;
  readonly end: number;
  readonly field: number;
  /** The number of levels of JSON escapes in which it is written. */
  readonly escapes: number;
}

/** In order, without overlaps. */
export type FindPrivate = (text: string) => readonly PrivateRange[];

interface Search {
  readonly find: (text: string) => Iterable<{ readonly start: number; readonly end: number; readonly field: number }>;
}

type Word = Extract<PrivacyField, { kind: 'word' }>;
type Expression = Extract<PrivacyField, { kind: 'expression' }>;

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Words in any case, longest first: as they were typed, and in the normal form that the views of a text use. */
function wordSearch(words: readonly Word[]): Search {
  const forms = words
    .flatMap(({ number, word }) => [...new Set([word, foldText(word)])].map((form) => ({ form, field: number })))
    .filter(({ form }) => form !== '')
    .sort((one, other) => other.form.length - one.form.length);
  const pattern = new RegExp(forms.map(({ form }) => escaped(form)).join('|'), 'giu');
  const fields = new Map([...forms].reverse().map(({ form, field }) => [form.toLowerCase(), field]));
  // A few letters have more than one lower-case form (ſ for s): then the expression itself decides which word it is.
  const fieldOf = (found: string): number =>
    fields.get(found.toLowerCase()) ?? forms.find(({ form }) => new RegExp(`^${escaped(form)}$`, 'iu').test(found))?.field ?? 0;
  return {
    *find(text) {
      for (const { index, 0: found } of text.matchAll(pattern)) yield { start: index, end: index + found.length, field: fieldOf(found) };
    },
  };
}

// Linear in the text for every expression, and loaded only if one is used: 46 KB gzip.
const engine = lazyPart(() => import('re2js'));

/** Rejects with `not_loaded` if the engine's file cannot be loaded. */
async function expressionSearch({ number, source, flags }: Expression): Promise<Search | FieldProblem> {
  try {
    new RegExp(source, flags.replace(/[gu]/g, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return 'syntax';
    throw error;
  }
  const { RE2JS, RE2JSException } = await engine();
  const bits = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL };
  let compiled: ReturnType<typeof RE2JS.compile>;
  try {
    const chosen = Object.entries(bits).reduce((all, [flag, bit]) => (flags.includes(flag) ? all | bit : all), 0);
    compiled = RE2JS.compile(RE2JS.translateRegExp(source), chosen);
  } catch (error) {
    if (error instanceof RE2JSException) return 'unsupported';
    throw error;
  }
  if (compiled.matcher('').find()) return 'matches-nothing';
  return {
    *find(text) {
      const matcher = compiled.matcher(text);
      // \b alone matches empty text, though only next to words.
      while (matcher.find()) if (matcher.end() > matcher.start()) yield { start: matcher.start(), end: matcher.end(), field: number };
    },
  };
}

/** What is wrong with an entry of `privacy.fields`; undefined if it is valid. */
export async function fieldProblem(entry: unknown): Promise<FieldProblem | undefined> {
  const field = readField(entry, 1);
  if (typeof field === 'string') return field;
  const search = field.kind === 'word' ? undefined : await expressionSearch(field);
  return typeof search === 'string' ? search : undefined;
}

function rangesIn(text: string, views: readonly TextView[], searches: readonly Search[]): PrivateRange[] {
  const ranges = placeholdersIn(text).map(([start, end]): PrivateRange => ({ start, end, field: 0, escapes: 0 }));
  for (const { text: view, escapes, toOriginal } of views) {
    for (const { find } of searches) {
      for (const found of find(view)) {
        const [start, end] = toOriginal(found.start, found.end);
        ranges.push({ start, end, field: found.field, escapes });
      }
    }
  }
  return ranges;
}

/** Overlapping ranges are merged, so that no part of a value remains. The result belongs to the field with the longest range. */
function mergeRanges(ranges: readonly PrivateRange[]): readonly PrivateRange[] {
  const result: PrivateRange[] = [];
  let longest = 0;
  for (const range of [...ranges].sort((one, other) => one.start - other.start || other.end - one.end || one.field - other.field)) {
    const last = result.at(-1);
    const size = range.end - range.start;
    if (!last || range.start >= last.end) {
      result.push(range);
      longest = size;
      continue;
    }
    const field = size > longest || last.field === 0 ? range.field || last.field : last.field;
    longest = Math.max(longest, size);
    result[result.length - 1] = { ...last, end: Math.max(last.end, range.end), field };
  }
  return result;
}

function checked<T extends object>(made: T | FieldProblem, index: number): T {
  if (typeof made === 'string') throw badField(index + 1, PROBLEM_WORDS[made]);
  return made;
}

/** How many texts' ranges are cached: a request repeats the messages of the one before it. */
const KEPT_TEXTS = 2000;

/** Rejects with `privacy_invalid` if any field is invalid: masking only some of the fields is no protection. */
export async function findPrivate(privacy: PrivacySettings): Promise<FindPrivate> {
  if (isMasking(privacy) && privacy.enabled !== true) throw badField(0, '');
  const fields = privacy.fields.map((entry, index) => checked(readField(entry, index + 1), index));
  const words = fields.filter((field) => field.kind === 'word');
  const searches = words.length > 0 ? [wordSearch(words)] : [];
  for (const field of fields) if (field.kind === 'expression') searches.push(checked(await expressionSearch(field), field.number - 1));
  const kept = new Map<string, readonly PrivateRange[]>();
  return (text) => {
    const known = kept.get(text);
    if (known) return known;
    const ranges = mergeRanges(rangesIn(text, textViews(text), searches));
    if (kept.size >= KEPT_TEXTS) kept.clear();
    kept.set(text, ranges);
    return ranges;
  };
}

const PROBLEM_WORDS: Readonly<Record<FieldProblem, string>> = {
  'no-text': 'it is no text',
  empty: 'it is empty',
  flags: 'it has flags that are not known; g, i, m, s and u are',
  syntax: 'it is no regular expression',
  unsupported: 'it looks ahead or behind, refers back, or repeats too often',
  'matches-nothing': 'it matches an empty text, and so every text',
};
