/**
 * A phone's keyboard lies over the page without making it smaller: the panel keeps its lower edge above it, so that the composer and
 * the buttons of an approval stay in sight. A page that is zoomed in shows a part by the reader's own choice.
 */
export function aboveKeyboard(panel: HTMLElement): (() => void) | undefined {
  const view = window.visualViewport;
  if (!view) return undefined;
  const place = (): void => {
    const covered = view.scale > 1 ? 0 : Math.max(0, panel.getBoundingClientRect().bottom - view.offsetTop - view.height);
    panel.style.setProperty('--mg-covered', `${Math.round(covered)}px`);
  };
  view.addEventListener('resize', place);
  view.addEventListener('scroll', place);
  return () => {
    view.removeEventListener('resize', place);
    view.removeEventListener('scroll', place);
  };
}
