import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, card, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const rows = (page: Page) => card(page).getByRole('row');
const texts = async (page: Page) =>
  (
    await rows(page).evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replace(/\s+/g, ' ').trim())),
    )
  ).map((cells) => cells.filter((_, index) => index < 6));
const accepted = async (page: Page) => {
  const [[, , decision] = []] = await calls(page, 'decide');
  return (decision as { acceptedOperations: readonly string[] }).acceptedOperations;
};

describe('a change of a database', () => {
  it.each([
    [400, 'en_US'],
    [300, 'en_US'],
    [400, 'zh_CN'],
  ] as const)('of four rows and five columns is at most 400 px high, at %i px: %s', (width, language) =>
    on(
      'table',
      async (page) => {
        const box = page.locator('.mg-approval');
        await box.locator('table').waitFor();
        await expect.poll(async () => (await box.boundingBox())!.height).toBeLessThanOrEqual(400);
      },
      { width, language, height: 900 },
    ),
  );

  it('has the rows and columns of the database, and says what a person would say', () =>
    on('table', async (page) => {
      await expect
        .poll(() => card(page).locator('.mg-ask__words').innerText())
        .toBe('Add 4 rows to “Books” (1 new option) · Books to read');
      expect((await texts(page)).slice(0, 3)).toEqual([
        ['Choose cells', 'Author', 'Year', 'Subject', 'Pages', 'Due'],
        ['Middlemarch', 'George Eliot', '1871', 'novel', '880', '2026-12-24'],
        ['The Design of Everyday Things', 'Don Norman', '1988', 'design new option', '368', '2027-01-10'],
      ]);
      await expect.poll(() => card(page).getByRole('checkbox').count()).toBe(4);
    }));

  it('shows changed cells as old and new, and a new title in its place', () =>
    on('table-cells', async (page) => {
      expect(await texts(page)).toEqual([
        ['Choose cells', 'Year', 'Pages', 'Due'],
        ['Middlemarch', '', '880 → 904', ''],
        ['Make It Stick → Make it stick', '2013 → 2014', '', ''],
        ['Seeing Like a State', '', '', '2027-02-01'],
      ]);
      await expect.poll(() => card(page).locator('del').allInnerTexts()).toEqual(['880', 'Make It Stick', '2013', '2027-02-01']);
    }));

  it('of columns and of rows that go is a line each', () =>
    on('table-columns', async (page) => {
      await expect
        .poll(() =>
          card(page)
            .locator('[data-operation]')
            .evaluateAll((all) => all.map((line) => line.textContent?.replace(/\s+/g, ' ').trim())),
        )
        .toEqual([
          'Rename column Due → Read by',
          'Remove column Pages (number): 4 filled cells',
          'Remove row Middlemarch; Author: "George Eliot"; Year: 1871',
        ]);
    }));

  it('leaves out a row with its cells and the option that only it needs', () =>
    on('table', async (page) => {
      await card(page).getByRole('checkbox', { name: 'Add row The Design of Everyday Things' }).uncheck();
      await rows(page).nth(2).getByText('Left out', { exact: true }).waitFor();
      await expect.poll(() => card(page).locator('.mg-ask__words').innerText()).toBe('Add 3 rows to “Books” · Books to read');
      await button(page, 'Approve 3 of 4').click();
      const ids = await accepted(page);
      expect(ids).toHaveLength(18);
      expect(ids.filter((id) => id === 'option' || id.startsWith('row-1'))).toEqual([]);
    }));

  it('leaves out a single cell on request', () =>
    on('table', async (page) => {
      await button(page, 'Choose cells').click();
      await expect.poll(() => card(page).getByRole('checkbox').count()).toBe(24);
      await card(page).getByRole('checkbox', { name: 'Middlemarch Year' }).uncheck();
      await expect
        .poll(() =>
          card(page)
            .getByRole('checkbox', { name: 'Add row Middlemarch' })
            .evaluate((box) => (box as HTMLInputElement).indeterminate),
        )
        .toBe(true);
      await button(page, 'Approve 24 of 25').click();
      expect(await accepted(page)).not.toContain('row-0-1');
    }));

  it('scrolls sideways inside its frame where there is no room, under the titles of its rows', () =>
    on(
      'table',
      async (page) => {
        const frame = card(page).locator('.mg-cells');
        await expect.poll(() => frame.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeGreaterThan(50);
        await expect.poll(() => card(page).evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
        const left = (role: 'cell' | 'rowheader') =>
          frame
            .getByRole(role)
            .last()
            .evaluate((cell) => cell.getBoundingClientRect().left);
        const title = await left('rowheader');
        expect(await left('cell')).toBeGreaterThan(300);
        await frame.evaluate((box) => box.scrollTo({ left: 999, behavior: 'instant' }));
        await expect.poll(() => left('cell')).toBeLessThan(300);
        await expect.poll(() => left('rowheader')).toBe(title);
      },
      { width: 300 },
    ));
});
