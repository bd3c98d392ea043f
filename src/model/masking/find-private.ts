import { decodeHTML } from 'entities/decode';
import { lazyPart } from '../../tools/util/lazy.ts';
import { placeholdersIn } from './placeholders.ts';
import { badField, type FieldProblem, isMasking, type PrivacyField, type PrivacySettings, readField } from './privacy-fields.ts';

/** A piece that a view writes differently: its range in the view, and in the underlying text (UTF-16 units). */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly below: number;
  readonly belowEnd: number;
}

interface Layer {
  readonly text: string;
  readonly edits: readonly Edit[];
}

/** One way to read a text: with JSON escapes, character references or percent-encoding undone, or in one Unicode form. */
interface TextView {
  readonly text: string;
  /** Levels of JSON escapes that were undone. */
  readonly escapes: number;
  /** The range of a part of this view in the original text; pieces that are written differently are taken whole. */
  readonly toOriginal: (start: number, end: number) => readonly [number, number];
}

const DEPTH = 3;

/** `pattern` has no groups. */
function rewrite(text: string, pattern: RegExp, decode: (piece: string) => string): Layer | undefined {
  const edits: Edit[] = [];
  let shift = 0;
  const result = text.replace(pattern, (piece: string, below: number) => {
    const decoded = decode(piece);
    if (decoded === piece) return piece;
    const start = below + shift;
    edits.push({ start, end: start + decoded.length, below, belowEnd: below + piece.length });
    shift += decoded.length - piece.length;
    return decoded;
  });
  return edits.length === 0 ? undefined : { text: result, edits };
}

/** Invisible characters: soft hyphen, zero-width spaces and joiners, direction marks, variation selectors. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe00-\ufe0f]/g;
// A character with its marks, a Hangul syllable in letters, or any character beyond ASCII by itself.
const CLUSTER = /[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?|\P{M}\p{M}+|\P{ASCII}/gu;

const foldPiece = (piece: string): string => piece.replace(UNSEEN, '').normalize('NFKC');
const foldText = (text: string): string => fold(text)?.text ?? text;
const fold = (text: string): Layer | undefined => rewrite(text, CLUSTER, foldPiece);

const JSON_ESCAPE = /\\(?:u[0-9a-f]{4}|["\\/bfnrt])/gi;
const unescapeJson = (piece: string): string => {
  const value: unknown = JSON.parse(`"${piece.length === 2 ? piece.toLowerCase() : piece}"`);
  return typeof value === 'string' ? value : piece;
};

const PERCENT = /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}/gi;
function decodePercent(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch (error) {
    if (error instanceof URIError) return piece; // These bytes are not a character.
    throw error;
  }
}

const QUERY = /[?&=][^\s"'<>()]*\+[^\s"'<>()]*/g;
const REFERENCE = /&(?:#x?)?[0-9a-z]{1,32};/gi;

const undoJson = (text: string): Layer | undefined => rewrite(text, JSON_ESCAPE, unescapeJson);
const DECODERS: readonly ((text: string) => Layer | undefined)[] = [
  fold,
  undoJson,
  (text) => rewrite(text, PERCENT, decodePercent),
  (text) => rewrite(text, REFERENCE, (piece) => decodeHTML(piece)),
  (text) => rewrite(text, QUERY, (run) => run.replaceAll('+', ' ')),
];

/** Signs that mark words in Markdown and HTML, also in the middle of one. */
const INLINE_MARK = /[*_~=`]+|<\/?(?:b|i|u|s|em|strong|mark|sub|sup|del|span|kbd|code)(?:\s[^<>]*)?>/gi;
const unmark = (text: string): Layer | undefined => rewrite(text, INLINE_MARK, () => '');

function editAt(edits: readonly Edit[], place: number): Edit | undefined {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edits[middle]?.start ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return edits[low - 1];
}

function below(edits: readonly Edit[], start: number, end: number): readonly [number, number] {
  return [startBelow(editAt(edits, start), start), endBelow(editAt(edits, end - 1), end)];
}

function startBelow(edit: Edit | undefined, start: number): number {
  if (!edit) return start;
  return start < edit.end ? edit.below : edit.belowEnd + (start - edit.end);
}

function endBelow(edit: Edit | undefined, end: number): number {
  if (!edit) return end;
  return end - 1 < edit.end ? edit.belowEnd : edit.belowEnd + (end - edit.end);
}

/** The text and each other reading of it (JSON, links, HTML, up to three levels deep); bounded, so the time is linear. */
function textViews(text: string): readonly TextView[] {
  const views: (TextView & { readonly depth: number })[] = [{ text, depth: 0, escapes: 0, toOriginal: (start, end) => [start, end] }];
  const known = new Set([text]);
  for (const view of views) {
    if (view.depth > DEPTH) continue;
    // Marks are removed only from the text itself: most texts have some, and each way to read one costs time.
    for (const decode of view.depth === 0 ? [unmark, ...DECODERS] : DECODERS) {
      const layer = decode(view.text);
      if (!layer || known.has(layer.text)) continue;
      known.add(layer.text);
      const toOriginal = (start: number, end: number): readonly [number, number] => view.toOriginal(...below(layer.edits, start, end));
      views.push({
        text: layer.text,
        depth: decode === unmark ? DEPTH + 1 : view.depth + 1,
        escapes: view.escapes + (decode === undoJson ? 1 : 0),
        toOriginal,
      });
    }
  }
  return views;
}

/** A range of a text (UTF-16 units) that matches a field; field 0: text that looks like a placeholder and is masked as itself. */
interface PrivateRange {
  readonly start: number;
  readonly end: number;
  readonly field: number;
  readonly escapes: number;
}

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

/** Texts whose ranges are cached: a request repeats the messages of the one before it. */
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
