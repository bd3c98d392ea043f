// What lies on something that a person needs: looked for in the page, by rectangles.
import type { Page } from 'playwright-core';

/** Runs in the page. */
function findOverlaps(): string[] {
  const panel = document.querySelector('.mg-panel');
  if (!panel) return ['there is no panel'];
  const visible = (selector: string, root: ParentNode = document): Element[] =>
    [...root.querySelectorAll(selector)].filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  const label = (element: Element): string => element.getAttribute('aria-label') ?? element.outerHTML.slice(0, 90);
  const meet = (one: Element, other: Element): boolean => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  };
  const opened = visible('.mg-menu, .mg-consent, .mg-model-menu, .mg-pick, .mg-hover', panel);
  const found: string[] = [];
  const report = (one: Element, other: Element): void => void found.push(`${label(one)} lies on ${label(other)}`);
  const words = [...visible('#tooltip'), ...visible('.mg-said', panel), ...visible('#keyboardToolbar')];
  for (const over of words) for (const popup of opened) if (over.id !== 'keyboardToolbar' && meet(over, popup)) report(over, popup);
  const frame = panel.getBoundingClientRect();
  for (const popup of opened) {
    const box = popup.getBoundingClientRect();
    if (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom)
      found.push(`${label(popup)} leaves the panel`);
    for (const opener of visible('[aria-expanded="true"][aria-haspopup], .mg-more [aria-expanded="true"]', panel)) {
      if (meet(popup, opener)) report(popup, opener);
      const at = opener.getBoundingClientRect();
      const gap = Math.max(box.top - at.bottom, at.top - box.bottom);
      if (gap > 12) found.push(`${label(popup)} opens ${Math.round(gap)} px from ${label(opener)}`);
    }
  }
  /** The middle of a control, unless it is scrolled out of what holds it. */
  const middle = (control: Element): { x: number; y: number } | undefined => {
    const box = control.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    for (let holder = control.parentElement; holder && holder !== document.body; holder = holder.parentElement) {
      if (getComputedStyle(holder).overflowY === 'visible') continue;
      const around = holder.getBoundingClientRect();
      if (x < around.left || x > around.right || y < around.top || y > around.bottom) return undefined;
    }
    return { x, y };
  };
  // What a popup covers while it is open is covered on purpose.
  const roots: ParentNode[] = opened.length > 0 ? opened : [panel];
  for (const root of roots) {
    for (const control of visible('button, select, summary, textarea, input, a[href]', root)) {
      if (control.closest('[inert], .mg-hidden')) continue;
      const at = middle(control);
      const top = at && document.elementFromPoint(at.x, at.y);
      const holds = (one: Element, other: Element): boolean => one.contains(other) || other.closest('label')?.contains(one) === true;
      if (top && top.id !== 'tooltip' && !holds(control, top) && !top.contains(control)) report(top, control);
    }
  }
  return found;
}

/** Words over what they opened or over a control, popups off their button or out of the panel, controls under something else. */
export const overlaps = (page: Page): Promise<string[]> => page.evaluate(findOverlaps);
