import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { button, hostCalls, usePanelBrowser } from '../../../ui/testing/panel-browser.ts';

const on = usePanelBrowser();

const rows = (page: Page) => page.locator('[data-block]');
const shown = (page: Page) => rows(page).evaluateAll((all) => all.map((each) => each.dataset.block?.slice(-2)).join(' '));

async function openPage(page: Page): Promise<void> {
  await button(page, 'More').first().click();
  await page.getByRole('menuitem', { name: 'Written by models' }).click();
  await page.getByRole('group', { name: 'Written by models' }).waitFor();
}

/** Every line, so that its blocks are seen. */
async function unfold(page: Page): Promise<void> {
  await page.locator('.mg-page details').evaluateAll((all) => {
    for (const line of all) if (line instanceof HTMLDetailsElement) line.open = true;
  });
}

it('lists what models wrote, marks it as read, filters, and opens the block', () =>
  on('activity', async (page) => {
    await openPage(page);
    await expect.poll(() => shown(page)).toBe('01 02 03');
    await page.getByRole('heading', { name: 'Work/Projects/Apollo' }).waitFor();
    await expect.poll(() => rows(page).first().isVisible()).toBe(false);
    await unfold(page);
    await rows(page).nth(1).getByText('Edited').waitFor();
    await rows(page).nth(1).getByText('changed since').waitFor();
    await rows(page).nth(2).getByText('Chat not available').waitFor();
    await rows(page).first().getByRole('button', { name: 'The launch moves' }).click();
    await rows(page).first().getByRole('button', { name: 'Mark as read' }).click();
    await page.getByText('1 of 3 read', { exact: true }).waitFor();
    // It stays where it is until the list is asked for again.
    await expect.poll(() => shown(page)).toBe('01 02 03');
    await expect.poll(() => rows(page).first().getByRole('button', { name: 'Mark as read' }).count()).toBe(0);
    await button(page, 'Changed since').click();
    await expect.poll(() => shown(page)).toBe('02');
    await button(page, 'Not read yet').click();
    await expect.poll(() => shown(page)).toBe('02 03');
    await button(page, 'Mark all 2 as read').click();
    await page.getByText('3 of 3 read', { exact: true }).waitFor();
    const asked = (await hostCalls(page)).filter(([name]) => name === 'openBlock' || name === 'markRead');
    const id = (number: number): string => `20260412093000-wrote0${number}`;
    expect(asked).toEqual([
      ['openBlock', id(1)],
      ['markRead', id(1)],
      ['markRead', id(2), id(3)],
    ]);
  }));

it('says of a block who wrote it, and leads to what was changed and to all of them', () =>
  on('activity', async (page) => {
    await page.evaluate(() => window.page.panel.show({ page: 'written', ids: ['20260412093000-wrote02'] }));
    await expect.poll(() => shown(page)).toBe('02');
    await button(page, 'Show all that models wrote').click();
    await expect.poll(() => shown(page)).toBe('01 02 03');
    await unfold(page);
    await rows(page).first().getByRole('button', { name: 'Changes and Undo' }).click();
    await page.getByRole('group', { name: 'Activity' }).waitFor();
    await button(page, 'Back').click();
    await expect.poll(() => shown(page)).toBe('01 02 03');
    await button(page, 'Back').click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await expect.poll(() => page.locator('.mg-page').count()).toBe(0);
  }));

it('keeps open what was opened before the names of notebooks had come', () =>
  on('activity', async (page) => {
    await page.evaluate(() => window.page.panel.show({ page: 'written', ids: ['20260412093000-wrote02'] }));
    await expect.poll(() => shown(page)).toBe('02');
    await page.evaluate(() => {
      const open = (_changes: unknown, observer: MutationObserver): void => {
        const line = document.querySelector<HTMLDetailsElement>('.mg-page details');
        if (!line) return;
        observer.disconnect();
        line.open = true;
      };
      new MutationObserver(open).observe(document.body, { childList: true, subtree: true });
    });
    await button(page, 'Show all that models wrote').click();
    await page.getByRole('heading', { name: 'Work/Projects/Apollo' }).waitFor();
    await expect.poll(() => shown(page)).toBe('01 02 03');
    await expect.poll(() => page.locator('.mg-page details[open]').count()).toBe(1);
  }));

it('says which model wrote a block and for which question, as text, and plainly where no record is left', () =>
  on('activity', async (page) => {
    await openPage(page);
    await expect.poll(() => shown(page)).toBe('01 02 03');
    await unfold(page);
    await rows(page).first().getByText('Written by gpt-6 <b>').waitFor();
    await rows(page).first().getByText('Asked: When do we launch').waitFor();
    await rows(page).first().getByText('without asking').waitFor();
    await rows(page).nth(1).getByText('Edited by gpt-6 <b>').waitFor();
    await expect.poll(() => rows(page).nth(1).getByText('without asking').count()).toBe(0);
    await rows(page).nth(2).getByText('no record of it is left').waitFor();
    await expect.poll(() => rows(page).nth(2).getByText('Asked:').count()).toBe(0);
  }));

it('is filtered by chat and by notebook, and counts what is left', () =>
  on('activity', async (page) => {
    await openPage(page);
    await page.getByRole('combobox', { name: 'Notebook' }).selectOption({ label: 'Life' });
    await expect.poll(() => shown(page)).toBe('03');
    await page.getByText('0 of 1 read', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Notebook' }).selectOption({ label: 'All notebooks' });
    await page.getByRole('combobox', { name: 'Chat' }).selectOption({ label: 'Urban heat' });
    await expect.poll(() => shown(page)).toBe('01');
    await page.getByText('0 of 1 read', { exact: true }).waitFor();
    await button(page, 'All').click();
    // They are kept while another page is shown.
    await unfold(page);
    await rows(page).first().getByRole('button', { name: 'Changes and Undo' }).click();
    await page.getByRole('group', { name: 'Activity' }).waitFor();
    await button(page, 'Back').click();
    await expect.poll(() => shown(page)).toBe('01');
    await expect.poll(() => button(page, 'All').getAttribute('aria-pressed')).toBe('true');
    await page.evaluate(() => window.page.drawAgain());
    await openPage(page);
    await expect.poll(() => button(page, 'All').getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => shown(page)).toBe('01');
  }));

it('says that no model wrote a block that has lost its mark', () =>
  on('activity', async (page) => {
    await page.evaluate(() => window.page.panel.show({ page: 'written', ids: ['20260412093000-another'] }));
    await page.getByText('No model wrote this block.').waitFor();
    await expect.poll(() => rows(page).count()).toBe(0);
  }));

it('shows what changed of the sources of an answer as text, checks it again, and takes that it still holds', () =>
  on('activity', async (page) => {
    await openPage(page);
    await button(page, 'Out of date').click();
    await expect.poll(() => shown(page)).toBe('02');
    const row = rows(page).first();
    await row.getByText('The offer is 48,000 <b>net</b>.').waitFor();
    await row.getByText('A source has changed · Urban heat').first().waitFor();
    await row.getByText('This block is gone').waitFor();
    await row.getByText('after these words, of which no more was kept').waitFor();
    await row.getByRole('button', { name: 'Check again' }).click();
    await row.getByRole('button', { name: 'It still holds' }).click();
    await row.waitFor({ state: 'detached' });
    const asked = (await hostCalls(page)).filter(([name]) => name === 'checkAgain' || name === 'stillHolds');
    expect(asked).toEqual([
      ['checkAgain', '20260412093000-wrote02'],
      ['stillHolds', '20260412093000-wrote02'],
    ]);
  }));
