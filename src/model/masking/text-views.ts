import { decodeHTML } from 'entities/decode';

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
export interface TextView {
  readonly text: string;
  /** How many levels of JSON escapes were undone. */
  readonly escapes: number;
  /** The range of a part of this view in the original text; pieces that are written differently are taken whole. */
  readonly toOriginal: (start: number, end: number) => readonly [number, number];
}

/** How deeply encodings may be nested. */
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
/** One way to write each character, without invisible ones. */
export const foldText = (text: string): string => fold(text)?.text ?? text;
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

/** The last edit that begins at or before a position. */
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

/**
 * The text itself, and each other way to read it that differs. A value put into JSON, a link or HTML, up to three times
 * nested, is found in one of them. The time is linear in the text's length: the number of ways is bounded.
 */
export function textViews(text: string): readonly TextView[] {
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
