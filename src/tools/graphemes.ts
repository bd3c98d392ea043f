const WINDOW = 256;
const segmenter = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : undefined;

/** The largest offset ≤ `index` (UTF-16 units) that does not stand inside a surrogate pair. */
function floorCharacter(text: string, index: number): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff ? index - 1 : index;
}

/** The largest offset ≤ `index` at which a grapheme begins. Looks at a window only, so it is cheap on long texts. */
export function floorGrapheme(text: string, index: number): number {
  const target = floorCharacter(text, index);
  if (target === 0 || target === text.length || segmenter === undefined) return target;
  const start = floorCharacter(text, Math.max(0, target - WINDOW));
  let boundary = start;
  for (const segment of segmenter.segment(text.slice(start, target + WINDOW))) {
    const at = start + segment.index;
    if (at > target) break;
    boundary = at;
  }
  // A "grapheme" longer than the window (stacked accents): a character end is the best that is left.
  return boundary === start && start > 0 ? target : boundary;
}

/** The smallest offset ≥ `index` at which a grapheme begins. */
export function ceilGrapheme(text: string, index: number): number {
  const target = floorCharacter(text, index);
  const floor = floorGrapheme(text, target);
  if (floor === index) return floor;
  const next = segmenter
    ?.segment(text.slice(floor, floor + WINDOW))
    [Symbol.iterator]()
    .next().value;
  return next === undefined ? target : Math.min(text.length, floor + next.segment.length);
}

/** At most `limit` UTF-16 units, whole graphemes, with `…` where something was cut. */
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
