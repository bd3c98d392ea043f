// node tests/upgrade/record.ts DIST OUT: what a person leaves in a workspace with the plugin that was built into DIST, as the files of OUT. Run with
// builds of earlier commits (README.md beside this).
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { startHost } from '../../devhost/host.ts';
import { linkPlugin } from '../../devhost/plugin-folder.ts';
import { buildShell } from '../../devhost/shell/build.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { launchBrowser } from '../support/shared.ts';

const STORAGE = 'data/storage/petal/siyuan-marginalia';
const [dist = '', out = ''] = process.argv.slice(2).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), 'marginalia-record-'));
const workspace = join(folder, 'workspace');
const shellDir = join(folder, 'shell');

async function post<T>(url: string, path: string, body: object): Promise<T> {
  const response = await fetch(new URL(path, url), { method: 'POST', body: JSON.stringify(body) });
  return ((await response.json()) as { data: T }).data;
}

const press = (within: Locator, name: string | RegExp): Promise<void> => within.getByRole('button', { name, exact: true }).first().click();

/** A question whose answer writes, approved; and one that only answers. */
async function chat(region: Locator, model: ModelServer, note: string): Promise<void> {
  const send = async (text: string, ...replies: Parameters<ModelServer['push']>): Promise<void> => {
    model.push(...replies);
    await region.getByRole('textbox', { name: 'Message' }).fill(text);
    await press(region, 'Send');
  };
  const markdown = 'Written by the model about **lichens**.';
  const call = { name: 'insert_blocks', args: { anchor: note, position: 'append', markdown } };
  await send('Add a line about lichens.', { text: 'I will add it.', calls: [call] }, { text: 'I added a line about lichens.' });
  const approval = region.getByRole('group', { name: 'Approval' });
  const always = approval.getByRole('radio', { name: /^Always/ });
  await approval
    .getByRole('button', { name: /^Approve/ })
    .first()
    .waitFor();
  if (await always.count()) await always.check();
  await approval
    .getByRole('button', { name: /^Approve/ })
    .first()
    .click();
  await region.getByText('I added a line about lichens.').first().waitFor();
  await send('And mosses?', { text: 'Mosses are older than lichens.' });
  await region.getByText('Mosses are older than lichens.').first().waitFor();
}

/** The form of orders, where that version has one. */
async function order(page: Page, region: Locator): Promise<boolean> {
  await press(region, /^More/);
  const entry = page.getByRole('menuitem', { name: 'Standing orders' });
  if ((await entry.count()) === 0) {
    await page.keyboard.press('Escape');
    return false;
  }
  await entry.click();
  await press(region, /^(Create orders note|Make a note of orders)$/);
  await press(region, 'New order');
  await region.getByLabel('Name', { exact: true }).fill('Lichen watch');
  await region.getByLabel('When', { exact: true }).fill('every weekday at 7:30');
  await region.getByLabel('What it should do').fill('Look for lichens.');
  await press(region, 'Save');
  await region.getByText('Lichen watch').first().waitFor();
  return true;
}

async function main(): Promise<void> {
  const model = await startModelServer();
  await Promise.all([buildShell(shellDir), mkdir(join(workspace, STORAGE), { recursive: true })]);
  const custom = { source: 'custom', baseURL: model.baseURL, apiKey: 'test-key', model: 'scripted' };
  const settings = { schema: 1, model: custom, retries: 0, modelTitles: false, modelTitle: false, autoTitle: false };
  await writeFile(join(workspace, STORAGE, 'settings.json'), JSON.stringify(settings));
  const host = await startHost({ workspace, port: 0, shellDir, plugins: linkPlugin(dist, join(folder, 'plugins')), indexDelayMs: 20 });
  const { notebook } = await post<{ notebook: { id: string } }>(host.url, '/api/notebook/createNotebook', { name: 'Life' });
  const body = { notebook: notebook.id, path: '/Rocks', markdown: 'What grows on rocks.' };
  const note = await post<string>(host.url, '/api/filetree/createDocWithMd', body);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(20_000);
    await page.goto(host.url);
    await page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
    const region = page.getByRole('region', { name: 'Marginalia' });
    await region.getByRole('textbox', { name: 'Message' }).waitFor();
    model.otherwise({ text: 'Lichens' });
    await chat(region, model, note);
    console.log(`order: ${await order(page, region)}`);
    // A turn's log goes when its chat is saved.
    const logs = (): Promise<string[]> => readdir(join(workspace, STORAGE, 'journal'), { recursive: true }).catch(() => []);
    while ((await logs()).some((name) => name.endsWith('.json'))) await page.waitForTimeout(200);
    await page.waitForTimeout(3000);
  } finally {
    await browser.close();
    await host.close();
    await model.close();
  }
  rmSync(out, { recursive: true, force: true });
  cpSync(join(workspace, 'data'), out, { recursive: true, filter: (path) => !path.includes('/data/plugins') });
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
