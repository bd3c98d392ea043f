import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, TestPage } from './test-page.ts';

if (!chromiumPath) console.warn('shell.test.ts is skipped: no Chromium on this machine → install it or name it in MARGINALIA_CHROMIUM');

describe.skipIf(!chromiumPath)('the shell in a browser', () => {
  let shell: TestPage;
  let documentId = '';
  let otherId = '';

  beforeAll(async () => {
    shell = await TestPage.start();
    await shell.post('/api/notebook/createNotebook', { name: 'Research' });
    documentId = await shell.create('/Alpha', 'first\n\nsecond');
    otherId = await shell.create('/Beta', Array(60).fill('line').join('\n\n'));
  });

  afterEach(() => expect(shell.errors).toEqual([]));
  afterAll(() => shell?.stop());

  it("boots in SiYuan's order and opens a dock lazily", async () => {
    await shell.open('text');
    expect((await shell.logged('onload'))[0]).toMatchObject({ config: true, menus: false, languages: false, storage: false });
    await expect.poll(async () => (await shell.logged('onLayoutReady')).length).toBe(1);
    expect((await shell.logged('onLayoutReady'))[0]).toMatchObject({ menus: true, plugin: 'shell-sample' });
    expect(await shell.logged('dock-init')).toEqual([]);
    const button = shell.page.getByRole('button', { name: 'Sample', exact: true });
    await button.click();
    expect(await shell.logged('dock-init')).toEqual([{ event: 'dock-init', data: { answer: 42 } }]);
    await shell.page.getByLabel('Sample field').fill('kept');
    await expect.poll(() => shell.page.locator('.layout__dockr').evaluate((element) => element.clientWidth)).toBe(360);
    await shell.page.getByLabel('Sample field').click();
    await button.click();
    await button.click();
    await expect.poll(() => shell.page.getByLabel('Sample field').inputValue()).toBe('kept');
    expect((await shell.logged('dock-init')).length).toBe(1);
  });

  it('opens documents from the tree and jumps to a block', async () => {
    await shell.open('text');
    await shell.page.getByRole('treeitem', { name: 'Beta' }).click();
    await expect.poll(() => shell.page.getByRole('tab', { selected: true }).textContent()).toBe('Beta');
    const target = (await shell.childIds(otherId)).at(-1) ?? '';
    await shell.page.evaluate(
      (id) => (window as unknown as { openFileByURL(url: string): void }).openFileByURL(`siyuan://blocks/${id}`),
      target,
    );
    await shell.block(target).and(shell.page.locator('.protyle-wysiwyg--hl')).waitFor();
    await expect.poll(() => shell.block(target).isVisible()).toBe(true);
    expect((await shell.logged('switch-protyle')).length).toBeGreaterThan(0);
  });

  it('keeps open docks, tabs and widths over a reload', async () => {
    await shell.open('text');
    await shell.page.getByRole('button', { name: 'Sample', exact: true }).click();
    await shell.page.getByRole('treeitem', { name: 'Beta' }).click();
    await shell.page.getByRole('tab', { name: 'Beta' }).waitFor();
    const handle = await shell.page.locator('.layout__resize').last().boundingBox();
    await shell.page.mouse.move((handle?.x ?? 0) + 3, 300);
    await shell.page.mouse.down();
    await shell.page.mouse.move((handle?.x ?? 0) + 43, 300, { steps: 3 });
    await shell.page.mouse.up();
    await shell.page.goto(shell.host.url);
    await shell.page.waitForSelector('body[data-ready]');
    await shell.page.getByLabel('Sample field').waitFor();
    await expect.poll(() => shell.page.locator('.layout__dockr').evaluate((element) => element.clientWidth)).toBe(320);
    await expect.poll(() => shell.page.getByRole('tab').count()).toBe(2);
    await expect.poll(() => shell.page.getByRole('tab', { selected: true }).textContent()).toBe('Beta');
  });

  it('lets plugins add to the block, title, tree and content menus', async () => {
    const id = await shell.open('some text');
    const [first = ''] = await shell.childIds(id);
    await shell.block(first).hover();
    await shell.page.locator(`.protyle-gutters button[data-node-id="${first}"]`).click();
    await shell.chooseSample();
    await shell.page.locator('.protyle-breadcrumb [data-type="doc"]').click();
    await shell.chooseSample();
    await shell.page.getByRole('treeitem', { name: 'Alpha' }).click({ button: 'right' });
    await shell.chooseSample();
    await shell.block(first).click();
    await shell.block(first).click({ button: 'right' });
    await shell.chooseSample();
    expect((await shell.logged('menu-click')).length).toBe(4);
  });

  it("opens a plugin's tab, its settings, commands and messages", async () => {
    await shell.open('text');
    await shell.page.evaluate(() => {
      const { shellSampleApi: api, shellSamplePlugin: plugin } = window as unknown as {
        shellSampleApi: { openTab(o: unknown): void };
        shellSamplePlugin: { app: unknown; openSetting(): void };
      };
      api.openTab({ app: plugin.app, custom: { id: 'shell-sample-tab', icon: 'iconFile', title: 'Mine', data: { name: 'x' } } });
      plugin.openSetting();
    });
    await shell.page.getByText('tab x').waitFor();
    await shell.page.locator('.b3-dialog').getByText('Save').click();
    expect((await shell.logged('saved')).length).toBe(1);
    await shell.page.keyboard.press('Control+Shift+9');
    expect((await shell.logged('command')).length).toBe(1);
    await shell.page.getByRole('button', { name: 'Sample button' }).click();
    await shell.page.getByRole('status').getByText('top bar').waitFor();
    await shell.page.getByRole('tab', { name: 'Mine' }).getByRole('button', { name: 'Close' }).click();
    expect((await shell.logged('tab-destroy')).length).toBe(1);
  });

  it('says by name what it does not implement', async () => {
    await shell.open('text');
    const messages = await shell.page.evaluate(() => {
      const { shellSampleApi: api, shellSamplePlugin: plugin } = window as unknown as {
        shellSampleApi: Record<string, () => void>;
        shellSamplePlugin: Record<string, () => void>;
      };
      const said = (run: () => unknown) => {
        try {
          return String(run());
        } catch (error) {
          return (error as Error).message;
        }
      };
      return [
        said(() => api.openWindow?.()),
        said(() => plugin.addFloatLayer?.()),
        said(() => (api.Constants as unknown as Record<string, unknown>).NO_SUCH),
      ];
    });
    expect(messages).toEqual([
      'openWindow is not implemented in the development host',
      'Plugin.addFloatLayer is not implemented in the development host',
      'Constants.NO_SUCH is not implemented in the development host',
    ]);
  });

  it("saves, loads and removes a plugin's data", async () => {
    await shell.open('text');
    const values = await shell.page.evaluate(async () => {
      const { shellSamplePlugin: plugin } = window as unknown as {
        shellSamplePlugin: Record<'loadData' | 'saveData' | 'removeData', (name: string, value?: unknown) => Promise<unknown>>;
      };
      const missing = await plugin.loadData('a.json');
      await plugin.saveData('a.json', { n: 1 });
      const stored = await plugin.loadData('a.json');
      await plugin.removeData('a.json');
      return [missing, stored, await plugin.loadData('a.json')];
    });
    expect(values).toEqual(['', { n: 1 }, '']);
  });

  it('reloads and disables a plugin without a trace, and enables it again', async () => {
    await shell.open('text');
    await shell.page.getByRole('button', { name: 'Sample', exact: true }).click();
    await shell.pluginMenu('reload');
    await expect.poll(async () => (await shell.logged('onload')).length).toBe(2);
    expect((await shell.logged('onunload')).length).toBe(1);
    expect((await shell.logged('dock-destroy')).length).toBe(1);
    await expect.poll(() => shell.page.locator('.dock__item[data-type="shell-sample-dock"]').count()).toBe(1);
    await shell.pluginMenu('disable');
    await expect.poll(() => shell.page.locator('.dock__item[data-type="shell-sample-dock"]').count()).toBe(0);
    expect(await shell.page.locator('#pluginsStyleshell-sample, svg[data-name="shell-sample"], [id^="plugin_shell-sample"]').count()).toBe(
      0,
    );
    await shell.pluginMenu('enable');
    await expect.poll(async () => (await shell.logged('onLayoutReady')).length).toBe(3);
  });

  it('follows theme, language and the mobile frontend of the address', async () => {
    await shell.open('text', '&theme=dark&lang=zh_CN');
    await expect.poll(() => shell.page.locator('html').getAttribute('data-theme-mode')).toBe('dark');
    await shell.page.getByText('文档树').first().waitFor();
    await shell.page.getByRole('button', { name: '示例', exact: true }).waitFor();
    await shell.open('text', '&frontend=mobile');
    await shell.page.locator('#toolbarMore').click();
    await shell.page.getByRole('menuitem', { name: 'Sample' }).click();
    await shell.page.getByLabel('Sample field').waitFor();
    await shell.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    expect((await shell.logged('dock-destroy')).length).toBe(1);
  });

  it('is the mobile frontend for the browser of a phone, not of a tablet, unless the address says otherwise', async () => {
    const agent = (device: string) => ({ userAgent: `Mozilla/5.0 (${device}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0` });
    const phone = { userAgent: `${agent('Linux; Android 14; Pixel 8').userAgent} Mobile Safari/537.36` };
    const isMobile = async (): Promise<boolean> => (await shell.page.locator('#toolbarMore').count()) === 1;
    await shell.open('text', '', phone);
    expect(await isMobile()).toBe(true);
    await shell.open('text', '&frontend=desktop', phone);
    expect(await isMobile()).toBe(false);
    for (const tablet of [agent('Linux; Android 14; Tab S9'), { userAgent: `${agent('iPad; CPU OS 17_0').userAgent} Mobile/15E148` }]) {
      await shell.open('text', '', tablet);
      expect(await isMobile()).toBe(false);
    }
  });

  it('renames the tab and the tree with the document', async () => {
    await shell.open('text');
    await shell.page.getByRole('treeitem', { name: 'Alpha' }).click();
    await shell.page.getByRole('tab', { name: 'Alpha' }).waitFor();
    await shell.post('/api/filetree/renameDocByID', { id: documentId, title: 'Omega' });
    await shell.page.getByRole('tab', { name: 'Omega' }).waitFor();
    await shell.page.getByRole('treeitem', { name: 'Omega' }).waitFor();
    await shell.post('/api/filetree/renameDocByID', { id: documentId, title: 'Alpha' });
    await shell.page.getByRole('treeitem', { name: 'Alpha' }).waitFor();
    await expect.poll(() => shell.page.locator('.protyle:visible .protyle-title__input').textContent()).toBe('Alpha');
  });

  it('reconnects after the kernel was away', async () => {
    const id = await shell.open('before');
    await shell.host.pause();
    await shell.page.getByRole('alert').waitFor();
    await shell.host.resume();
    const [first = ''] = await shell.childIds(id);
    const dom = (await shell.post<{ dom: string }>('/api/block/getBlockDOM', { id: first })).dom;
    const transactions = [{ doOperations: [{ action: 'update', id: first, data: dom.replace('before', 'after') }], undoOperations: [] }];
    await shell.post('/api/transactions', { app: 'other', session: 'other', reqId: 1, transactions });
    await expect.poll(() => shell.block(first).textContent(), { timeout: 10_000 }).toMatch(/^after/);
  });
});
