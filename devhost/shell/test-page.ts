import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { findChromium } from '../../tests/support/chromium.ts';
import { sharedBrowser, sharedFolder } from '../../tests/support/shared.ts';
import { type RunningHost, startHost } from '../host.ts';
import { buildShell } from './build.ts';

const here = dirname(fileURLToPath(import.meta.url));

/** The browser of this machine, if there is one. */
export const chromiumPath = findChromium();

/** What the sample plugin (test-plugin/) writes down. */
export interface LogEntry {
  event: string;
  [key: string]: unknown;
}

/** A development host with the shell and the sample plugin, and a browser page on it. */
export class TestPage {
  readonly host: RunningHost;
  readonly errors: string[] = [];
  page: Page;
  private readonly browser: Browser;
  private readonly folder: string;

  private constructor(host: RunningHost, browser: Browser, page: Page, folder: string) {
    this.host = host;
    this.browser = browser;
    this.page = page;
    this.folder = folder;
  }

  static async start(): Promise<TestPage> {
    const folder = mkdtempSync(join(tmpdir(), 'shell-test-'));
    const workspace = join(folder, 'workspace');
    const shellDir = await sharedFolder('shell', buildShell);
    cpSync(join(here, 'test-plugin'), join(workspace, 'data', 'plugins', 'shell-sample'), { recursive: true });
    const host = await startHost({ workspace, shellDir });
    const browser = await sharedBrowser();
    return new TestPage(host, browser, await browser.newPage(), folder);
  }

  async stop(): Promise<void> {
    await this.page.context().close();
    await this.host.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The data of a kernel answer; a code other than 0 throws. */
  async post<T>(path: string, body: unknown): Promise<T> {
    const response = await fetch(new URL(path, this.host.url), { method: 'POST', body: JSON.stringify(body) });
    const answer = (await response.json()) as { code: number; msg: string; data: T };
    if (answer.code !== 0) throw new Error(`${path}: ${answer.msg}`);
    return answer.data;
  }

  async create(path: string, markdown: string): Promise<string> {
    const { notebooks } = await this.post<{ notebooks: { id: string }[] }>('/api/notebook/lsNotebooks', {});
    return this.post<string>('/api/filetree/createDocWithMd', { notebook: notebooks[0]?.id, path, markdown });
  }

  /** Opens a fresh page on a new document with this Markdown and waits until it is drawn. `search` is more of the address, `browser` what is said about the browser. */
  async open(markdown: string, search = '', browser: BrowserContextOptions = {}): Promise<string> {
    const id = await this.create(`/Note ${Math.random().toString(36).slice(2)}`, markdown);
    await this.page.context().close();
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...browser });
    this.page = await context.newPage();
    this.page.on('pageerror', (error) => this.errors.push(error.stack ?? error.message));
    await this.page.goto(`${this.host.url}?open=${id}${search}`);
    await this.page.waitForSelector('body[data-ready]');
    await this.page.waitForSelector('.protyle[data-loading="finished"]');
    return id;
  }

  async kramdown(id: string): Promise<string> {
    const { kramdown } = await this.post<{ kramdown: string }>('/api/block/getBlockKramdown', { id });
    return kramdown.replaceAll('\u200b', '');
  }

  async children(id: string): Promise<{ id: string; content?: string }[]> {
    return this.post('/api/block/getChildBlocks', { id });
  }

  async childIds(id: string): Promise<string[]> {
    return (await this.children(id)).map((block) => block.id);
  }

  /** Sends operations as another window would. */
  async asOther(doOperations: readonly unknown[]): Promise<void> {
    await this.post('/api/transactions', {
      app: 'other',
      session: 'other',
      reqId: 1,
      transactions: [{ doOperations, undoOperations: [] }],
    });
  }

  async dom(id: string): Promise<string> {
    return (await this.post<{ dom: string }>('/api/block/getBlockDOM', { id })).dom;
  }

  block(id: string): Locator {
    return this.page.locator(`.protyle-wysiwyg [data-node-id="${id}"]`);
  }

  /** The sample plugin's log, one kind of event. */
  async logged(event: string): Promise<LogEntry[]> {
    const log = await this.page.evaluate(() => (window as Window & { shellSample?: LogEntry[] }).shellSample ?? []);
    return log.filter((entry) => entry.event === event);
  }

  /** Chooses an entry of a plugin in the menu behind the puzzle icon. */
  async pluginMenu(entry: string): Promise<void> {
    await this.page.locator('#barPlugins').click();
    await this.page.locator('#commonMenu .b3-menu__item', { hasText: 'Shell sample' }).first().hover();
    await this.page.locator(`#commonMenu [data-id="${entry}"]`).click();
  }

  /** Chooses the sample plugin's entry in the menu that is open. */
  async chooseSample(): Promise<void> {
    await this.page.locator('#commonMenu [data-id="plugin"]').hover();
    await this.page.getByText('Sample entry').click();
  }
}
