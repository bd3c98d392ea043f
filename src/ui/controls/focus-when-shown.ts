/** The host's mark on the part of its window that keys go to. */
const ACTIVE = '.layout__tab--active';

/**
 * Opening the dock, or going to it by its key, means to type in it, but the host leaves the focus nowhere or in the note. Runs
 * `focus` when the user shows the element while nothing else has the focus (not when the host restores its docks), and when
 * a key makes it the active part of the window. When a key hides it, the previous focus and caret are restored.
 */
export function focusWhenShown(focus: () => void): (root: HTMLElement) => () => void {
  return (root) => {
    let shown = false;
    let byKey = false;
    const outside = followOutside(root);
    const observer = new IntersectionObserver(([entry]) => {
      const before = shown;
      shown = entry?.isIntersecting === true;
      const { activeElement } = document;
      const nowhere = !activeElement || activeElement === document.body;
      if (shown && !before && navigator.userActivation.isActive && nowhere) focus();
      // Hiding it by touch must not open the keyboard.
      if (!shown && before && byKey && (nowhere || root.contains(activeElement))) outside.goBack();
    });
    const onpointerdown = (): void => {
      byKey = false;
    };
    const onkeydown = (): void => {
      byKey = true;
      if (root.closest(ACTIVE)) return;
      setTimeout(() => {
        if (root.closest(ACTIVE) && !root.contains(document.activeElement)) focus();
      });
    };
    observer.observe(root);
    addEventListener('keydown', onkeydown, true);
    addEventListener('pointerdown', onpointerdown, true);
    return () => {
      outside.stop();
      observer.disconnect();
      removeEventListener('pointerdown', onpointerdown, true);
      removeEventListener('keydown', onkeydown, true);
    };
  };
}

/** Remembers what had the focus outside the element, and where its caret was. */
function followOutside(root: HTMLElement): { readonly goBack: () => void; readonly stop: () => void } {
  let held: HTMLElement | undefined;
  let caret: Range | undefined;
  const onfocusin = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement && !root.contains(target)) held = target;
  };
  const onselectionchange = (): void => {
    const selection = document.getSelection();
    const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
    if (range && held?.contains(range.startContainer)) caret = range.cloneRange();
  };
  document.addEventListener('focusin', onfocusin);
  document.addEventListener('selectionchange', onselectionchange);
  return {
    goBack() {
      if (!held?.isConnected) return;
      held.focus({ preventScroll: true });
      if (!caret || !held.contains(caret.startContainer)) return;
      document.getSelection()?.removeAllRanges();
      document.getSelection()?.addRange(caret);
    },
    stop() {
      document.removeEventListener('focusin', onfocusin);
      document.removeEventListener('selectionchange', onselectionchange);
    },
  };
}
