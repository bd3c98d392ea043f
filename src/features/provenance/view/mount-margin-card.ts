import { inBackground } from '../../../tools/util/notify.ts';
import '../../../ui/panel.css';
import { mount, unmount } from 'svelte';
import { keepEvents } from '../../../ui/controls/keep-events.ts';
import MarginCard from './MarginCard.svelte';
import type { MarginCardProps, MarginPlace } from './margin-place.ts';

/** How long the pointer may take from the mark to the card, in milliseconds. */
const WAY_MS = 350;
/** Pixels around the mark that still count as on it. */
const AROUND = 10;

/** Whether the pointer left both the mark and the card: an end that is called off when it comes back. */
function watchPointer({ box }: MarginPlace, isInCard: (event: Event) => boolean, end: () => void, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isAtMark = ({ clientX: x, clientY: y }: PointerEvent): boolean =>
    Math.abs(x - box.left) <= AROUND && y >= box.top - AROUND && y <= box.bottom + AROUND;
  const onMove = (event: PointerEvent): void => {
    if (isInCard(event) || isAtMark(event)) {
      clearTimeout(timer);
      timer = undefined;
    } else timer ??= setTimeout(end, WAY_MS);
  };
  window.addEventListener('pointermove', onMove, { signal, passive: true });
  signal.addEventListener('abort', () => clearTimeout(timer));
}

/**
 * Shows the card until the person leaves it: with the pointer, by typing, scrolling or pressing elsewhere. It takes the focus only if keys
 * opened it. `onclose` is called once, before the card goes.
 */
export function mountMarginCard(props: MarginCardProps, onclose: () => void): { readonly element: HTMLElement; close(): void } {
  const element = document.createElement('div');
  element.className = 'mg-panel';
  keepEvents(element);
  document.body.append(element);
  const over = new AbortController();
  const { signal } = over;
  const isInCard = ({ target }: Event): boolean => target instanceof Node && element.contains(target);
  const close = (): void => {
    if (signal.aborted) return;
    onclose();
    over.abort();
    inBackground(unmount(card));
    element.remove();
  };
  const closeElsewhere = (event: Event): void => {
    if (!isInCard(event)) close();
  };
  for (const type of ['pointerdown', 'keydown']) window.addEventListener(type, closeElsewhere, { signal, capture: true, passive: true });
  window.addEventListener('resize', close, { signal });
  if (props.place.by === 'pointer') watchPointer(props.place, isInCard, close, signal);
  const card = mount(MarginCard, { target: element, props: { ...props, onhide: close } });
  return { element, close };
}
