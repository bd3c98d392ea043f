import { describe, expect, it } from 'vitest';
import { button, calls, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

describe('the composer', () => {
  it('sends with Enter and breaks the line with Shift+Enter', () =>
    on('empty', async (page) => {
      await message(page).fill('one');
      await message(page).press('Shift+Enter');
      await message(page).pressSequentially('two');
      await message(page).press('Enter');
      expect(await calls(page, 'send')).toEqual([['send', 'one\ntwo']]);
      expect(await message(page).inputValue()).toBe('');
    }));

  it('does not send with the Enter that ends a composition', () =>
    on('empty', async (page) => {
      await message(page).fill('nihao');
      const press = (init: { isComposing?: boolean; keyCode?: number }): Promise<void> =>
        message(page).evaluate((field, { isComposing = false, keyCode = 13 }) => {
          field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing, keyCode }));
        }, init);
      await press({ isComposing: true });
      await press({ keyCode: 229 });
      expect(await calls(page)).toEqual([]);
      await press({});
      expect(await calls(page)).toEqual([['send', 'nihao']]);
    }));

  it('sends nothing that is empty, and breaks the line on phones', () =>
    on('empty', async (page) => {
      await message(page).fill('   ');
      await message(page).press('Enter');
      await expect.poll(() => button(page, 'Send').isDisabled()).toBe(true);
      await page.evaluate(() => {
        window.page.host.mobile = true;
      });
      await message(page).fill('a');
      await message(page).press('Enter');
      expect(await calls(page)).toEqual([]);
      await button(page, 'Send').click();
      expect(await calls(page)).toEqual([['send', 'a']]);
    }));

  it('takes the next message while an answer runs, and shows that it waits', () =>
    on('streaming', async (page) => {
      expect(await button(page, 'Send').count()).toBe(0);
      await message(page).fill('And in winter?');
      await message(page).press('Enter');
      expect(await calls(page)).toEqual([['send', 'And in winter?']]);
      await page.getByText('Next: And in winter?').waitFor();
      await button(page, 'Stop').click();
      expect(await calls(page, 'stop')).toEqual([['stop']]);
      await page.getByText('You stopped this answer.', { exact: true }).waitFor();
    }));

  it('grows with its text to 40 % of the panel', () =>
    on(
      'empty',
      async (page) => {
        const height = () => message(page).evaluate((field) => field.clientHeight);
        expect(await height()).toBeLessThan(40);
        await message(page).fill('line\n'.repeat(60));
        expect(await height()).toBeGreaterThan(0.3 * 700);
        expect(await height()).toBeLessThanOrEqual(0.4 * 700);
      },
      { height: 700 },
    ));

  it('fills the gap of a suggested question', () =>
    on('empty', async (page) => {
      await page.getByRole('button', { name: 'What do my notes say about' }).click();
      await page.keyboard.type('bread');
      await expect.poll(() => message(page).inputValue()).toBe('What do my notes say about bread?');
      await page.getByRole('button', { name: 'List my notebooks' }).click();
      expect(await calls(page)).toEqual([['send', 'List my notebooks']]);
    }));

  it('takes the waiting message back to edit it, or drops it', () =>
    on('running', async (page) => {
      await page.evaluate(() => window.page.controller.set({ queued: 'and then?' }));
      await button(page, 'Edit the next message').click();
      await expect.poll(() => message(page).inputValue()).toBe('and then?');
      await page.evaluate(() => window.page.controller.set({ queued: 'or this?' }));
      await button(page, 'Remove the next message').click();
      expect(await page.getByText('or this?').count()).toBe(0);
      expect((await calls(page)).map(([name]) => name)).toEqual(['editQueued', 'dropQueued']);
    }));
});
