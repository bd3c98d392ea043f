import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, usePanelBrowser } from '../../../ui/testing/panel-browser.ts';

const on = usePanelBrowser();
const question = (page: Page) => page.getByRole('group', { name: 'The chat contains text from other notebooks.' });
const ask = async (page: Page): Promise<void> => {
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Save as a note' }).click();
  await page.getByLabel('Path').fill('/Of others');
  await button(page, 'Save').click();
  await question(page).waitFor();
};

describe('saving a chat that holds text from other notebooks', () => {
  it('asks where Save stood, once, and saves there when that is wanted', () =>
    on('finished', async (page) => {
      await ask(page);
      expect(await button(page, 'Save').count()).toBe(0);
      await expect.poll(() => question(page).evaluate((element) => element === document.activeElement)).toBe(true);
      const [field, asked] = [await page.getByLabel('Path').boundingBox(), await question(page).boundingBox()];
      expect(asked!.y).toBeGreaterThan(field!.y + field!.height);
      await page.getByLabel('Path').press('Enter');
      expect(await calls(page, 'notes.save')).toHaveLength(1);
      await button(page, 'Save including that text').click();
      await page.getByText('Saved as a note', { exact: true }).waitFor();
      expect((await calls(page, 'notes.save')).at(-1)).toEqual(['notes.save', 'nb-projects', '/Of others', true]);
    }));

  it('gives the form back when it is cancelled, or another place is chosen', () =>
    on('finished', async (page) => {
      await ask(page);
      await button(page, 'Cancel').click();
      await button(page, 'Save').click();
      await question(page).waitFor();
      await page.getByRole('combobox', { name: 'Notebook' }).selectOption('Diary');
      await page.getByLabel('Path').fill('/Chats/Heat');
      await button(page, 'Save').click();
      await page.getByText('Saved as a note', { exact: true }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      expect((await calls(page, 'notes.save')).at(-1)).toEqual(['notes.save', 'nb-diary', '/Chats/Heat']);
    }));
});
