import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PanelSettingsPatch } from '../ports/settings-port.ts';
import { openSettings, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

const elsewhere = (page: Page, patch: PanelSettingsPatch): Promise<void> =>
  page.evaluate((change) => window.page.settings.update(change), patch);
/** What another window saves is in the file when this one saves next, and this one has not heard of it. */
const justBefore = (page: Page, patch: PanelSettingsPatch): Promise<void> =>
  page.evaluate((theirs) => {
    const { settings } = window.page;
    const update = settings.update.bind(settings);
    settings.update = async (mine) => {
      settings.update = update;
      await update(theirs);
      await update(mine);
    };
  }, patch);
const settings = (page: Page) => page.evaluate(() => window.page.settings.get());

describe('settings that another window changes meanwhile', () => {
  it('keep folders that were added there, and do not bring back one that was removed there', () =>
    on('empty', async (page) => {
      await elsewhere(page, { folders: ['/old', '/both'] });
      await openSettings(page, 'Folders');
      const field = page.getByRole('textbox', { name: 'Folders' });
      await field.focus();
      await field.fill('/old\n/both\n/mine');
      await elsewhere(page, { folders: ['/both', '/theirs'] });
      await expect.poll(() => field.inputValue()).toBe('/old\n/both\n/mine');
      await field.blur();
      await expect.poll(async () => (await settings(page)).folders).toEqual(['/both', '/mine', '/theirs']);
      await expect.poll(() => field.inputValue()).toBe('/both\n/mine\n/theirs');
    }));

  it('keep prices and limits that were saved there just before', () =>
    on('empty', async (page) => {
      await elsewhere(page, { prices: { mine: { input: 1, output: 2 } } });
      await openSettings(page, 'Prices', 'Budget');
      const prices = page.getByRole('region', { name: 'Prices' });
      await prices.getByRole('button', { name: 'Edit mine' }).click();
      await justBefore(page, { prices: { theirs: { input: 3, output: 4 } } });
      await prices.getByRole('button', { name: 'Save' }).click();
      const kept = { mine: { input: 1, output: 2 }, theirs: { input: 3, output: 4 } };
      await expect.poll(async () => (await settings(page)).prices).toEqual(kept);
      const limit = page.getByRole('region', { name: 'Budget' }).getByRole('spinbutton', { name: 'Day, Tokens' });
      await justBefore(page, { budget: { month: { dollars: 9 }, day: { dollars: 2 } } });
      await limit.fill('7');
      await limit.blur();
      await expect.poll(async () => (await settings(page)).budget).toEqual({ month: { dollars: 9 }, day: { dollars: 2, tokens: 7 } });
    }));
});
