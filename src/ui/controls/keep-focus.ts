import { isDrawn } from './is-drawn.ts';

/**
 * The focused element may be removed with its parent (a decided approval, a closed form, a row, folded work), or be disabled.
 * The browser then moves the focus to the page, and the keys of the panel or card (Escape, Ctrl+F, Alt with arrows) would reach
 * nobody. Here it moves to the nearest focusable ancestor, else to `home`; for pointers to the element itself, so that no
 * phone opens its keyboard.
 */
export function keepFocus(home?: () => HTMLElement | undefined): (root: HTMLElement) => () => void {
  return (root) => {
    let held: Element | undefined;
    let around: readonly HTMLElement[] = [];
    let byKeyboard = false;

    const onfocusin = ({ target }: FocusEvent): void => {
      held = target instanceof Element && root.contains(target) ? target : undefined;
      byKeyboard = held?.matches(':focus-visible') ?? false;
      around = [];
      for (let each = held?.parentElement; each && each !== root; each = each.parentElement)
        if (each.matches('[tabindex]')) around = [...around, each];
    };
    // Somebody pressed elsewhere, even if that takes no focus.
    const onpointerdown = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node && root.contains(target))) held = undefined;
    };
    const goOn = (): void => {
      const { activeElement } = document;
      if (!root.isConnected || (activeElement && activeElement !== document.body)) return;
      const near = around.find(isDrawn) ?? (byKeyboard ? home?.() : undefined);
      (near ?? root).focus({ preventScroll: true });
    };
    // Later: the key that closed it must not also type into the newly focused element.
    const leave = (): void => {
      held = undefined;
      setTimeout(goOn);
    };
    let frame = 0;
    const observer = new MutationObserver(() => {
      if (!held) return;
      if (!held.isConnected) return leave();
      // Whether it is drawn is asked with the frame, whose layout it needs; the browser takes the focus from it there as well.
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        if (held && !canKeepFocus(held)) leave();
      });
    });

    observer.observe(root, { childList: true, subtree: true, attributeFilter: ['hidden', 'disabled', 'inert'] });
    document.addEventListener('focusin', onfocusin);
    document.addEventListener('pointerdown', onpointerdown, true);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      document.removeEventListener('focusin', onfocusin);
      document.removeEventListener('pointerdown', onpointerdown, true);
    };
  };
}

function canKeepFocus(element: Element): boolean {
  return isDrawn(element) && !element.matches(':disabled') && !element.closest('[inert]');
}
