import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findChromium } from './chromium.ts';
import { serveFolder, sharedBrowser, sharedFolder } from './shared.ts';
import { RUN_FOLDER } from './temp-folder.ts';

it.skipIf(!findChromium())('the browser is one for all files, and another one after it is gone', async () => {
  const browser = await sharedBrowser();
  expect(await sharedBrowser()).toBe(browser);
  await browser.close();
  const next = await sharedBrowser();
  expect([next === browser, next.isConnected()]).toEqual([false, true]);
});

it.skipIf(!findChromium())('the browser loads no pages of its own beside those of a test', async () => {
  const browser = await sharedBrowser();
  const context = await browser.newContext();
  await (await context.newPage()).goto('data:text/html,a page');
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] });
  await context.close();
  const urls = targetInfos.map(({ url }) => url);
  expect(urls).toContain('data:text/html,a page');
  expect(urls.filter((url) => url.startsWith('chrome:'))).toEqual([]);
});

it('a folder is filled once; a failure is not remembered', async () => {
  const fail = () => Promise.reject(new Error('no room'));
  await expect(sharedFolder('shared.test', fail)).rejects.toThrow('no room');
  let filled = 0;
  const fill = async () => void filled++;
  const folder = await sharedFolder('shared.test', fill);
  expect([await sharedFolder('shared.test', fill), filled, existsSync(folder)]).toEqual([folder, 1, true]);
});

it('a folder that another worker of the run fills is waited for', async () => {
  const run = process.env[RUN_FOLDER] ?? '';
  const filling = join(run, 'of-another.filling');
  mkdirSync(filling);
  const waiting = sharedFolder('of-another', () => Promise.reject(new Error('filled twice')));
  renameSync(filling, join(run, 'of-another'));
  expect(await waiting).toBe(join(run, 'of-another'));
});

it('a folder is served to be used again without asking, and nothing beside it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'served-'));
  writeFileSync(join(folder, 'index.html'), 'The page.');
  const site = await serveFolder(folder);
  const [page, none] = [await fetch(`${site.url}?scene=empty`), await fetch(`${site.url}page.js`)];
  expect([await page.text(), page.headers.get('cache-control'), none.status]).toEqual(['The page.', 'max-age=3600', 404]);
  await site.close();
  await expect(fetch(site.url)).rejects.toThrow();
});
