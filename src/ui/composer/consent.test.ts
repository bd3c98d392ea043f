import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, settingCalls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const menu = (page: Page) => page.getByRole('dialog', { name: 'What the model may read and write' });
const rights = (page: Page) => button(page, '2 notebooks: read · 1: write');

describe('what the model may do, under the composer', () => {
  it('opens to every notebook with its right, the hidden ones too', () =>
    on('consent', async (page) => {
      await rights(page).click();
      const values = await menu(page)
        .getByRole('combobox')
        .evaluateAll((all) =>
          all.map(
            (one) => one instanceof HTMLSelectElement && [one.parentElement?.querySelector('span')?.firstChild?.textContent, one.value],
          ),
        );
      expect(values).toEqual([
        ['Research', 'read'],
        ['Projects', 'write'],
        ['Diary', 'read'],
        ['Private', 'none'],
      ]);
      await page.getByLabel('Diary').selectOption('delete');
      expect((await settingCalls(page)).at(-1)).toEqual(['setRight', 'nb-diary', 'delete']);
      expect(await page.getByLabel('Diary').inputValue()).toBe('delete');
    }));

  it('takes back what was allowed for this chat, one by one', () =>
    on('consent', async (page) => {
      await page.getByRole('button', { name: 'Allowed for this chat: 2 allowed' }).click();
      await button(page, 'Ask again before: Insert blocks in Projects').click();
      await button(page, 'Ask again before: Get forecast').click();
      await menu(page).getByText('Nothing yet: every write asks first.').waitFor();
      expect(await calls(page)).toEqual([
        ['revoke', 'insert_blocks', 'nb-projects'],
        ['revoke', 'get_forecast', ''],
      ]);
      await page.keyboard.press('Escape');
      expect(await menu(page).count()).toBe(0);
      expect(await rights(page).evaluate((opener) => opener === document.activeElement)).toBe(true);
    }));

  it('marks local only, and switches it', () =>
    on('consent', async (page) => {
      await page.getByRole('button', { name: 'Local only' }).click();
      await menu(page).getByRole('checkbox', { name: 'Local only' }).uncheck();
      expect((await settingCalls(page)).at(-1)).toEqual(['update', { localOnly: false }]);
      expect(await page.getByRole('button', { name: 'Local only' }).count()).toBe(0);
    }));

  it('closes beside it, and by leaving it with the keyboard', () =>
    on('consent', async (page) => {
      await rights(page).click();
      await page.getByRole('article').click();
      expect(await menu(page).count()).toBe(0);
      await rights(page).click();
      await page.getByRole('textbox', { name: 'Message' }).focus();
      expect(await menu(page).count()).toBe(0);
    }));

  it('stays one line, and folds its marks to icons in a narrow dock', async () => {
    for (const width of [230, 320, 480])
      await on(
        'consent',
        async (page) => {
          const line = await page.locator('.mg-status').boundingBox();
          expect(line!.height).toBeLessThan(28);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
          expect(await page.getByText('2 allowed').isVisible()).toBe(width === 480);
          expect(await rights(page).isVisible()).toBe(true);
        },
        { width },
      );
  });
});
