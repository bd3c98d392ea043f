import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, type LogEntry, TestPage } from './test-page.ts';

if (!chromiumPath) console.warn('uninstall.test.ts is skipped: no Chromium on this machine → install it or name it in MARGINALIA_CHROMIUM');

describe.skipIf(!chromiumPath)('uninstalling a plugin', () => {
  let shell: TestPage;

  beforeAll(async () => {
    shell = await TestPage.start();
    await shell.post('/api/notebook/createNotebook', { name: 'Notes' });
  });
  afterAll(() => shell?.stop());

  it('runs uninstall in every window, removes what the plugin put there, and lasts over a reload', async () => {
    await shell.open('text');
    const dock = '.dock__item[data-type="shell-sample-dock"]';
    const other = await shell.page.context().newPage();
    await other.goto(shell.host.url);
    await other.locator(dock).waitFor();

    await shell.pluginMenu('uninstall');
    await shell.page.locator('.b3-dialog').getByRole('button', { name: 'Confirm' }).click();
    await expect.poll(async () => (await shell.logged('uninstall')).length).toBe(1);
    const order = await shell.page.evaluate(() =>
      (window as Window & { shellSample?: LogEntry[] }).shellSample?.map((entry) => entry.event),
    );
    expect(order?.filter((event) => ['onunload', 'uninstall'].includes(event))).toEqual(['onunload', 'uninstall']);
    await shell.page.locator(dock).waitFor({ state: 'detached' });
    await other.locator(dock).waitFor({ state: 'detached' });
    await expect
      .poll(() => other.evaluate(() => (window as Window & { shellSample?: LogEntry[] }).shellSample?.at(-1)))
      .toEqual({
        event: 'uninstall',
      });

    await shell.page.reload();
    await shell.page.waitForSelector('body[data-ready]');
    expect(await shell.logged('onload')).toEqual([]);
    expect(await shell.page.locator(dock).count()).toBe(0);
    expect(await shell.post('/api/petal/loadPetals', { frontend: 'browser-desktop' })).toEqual([]);
    expect(shell.errors).toEqual([]);
  });
});
