import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

const article = (page: Page, place: number) => page.locator('.mg-history article').nth(place);
const choose = async (page: Page, place: number, entry: string): Promise<void> => {
  await article(page, place).hover();
  await article(page, place).getByRole('button', { name: 'More actions for this message' }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
};

describe('versions and branches', () => {
  it('are switched where there is more than one, and keep place and focus', () =>
    on('branches', async (page) => {
      await expect.poll(() => page.locator('[data-switch]').count()).toBe(2);
      await page.getByRole('group', { name: 'Branch 2 of 3' }).waitFor();
      await button(page, 'Next branch').press('Enter');
      await page.getByRole('group', { name: 'Branch 3 of 3' }).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('article')?.getAttribute('aria-posinset'))).toBe('1');
      await expect.poll(() => button(page, 'Next branch').isDisabled()).toBe(true);
      await button(page, 'Previous version').click();
      await page.getByRole('group', { name: 'Version 1 of 2' }).waitFor();
      expect(await calls(page)).toEqual([
        ['messages.showBranch', 'q1', 3],
        ['messages.showVersion', 'a1', 1],
      ]);
    }));

  it('of a question are made by asking in other words', () =>
    on('branches', async (page) => {
      await article(page, 0).hover();
      await article(page, 0).getByRole('button', { name: 'Edit and ask again' }).click();
      const field = page.getByRole('textbox', { name: 'Your question' });
      await expect.poll(() => field.inputValue()).toBe('What cools a street most?');
      await field.fill('nothing');
      await field.press('Escape');
      expect(await field.count()).toBe(0);
      await article(page, 0).getByRole('button', { name: 'Edit and ask again' }).click();
      await expect.poll(() => field.inputValue()).toBe('What cools a street most?');
      await field.fill('What cools a room most?');
      await field.press('Enter');
      expect(await calls(page)).toEqual([['messages.edit', 'q1', 'What cools a room most?']]);
      await expect.poll(() => message(page).evaluate((element) => element === document.activeElement)).toBe(true);
    }));

  it('lead back to an answer with what later ones wrote undone, after a question', () =>
    on('branches', async (page) => {
      await page.evaluate(() => window.page.controller.setLast({ undo: { blocks: 2, kind: 'exact', undone: false } }));
      await choose(page, 1, 'Continue from here and undo later changes');
      await page.getByText('Changes of 1 later answer undone; those messages are kept as a branch.').waitFor();
      expect((await calls(page)).map(([name]) => name)).toEqual(['undo', 'messages.continueFrom']);
    }));

  it('take in what is done to a message now and then', () =>
    on('branches', async (page) => {
      await choose(page, 0, 'Hide from the model');
      await article(page, 0).getByText('The model does not see this').waitFor();
      await choose(page, 1, 'Pin');
      await article(page, 1).getByText('Pinned: always sent').waitFor();
      await choose(page, 1, 'Continue from here');
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await choose(page, 3, 'Delete');
      await page.getByText('I leave it out.').waitFor({ state: 'detached' });
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await page.getByText('I leave it out.').waitFor();
      await choose(page, 1, 'Continue in a new chat');
      expect(await calls(page)).toEqual([
        ['messages.setHidden', 'q1', true],
        ['messages.setPinned', 'a1', true],
        ['messages.continueFrom', 'a1'],
        ['messages.reveal', 'a3'],
        ['messages.remove', 'a2'],
        ['messages.restore', 'a2'],
        ['messages.extract', 'a1', 'Urban heat (continued)'],
      ]);
    }));

  it('stand beside a line that cuts off what is above, which can be taken away', () =>
    on('branches', async (page) => {
      await button(page, 'More').click();
      await page.getByText('9.3k input tokens, 1.2k output tokens').waitFor();
      await page.getByText('first word after 0.6 s · 114 tokens/s').waitFor();
      await page.getByRole('menuitem', { name: 'Chat settings' }).click();
      await button(page, 'Start a new topic').click();
      await page.locator('[data-role=separator]').waitFor();
      await button(page, 'More').click();
      await page.getByRole('menuitem', { name: 'Chat settings' }).click();
      await page.getByRole('group', { name: 'Chat settings' }).waitFor();
      expect(await button(page, 'Start a new topic').count()).toBe(0);
      await page.keyboard.press('Escape');
      await button(page, 'Remove the divider').click();
      expect(await page.locator('[data-role=separator]').count()).toBe(0);
      expect(await calls(page)).toEqual([['messages.separate'], ['messages.remove', 'separator']]);
    }));

  it('are left alone while another window writes, and the composer says why', () =>
    on('elsewhere', async (page) => {
      await page.getByText('Another window or program is writing this answer…').waitFor();
      await page.getByText('Another window or program is writing an answer in this chat.').waitFor();
      await expect.poll(() => button(page, 'Next branch').isDisabled()).toBe(true);
      await expect.poll(() => button(page, 'Edit and ask again').isDisabled()).toBe(true);
      // What is sent now waits until the other window has ended.
      await message(page).fill('And then?');
      await button(page, 'Send').click();
      expect(await calls(page)).toEqual([['send', 'And then?']]);
      await page.evaluate(() => {
        const view = window.page.controller.view();
        window.page.controller.replace({ ...view, blocked: { code: 'chat_newer', message: '', next: '' } });
      });
      await message(page).fill('Not in this one');
      await expect.poll(() => button(page, 'Send').isDisabled()).toBe(true);
      await message(page).press('Enter');
      await expect.poll(() => message(page).inputValue()).toBe('Not in this one');
    }));

  it('and an Undo after which all was kept are told truly', () =>
    on('kept', async (page) => {
      await page.getByText('Not undone: you kept your version').waitFor();
      expect(await page.getByText('Undone', { exact: true }).count()).toBe(0);
    }));
});
