import { matchRanges, textRuns } from './text-runs.ts';

const ALL = 'marginalia-find';
const CURRENT = 'marginalia-find-current';
/** The searched parts of a message, in the order of its text. */
const TEXTS = '.mg-question__text, .mg-answer > .mg-md, .mg-summary > .mg-md';

/** Absent in older browsers: there the message flashes instead. */
const registry = (): HighlightRegistry | undefined => (typeof Highlight === 'function' ? CSS.highlights : undefined);

export function rangesIn(item: Element, pattern: RegExp): readonly Range[] {
  return [...item.querySelectorAll(TEXTS)].flatMap((text) => matchRanges(textRuns(text), pattern));
}

/** Marks words without touching the document, so that streaming continues undisturbed. */
export function markRanges(ranges: readonly Range[], current: Range | undefined): void {
  const marks = registry();
  if (!marks) return;
  marks.set(ALL, new Highlight(...ranges));
  const now = new Highlight(...(current ? [current] : []));
  now.priority = 1;
  marks.set(CURRENT, now);
}

export function unmark(): void {
  registry()?.delete(ALL);
  registry()?.delete(CURRENT);
}

/** For browsers that cannot mark words. */
export function flash(item: HTMLElement): void {
  if (registry()) return;
  item.classList.remove('mg-found');
  // The class takes effect again only after the document was without it.
  void item.offsetWidth;
  item.classList.add('mg-found');
}
