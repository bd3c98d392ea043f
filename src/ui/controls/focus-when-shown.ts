/** The host's mark on the part of its window that keys go to. */
const ACTIVE = '.layout__tab--active';

/**
 * Whoever opens the dock, or goes to it by its key, wants to type in it, but the host leaves the focus nowhere or in the note. Runs
 * `focus` when the user brings the element into sight while nothing else has the focus (not when the host restores its docks), and when
 * a key makes it the active part of the window.
 */
export function focusWhenShown(focus: () => void): (root: HTMLElement) => () => void {
  return (root) => {
    let shown = false;
    const observer = new IntersectionObserver(([entry]) => {
      const before = shown;
      shown = entry?.isIntersecting === true;
      const { activeElement } = document;
      if (shown && !before && navigator.userActivation.isActive && (!activeElement || activeElement === document.body)) focus();
    });
    const onkeydown = (): void => {
      if (root.closest(ACTIVE)) return;
      setTimeout(() => {
        if (root.closest(ACTIVE) && !root.contains(document.activeElement)) focus();
      });
    };
    observer.observe(root);
    addEventListener('keydown', onkeydown, true);
    return () => {
      observer.disconnect();
      removeEventListener('keydown', onkeydown, true);
    };
  };
}
