// Part of the start script, so it stays small.
import type { MarginMark } from '../../../app/panel-host.ts';
import { CITES_ATTRIBUTE, SOURCE_ATTRIBUTE } from '../../../host/blocks/source-attributes.ts';

/** Blocks that may have a mark: what a model wrote (panel.css), and answers whose sources changed (outdated-answers.ts). */
export const MARKED = `[${SOURCE_ATTRIBUTE}], [${CITES_ATTRIBUTE}]`;

/** How long the pointer rests. */
const REST_MS = 300;
/** How far from its block a mark is looked for: the mark's own width for a pointer, since SiYuan's buttons of a block end there too. */
const POINTER = 6;
const FINGER = 20;
/** A finger that moves further scrolls. */
const TAP = 10;

/** The innermost block whose mark is at a point. Marks are left of their blocks, over nothing that is the block's. */
function markAt(x: number, y: number, reach: number): HTMLElement | undefined {
  let block = document.elementFromPoint(x + reach + 2, y)?.closest<HTMLElement>(MARKED);
  for (; block; block = block.parentElement?.closest<HTMLElement>(MARKED)) {
    const { left } = block.getBoundingClientRect();
    if (x >= left - reach && x <= left + 1 && getComputedStyle(block).boxShadow !== 'none') return block;
  }
  return undefined;
}

/** SiYuan's buttons of a block lie over its mark while the pointer is at the block. */
const isInText = ({ target }: Event): boolean => target instanceof Element && target.closest('.protyle-wysiwyg, .protyle-gutters') !== null;

/** Calls `open` when a pointer rests on a mark, or a finger taps on one. Returns a function that stops it. */
export function watchMargin(open: (mark: MarginMark) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let touched: PointerEvent | undefined;
  const stop = new AbortController();
  const listen = { signal: stop.signal, capture: true };
  const look = (x: number, y: number, by: 'pointer' | 'finger'): boolean => {
    const block = markAt(x, y, by === 'finger' ? FINGER : POINTER);
    if (block) open({ block, y, by });
    return block !== undefined;
  };
  const onMove = (event: PointerEvent): void => {
    clearTimeout(timer);
    const { pointerType, buttons, clientX, clientY } = event;
    // With a button held, somebody drags or selects.
    if (pointerType !== 'touch' && buttons === 0 && isInText(event)) timer = setTimeout(() => look(clientX, clientY, 'pointer'), REST_MS);
  };
  const onDown = (event: PointerEvent): void => {
    clearTimeout(timer);
    touched = event.pointerType === 'touch' ? event : undefined;
  };
  const onTouchEnd = (event: TouchEvent): void => {
    const finger = event.changedTouches[0];
    if (!finger || !touched || !isInText(event)) return;
    const moved = Math.hypot(finger.clientX - touched.clientX, finger.clientY - touched.clientY);
    // Else the tap would put the caret into the text, and a phone would show its keyboard.
    if (moved < TAP && event.timeStamp - touched.timeStamp < 500 && look(finger.clientX, finger.clientY, 'finger')) event.preventDefault();
  };
  document.addEventListener('pointermove', onMove, { ...listen, passive: true });
  document.addEventListener('pointerdown', onDown, { ...listen, passive: true });
  document.addEventListener('touchend', onTouchEnd, { ...listen, passive: false });
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
