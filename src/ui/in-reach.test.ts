import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, message, openSettings, usePanelBrowser } from './testing/panel-browser.ts';

const on = usePanelBrowser();

/** A window of 720 × 450 at 200 %, a phone that lies down, and a small one that stands. */
const WINDOWS = [
  { width: 268, height: 225 },
  { width: 667, height: 375, context: { hasTouch: true } },
  { width: 360, height: 560, context: { hasTouch: true } },
];

/** Scrolls to each entry; those that a press in their middle would not reach. */
const outOfReach = (popup: Locator): Promise<string[]> =>
  popup.evaluate((root) => {
    const entries = [...root.querySelectorAll<HTMLElement>('button, select, input, [role="option"]')];
    return entries.flatMap((entry) => {
      entry.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      const { left, top, width, height } = entry.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return entry.contains(hit) || (hit?.contains(entry) && root.contains(hit)) ? [] : [entry.textContent?.trim() || entry.outerHTML];
    });
  });

interface Opened {
  readonly scene: string;
  readonly open: (page: Page) => Promise<Locator>;
}

const menu = async (page: Page, opener: Locator): Promise<Locator> => {
  await opener.click();
  return page.locator('.mg-menu');
};
const dialog = async (page: Page, opener: string): Promise<Locator> => {
  await page.locator(opener).click();
  const popup = page.locator('.mg-status [role="dialog"]');
  await popup.locator('button, select, [role="option"]').first().waitFor();
  return popup;
};

/** Everything that opens over the panel. */
const ALL: Readonly<Record<string, Opened>> = {
  'the menu of the chat': { scene: 'finished', open: (page) => menu(page, button(page, 'More')) },
  'the menu of an answer': { scene: 'branches', open: (page) => menu(page, button(page, 'More actions for this message').last()) },
  'the menu of an earlier answer': {
    scene: 'branches',
    open: (page) =>
      menu(page, page.locator('[data-role="assistant"]').first().getByRole('button', { name: 'More actions for this message' })),
  },
  'the menu of a question': {
    scene: 'finished',
    async open(page) {
      await page.locator('.mg-list').evaluate((list) => list.scrollTo({ top: 0, behavior: 'instant' }));
      const question = page.locator('[data-role="user"]').first();
      await question.hover();
      return menu(page, question.getByRole('button', { name: 'More actions for this message' }));
    },
  },
  'the menu of a chat in the list': {
    scene: 'library',
    async open(page) {
      await button(page, 'Chats').click();
      return menu(
        page,
        page
          .getByRole('listitem')
          .last()
          .getByRole('button', { name: /^More actions for/ }),
      );
    },
  },
  'the menu of all chats': {
    scene: 'library',
    async open(page) {
      await button(page, 'Chats').click();
      return menu(page, page.locator('.mg-head .mg-more button'));
    },
  },
  'the rights': { scene: 'demo', open: (page) => dialog(page, '.mg-status__may') },
  'the models': { scene: 'finished', open: (page) => dialog(page, '.mg-status__model') },
  'what can be mentioned': {
    scene: 'empty',
    async open(page) {
      await message(page).pressSequentially('@');
      await page.getByRole('option').first().waitFor();
      return page.getByRole('listbox');
    },
  },
};

describe('what opens over the panel', () => {
  for (const [name, { scene, open }] of Object.entries(ALL))
    for (const window of WINDOWS)
      it(`has each entry in reach, and a menu at most nine: ${name}, ${window.width} × ${window.height}`, () =>
        on(
          scene,
          async (page) => {
            const popup = await open(page);
            await expect.poll(() => outOfReach(popup)).toEqual([]);
            await expect.poll(() => popup.getByRole('menuitem').count()).toBeLessThanOrEqual(9);
          },
          window,
        ));
});

describe('the settings', () => {
  /** Before subjects were folded, with everything open: 4983. */
  const HALF = 4983 / 2;

  it('show first what most people set, and are half as high as they were with everything open', () =>
    on(
      'empty',
      async (page) => {
        await openSettings(page);
        await page.getByRole('region', { name: 'Skills' }).waitFor();
        const height = () => page.locator('.mg-page__body').evaluate((body) => body.scrollHeight);
        await expect.poll(height).toBeLessThanOrEqual(1200);
        await page.locator('.mg-page h4 [aria-expanded="false"]').evaluateAll((all) => {
          for (const subject of all) if (subject instanceof HTMLElement) subject.click();
        });
        await expect.poll(height).toBeGreaterThan(1500);
        expect(await height()).toBeLessThanOrEqual(HALF);
      },
      { width: 400, height: 600 },
    ));
});
