import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, hostCalls, settingCalls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const menu = (page: Page) => page.getByRole('dialog', { name: 'What the model may read and write' });
const rights = (page: Page) => page.getByTitle('What the model may read and write: 2 notebooks: read · 1: read and edit');

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
      await expect.poll(() => page.getByLabel('Diary').inputValue()).toBe('delete');
    }));

  it('takes back what was allowed for this chat, one by one', () =>
    on('consent', async (page) => {
      await page.getByRole('button', { name: 'Allowed for this chat: 2 allowed' }).click();
      await button(page, 'Ask me again before: Insert blocks in Projects').click();
      await button(page, 'Ask me again before: Get forecast').click();
      await menu(page).getByText('Nothing yet: you are asked before every change.').waitFor();
      expect(await calls(page)).toEqual([
        ['revoke', 'insert_blocks', 'nb-projects'],
        ['revoke', 'get_forecast', ''],
      ]);
      await page.keyboard.press('Escape');
      expect(await menu(page).count()).toBe(0);
      await expect.poll(() => rights(page).evaluate((opener) => opener === document.activeElement)).toBe(true);
    }));

  it('names a tool that writes without asking, never says then that every write asks, and makes it ask again', () =>
    on('unasked', async (page) => {
      const mark = button(page, 'Without asking: Edit block');
      await mark.click();
      await menu(page).getByText('These write without showing you the change first.').waitFor();
      expect(await page.getByText(/asked before every change|always see a change before/).count()).toBe(0);
      await button(page, 'Ask me again before: Edit block').click();
      expect((await settingCalls(page)).at(-1)).toEqual(['setTool', 'edit_block', { policy: 'ask-always' }]);
      await page.keyboard.press('Escape');
      await button(page, 'Tools').click();
      await page.getByText('Writes without showing you the change first: Edit block').waitFor();
      expect(await page.getByText('Changes are always shown before they are written.').count()).toBe(0);
    }));

  it('warns where a tool that writes is to run without asking, and does not where one only reads', () =>
    on('empty', async (page) => {
      await page.getByText('Nothing is written before you have seen it.').waitFor();
      await button(page, 'Tools').click();
      await page.getByText('Changes are always shown before they are written.').waitFor();
      await page.getByRole('button', { name: /^Blocks/ }).click();
      const when = (tool: string) => page.getByRole('combobox', { name: `Permission for ${tool}` });
      await page.evaluate(() => Object.assign(window.page.host, { answer: false }));
      await when('Edit block').selectOption('auto');
      await expect.poll(() => when('Edit block').inputValue()).toBe('ask-always');
      expect((await hostCalls(page)).at(-1)).toEqual(['confirm', expect.stringContaining('without showing you the change first')]);
      expect(await settingCalls(page)).toEqual([]);
      await page.evaluate(() => Object.assign(window.page.host, { answer: true }));
      await when('Edit block').selectOption('auto');
      await expect.poll(() => settingCalls(page)).toEqual([['setTool', 'edit_block', { policy: 'auto' }]]);
      await when('Read block').selectOption('ask-once');
      await when('Read block').selectOption('auto');
      await expect.poll(async () => (await settingCalls(page)).at(-1)).toEqual(['setTool', 'read_block', { policy: 'auto' }]);
      expect((await hostCalls(page)).filter(([name]) => name === 'confirm')).toHaveLength(2);
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
      // A press on what takes no focus, as the host's page.
      await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<p id="host" style="position: fixed; top: 0">note</p>'));
      await rights(page).click();
      await menu(page).waitFor();
      await page.locator('#host').click();
      await menu(page).waitFor({ state: 'detached' });
    }));

  it('stays one line, and folds its marks to icons in a narrow dock', async () => {
    for (const width of [230, 320, 480])
      await on(
        'consent',
        async (page) => {
          const line = await page.locator('.mg-status').boundingBox();
          expect(line!.height).toBeLessThan(28);
          await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
          await expect.poll(() => page.getByText('2 allowed').isVisible()).toBe(width === 480);
          await expect.poll(() => rights(page).isVisible()).toBe(true);
        },
        { width },
      );
  });
});
