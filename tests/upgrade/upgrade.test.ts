// Workspaces that builds of earlier days left (README.md beside this) open with this one: chats, what was written and its marks, settings, orders.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningHost, startHost } from '../../devhost/host.ts';
import { linkPlugin } from '../../devhost/plugin-folder.ts';
import { buildShell } from '../../devhost/shell/build.ts';
import { chromiumPath } from '../support/app.ts';
import { kernelClient } from '../support/hosts.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { sharedBrowser, sharedFolder } from '../support/shared.ts';

const root = dirname(dirname(import.meta.dirname));
const RECORDED = join(import.meta.dirname, 'recorded');
const STORAGE = 'data/storage/petal/siyuan-marginalia';
const WRITTEN = 'Written by the model about lichens.';
const days = readdirSync(RECORDED);
const withOrders = days.filter((day) => readdirSync(join(RECORDED, day, 'storage/petal/siyuan-marginalia')).includes('orders'));

interface Opened {
  readonly folder: string;
  readonly host: RunningHost;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly panel: PanelDriver;
  /** A file of the plugin's storage, as it is now. */
  read(path: string): unknown;
}

let opened: Opened | undefined;
afterEach(async () => {
  await opened?.context.close();
  await opened?.host.close();
  if (opened) rmSync(opened.folder, { recursive: true, force: true });
  opened = undefined;
});

/** Opens a copy of what was left on that day, with a note in front. */
async function open(day: string): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-upgrade-'));
  const workspace = join(folder, 'workspace');
  cpSync(join(RECORDED, day), join(workspace, 'data'), { recursive: true });
  const plugins = await sharedFolder('plugins', async (own) => linkPlugin(join(root, 'dist'), own));
  const shellDir = await sharedFolder('shell', buildShell);
  const host = await startHost({ workspace, port: 0, plugins, shellDir, indexDelayMs: 0 });
  const [found] = await kernelClient(host.url)<{ root_id: string }[]>('/api/query/sql', {
    stmt: `SELECT root_id FROM blocks WHERE content = '${WRITTEN}' LIMIT 1`,
  });
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${host.url}?open=${found?.root_id}`);
  const panel = drive(page);
  await panel.open();
  const read = (path: string): unknown => JSON.parse(readFileSync(join(workspace, STORAGE, path), 'utf8'));
  opened = { folder, host, context, page, panel, read };
  return opened;
}

/** As it was recorded. */
const recorded = (day: string, path: string): unknown =>
  JSON.parse(readFileSync(join(RECORDED, day, 'storage/petal/siyuan-marginalia', path), 'utf8'));
const chatOf = (day: string): string => {
  const names = readdirSync(join(RECORDED, day, 'storage/petal/siyuan-marginalia/sessions'));
  return `sessions/${names.find((name) => !name.startsWith('index'))}`;
};

describe.skipIf(!chromiumPath)('a workspace of an earlier version', () => {
  it.each(days)('shows its chat, and undoes what it wrote: %s', async (day) => {
    const { page, panel, read } = await open(day);
    const block = page.locator('.protyle-wysiwyg:visible .p', { hasText: WRITTEN });
    // Not read yet: the margin says so.
    await expect.poll(() => block.evaluate((element) => getComputedStyle(element).boxShadow)).not.toBe('none');
    await panel.region.getByRole('button', { name: 'Chats', exact: true }).click();
    await panel.region.getByRole('group', { name: 'Chats', exact: true }).getByText('Add a line about lichens.').first().click();
    for (const words of ['I added a line about lichens.', 'Mosses are older than lichens.']) await panel.region.getByText(words).waitFor();
    await panel.tool('insert_blocks').first().waitFor({ state: 'attached' });
    await panel.region.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await block.waitFor({ state: 'detached' });
    // What the earlier version saved is all there, in the same places.
    await expect.poll(() => read(chatOf(day))).toMatchObject(recorded(day, chatOf(day)) as object);
  });

  it.each(days)('keeps its settings: %s', async (day) => {
    const { panel, read } = await open(day);
    const before = recorded(day, 'settings.json') as { readonly notebooks: object };
    await panel.region.getByRole('button', { name: 'scripted' }).first().waitFor();
    await panel.openSettings();
    const right = panel.region.getByRole('combobox', { name: 'Life', exact: true });
    await expect.poll(() => right.inputValue()).toBe(Object.values(before.notebooks)[0]);
    await right.selectOption('read');
    const notebooks = Object.fromEntries(Object.keys(before.notebooks).map((id) => [id, 'read']));
    await expect.poll(() => read('settings.json')).toMatchObject({ ...before, notebooks });
  });

  it.each(withOrders)('has its orders: %s', async (day) => {
    const { page, panel } = await open(day);
    await panel.region.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    const order = panel.region.getByRole('article', { name: 'Lichen watch' });
    await order.getByText('Monday to Friday at 7:30', { exact: false }).waitFor();
    await expect.poll(() => order.getByRole('alert').count()).toBe(0);
  });
});
