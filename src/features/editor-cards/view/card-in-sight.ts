/** From top to bottom, in pixels of the window. */
interface Span {
  readonly top: number;
  readonly bottom: number;
}

export interface InSight {
  /** The visible part of the editor. */
  readonly view: Span;
  readonly card: Span;
  readonly block: Span;
  /** The line of the caret, where the caret is in this editor. */
  readonly caret: Span | undefined;
}

const touches = (one: Span, other: Span): boolean => one.bottom > other.top && one.top < other.bottom;
const heightOf = ({ top, bottom }: Span): number => bottom - top;

/**
 * How far an editor must scroll down (negative: up) to show the whole card, or the top of one that is higher than the
 * view. 0 if neither the card nor its block is visible: somebody has scrolled away. The caret's line stays in view.
 */
export function scrollToShow({ view, card, block, caret }: InSight): number {
  if (!touches(view, card) && !touches(view, block)) return 0;
  const isHigher = heightOf(card) > heightOf(view);
  const kept = caret && touches(view, caret) ? caret : undefined;
  const above = card.top - view.top;
  if (above < 0) return isHigher && card.bottom <= view.bottom ? 0 : Math.max(above, kept ? Math.min(0, kept.bottom - view.bottom) : above);
  const below = Math.min(Math.max(0, card.bottom - view.bottom), above);
  return kept ? Math.min(below, Math.max(0, kept.top - view.top)) : below;
}

/** Kept free between a card and the edge of the view, in pixels. */
const EDGE = 6;
/** Events by which a person says: leave the view as it is. */
const HANDS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

function caretIn(text: HTMLElement): Span | undefined {
  const selection = document.getSelection();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
  if (!range || !text.contains(range.startContainer)) return undefined;
  const box = range.getBoundingClientRect();
  // A caret in an empty line has no rectangle.
  const { startContainer: at } = range;
  return box.height > 0 ? box : (at instanceof Element ? at : at.parentElement)?.closest('[data-node-id]')?.getBoundingClientRect();
}

export interface CardSight {
  /** Keeps the card in view from now on, while it still grows, until somebody does anything in the editor. */
  show(): void;
  /** The card was positioned again: scrolls if it should be in view. */
  placed(block: Element): void;
  stop(): void;
}

/** Brings a card with news into view, unless somebody went on writing since it was last touched. */
export function cardSight(card: HTMLElement, { content, text }: { readonly content: HTMLElement; readonly text: HTMLElement }): CardSight {
  const ending = new AbortController();
  const options = { capture: true, passive: true, signal: ending.signal };
  let wanted = false;
  let writes = false;
  const onhand = ({ type, target }: Event): void => {
    wanted = false;
    if (type === 'keydown' && target instanceof Node && text.contains(target)) writes = true;
  };
  for (const type of HANDS) content.addEventListener(type, onhand, options);
  for (const type of ['pointerdown', 'focusin']) card.addEventListener(type, () => (writes = false), options);
  return {
    show: () => {
      wanted = !writes;
    },
    placed(block) {
      if (!wanted) return;
      const box = content.getBoundingClientRect();
      const view = { top: Math.max(0, box.top), bottom: Math.min(innerHeight, box.bottom) };
      const { top, bottom } = card.getBoundingClientRect();
      const distance = scrollToShow({
        view,
        card: { top: top - EDGE, bottom: bottom + EDGE },
        block: block.getBoundingClientRect(),
        caret: caretIn(text),
      });
      if (distance !== 0) content.scrollTop += distance;
    },
    stop: () => ending.abort(),
  };
}
