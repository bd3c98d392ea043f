import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, hostCalls, settingCalls, usePanelBrowser } from '../../../ui/testing/panel-browser.ts';

const on = usePanelBrowser();

const row = (page: Page, id: string) => page.locator(`[data-call="call-${id}"]`);
const shown = (page: Page) => page.locator('[data-call]').evaluateAll((rows) => rows.map((each) => each.dataset.call?.slice(5)).join(' '));
const asked = (page: Page) => page.evaluate(() => window.page.activity?.log.filter(([name]) => name !== 'read'));

async function openActivity(page: Page): Promise<void> {
  await button(page, 'More').first().click();
  await page.getByRole('menuitem', { name: 'Activity' }).click();
  await row(page, '9').waitFor();
}

describe('the page Activity', () => {
  it('lists by day what was read and changed, says what failed, and counts', () =>
    on('activity', async (page) => {
      await openActivity(page);
      await row(page, '2').waitFor();
      const days = await page.getByRole('group', { name: 'Activity' }).getByRole('region').locator('h4').allInnerTexts();
      expect(days.slice(0, 2)).toEqual(['Today', 'Yesterday']);
      expect(days).toHaveLength(3);
      await page.getByText('Today: 1 note read, 1 changed').waitFor();
      await page.getByText('Last 7 days: 2 notes read, 2 changed').waitFor();
      await expect
        .poll(async () => (await row(page, '6').innerText()).split('\n').filter((line) => !line.includes(':')))
        .toEqual(expect.arrayContaining(['Cool roofs', 'Urban heat', '0.4 s']));
      await row(page, '7').getByText('Failed', { exact: true }).waitFor();
      await row(page, '8').getByText('Rejected').waitFor();
      await row(page, '3').getByText('Chat not available').waitFor();
      await row(page, '3').getByText('Without asking').waitFor();
      expect(await row(page, '9').getByText('Without asking').count()).toBe(0);
      await row(page, '4').getByText('By a sub-agent').waitFor();
      await expect
        .poll(() =>
          row(page, '6')
            .getByRole('button', { name: /^Read note, Reads, / })
            .getAttribute('aria-expanded'),
        )
        .toBe('false');
    }));

  it('filters by what was done, by note, chat, tool and words', () =>
    on('activity', async (page) => {
      await openActivity(page);
      await row(page, '2').waitFor();
      for (const [name, ids] of [
        ['Changed', '9 8 3'],
        ['Read', '6 5 4 2'],
        ['Sent out', '7'],
        ['Failed', '8 7'],
      ] as const) {
        await button(page, name).click();
        expect(await shown(page)).toBe(ids);
      }
      await button(page, 'All').click();
      await page.getByRole('combobox', { name: 'Note' }).selectOption('Cool roofs');
      expect(await shown(page)).toBe('6 5');
      await page.getByRole('combobox', { name: 'Tool' }).selectOption('Read note');
      expect(await shown(page)).toBe('6');
      await page.getByRole('combobox', { name: 'Tool' }).selectOption('All tools');
      await page.getByRole('combobox', { name: 'Note' }).selectOption('All notes');
      await page.getByRole('combobox', { name: 'Chat' }).selectOption({ index: 1 });
      expect(await shown(page)).toBe('4');
      await page.getByRole('combobox', { name: 'Chat' }).selectOption('All chats');
      await page.getByRole('searchbox', { name: 'Search activity' }).fill('STREET TREES');
      await expect.poll(() => shown(page)).toBe('5');
      await page.getByRole('searchbox', { name: 'Search activity' }).fill('nothing of the kind');
      await page.getByText('Nothing matches.').waitFor();
    }));

  it('opens a row by key, its note whether or not the model may read it, and its chat at the answer', () =>
    on('activity', async (page) => {
      await openActivity(page);
      await row(page, '9')
        .getByRole('button', { name: /^Edit block/ })
        .focus();
      await page.keyboard.press('Enter');
      await row(page, '9').getByText('You asked:').waitFor();
      await row(page, '9').locator('del', { hasText: 'Monday' }).waitFor();
      await page.evaluate(() => window.page.host.gone.add('20260412093000-roofs00'));
      await row(page, '6').getByRole('button', { name: 'Cool roofs' }).click();
      expect(await hostCalls(page)).toEqual([['openBlock', '20260412093000-roofs00']]);
      await row(page, '2').getByRole('button', { name: 'a note' }).click();
      await page.getByText('That note is gone, or its notebook is closed.').waitFor();
      await row(page, '4')
        .getByRole('button', { name: /^Thesis/ })
        .click();
      await page.getByRole('group', { name: 'Activity' }).waitFor({ state: 'detached' });
      expect((await calls(page)).slice(-2)).toEqual([
        ['openChat', 'session-2'],
        ['messages.reveal', 'said-1'],
      ]);
    }));

  it('undoes and redoes what was written, asks if only part can be undone, and lets the reader settle conflicts', () =>
    on('activity', async (page) => {
      await openActivity(page);
      await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(2);
      await row(page, '9').getByRole('button', { name: 'Undo' }).click();
      await row(page, '9').getByText('Undone').waitFor();
      expect(await row(page, '9').getByRole('button', { name: 'Undo' }).count()).toBe(0);
      expect(await asked(page)).toEqual([['undo', 'call-9']]);
      await row(page, '9').getByRole('button', { name: 'Redo' }).click();
      await row(page, '9').getByRole('button', { name: 'Undo' }).waitFor();
      expect(await asked(page)).toEqual([
        ['undo', 'call-9'],
        ['redo', 'call-9'],
      ]);
      await page.evaluate(() => {
        const reasons = [{ code: 'changed' as const }];
        Object.assign(window.page.activity ?? {}, {
          conflicts: [{ blockId: '20260412093011-def1234', reasons, now: 'Mine', before: 'Old' }],
        });
      });
      await row(page, '3').getByRole('button', { name: 'Undo' }).click();
      await row(page, '3').getByText('You have changed this block since').waitFor();
      await button(page, 'Undo anyway').click();
      await expect.poll(() => asked(page)).toContainEqual(['resolve', 'call-3', '20260412093011-def1234', 'undo', 'Mine']);
    }));

  it('still asks about what an earlier Undo left alone', () =>
    on('activity', async (page) => {
      await page.evaluate(() => {
        const conflicts = [{ blockId: '20260412093011-def1234', reasons: [{ code: 'changed' as const }], now: 'Mine', before: 'Old' }];
        const newer = { blockId: '20260412093011-newer01', reasons: [{ code: 'newer-first' as const }], now: 'Plan', before: 'Plan' };
        Object.assign(window.page.activity ?? {}, { report: { restored: ['20260412093011-abc1234'], conflicts: [...conflicts, newer] } });
      });
      await openActivity(page);
      await row(page, '3').getByText('Undone in part').waitFor();
      await row(page, '3').getByText('Undo that one first, then this one.').waitFor();
      await row(page, '3').getByRole('button', { name: 'Keep mine' }).first().click();
      await expect.poll(() => asked(page)).toEqual([['resolve', 'call-3', '20260412093011-def1234', 'keep', 'Mine']]);
    }));

  it('is cleared after a question, says what is damaged, and how long it is kept', () =>
    on('activity', async (page) => {
      await page.evaluate(() =>
        Object.assign(window.page.activity ?? {}, { damaged: [{ path: 'activity/x.jsonl', copy: 'activity/x.jsonl.broken-1' }] }),
      );
      await openActivity(page);
      await page.getByRole('alert').getByText('activity/x.jsonl.broken-1').waitFor();
      await button(page, 'Remove the damaged part').click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await page.getByRole('spinbutton', { name: 'Keep for (days)' }).fill('0');
      await page.getByRole('spinbutton', { name: 'Keep for (days)' }).press('Tab');
      await button(page, 'More actions for Activity').click();
      await page.getByRole('menuitem', { name: 'Clear activity' }).click();
      await page.getByText('Nothing is recorded while the list is kept for 0 days.').waitFor();
      expect(await asked(page)).toEqual([
        ['startAnew', 'activity/x.jsonl'],
        ['remove', {}],
      ]);
      expect(await settingCalls(page)).toEqual([['update', { activityDays: 0 }]]);
    }));
});
