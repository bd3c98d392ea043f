import { expect, it } from 'vitest';
import { button, hostCalls, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

it('lists notes related to the open one with why, opens them and adds them, whatever model there is', () =>
  on('empty', async (page) => {
    await message(page).pressSequentially('@');
    const related = page.getByRole('option', { name: 'Launch plan' });
    await expect.poll(() => related.innerText()).toContain('In both: launch, budget');
    await expect.poll(() => page.locator('.mg-pick__group').allInnerTexts()).toContain('Related to Apollo');
    await page.getByRole('option', { name: 'All related notes…' }).click();
    const list = page.getByRole('group', { name: 'Related notes' });
    await list.getByText('Related to Apollo').waitFor();
    await expect.poll(() => list.locator('.mg-found__note').allInnerTexts()).toEqual(['Launch plan', 'Budget 2026']);
    await expect
      .poll(() => list.locator('.mg-found__place').allInnerTexts())
      .toEqual([...['… › Projects › Apollo', 'In both: launch, budget', 'Work', 'In both: budget']]);
    await expect.poll(() => list.locator('mark').allInnerTexts()).toEqual(['Launch', 'launch', 'budget', 'Budget']);
    await list.getByRole('button', { name: 'The launch needs a budget of its own.' }).click();
    expect((await hostCalls(page)).filter(([name]) => name === 'openBlock')).toEqual([['openBlock', '20260412093000-plan001']]);
    await button(page, 'Add Budget 2026').click();
    await button(page, 'Budget 2026 is attached').waitFor();
    await button(page, 'Back').click();
    await page.getByRole('list', { name: 'Attached notes and files' }).getByText('Budget 2026').waitFor();
  }));

it('says what to do where no note is open, and finds notes once one is', () =>
  on('empty', async (page) => {
    await message(page).pressSequentially('@');
    await page.getByRole('option', { name: 'All related notes…' }).click();
    const list = page.getByRole('group', { name: 'Related notes' });
    await list.getByText('Launch plan').waitFor();
    await page.evaluate(() => {
      window.page.host.hasEditor = false;
    });
    await list.click();
    await list.getByText('Open a note in the editor').waitFor();
    await page.evaluate(() => {
      window.page.host.hasEditor = true;
    });
    await list.click();
    await list.getByText('Launch plan').waitFor();
  }));
