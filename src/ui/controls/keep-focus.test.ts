import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, card, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at?.getAttribute('aria-label') ?? at?.textContent?.trim().slice(0, 40);
  });

describe('the focus of what goes away', () => {
  it('goes to the composer after an approval, and the key that approved is not typed there', () =>
    on('approval', async (page) => {
      await card(page).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe('Message');
      expect(await message(page).inputValue()).toBe('');
    }));

  it('goes to the composer after the chat got its name', () =>
    on('finished', async (page) => {
      await page.getByRole('heading', { level: 2 }).getByRole('button').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'Title' }).fill('Heat');
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe('Message');
      expect(await message(page).inputValue()).toBe('');
    }));

  it('stays near: at the answer whose work folds itself', () =>
    on('running', async (page) => {
      const step = page.locator('[data-tool] button').last();
      await step.focus();
      await page.keyboard.press('Shift+Enter');
      await page.evaluate(() => {
        window.page.controller.setLast({ status: 'done' });
        window.page.controller.set({ running: false, approvals: [] });
      });
      await expect.poll(() => step.isVisible()).toBe(false);
      await expect.poll(() => focused(page)).toBe('Answer');
    }));

  it('stays near: at the diff whose fold opened', () =>
    on('approval', async (page) => {
      await page.getByRole('button', { name: '4 unchanged' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe('Changes');
    }));

  it('stays in the panel, so that Escape closes the page of a row that was edited', () =>
    on('library', async (page) => {
      await button(page, 'Chats').click();
      const chats = page.getByRole('group', { name: 'Chats', exact: true });
      await chats.getByRole('button', { name: 'More actions for Bread' }).first().click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.keyboard.press('Escape');
      await expect.poll(() => focused(page)).toContain('Bread');
      await page.keyboard.press('Escape');
      await expect.poll(() => chats.count()).toBe(0);
    }));

  it('opens no keyboard after a press: the panel itself has it', () =>
    on('approval', async (page) => {
      await button(page, 'Approve').click();
      await expect.poll(() => focused(page)).toBe('Marginalia');
    }));

  it('is not taken back from somebody who is elsewhere by then', () =>
    on('error', async (page) => {
      await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<textarea id="elsewhere"></textarea>'));
      await button(page, 'Close').focus();
      await page.locator('#elsewhere').focus();
      await page.evaluate(() => window.page.controller.dismissNotice());
      await expect.poll(() => button(page, 'Close').count()).toBe(0);
      // What would take the focus back was put off by a frame and a task at most: two frames later it has run.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))));
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('elsewhere');
    }));
});
