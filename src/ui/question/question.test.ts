import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const question = (page: Page) => page.getByRole('group', { name: 'Question' });
const own = (page: Page) => page.getByRole('textbox', { name: 'Your answer' });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('aria-label'));

describe('the question card', () => {
  it('answers with an option, above the composer', () =>
    on('question', async (page) => {
      const [card, field] = [await question(page).boundingBox(), await message(page).boundingBox()];
      expect(card!.y + card!.height).toBeLessThanOrEqual(field!.y);
      await question(page).getByText('Which notebook do the minutes belong to?').waitFor();
      await button(page, 'Diary').click();
      expect(await calls(page)).toEqual([['answer', 'q1', 'Diary']]);
      await question(page).waitFor({ state: 'detached' });
      await expect.poll(() => message(page).evaluate((field) => field === document.activeElement)).toBe(true);
    }));

  it('goes through options, own words, answer and skip by keyboard', () =>
    on('question', async (page) => {
      await question(page).focus();
      const order: (string | null | undefined)[] = [];
      for (let step = 0; step < 4; step += 1) {
        await page.keyboard.press('Tab');
        order.push(await focused(page));
      }
      expect(order).toEqual(['Projects', 'Diary', 'Research, below “Meetings 2026”', 'Your answer']);
      await page.keyboard.type('In a new one');
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.type('called Minutes');
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Answer');
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('Skip');
      await own(page).press('Enter');
      expect(await calls(page)).toEqual([['answer', 'q1', 'In a new one\ncalled Minutes']]);
    }));

  it('takes what is sent from the composer for the answer', () =>
    on('question', async (page) => {
      await message(page).fill('In Projects');
      await message(page).press('Enter');
      expect(await calls(page)).toEqual([['answer', 'q1', 'In Projects']]);
      expect(await message(page).inputValue()).toBe('');
    }));

  it('sends no empty answer, and skips without one', () =>
    on('question', async (page) => {
      await expect.poll(() => button(page, 'Answer').isDisabled()).toBe(true);
      await own(page).fill('  ');
      await own(page).press('Enter');
      expect(await calls(page)).toEqual([]);
      await button(page, 'Skip').click();
      expect(await calls(page)).toEqual([['answer', 'q1', null]]);
    }));

  it('shows one at a time, and goes on to the next', () =>
    on('questions', async (page) => {
      await expect.poll(() => question(page).count()).toBe(1);
      await page.getByText('1 more question after this one').waitFor();
      await own(page).fill('kept for the first');
      await button(page, 'Projects').click();
      await page.getByText('How shall the note be called?').waitFor();
      expect(await own(page).inputValue()).toBe('');
      await expect.poll(() => question(page).evaluate((card) => card === document.activeElement)).toBe(true);
      await own(page).fill('Minutes');
      await button(page, 'Answer').click();
      expect(await calls(page)).toEqual([
        ['answer', 'q1', 'Projects'],
        ['answer', 'q2', 'Minutes'],
      ]);
    }));

  it('never takes the focus by itself, and is said to those who do not see it', () =>
    on('streaming', async (page) => {
      await message(page).focus();
      await page.evaluate(() => window.page.controller.set({ questions: [{ callId: 'q', question: 'Which one?', options: [] }] }));
      await question(page).waitFor();
      await expect.poll(() => message(page).evaluate((field) => field === document.activeElement)).toBe(true);
      await expect.poll(() => page.locator('[aria-live]').textContent()).toBe('The model has a question for you.');
    }));
});
