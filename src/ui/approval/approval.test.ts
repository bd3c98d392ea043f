import { describe, expect, it } from 'vitest';
import { button, calls, card, message, settingCalls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

describe('the approval card', () => {
  it('approves with Enter only when the card itself has focus', () =>
    on('approval', async (page) => {
      await expect.poll(() => button(page, 'Approve').isDisabled()).toBe(false);
      await message(page).fill('not yet');
      await message(page).press('Shift+Enter');
      await card(page).getByRole('checkbox').first().press('Enter');
      await card(page).locator('[data-diff]').press('Enter');
      await page.locator('body').press('Enter');
      expect(await calls(page, 'decide')).toEqual([]);
      await expect.poll(() => card(page).evaluate((element) => element.contains(document.activeElement))).toBe(true);
      await card(page).focus();
      await page.keyboard.press('Enter');
      expect(await calls(page, 'decide')).toEqual([['decide', 'a1', { approved: true, acceptedOperations: ['op-1', 'op-2', 'op-3'] }]]);
    }));

  it('stands right below the call that waits for it', () =>
    on('approval', async (page) => {
      const [call, box] = [await page.locator('[data-tool]').last().boundingBox(), await card(page).boundingBox()];
      expect(box!.y - call!.y - call!.height).toBeLessThan(32);
    }));

  it('never takes the focus by itself', () =>
    on('streaming', async (page) => {
      await message(page).focus();
      await page.evaluate(() => window.page.controller.set({ approvals: [window.page.approval] }));
      await card(page).waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => message(page).evaluate((field) => field === document.activeElement)).toBe(true);
      expect(await calls(page, 'decide')).toEqual([]);
    }));

  it('leaves out an operation and what needs it', () =>
    on(
      'approval',
      async (page) => {
        const boxes = card(page).getByRole('checkbox');
        const decisionsFromEnd = async () => {
          const [end, reject] = [await card(page).boundingBox(), await button(page, 'Reject…').boundingBox()];
          return end!.y + end!.height - reject!.y;
        };
        const before = await decisionsFromEnd();
        await boxes.nth(1).uncheck();
        await expect
          .poll(() => boxes.evaluateAll((all) => all.map((box) => box instanceof HTMLInputElement && [box.checked, box.disabled])))
          .toEqual([
            [true, false],
            [false, false],
            [false, true],
          ]);
        // Before the button is pressed it is clear how many will be written, and which will not.
        await expect.poll(() => card(page).getByText('Left out', { exact: true }).count()).toBe(2);
        await expect.poll(() => card(page).locator('.mg-ask__words').innerText()).toContain('1 block');
        await button(page, 'Approve 1 of 3').waitFor();
        // A longer name moves no button away from the pointer.
        expect(await decisionsFromEnd()).toBe(before);
        await button(page, 'Approve 1 of 3').click();
        expect(await calls(page, 'decide')).toEqual([['decide', 'a1', { approved: true, acceptedOperations: ['op-1'] }]]);
      },
      { width: 320 },
    ));

  it('offers no approval of nothing', () =>
    on('approval', async (page) => {
      await card(page).getByRole('checkbox').nth(0).uncheck();
      const lines = (words: string) =>
        card(page)
          .locator(words)
          .first()
          .evaluate((element) => getComputedStyle(element).textDecorationLine);
      // Of words that stay as they are, the old ones can still be told from the new ones.
      await expect.poll(async () => [await lines('del'), await lines('ins')]).toEqual(['line-through', 'underline']);
      await card(page).getByRole('checkbox').nth(1).uncheck();
      await expect.poll(() => button(page, 'Approve').isDisabled()).toBe(true);
      expect(await button(page, 'Allow for this chat').count()).toBe(0);
      await card(page).getByText('Everything is left out').waitFor();
    }));

  it('rejects with the reason', () =>
    on('approval', async (page) => {
      await button(page, 'Reject…').click();
      const reason = page.getByRole('textbox', { name: 'Reason for rejecting' });
      await expect.poll(() => reason.evaluate((field) => field === document.activeElement)).toBe(true);
      await reason.press('Escape');
      await expect.poll(() => button(page, 'Reject…').evaluate((opener) => opener === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await reason.fill('Wrong note');
      await button(page, 'Reject').click();
      expect(await calls(page, 'decide')).toEqual([['decide', 'a1', { approved: false, reason: 'Wrong note' }]]);
    }));

  it('allows for the chat with the scope beside it, and the allowance can be revoked', () =>
    on('approval', async (page) => {
      await card(page).getByText('Edit block in Projects').waitFor();
      await button(page, 'Allow for this chat').click();
      expect(await calls(page, 'decide')).toEqual([
        ['decide', 'a1', { approved: true, acceptedOperations: ['op-1', 'op-2', 'op-3'], remember: true }],
      ]);
      await page.getByRole('button', { name: 'Allowed for this chat: 1 allowed' }).click();
      await button(page, 'Ask me again before: Insert blocks in Projects').click();
      expect(await calls(page, 'revoke')).toEqual([['revoke', 'insert_blocks', 'nb-projects']]);
    }));

  it('shows words, word marks with signs, folds, notices and what Undo gives back', () =>
    on('approval', async (page) => {
      await card(page).getByText('Change 1 block and add 2 in').waitFor();
      await expect.poll(() => card(page).locator('del').allTextContents()).toEqual(['Monday', 'nine']);
      await expect.poll(async () => (await card(page).locator('ins').allTextContents()).slice(0, 2)).toEqual(['Tuesday', 'ten']);
      await expect.poll(() => card(page).locator('.mg-changed__row--changed .mg-changed__sign').allTextContents()).toEqual(['±']);
      await card(page).getByRole('button', { name: '… 4 unchanged' }).click();
      await card(page).getByText('Lunch is at twelve.').waitFor();
      await card(page).getByText('Undo brings everything back exactly.').waitFor();
      await card(page).getByText('1 image from the web becomes a link').waitFor();
    }));

  it('is one card for several, and lets pass this time what the notebook does not allow', () =>
    on('approvals', async (page) => {
      await expect.poll(() => card(page).count()).toBe(1);
      const group = card(page).getByRole('group', { name: 'The model may only read Diary.' });
      await expect.poll(() => group.getByRole('radio', { name: 'This time only, for the changes shown here' }).isChecked()).toBe(true);
      await button(page, '1 not looked at').click();
      await expect.poll(() => card(page).getByText('not looked at').count()).toBe(0);
      await button(page, 'Approve all').click();
      expect(await settingCalls(page)).toEqual([]);
      expect(
        (await calls(page, 'decide')).map(([, id, decision]) => [id, (decision as { beyondRight?: true }).beyondRight ?? false]),
      ).toEqual([
        ['a1', false],
        ['a2', true],
      ]);
    }));

  it('raises the right of the notebook where that is chosen, in the words of the settings, and only then can be remembered', () =>
    on('approvals', async (page) => {
      await button(page, 'Allow for this chat').waitFor();
      await card(page).getByRole('button', { name: 'Changes', exact: true }).nth(1).click();
      await button(page, 'Allow for this chat').waitFor({ state: 'detached' });
      await card(page).getByRole('radio', { name: 'Always: set Diary to “Read and edit”' }).check();
      await button(page, 'Allow for this chat').waitFor();
      await button(page, 'Approve').click();
      expect(await settingCalls(page)).toEqual([['setRight', 'nb-diary', 'write']]);
      const [[, , decision] = []] = await calls(page, 'decide');
      expect((decision as { beyondRight?: true }).beyondRight).toBeUndefined();
    }));

  it('is decided by keys, from the card and from an empty composer, which say so; never while something is typed or composed', () =>
    on('approval', async (page) => {
      await card(page).getByText('Alt+Enter approves, Alt+Backspace rejects').waitFor();
      await message(page).fill('Wait');
      await message(page).press('Alt+Enter');
      await button(page, 'Reject…').click();
      const reason = page.getByRole('textbox', { name: 'Reason for rejecting' });
      await reason.fill('two words');
      await reason.press('Alt+Backspace');
      expect(await calls(page, 'decide')).toEqual([]);
      await message(page).fill('');
      await message(page).evaluate((field) =>
        field.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', altKey: true, isComposing: true, bubbles: true, cancelable: true }),
        ),
      );
      expect(await calls(page, 'decide')).toEqual([]);
      await reason.fill('');
      await message(page).press('Alt+Backspace');
      expect(await calls(page, 'decide')).toEqual([['decide', 'a1', { approved: false }]]);
    }));

  it('lets a person edit what is to be written, and shows the change anew before it is approved', () =>
    on('approval', async (page) => {
      await page.evaluate(() => {
        const { approval, controller } = window.page;
        controller.set({ approvals: [{ ...approval, args: { anchor: 'one', markdown: 'Lunch at noon.' } }] });
      });
      await button(page, 'Edit').click();
      const field = page.getByRole('textbox', { name: 'Text to be written' });
      await expect.poll(() => field.inputValue()).toBe('Lunch at noon.');
      await expect.poll(() => button(page, 'Approve').isDisabled()).toBe(true);
      await field.fill('Lunch at one.');
      await message(page).press('Alt+Enter');
      expect(await calls(page, 'decide')).toEqual([]);
      await field.press('Escape');
      await field.waitFor({ state: 'detached' });
      await button(page, 'Edit').click();
      await field.fill('Lunch at two.');
      await button(page, 'Show the change').click();
      await card(page).locator('[data-diff]').getByText('Lunch at two.').first().waitFor();
      expect(await calls(page, 'revise')).toEqual([['revise', 'a1', { anchor: 'one', markdown: 'Lunch at two.' }]]);
      await button(page, 'Approve').click();
      expect((await calls(page, 'decide')).map(([, id]) => id)).toEqual(['a1']);
    }));

  it('lets a person strike steps of a list, and edit their words', () =>
    on('approval', async (page) => {
      await page.evaluate(() => {
        const { approval, controller } = window.page;
        const steps = ['Lamp: add a line', 'Bell: move it', 'Quay: delete it'];
        controller.set({ approvals: [{ ...approval, tool: 'propose_plan', args: { steps } }] });
      });
      const step = (name: string) => card(page).getByRole('checkbox', { name });
      await step('Bell: move it').uncheck();
      await expect.poll(() => calls(page, 'revise')).toEqual([['revise', 'a1', { steps: ['Lamp: add a line', 'Quay: delete it'] }]]);
      await expect.poll(() => step('Bell: move it').isChecked()).toBe(false);
      await button(page, 'Edit').click();
      const field = page.getByRole('textbox', { name: 'Text to be written' });
      await expect.poll(() => field.inputValue()).toBe('Lamp: add a line\nQuay: delete it');
      await field.fill('Lamp: add two lines\n\nQuay: delete it');
      await button(page, 'Show the change').click();
      await step('Lamp: add two lines').waitFor();
      expect(await step('Bell: move it').count()).toBe(0);
      expect((await calls(page, 'revise')).at(-1)).toEqual(['revise', 'a1', { steps: ['Lamp: add two lines', 'Quay: delete it'] }]);
    }));

  it('is pinned above the composer when scrolled away, and leads back', () =>
    on('long', async (page) => {
      await page.evaluate(() => window.page.controller.set({ running: true, approvals: [window.page.approval] }));
      await card(page).locator('[data-diff]').waitFor();
      await page.locator('.mg-list').evaluate((list) => list.scrollTo({ top: 0 }));
      await card(page).getByRole('button', { name: 'Show the changes' }).waitFor();
      const [cardBox, composerBox] = [await card(page).boundingBox(), await message(page).boundingBox()];
      expect(cardBox!.y + cardBox!.height).toBeLessThanOrEqual(composerBox!.y);
      expect(cardBox!.y).toBeGreaterThan(300);
      await card(page).getByRole('button', { name: 'Show the changes' }).click();
      await card(page).locator('[data-diff]').waitFor();
    }));
});
