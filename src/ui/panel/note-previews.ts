import type { CitationPreviewState } from '../state/citation-preview.svelte.ts';

/** A finger that moves this far scrolls, in CSS pixels. */
const MOVED = 10;

const named = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('a[data-block-id], [data-note-id]') : null;

/** A link that is removed, with its chat or with an answer that is written again, loses the pointer without an event, also while its block is read. */
function hideOnceGone(root: HTMLElement, preview: CitationPreviewState, signal: AbortSignal): void {
  const watch = new MutationObserver(() => {
    if (preview.link?.isConnected === false) preview.hide();
  });
  watch.observe(root, { childList: true, subtree: true });
  signal.addEventListener('abort', () => watch.disconnect());
}

/**
 * Previews every note and block that is named in the panel, wherever it is named: while the pointer rests on it, while it has
 * the focus of the keyboard, and after a finger has rested on it; that finger does not open it then.
 */
export function notePreviews(preview: CitationPreviewState): (root: HTMLElement) => () => void {
  return (root) => {
    const stop = new AbortController();
    hideOnceGone(root, preview, stop.signal);
    let pressed: { readonly link: HTMLElement; readonly x: number; readonly y: number } | undefined;
    const release = (): void => {
      if (pressed && preview.link !== pressed.link) preview.hide();
      pressed = undefined;
    };
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      run: (event: HTMLElementEventMap[Name]) => void,
      capture = false,
    ): void => root.addEventListener(name, run, { signal: stop.signal, capture });
    on('pointerover', (event) => {
      const link = named(event);
      if (link && event.pointerType !== 'touch') preview.show(link, 'pointer');
    });
    on('pointerout', (event) => {
      if (named(event) && event.pointerType !== 'touch') preview.leave();
    });
    on('focusin', (event) => {
      const link = named(event);
      if (link?.matches(':focus-visible')) preview.show(link, 'focus');
    });
    on('focusout', (event) => {
      if (named(event)) preview.hide();
    });
    on('pointerdown', (event) => {
      const inside = event.target instanceof Element && event.target.closest(`[id="${preview.id}"]`);
      if (event.pointerType !== 'touch' || inside) return;
      preview.hide();
      const link = named(event);
      pressed = link ? { link, x: event.clientX, y: event.clientY } : undefined;
      if (link) preview.show(link, 'finger');
    });
    on('pointermove', (event) => {
      if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > MOVED) release();
    });
    on('pointerup', release);
    on('pointercancel', release);
    // The browser's own menu of a link would lie over it.
    on('contextmenu', (event) => pressed && event.preventDefault());
    on(
      'click',
      (event) => {
        const link = named(event);
        if (!link || !(event instanceof PointerEvent) || event.pointerType !== 'touch' || preview.link !== link) {
          if (link) preview.hide();
          return;
        }
        event.preventDefault();
        event.stopPropagation();
      },
      true,
    );
    return () => stop.abort();
  };
}
