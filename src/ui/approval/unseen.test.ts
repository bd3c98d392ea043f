import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { card, reject, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const operation = (page: Page, id: string) => card(page).locator(`[data-operation="${id}"]`);
const marks = (page: Page, id: string) =>
  operation(page, id)
    .locator('.mg-unseen')
    .evaluateAll((all) => all.map((mark) => `${mark.textContent} ${mark.getAttribute('title')}`));

describe('an approval hides no character', () => {
  it('of a text: each is a sign with its name, as it will look and as Markdown', () =>
    on('unseen', async (page) => {
      const hidden = [
        '⟨U+200B⟩ zero-width space (U+200B)',
        '⟨U+E0068⟩ invisible tag character (U+E0068)',
        '⟨U+E0069⟩ invisible tag character (U+E0069)',
        '⟨U+202E⟩ changes the direction of the text (U+202E)',
      ];
      expect(await marks(page, 'hidden')).toEqual(hidden);
      await expect.poll(() => operation(page, 'hidden').locator('strong').count()).toBe(1);
      expect([await marks(page, 'joined'), await marks(page, 'persian')]).toEqual([[], []]);
      await expect.poll(() => operation(page, 'joined').locator('ins').innerText()).toBe('❤️ 👩🏽‍💻 می‌خواهم　从前　有山');
      await card(page).getByRole('button', { name: 'As Markdown' }).click();
      expect(await marks(page, 'hidden')).toEqual(hidden);
    }));

  it('of a title and an attribute', () =>
    on('unseen', async (page) => {
      await expect.poll(() => card(page).locator('.mg-ask__words').innerText()).toContain('Apo⟨U+200B⟩llo');
      expect(await marks(page, 'named')).toEqual(['⟨U+00AD⟩ soft hyphen (U+00AD)']);
    }));

  it('and shows a change of spaces, of what nobody sees, and of what a reference leads to', () =>
    on('unseen', async (page) => {
      await expect.poll(() => operation(page, 'no-break').locator('del').innerText()).toBe('·');
      await expect.poll(() => operation(page, 'no-break').locator('ins').innerText()).toBe('⍽');
      await operation(page, 'no-break').getByText('only spaces or line breaks change').waitFor();
      await operation(page, 'room').getByText('only spaces or line breaks change').waitFor();
      expect((await marks(page, 'room')).length).toBeGreaterThan(0);
      await operation(page, 'zero').getByText('only invisible characters change').waitFor();
      const target = operation(page, 'target');
      const [old, fresh] = [await target.locator('del').innerText(), await target.locator('ins').innerText()];
      expect([old, fresh].every((words) => words.startsWith('the budget → '))).toBe(true);
      expect(old).not.toBe(fresh);
    }));

  it('and shows what is read from words of a place or an attribute as it is, no Markdown of it', () =>
    on('conflict-words', async (page) => {
      const conflict = page.locator('[data-conflict]');
      await expect
        .poll(() => conflict.locator('.mg-changed__row').allInnerTexts())
        .toEqual([expect.stringContaining('memo = **mine**'), expect.stringContaining('memo = *theirs*')]);
    }));

  it('and says what has no words: an empty block, where a new one goes, the level of a heading', () =>
    on('unseen', async (page) => {
      await expect.poll(() => operation(page, 'level').locator('.mg-rendered__marker').allInnerTexts()).toEqual(['H3', 'H4']);
      await operation(page, 'empty').getByText('Delete empty paragraph').waitFor();
      await expect.poll(() => operation(page, 'placed').locator('.mg-diff__label').innerText()).toContain('below “We meet › soon”');
    }));
});

describe('an approval cuts nothing off without a word', () => {
  it('of a task: it stands there whole, and a box that is too low says so', () =>
    on('task', async (page) => {
      const values = card(page).locator('.mg-cut');
      await values.getByText('Then delete the old ones.').waitFor();
      await values.getByRole('button', { name: 'More below: show all' }).click();
      await expect.poll(() => values.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
    }));

  it('of a command', () =>
    on('long-command', async (page) => {
      const code = card(page).locator('.mg-cut');
      await code.getByRole('button', { name: 'More below: show all' }).click();
      await expect.poll(() => code.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
      await code.getByText('rm -rf notes').waitFor();
      await reject(page);
    }));
});
