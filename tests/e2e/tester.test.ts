// The tool tester on the built plugin: a tab, on phones a dialog.
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('the tool tester', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    expect(app?.pageErrors).toEqual([]);
    await app?.close();
    app = undefined;
  });

  const testerOf = (page: Page): Locator => page.getByRole('region', { name: 'Tool tester' });

  /** Opens it from the panel's page of tools, at a tool. */
  async function tryTool({ page }: TestApp, group: string, tool: string): Promise<Locator> {
    const panel = drive(page);
    await panel.open();
    await panel.region.getByRole('button', { name: 'Tools', exact: true }).click();
    await panel.region.getByRole('button', { name: group }).click();
    await panel.region.getByRole('button', { name: `Try ${tool}` }).click();
    await testerOf(page).waitFor();
    return testerOf(page);
  }

  it('lists all tools, finds and sorts them, shows one in full, and switches it as the page of tools does', async () => {
    app = await startApp();
    const { page } = app;
    const tester = await tryTool(app, 'Search', 'Search notes');
    const detail = tester.getByRole('article');
    await detail.getByRole('heading', { name: 'Search notes' }).waitFor();
    expect(await detail.locator('[data-parameter="query"]').innerText()).toContain('text');
    await detail.getByText('Definition as the model gets it').click();
    expect(JSON.parse(await detail.locator('pre').innerText())).toMatchObject({ function: { name: 'search_notes' } });
    // Found by a word of its description, sorted without groups.
    await tester.getByRole('searchbox', { name: 'Find tools' }).fill('each old must occur');
    expect(await tester.locator('[data-tool]').count()).toBe(1);
    await tester.getByRole('searchbox', { name: 'Find tools' }).fill('');
    await tester.getByRole('combobox', { name: 'Order' }).selectOption('name');
    const names = await tester.locator('[data-tool] .mg-discovery__name').allInnerTexts();
    expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, 'en')));
    // The same switches as in the panel.
    await tester.locator('[data-tool="edit_block"]').click();
    await tester.getByRole('article').getByRole('checkbox', { name: 'Edit block' }).uncheck();
    await tester.getByRole('combobox', { name: 'When Edit block asks' }).waitFor();
    const panel = drive(page);
    await panel.region.getByRole('button', { name: /^Blocks/ }).click();
    expect(await panel.region.getByRole('checkbox', { name: 'Edit block' }).isChecked()).toBe(false);
    await panel.region.getByRole('checkbox', { name: 'Edit block' }).check();
    expect(await tester.getByRole('article').getByRole('checkbox', { name: 'Edit block' }).isChecked()).toBe(true);
    // One tab, however often it is opened, and none when it is closed.
    await page.getByRole('tab', { name: 'Tool tester' }).waitFor();
    await panel.region.getByRole('button', { name: 'Open the tool tester' }).click();
    expect(await page.getByRole('tab', { name: 'Tool tester' }).count()).toBe(1);
    await page.getByRole('tab', { name: 'Tool tester' }).getByRole('button', { name: 'Close' }).click();
    await tester.waitFor({ state: 'detached' });
  });
});
