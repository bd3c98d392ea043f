/** Elements that begin and end a line: words do not continue across them. */
const BLOCKS = new Set(
  'ADDRESS ARTICLE BLOCKQUOTE BR DD DETAILS DIV DL DT FIGURE H1 H2 H3 H4 H5 H6 HR LI OL P PRE SECTION TABLE TBODY TD TH THEAD TR UL'.split(
    ' ',
  ),
);
/** Elements that are not text: buttons, names of languages, marks next to a citation. */
const APART = 'button, svg, .mg-code__bar, .mg-hidden, .mg-cite-unverified small';

interface Piece {
  /** Offset in the run's text. */
  readonly start: number;
  /** A text, or an element that matches as a whole: a formula is rendered differently than it is written. */
  readonly node: Text | Element;
  readonly length: number;
}

/** Continuous text, with the nodes that it comes from. */
export interface TextRun {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** The text of a rendered message, in or out of the document: the same in both. */
export function textRuns(root: Node): readonly TextRun[] {
  const runs: TextRun[] = [];
  let text = '';
  let pieces: Piece[] = [];
  const add = (node: Text | Element, value: string): void => {
    if (value === '') return;
    pieces.push({ start: text.length, node, length: value.length });
    text += value;
  };
  const end = (): void => {
    if (text.trim() !== '') runs.push({ text, pieces });
    text = '';
    pieces = [];
  };
  const visit = (node: Node): void => {
    if (node instanceof Text) add(node, node.data);
    if (!(node instanceof Element) && !(node instanceof DocumentFragment)) return;
    if (node instanceof Element && node.matches(APART)) return;
    const tex = node instanceof HTMLElement ? node.dataset.tex : undefined;
    if (node instanceof Element && tex !== undefined) {
      add(node, tex);
      return;
    }
    const block = BLOCKS.has(node.nodeName);
    if (block) end();
    for (const child of node.childNodes) visit(child);
    if (block) end();
  };
  visit(root);
  end();
  return runs;
}

/** The words as typed, ignoring case; white space matches any white space. Null if there is nothing to find. */
export function findPattern(words: string): RegExp | null {
  const parts = words
    .trim()
    .split(/\s+/)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return parts[0] === '' ? null : new RegExp(parts.join('\\s+'), 'gi');
}

export const countMatches = (texts: readonly string[], pattern: RegExp): number =>
  texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);

export function matchRanges(runs: readonly TextRun[], pattern: RegExp): readonly Range[] {
  return runs.flatMap(({ text, pieces }) => Array.from(text.matchAll(pattern), (found) => rangeOf(pieces, found.index, found[0].length)));
}

function rangeOf(pieces: readonly Piece[], from: number, length: number): Range {
  const range = document.createRange();
  const holds = (at: number) => pieces.find(({ start, length: size }) => at >= start && at < start + size);
  const first = holds(from);
  const last = holds(from + length - 1);
  if (first?.node instanceof Text) range.setStart(first.node, from - first.start);
  else if (first) range.setStartBefore(first.node);
  if (last?.node instanceof Text) range.setEnd(last.node, from + length - last.start);
  else if (last) range.setEndAfter(last.node);
  return range;
}
