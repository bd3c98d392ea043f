// What was used, on the built plugin: the page "Usage", by day and chat, and the record behind it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('usage', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  const folderOf = ({ workspace }: TestApp): string => join(workspace, 'data/storage/petal/siyuan-marginalia/usage');
  /** Today, where the browser is. */
  const today = ({ page }: TestApp): Promise<string> => page.evaluate(() => new Intl.DateTimeFormat('sv-SE').format());
  const pageOf = (panel: PanelDriver) => panel.region.getByRole('group', { name: 'Usage' });

  async function openUsage({ page }: TestApp, panel: PanelDriver): Promise<void> {
    await panel.region.getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: 'Usage' }).click();
    await pageOf(panel).waitFor();
  }

  async function ask(panel: PanelDriver, text: string): Promise<void> {
    await panel.send(text);
    await panel.settled();
  }

  /** Tokens of this month in all files together. */
  function recorded(running: TestApp): number {
    const files = readdirSync(folderOf(running)).filter((name) => name.endsWith('.json'));
    const days = files.flatMap((name) =>
      Object.values<{ tokens: number }>(JSON.parse(readFileSync(join(folderOf(running), name), 'utf8')).days),
    );
    return days.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  it("shows both chats and today's bar, opens a chat, and never says $0", async () => {
    app = await startApp({ settings: { budget: { month: { tokens: 100_000 } } } });
    const panel = drive(app.page);
    await panel.open();
    await openUsage(app, panel);
    await pageOf(panel).getByText('Nothing has been used yet').waitFor();
    await app.page.keyboard.press('Escape');
    app.model.push({ text: 'Yes.' }, { text: 'One.' }, { text: 'Two.' });
    await ask(panel, 'Where do swifts sleep?');
    await panel.newChat();
    await ask(panel, 'What is a cloud?');
    await ask(panel, 'And a fog?');
    await expect.poll(() => app && recorded(app)).toBeGreaterThan(300);
    const all = recorded(app);
    await openUsage(app, panel);
    const usage = pageOf(panel);
    const chats = usage.getByRole('region', { name: 'By chat' });
    await chats.getByRole('button', { name: 'Where do swifts sleep?' }).waitFor();
    await expect
      .poll(() => chats.getByRole('listitem').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^What is a cloud\?\s+20\d tokens$/),
        expect.stringMatching(/^Where do swifts sleep\?\s+10\d tokens$/),
      ]);
    // Every bar says its figures; today's is the last, and as high as the chart.
    const day = await today(app);
    const bars = usage.locator('g[data-day]');
    await expect.poll(() => bars.count()).toBe(30);
    await expect.poll(() => bars.last().getAttribute('data-day')).toBe(day);
    await expect.poll(() => bars.last().locator('title').textContent()).toContain(`${all} tokens`);
    await expect.poll(() => bars.last().locator('.mg-series').getAttribute('height')).toBe('100');
    await usage.getByText('Show as a table').click();
    await usage
      .getByRole('row')
      .filter({ hasText: 'scripted' })
      .filter({ hasText: String(all) })
      .waitFor();
    await usage.getByRole('meter', { name: `${all} of 100k tokens` }).waitFor();
    await usage.getByRole('region', { name: 'By purpose' }).getByText('Answers').waitFor();
    // Nobody knows what "scripted" costs.
    expect(await usage.innerText()).not.toContain('$');
    await usage.getByRole('combobox', { name: 'Show' }).selectOption('Last 7 days');
    await chats.getByRole('button', { name: 'Where do swifts sleep?' }).click();
    await usage.waitFor({ state: 'detached' });
    await panel.answer.getByText('Yes.').waitFor();
  });

  it('counts what two windows use at once', async () => {
    app = await startApp();
    const other = await app.openWindow();
    const panels = [drive(app.page), drive(other)];
    for (const panel of panels) await panel.open();
    app.model.push(...Array.from({ length: 4 }, () => ({ text: 'Yes.' })));
    for (const question of ['One?', 'Two?']) await Promise.all(panels.map((panel) => ask(panel, question)));
    await expect.poll(() => app && recorded(app)).toBeGreaterThanOrEqual(400);
    await expect.poll(() => app && readdirSync(folderOf(app))).toHaveLength(1);
  });

  it('stops where the record is damaged and a budget is set, and goes on with a new one', async () => {
    app = await startApp({ settings: { budget: { day: { tokens: 100_000 } } } });
    const panel = drive(app.page);
    await panel.open();
    const name = `${(await today(app)).slice(0, 7)}-elsewhere.json`;
    mkdirSync(folderOf(app), { recursive: true });
    writeFileSync(join(folderOf(app), name), '{"schema":1,"days":{"2026');
    await panel.send('Hello?');
    await panel.settled('error');
    expect(app.model.bodies).toEqual([]);
    await panel.answer.getByText('This month’s usage record is damaged.').waitFor();
    await panel.answer.getByRole('button', { name: 'Open usage' }).click();
    const alert = pageOf(panel).getByRole('alert');
    await alert.getByText(`usage/${name} is damaged`).waitFor();
    await alert.getByRole('button', { name: 'Start a new record' }).click();
    await alert.waitFor({ state: 'detached' });
    await app.page.keyboard.press('Escape');
    app.model.push({ text: 'Now I may.' });
    await panel.answer.getByRole('button', { name: 'Retry' }).click();
    await panel.answer.getByText('Now I may.').waitFor();
    const [copy = ''] = readdirSync(folderOf(app)).filter((file) => file.startsWith(`${name}.broken-`));
    expect(readFileSync(join(folderOf(app), copy), 'utf8')).toBe('{"schema":1,"days":{"2026');
  });
});
