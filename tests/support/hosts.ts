// Where the browser tests run, and all that differs between the two places: the development host, started for each app over a
// workspace of its own, or the SiYuan that SIYUAN_URL names (CONTRIBUTING.md), whose one workspace is made again for each.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { beforeEach, expect, type TestContext, vi } from 'vitest';
import { type RunningHost, startHost } from '../../devhost/host.ts';
import type { SiYuanVersion } from '../../devhost/kernel/kernel.ts';
import { seedSampleWorkspace } from '../../devhost/sample/workspace.ts';
import { installPlugin } from '../../scripts/install-plugin.ts';
import { hostVersion, kernelFetch, realKernelUrl } from '../host/real-kernel.ts';

const PLUGIN = 'siyuan-marginalia';
const PETAL = `data/storage/petal/${PLUGIN}`;

export interface Setting {
  /** What settings.json holds when the plugin starts. */
  readonly settings: object;
  readonly language: 'en' | 'zh-CN' | 'zh-TW';
  readonly theme: 'light' | 'dark';
  /** The SiYuan that the development host answers as; else that of MARGINALIA_HOST_AS. */
  readonly as?: SiYuanVersion | undefined;
  /** A build in which SiYuan's AI is switched off. */
  readonly aiOff?: boolean | undefined;
  /** A workspace that was opened read-only, or that the page gets as published. */
  readonly readOnly?: boolean | undefined;
}

export interface TestHost {
  readonly running: RunningHost;
  /** Its folder on this machine. */
  readonly workspace: string;
  /** Of the page; with a note in front, or as on a phone. */
  address(at?: { readonly note?: string; readonly mobile?: boolean }): string;
  signIn(context: BrowserContext): Promise<void>;
  close(): Promise<void>;
}

/** Answers of the kernel API, unwrapped; throws on a code other than 0. */
export function kernelClient(url: string) {
  return async <T = unknown>(path: string, body: object): Promise<T> => {
    const response = await kernelFetch(String(new URL(path, url)), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    const answer = (await response.json()) as { code: number; msg: string; data: T };
    if (answer.code !== 0) throw new Error(`${path}: ${answer.code} ${answer.msg}`);
    return answer.data;
  };
}

/** When the page has its plugins. */
export async function whenReady(page: Page): Promise<void> {
  await page.locator(realKernelUrl === undefined ? 'body[data-ready]' : `.dock__item[data-type^="${PLUGIN}"]`).waitFor();
}

/** Forgets which notes are open: the next start of the page does not open them again. A real SiYuan does. */
export async function forgetOpenNotes(page: Page): Promise<void> {
  if (realKernelUrl !== undefined) return;
  await page.evaluate(() => {
    const saved = JSON.parse(localStorage.getItem('devhost-layout') ?? '{}') as object;
    localStorage.setItem('devhost-layout', JSON.stringify({ ...saved, documents: [], active: '' }));
  });
}

/** Runs in the page of the development host. */
function openedHere({ address, note }: { readonly address: string; readonly note: string }): boolean {
  const host = window as { openFileByURL?: (url: string) => boolean };
  if (!document.body.dataset.ready || location.search.includes('frontend=')) return false;
  // Loaded again, it shows the same note.
  history.replaceState(null, '', address);
  for (const close of document.querySelectorAll<HTMLElement>('.layout-tab-bar .item__close')) close.click();
  return host.openFileByURL?.(`siyuan://blocks/${note}`) ?? false;
}

/** Opens a note alone. `here`: in the page that runs, where it can be, which is cheaper; what a page reads when it starts is not read again. */
export async function openAlone(page: Page, place: { readonly address: string; readonly note: string }, here = false): Promise<void> {
  if (here && realKernelUrl === undefined && (await page.evaluate(openedHere, place))) return;
  await forgetOpenNotes(page);
  await page.goto(place.address);
}

/** The tab of the note that is in front. */
export function frontTab(page: Page, title: string): Locator {
  if (realKernelUrl === undefined) return page.getByRole('tab', { name: title, selected: true });
  return page.locator('.layout-tab-bar .item--focus:visible', { hasText: title }).first();
}

/** Chooses a command of the plugin from the host's list of all commands. */
export async function runCommand(page: Page, name: string): Promise<void> {
  const label = `Marginalia: ${name}`;
  if (realKernelUrl === undefined) {
    await page.getByRole('button', { name: 'Commands' }).click();
    await page.locator('.b3-dialog').getByRole('button', { name: label }).click();
  } else {
    await page.keyboard.press('Alt+Shift+P');
    await page.locator('#commands .b3-list-item', { hasText: label }).first().click();
  }
}

/** Opens the panel on a phone as a finger does. */
export async function openOnPhone(page: Page, press: 'click' | 'tap' = 'click'): Promise<void> {
  const entry = page.locator('.b3-menu__item', { hasText: 'Marginalia' });
  if (realKernelUrl === undefined) {
    await page.locator('#toolbarMore')[press]();
    await entry[press]();
    return;
  }
  // A press before SiYuan's page listens is lost; it moves its drawer in at once when it was heard.
  const isOut = (): Promise<boolean> => page.locator('#sidebar').evaluate(({ style }) => style.transform === 'translateX(0px)');
  await expect
    .poll(async () => {
      if (!(await isOut())) await page.locator('#toolbarFile')[press]();
      return isOut();
    })
    .toBe(true);
  // SiYuan shows again what was open last in its drawer: the menu of docks is only for the first time.
  if (await page.locator('#sidebar .mg-panel').isVisible()) return;
  await page.locator('#sidebar [data-type="sidebar-plugin-tab"]')[press]();
  await entry[press]();
}

/** Waits until the panel gave way to a note on a phone: taken away, or drawn out of sight, as SiYuan does. */
export async function awayOnPhone(panel: Locator): Promise<void> {
  const inSight = async (): Promise<boolean> => {
    const box = (await panel.isVisible()) ? await panel.boundingBox() : null;
    return box !== null && box.x + box.width > 1;
  };
  await expect.poll(inSight).toBe(false);
}

/** Waits until a PDF is shown at a page: the development host only says so. */
export async function shownPdf(page: Page, path: string, number: number): Promise<void> {
  if (realKernelUrl === undefined) {
    await page.getByText(`SiYuan would show page ${number} of ${path} in a tab.`).waitFor();
    return;
  }
  await page.locator('.layout-tab-bar .item--focus:visible', { hasText: path.split('/').at(-1) ?? '' }).waitFor();
  await expect.poll(() => page.locator('#pageNumber:visible').inputValue(), { timeout: 20_000 }).toBe(String(number));
}

/** All tabs of this title, and what closes one. */
export function tabsOf(page: Page, title: string): { readonly all: Locator; close(): Promise<void> } {
  const isOurs = realKernelUrl === undefined;
  const all = isOurs ? page.getByRole('tab', { name: title }) : page.locator('.layout-tab-bar .item:visible', { hasText: title });
  const close = all.first().locator('.item__close');
  return { all, close: () => close.click() };
}

/** A notebook or note in the document tree. */
export function treeItem(page: Page, title: string): Locator {
  const item = realKernelUrl === undefined ? '.sy__file [role="treeitem"]' : '.sy__file .b3-list-item:visible';
  return page.locator(item, { hasText: title }).first();
}

/** Shows what is below a notebook in the document tree. */
export async function openTree(page: Page, notebook: string): Promise<void> {
  const item = treeItem(page, notebook);
  if (realKernelUrl === undefined) {
    if ((await item.getAttribute('aria-expanded')) !== 'true') await item.click();
  } else if ((await item.locator('.b3-list-item__arrow--open').count()) === 0) await item.locator('.b3-list-item__toggle').click();
}

export interface DevelopmentDeps {
  readonly plugins: string;
  readonly shellDir: string;
  /** A workspace with the sample notes, and its index. */
  readonly sample: string;
  readonly savedIndex: Uint8Array;
}

/** `port`: where an earlier host was, if it is free still. */
export async function openDevelopmentHost(deps: DevelopmentDeps, setting: Setting, port = 0): Promise<TestHost> {
  const { plugins, shellDir, sample, savedIndex } = deps;
  const workspace = mkdtempSync(join(tmpdir(), 'marginalia-workspace-'));
  cpSync(sample, workspace, { recursive: true });
  mkdirSync(join(workspace, PETAL), { recursive: true });
  writeFileSync(join(workspace, PETAL, 'settings.json'), JSON.stringify(setting.settings));
  mkdirSync(join(workspace, 'conf'), { recursive: true });
  const look = { lang: setting.language, mode: setting.theme === 'dark' ? 1 : 0 };
  writeFileSync(join(workspace, 'conf/devhost.json'), JSON.stringify(look));
  const start = (at: number): Promise<RunningHost> =>
    startHost({
      workspace,
      port: at,
      plugins,
      shellDir,
      indexDelayMs: 50,
      savedIndex,
      as: setting.as ?? hostVersion,
      aiOff: setting.aiOff ?? false,
      readOnly: setting.readOnly ?? false,
    });
  const running = await start(port).catch((error: unknown) => {
    if (port > 0 && error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return start(0);
    throw error;
  });
  return {
    running,
    workspace,
    address: ({ note, mobile } = {}) => `${running.url}${note ? `?open=${note}` : mobile ? '?frontend=mobile' : ''}`,
    signIn: async () => undefined,
    async close() {
      await running.close();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}

// --- A real SiYuan

/** Its folder, where it is on this machine: the kernel does not tell. */
const realWorkspace = process.env.SIYUAN_WORKSPACE;
let running: TestContext | undefined;

/** Ends the test as one that cannot run in a real SiYuan; `npm test` prints the reason. */
function cannotRun(reason: string): never {
  if (!running) throw new Error(`cannot run in a real SiYuan: ${reason}`);
  Object.assign(running.task.meta, { cannotRun: reason });
  return running.skip(reason);
}

/** Tests that lean on the development host without asking it for anything, by file and a part of their name. */
const ONLY_DEVELOPMENT: readonly (readonly [file: string, test: RegExp, reason: string])[] = [
  ['start.test.ts', /^/, 'it tests the development host itself'],
  ['read-only.test.ts', /^/, 'it opens a workspace read-only, which the kernel under test was not'],
  ['ai-off.test.ts', /^/, 'it answers as a SiYuan of 3.8, in a build without AI'],
  ['editor-card.test.ts', /phone/, 'on a phone SiYuan offers slash commands in its bar of keys, which these tests do not know'],
  ['look.test.ts', /slash command/, 'on a phone SiYuan offers slash commands in its bar of keys, which these tests do not know'],
  ['look.test.ts', /command for the panel/, 'it chooses a command in the list of the development host'],
];

if (realKernelUrl !== undefined)
  beforeEach((context) => {
    running = context;
    const { file, name } = context.task;
    const found = ONLY_DEVELOPMENT.find(([path, test]) => file.name.endsWith(path) && test.test(name));
    if (found) cannotRun(found[2]);
  });

function realHost(url: string): RunningHost {
  return {
    url: `${url}/`,
    port: Number(new URL(url).port),
    get kernel() {
      return cannotRun('it makes the kernel push a message, as a sync would');
    },
    get failures() {
      return cannotRun('it makes the kernel fail on demand');
    },
    fetch: kernelFetch,
    pause: async () => cannotRun('it takes the kernel away'),
    resume: async () => undefined,
    close: async () => undefined,
  };
}

/** Everything in the workspace is given up: it must be one made for this. */
async function makeAnew(url: string, dist: string, { settings, language, theme }: Setting): Promise<void> {
  const kernel = kernelClient(url);
  // A notebook that SiYuan still writes to cannot be removed yet.
  const notebooks = async (): Promise<readonly { id: string }[]> =>
    (await kernel<{ notebooks: readonly { id: string }[] }>('/api/notebook/lsNotebooks', {})).notebooks;
  await vi.waitFor(
    async () => {
      for (const { id } of await notebooks()) await kernel('/api/notebook/removeNotebook', { notebook: id });
    },
    { timeout: 20_000, interval: 500 },
  );
  for (const path of [`/${PETAL}`, `/temp/${PLUGIN}`]) await kernel('/api/file/removeFile', { path }).catch(() => undefined);
  const { conf } = await kernel<{ readonly conf: { readonly appearance: object } }>('/api/system/getConf', {});
  if (realWorkspace !== undefined) installPlugin(dist, realWorkspace);
  await kernel('/api/setting/setAppearance', { ...conf.appearance, lang: language, mode: theme === 'dark' ? 1 : 0, modeOS: false });
  await kernel('/api/setting/setBazaar', { trust: true, petalDisabled: false });
  await kernel('/api/system/setUILayout', { layout: {} });
  // SiYuan keeps the titles of docks in the language in which it saw them first.
  await kernel('/api/storage/removeLocalStorageVals', { app: '', keys: ['local-plugin-docks'] });
  // Where no note was open before, its small frontend begins with an error that stays.
  await kernel('/api/storage/setLocalStorageVal', { app: '', key: 'local-docinfo', val: { id: '20261103200000-lisbon0' } });
  await seedSampleWorkspace(kernel);
  const body = new FormData();
  body.append('path', `/${PETAL}/settings.json`);
  body.append('file', new Blob([JSON.stringify(settings)]));
  await kernelFetch(`${url}/api/file/putFile`, { method: 'POST', body });
  await kernel('/api/petal/setPetalEnabled', { packageName: PLUGIN, enabled: true });
  await kernel('/api/sqlite/flushTransaction', {});
}

/** Puts the plugin back where a real SiYuan removed its files. */
export function reinstall(): void {
  if (realKernelUrl !== undefined && realWorkspace !== undefined) installPlugin('dist', realWorkspace);
}

/** The SiYuan under test, signed in to with SIYUAN_TOKEN and, where it is locked, SIYUAN_AUTH. */
export async function openRealHost(url: string, dist: string, setting: Setting): Promise<TestHost> {
  await makeAnew(url, dist, setting);
  return {
    running: realHost(url),
    get workspace() {
      return realWorkspace ?? cannotRun('it reads the files of the workspace: name its folder in SIYUAN_WORKSPACE');
    },
    address: ({ note, mobile } = {}) => `${url}/stage/build/${mobile ? 'mobile' : 'desktop'}/${note ? `?id=${note}` : ''}`,
    async signIn(context) {
      const authCode = process.env.SIYUAN_AUTH;
      if (authCode) await context.request.post(`${url}/api/system/loginAuth`, { data: { authCode } });
    },
    close: async () => undefined,
  };
}
