import { isDrawn } from './is-drawn.ts';

/** The host moves its bar within this time of a tap: the tapped element must not move until the tap is over. */
const TAP_MS = 300;

/**
 * A phone's keyboard, and SiYuan's bar of keys above it, cover the page without resizing it: the panel keeps its lower edge above
 * them, so that the composer and the approval buttons stay in sight. A zoomed page shows a part by the reader's own choice.
 */
export function aboveKeyboard(panel: HTMLElement): () => void {
  const view = window.visualViewport;
  const bar = document.getElementById('keyboardToolbar');
  const barTop = (): number => (bar && isDrawn(bar) ? bar.getBoundingClientRect().top : Number.POSITIVE_INFINITY);
  const keyboardTop = (): number => (view && view.scale <= 1 ? view.offsetTop + view.height : Number.POSITIVE_INFINITY);
  const place = (): void => {
    const covered = Math.max(0, panel.getBoundingClientRect().bottom - Math.min(barTop(), keyboardTop()));
    panel.style.setProperty('--mg-covered', `${Math.round(covered)}px`);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changes = new MutationObserver(() => {
    clearTimeout(timer);
    if (bar && isDrawn(bar)) place();
    else timer = setTimeout(place, TAP_MS);
  });
  if (bar) changes.observe(bar, { attributes: true, attributeFilter: ['class', 'style'] });
  view?.addEventListener('resize', place);
  view?.addEventListener('scroll', place);
  return () => {
    clearTimeout(timer);
    changes.disconnect();
    view?.removeEventListener('resize', place);
    view?.removeEventListener('scroll', place);
  };
}
