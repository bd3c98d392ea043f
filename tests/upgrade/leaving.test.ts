// Whoever removes Marginalia's attributes, and then the plugin with its chats, has a workspace as if it had never been there, but for what was
// written into notes: all files are compared with those of a workspace that was opened without it, in which a person wrote the same.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningHost, startHost } from '../../devhost/host.ts';
import { linkPlugin } from '../../devhost/plugin-folder.ts';
import { buildShell } from '../../devhost/shell/build.ts';
import { chromiumPath } from '../support/app.ts';
import { kernelClient, whenReady } from '../support/hosts.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { drive } from '../support/panel.ts';
import { sharedBrowser, sharedFolder } from '../support/shared.ts';

const dist = join(dirname(dirname(import.meta.dirname)), 'dist');
const WRITTEN = 'Lichens are two beings in one.';
const OTHERS = { 'custom-ai-access': 'read', 'custom-marginalia': 'mine', memo: 'm' };

let folder = '';
let model: ModelServer;
let notebook = '';
let note = '';
let block = '';

const startIn = async (workspace: string, withPlugin: boolean): Promise<RunningHost> => {
  const plugins = withPlugin ? await sharedFolder('plugins', async (own) => linkPlugin(dist, own)) : join(folder, 'no-plugins');
  return startHost({ workspace, port: 0, plugins, shellDir: await sharedFolder('shell', buildShell), indexDelayMs: 0 });
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marginalia-leaving-'));
  model = await startModelServer();
  const host = await startIn(join(folder, 'base'), false);
  const kernel = kernelClient(host.url);
  notebook = (await kernel<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Life' })).notebook.id;
  note = await kernel<string>('/api/filetree/createDocWithMd', { notebook, path: '/Rocks', markdown: 'What grows on rocks.\n\nMosses.' });
  const [first, second] = await kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: note });
  block = second?.id ?? '';
  await kernel('/api/attr/setBlockAttrs', { id: first?.id, attrs: OTHERS });
  await host.close();
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a copy of the workspace in a browser of its own, lets `use` do what people do, and closes it. The workspace's folder. */
async function inCopy(name: string, withPlugin: boolean, use: (page: Page, host: RunningHost) => Promise<void>): Promise<string> {
  const workspace = join(folder, name);
  cpSync(join(folder, 'base'), workspace, { recursive: true });
  const host = await startIn(workspace, withPlugin);
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${host.url}?open=${note}`);
  await page.locator('body[data-ready]').waitFor();
  await use(page, host);
  await context.close();
  await host.close();
  return workspace;
}

/** What may differ: when something was changed, and the ids of what was made since. */
function steady(text: string, known: string): string {
  const withoutTimes = text.replaceAll(/"updated":\s*"\d{14}"/g, '"updated":""');
  return withoutTimes.replaceAll(/\d{14}-[0-9a-z]{7}/g, (id) => (known.includes(id) ? id : 'new'));
}

/** What the host itself notes of a plugin that was removed. */
const OF_HOST = 'conf/devhost-petals.json';

/** Every file of a workspace, as a text. */
function treeOf(workspace: string): Record<string, string> {
  const base = join(folder, 'base');
  const known = [notebook, note, block, ...readdirSync(join(base, 'data', notebook), { recursive: true, encoding: 'utf8' })].join();
  const texts = readFileSync(join(base, 'data', notebook, `${note}.sy`), 'utf8');
  const files = readdirSync(workspace, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path !== OF_HOST && statSync(join(workspace, path)).isFile(),
  );
  return Object.fromEntries(files.sort().map((path) => [path, steady(readFileSync(join(workspace, path), 'utf8'), known + texts)]));
}

describe.skipIf(!chromiumPath)('leaving', () => {
  it('leaves every file as it would be without Marginalia, but for what was written into notes', async () => {
    const left = await inCopy('left', true, async (page, host) => {
      const kernel = kernelClient(host.url);
      const settings = {
        schema: 1,
        model: { source: 'custom', baseURL: model.baseURL, apiKey: 'k', model: 'scripted' },
        modelTitles: false,
      };
      const body = new FormData();
      body.append('path', '/data/storage/petal/siyuan-marginalia/settings.json');
      body.append('file', new Blob([JSON.stringify({ ...settings, notebooks: { [notebook]: 'write' } })]));
      await fetch(`${host.url}api/file/putFile`, { method: 'POST', body });
      await page.reload();
      await whenReady(page);
      const panel = drive(page);
      await panel.open();
      const insert = { name: 'insert_blocks', args: { anchor: note, position: 'append', markdown: WRITTEN } };
      model.push({ calls: [insert] }, { text: 'It is there.' });
      await panel.send('Add a line.');
      await panel.approve();
      await panel.settled();
      // What is undone leaves nothing.
      model.push({ calls: [{ name: 'delete_blocks', args: { ids: [block] } }] });
      model.push({ text: 'It is gone.' });
      await panel.send('Delete it.');
      await panel.approve();
      await panel.settled();
      await panel.answer.getByRole('button', { name: 'Undo', exact: true }).click();
      await panel.answer.getByRole('button', { name: 'Redo', exact: true }).waitFor();
      const saved = () => readFileSync(join(folder, 'left/data', notebook, `${note}.sy`), 'utf8');
      await expect.poll(saved).toContain('custom-marginalia-source');
      await panel.openSettings('Attributes in notes');
      await panel.region.getByRole('button', { name: 'Remove Marginalia’s attributes…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove them', exact: true }).click();
      await panel.region.getByText('The attributes of 1 block were removed.').waitFor();
      await kernel('/api/bazaar/uninstallBazaarPlugin', { packageName: 'siyuan-marginalia', frontend: 'desktop' });
      await page.getByRole('button', { name: 'Delete them', exact: true }).click();
      await expect.poll(() => readdirSync(join(folder, 'left/data/storage/petal'))).not.toContain('siyuan-marginalia');
    });
    const never = await inCopy('never', false, async (_page, host) => {
      const kernel = kernelClient(host.url);
      await kernel('/api/block/appendBlock', { parentID: note, dataType: 'markdown', data: WRITTEN });
    });
    expect(treeOf(left)).toEqual(treeOf(never));
  });
});
