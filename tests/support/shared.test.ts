import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findChromium } from './chromium.ts';
import { sharedBrowser, sharedFolder } from './shared.ts';

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
