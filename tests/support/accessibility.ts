// axe-core over a page: names, roles, contrast, targets, scrolling by keyboard.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Covers the messages without hiding them; axe-core takes it for a background of unknown colour. */
const VEILS = '.mg-quote { display: none } .mg-listbox::before { content: none !important }';

/** What axe-core finds in the plugin's own part of the page: the rule, and where. `unsure`: a contrast that it cannot decide counts too. */
export async function findings(page: Page, root: string, unsure = true): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const veils = await page.addStyleTag({ content: VEILS });
  // The host's word at what was pressed last would cover something.
  await page.mouse.move(0, 0);
  const found = await page.evaluate(
    async ({ root, unsure }) => {
      // What fades in has its final colours only at the end.
      const passing = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
      await Promise.all(passing.map(({ finished }) => finished.catch(() => undefined)));
      // Off by default, since it is new: targets of at least 24 pixels.
      const { violations, incomplete } = await window.axe.run({ include: [root] }, { rules: { 'target-size': { enabled: true } } });
      const undecided = incomplete.filter(({ id }) => unsure && id === 'color-contrast');
      const all = [...violations, ...undecided].flatMap(({ id, nodes }) =>
        nodes.map(
          ({ html, any, all, none }) =>
            `${id}: ${html.slice(0, 160)}: ${[...any, ...all, ...none].map(({ message }) => message).join('; ')}`,
        ),
      );
      // The host draws the arrow of its selects as a picture over a plain background; a sign is not text; what is at the edge is checked in other states.
      // The colours of code are those of the theme that a person chose in SiYuan.
      const theirs =
        /^color-contrast: (<select .*(gradient|background image)|.*non-text characters|.*partially obscured by another element|<span class="hljs-.*)$/s;
      // The list over the composer is moved through by the composer's keys, which keeps the focus.
      // A card at a reference shows the beginning of a note that the reference opens.
      const isMoved = /^scrollable-region-focusable: <div (id="[^"]*" role="tooltip" )?class="mg-(pick|hover) /;
      // A table of a note may have a column without a name; what lies under a menu is pressed when that is closed.
      const isElsewhere = /^empty-table-header: <th><\/th>|^target-size: .*partially obscured/s;
      return all.filter((found) => ![theirs, isMoved, isElsewhere].some((each) => each.test(found)));
    },
    { root, unsure },
  );
  await veils.evaluate((style) => style.parentNode?.removeChild(style));
  return found;
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
