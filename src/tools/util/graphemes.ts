/** UTF-16 units: a longer grapheme (an accent stacked a thousand times) is split between its characters. */
const LONGEST = 256;
const segmenter = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : undefined;

/** The largest offset ≤ `index` (UTF-16 units) that is not inside a surrogate pair. */
function floorCharacter(text: string, index: number): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff ? index - 1 : index;
}

/** A grapheme always ends between two of these, whatever is around them. */
function isPlain(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x20 && code <= 0x7e;
}

/** The grapheme around an offset, segmented from a certain boundary: flags in a sequence are separated from its beginning. */
function graphemeAt(text: string, index: number): { readonly start: number; readonly end: number } {
  let from = index;
  while (from > 0 && !(isPlain(text, from - 1) && isPlain(text, from))) from--;
  let to = index + 1;
  while (to < text.length && !(isPlain(text, to - 1) && isPlain(text, to))) to++;
  const found = segmenter?.segment(text.slice(from, to)).containing(index - from);
  if (found === undefined || found.segment.length > LONGEST) return { start: index, end: index };
  return { start: from + found.index, end: from + found.index + found.segment.length };
}

/** The largest offset ≤ `index` at which a grapheme begins. */
export function floorGrapheme(text: string, index: number): number {
  const target = floorCharacter(text, index);
  return target === 0 || target === text.length ? target : graphemeAt(text, target).start;
}

/** The smallest offset ≥ `index` at which a grapheme begins. */
export function ceilGrapheme(text: string, index: number): number {
  const target = floorCharacter(text, index);
  if (target === text.length || (target === 0 && index <= 0)) return target;
  const { start, end } = graphemeAt(text, target);
  return start === index ? index : end;
}

/** At most `limit` UTF-16 units, in whole graphemes, with `…` if something was cut off. */
export function preview(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, floorGrapheme(text, limit - 1))}…`;
}

/** `[start, start + length)` in UTF-16 units, moved so that no character is split; neighbouring slices tile the text. */
export function sliceCharacters(text: string, start: number, length: number): { readonly text: string; readonly end: number } {
  const from = floorCharacter(text, start);
  let to = floorCharacter(text, Math.min(text.length, start + length));
  if (to <= from && length > 0 && from < text.length) to = Math.min(text.length, from + 2);
  return { text: text.slice(from, to), end: to };
}
