/** Longer text is not a title: a list shows what there is room for. */
const MAX_GRAPHEMES = 200;

/** A chat's first title: its first question; if that is longer than 200 graphemes, it is cut, at a word boundary if there is one. */
export function autoTitle(question: string): string {
  const line = question.replaceAll(/\s+/g, ' ').trim();
  const graphemes = splitGraphemes(line);
  if (graphemes.length <= MAX_GRAPHEMES) return line;
  const head = graphemes.slice(0, MAX_GRAPHEMES).join('');
  const space = head.lastIndexOf(' ');
  return `${space > head.length / 2 ? head.slice(0, space) : head}…`;
}

// Older WebViews lack Intl.Segmenter: there, code points are the best approximation.
function splitGraphemes(text: string): readonly string[] {
  if (typeof Intl.Segmenter !== 'function') return [...text];
  return Array.from(new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text), (part) => part.segment);
}
