// The tool tester on the built plugin: a tab, on phones a dialog.
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, notebookFiles, startApp, type TestApp } from '../support/app.ts';
import { tabsOf } from '../support/hosts.ts';
import { drive } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('the tool tester', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  const testerOf = (page: Page): Locator => page.getByRole('region', { name: 'Tool tester' });

  /** Opens it from the panel's page of tools, at a tool. */
  async function tryTool({ page }: TestApp, group: string, tool: string): Promise<Locator> {
    const panel = drive(page);
    await panel.open();
    await panel.region.getByRole('button', { name: 'Tools', exact: true }).click();
    await panel.region.getByRole('button', { name: new RegExp(`^${group} \\d`) }).click();
    await panel.region.getByRole('button', { name: `Try out ${tool}` }).click();
    await testerOf(page).waitFor();
    return testerOf(page);
  }

  const field = (form: Locator, name: string): Locator => form.locator(`[data-field="${name}"]`).locator('input, textarea, select');

  it('lists all tools, finds and sorts them, shows one in full, and shares its switch with the page Tools', async () => {
    app = await startApp();
    const { page } = app;
    const tester = await tryTool(app, 'Search', 'Search notes');
    const detail = tester.getByRole('article');
    await detail.getByRole('heading', { name: 'Search notes' }).waitFor();
    await expect.poll(() => detail.locator('[data-parameter="query"]').innerText()).toContain('text');
    await detail.getByText('Definition sent to the model').click();
    await expect
      .poll(async () => JSON.parse(await detail.locator('pre').innerText()))
      .toMatchObject({ function: { name: 'search_notes' } });
    // Found by a word of its description, sorted without groups.
    await tester.getByRole('searchbox', { name: 'Find tools' }).fill('each old must occur');
    await expect.poll(() => tester.locator('[data-tool]').count()).toBe(1);
    await tester.getByRole('searchbox', { name: 'Find tools' }).fill('');
    await tester.getByRole('combobox', { name: 'Order' }).selectOption('name');
    const names = () => tester.locator('[data-tool] .mg-discovery__name').allInnerTexts();
    const sorted = (await names()).toSorted((one, other) => one.localeCompare(other, 'en'));
    expect(sorted.length).toBeGreaterThan(20);
    await expect.poll(names).toEqual(sorted);
    // The same switches as in the panel.
    await tester.locator('[data-tool="edit_block"]').click();
    await tester.getByRole('article').getByRole('checkbox', { name: 'Edit block' }).uncheck();
    await tester.getByRole('combobox', { name: 'Permission for Edit block', exact: true }).waitFor();
    const panel = drive(page);
    await panel.region.getByRole('button', { name: /^Blocks/ }).click();
    await expect.poll(() => panel.region.getByRole('checkbox', { name: 'Edit block' }).isChecked()).toBe(false);
    await panel.region.getByRole('checkbox', { name: 'Edit block' }).check();
    await expect.poll(() => tester.getByRole('article').getByRole('checkbox', { name: 'Edit block' }).isChecked()).toBe(true);
    // One tab, however often it is opened, and none when it is closed.
    const tabs = tabsOf(page, 'Tool tester');
    await tabs.all.first().waitFor();
    await panel.region.getByRole('button', { name: 'Open the tool tester' }).click();
    await expect.poll(() => tabs.all.count()).toBe(1);
    await tabs.close();
    await tester.waitFor({ state: 'detached' });
  });

  it('tries out the tool that was looked at, finds notes by their titles, and finds nothing wrong before anything is typed', async () => {
    app = await startApp();
    const tester = await tryTool(app, 'Notes', 'Daily note');
    await tester.locator('[data-tool="read_doc"]').click();
    await tester.getByRole('tab', { name: 'Try out' }).click();
    const form = tester.getByRole('form', { name: 'Try out' });
    await expect.poll(() => form.getByRole('combobox', { name: 'Tool name' }).inputValue()).toBe('read_doc');
    await form.getByRole('combobox', { name: 'Tool name' }).fill('insert_blocks');
    await field(form, 'markdown').waitFor();
    expect(await form.getByText('A call with these arguments will be refused.').count()).toBe(0);
    await expect.poll(() => field(form, 'markdown').evaluate((area) => area.clientHeight)).toBeGreaterThan(70);
    await form.getByRole('button', { name: 'Find a note for “anchor”' }).click();
    await form.getByRole('searchbox').fill('Spaced repetition');
    await form
      .getByRole('button', { name: /^Spaced repetition/ })
      .first()
      .click();
    await expect.poll(() => field(form, 'anchor').inputValue()).toMatch(/^\d{14}-[0-9a-z]{7}$/);
    await form.getByText('A call with these arguments will be refused.').waitFor();
    await tester.getByRole('tab', { name: 'Library' }).click();
    await tester.getByRole('article').getByRole('heading', { name: 'Insert blocks' }).waitFor();
  });

  it('runs a call from its form or its JSON, with approval, and undoes what it wrote; a dry run writes nothing', async () => {
    app = await startApp();
    const { kernel, page, workspace } = app;
    const tester = await tryTool(app, 'Notes', 'Daily note');
    await tester.getByRole('button', { name: 'Try it out' }).click();
    const form = tester.getByRole('form', { name: 'Try out' });
    await field(form, 'op').selectOption('append');
    await field(form, 'notebook').fill('Life');
    await field(form, 'markdown').fill('Bought leeks.');
    // Both ways are one.
    await form.getByRole('button', { name: 'JSON' }).click();
    const json = form.getByRole('textbox', { name: 'Arguments as JSON' });
    await expect
      .poll(async () => JSON.parse(await json.inputValue()))
      .toEqual({ op: 'append', notebook: 'Life', markdown: 'Bought leeks.' });
    await json.fill('{"op": "append", "notebook": "Life", "markdown": "Bought leeks and bread.", "limits": 3');
    await form.getByText('The JSON is incomplete.').waitFor();
    await expect.poll(() => form.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
    await json.press('End');
    await json.fill(`${await json.inputValue()}}`);
    await expect.poll(() => form.locator('[data-argument="limits"]').getAttribute('data-status')).toBe('unknown');
    await form.getByRole('button', { name: 'Form', exact: true }).click();
    await expect.poll(() => field(form, 'markdown').inputValue()).toBe('Bought leeks and bread.');
    await form.getByRole('button', { name: 'Remove limits' }).click();
    // A dry run: the change is shown, no file is touched, and nobody is asked.
    const before = notebookFiles(workspace);
    await form.getByRole('button', { name: 'Dry run' }).click();
    await tester.locator('[data-run="planned"] [data-diff]').waitFor();
    await tester.getByText('Dry run: the call was not run').waitFor();
    expect(notebookFiles(workspace)).toEqual(before);
    expect(await tester.getByRole('group', { name: 'Approval' }).count()).toBe(0);
    // With approval, as in the chat.
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    const approval = tester.getByRole('group', { name: 'Approval' });
    await approval.getByRole('radio', { name: /^Always: set/ }).check();
    expect(await approval.getByRole('button', { name: 'Allow for this chat' }).count()).toBe(0);
    await approval.getByRole('button', { name: 'Approve', exact: true }).click();
    await tester.locator('[data-run="success"]').waitFor();
    // SiYuan's index comes a moment later.
    const found = async () => (await kernel<{ blocks: object[] }>('/api/search/fullTextSearchBlock', { query: 'leeks', method: 0 })).blocks;
    await expect.poll(found).toHaveLength(1);
    await tester.getByRole('button', { name: 'Undo' }).click();
    await tester.getByText('Undone', { exact: true }).waitFor();
    // The record stands among those of all chats.
    const panel = drive(page);
    await panel.region.getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: 'Activity' }).click();
    const row = panel.region.locator('[data-call]').filter({ hasText: 'Tool tester' });
    await row.getByText('Undone').waitFor();
    // The dry run again, from the list of recent runs.
    await expect.poll(() => tester.getByRole('list', { name: 'Recent runs' }).getByRole('listitem').count()).toBe(2);
    await field(form, 'markdown').fill('');
    await tester.getByRole('button', { name: 'Load Daily note again' }).last().click();
    await expect.poll(() => field(form, 'markdown').inputValue()).toBe('Bought leeks and bread.');
  });

  it('shows what a model would be told about an unknown tool, wrong arguments, and a tool that is off', async () => {
    app = await startApp();
    const tester = await tryTool(app, 'Notes', 'Read outline');
    await tester.getByRole('tab', { name: 'Try out' }).click();
    const form = tester.getByRole('form', { name: 'Try out' });
    const tool = form.getByRole('combobox', { name: 'Tool name' });
    await tool.fill('get_outlines');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await tester.locator('[data-run="not_found"]').getByText('get_outline', { exact: false }).first().waitFor();
    await tool.fill('list_docs');
    await field(form, 'depth').fill('many');
    await form.getByText(/^wrong type, expected integer/).waitFor();
    await field(form, 'parent').fill('Life');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await tester.locator('[data-run="error"] pre').getByText('"depth" is wrong').waitFor();
    await field(form, 'depth').fill('2');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await tester.locator('[data-run="success"] pre').getByText('Travel').waitFor();
    await tester.getByRole('tab', { name: 'Library' }).click();
    await tester.locator('[data-tool="list_docs"]').click();
    await tester.getByRole('article').getByRole('checkbox').first().uncheck();
    await tester.getByRole('button', { name: 'Try it out' }).click();
    await form.getByText('This tool is switched off').waitFor();
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await tester.locator('[data-run="error"] pre').getByText('tool_disabled').waitFor();
    await form.getByRole('button', { name: 'Switch on' }).click();
    await form.getByText('This tool is switched off').waitFor({ state: 'detached' });
  });
});
