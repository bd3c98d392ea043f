// The panes of the tool tester that look at text, events and the prompt, on the built plugin; and the tester on a phone.
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../../src/protocol/protocols.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { openOnPhone } from '../support/hosts.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('the tool tester', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  const testerOf = (page: Page): Locator => page.getByRole('region', { name: 'Tool tester' });
  const pane = (tester: Locator, name: string): Promise<void> => tester.getByRole('tab', { name }).click();

  async function openTester({ page }: TestApp, panel: PanelDriver): Promise<Locator> {
    await panel.open();
    await panel.region.getByRole('button', { name: 'Tools', exact: true }).click();
    await panel.region.getByRole('button', { name: 'Open the tool tester' }).click();
    await testerOf(page).waitFor();
    return testerOf(page);
  }

  it('finds the calls in a text, marks them, checks each argument, and runs them with approval', async () => {
    app = await startApp();
    const tester = await openTester(app, drive(app.page));
    await pane(tester, 'Parser');
    const [vcp] = PROTOCOLS;
    const write = (toolName: string, args: Record<string, unknown>): string => vcp!.formatToolRequest({ toolName, args });
    const text = [
      'I look.',
      write('list_docs', { parent: 'Life', depth: 'many', more: 'x' }),
      write('daily_note', { op: 'append', notebook: 'Life', markdown: 'From the tester.' }),
    ].join('\n');
    await tester.getByRole('textbox', { name: 'Paste what a model wrote' }).fill(text);
    await tester.getByText('2 calls').waitFor();
    const first = tester.locator('[data-request]').first();
    const statuses = () =>
      first
        .locator('[data-argument]')
        .evaluateAll((rows) => Object.fromEntries(rows.map((row) => [row.getAttribute('data-argument'), row.getAttribute('data-status')])));
    await expect.poll(statuses).toEqual({ parent: 'ok', depth: 'typeError', more: 'unknown' });
    await expect.poll(() => tester.locator('pre mark[data-kind="name"]').allInnerTexts()).toEqual(['list_docs', 'daily_note']);
    await expect.poll(() => tester.locator('pre[aria-label="What the parser found"]').innerText()).toContain('I look.');
    await tester.getByRole('button', { name: 'Run these' }).click();
    await tester.getByRole('button', { name: 'Reject…' }).click();
    await tester.getByRole('button', { name: 'Reject', exact: true }).click();
    const reply = tester.locator('[data-reply]');
    await reply.waitFor();
    await expect.poll(() => reply.innerText()).toContain('"depth" is wrong');
    await expect
      .poll(() => tester.locator('[data-run]').evaluateAll((runs) => runs.map((run) => run.getAttribute('data-run'))))
      .toEqual(['error', 'execution_rejected']);
    // What was cut off says so, and a request goes on into the sandbox.
    await tester.locator('[data-request]').last().getByRole('button', { name: 'Try it out' }).click();
    const form = tester.getByRole('form', { name: 'Try out' });
    await expect.poll(() => form.locator('[data-field="markdown"] textarea').inputValue()).toBe('From the tester.');
    await pane(tester, 'Parser');
    await tester.getByRole('textbox', { name: 'Paste what a model wrote' }).fill(write('read_doc', { id: 'a' }).slice(0, -30));
    await tester.getByText(/^Cannot run:/).waitFor();
  });

  it('follows the events of the chat, and shows what the model is told, with the tokens of each part', async () => {
    app = await startApp();
    const panel = drive(app.page);
    const tester = await openTester(app, panel);
    await pane(tester, 'Events');
    await panel.region.getByRole('button', { name: 'Back' }).click();
    app.model.push({ calls: [{ name: 'list_notebooks', args: {} }] }, { text: 'There are three.' });
    await panel.send('Which notebooks are there?');
    await panel.settled();
    const events = tester.getByRole('list', { name: 'Events' });
    await events.locator('[data-event="turn-end"]').waitFor();
    await tester.getByRole('combobox', { name: 'Kind of event' }).selectOption('calls');
    await events.locator('[data-event="tool-end"]').getByRole('button').click();
    await expect.poll(() => events.locator('pre').innerText()).toContain('"status": "success"');
    await tester.getByRole('combobox', { name: 'Kind of event' }).selectOption('all');
    // What comes while it is paused is counted, and shown when it goes on.
    await tester.getByRole('button', { name: 'Pause' }).click();
    await tester.getByRole('button', { name: 'Clear' }).click();
    app.model.push({ text: 'Three.' });
    await panel.send('How many?');
    await panel.settled();
    expect(await events.getByRole('listitem').count()).toBe(0);
    await tester.getByRole('button', { name: /^Resume \(\d+ new\)/ }).click();
    await events.locator('[data-event="turn-end"]').waitFor();
    await pane(tester, 'Prompt');
    await tester.locator('[data-part="tester.prompt.rules"]').getByText('Tool rules').click();
    await expect.poll(() => tester.locator('[data-part="tester.prompt.rules"] pre').innerText()).toContain('Cite a block that you read');
    await expect
      .poll(async () => JSON.parse(await tester.locator('[data-definitions="native"]').innerText()))
      .toEqual(expect.arrayContaining([expect.objectContaining({ type: 'function' })]));
    await tester.getByRole('button', { name: /^VCP/ }).click();
    await expect.poll(() => tester.locator('[data-definitions="vcp"]').innerText()).toContain('list_notebooks');
    await tester.getByText('This model gets native definitions').waitFor();
  });

  it('is a dialog on phones, where a tool takes the place of the list', async () => {
    app = await startApp({ viewport: { width: 360, height: 740 } });
    const { page } = app;
    await page.goto(app.address({ mobile: true }));
    const panel = drive(page);
    await openOnPhone(page);
    await panel.region.getByRole('button', { name: 'Tools', exact: true }).click();
    await panel.region.getByRole('button', { name: 'Open the tool tester' }).click();
    // A screen reader is told that the panel behind it is out of reach, and begins to read here.
    const dialog = page.getByRole('dialog', { name: 'Tool tester' });
    const tester = dialog.getByRole('region', { name: 'Tool tester' });
    await tester.waitFor();
    await expect.poll(() => dialog.getAttribute('aria-modal')).toBe('true');
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await tester.locator('[data-tool="list_notebooks"]').click();
    await tester.getByRole('article', { name: 'List notebooks' }).waitFor();
    expect(await tester.getByRole('searchbox', { name: 'Find tools' }).count()).toBe(0);
    await tester.getByRole('button', { name: 'Try it out' }).click();
    await tester.getByRole('button', { name: 'Run', exact: true }).click();
    await tester.locator('[data-run="success"] pre').getByText('Life').waitFor();
    for (const name of ['Library', 'Try out', 'Parser', 'Events', 'Prompt']) {
      await pane(tester, name);
      expect(await tester.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    }
    await page.keyboard.press('Escape');
    await tester.waitFor({ state: 'detached' });
    // A phone has no such key: SiYuan's cross has a name, too.
    await panel.region.getByRole('button', { name: 'Open the tool tester' }).click();
    await tester.waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await tester.waitFor({ state: 'detached' });
  });
});
