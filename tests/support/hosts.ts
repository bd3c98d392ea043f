// All that differs for browser tests between the two places where they run: the development host, started for each app over a workspace
// of its own, or the SiYuan that SIYUAN_URL names (real-host.ts).
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type RunningHost, startHost } from '../../devhost/host.ts';
import type { SiYuanVersion } from '../../devhost/kernel/kernel.ts';
import type { PushEvent } from '../../devhost/kernel/push.ts';
import { hostVersion, kernelFetch, realKernelUrl } from '../host/real-kernel.ts';

export const PLUGIN = 'siyuan-marginalia';
export const PETAL = `data/storage/petal/${PLUGIN}`;

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
  /** Of the page; with a note in front, and as on a phone. */
  address(at?: { readonly note?: string; readonly mobile?: boolean }): string;
  signIn(context: BrowserContext): Promise<void>;
  /** Requests of pages below this path, all of them by default, are cut off until `mend`. */
  cut(path?: string): Promise<void>;
  mend(): Promise<void>;
  /** What the kernel would send to every main window. */
  push(event: PushEvent): Promise<void>;
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

/** In the phone's frontend of a real SiYuan. */
const isOnPhone = (page: Page): boolean => realKernelUrl !== undefined && page.url().includes('/mobile/');

/** When the page has its plugins; a phone shows nothing of them. */
export async function whenReady(page: Page): Promise<void> {
  if (isOnPhone(page)) await page.locator('#iconMarginalia').waitFor({ state: 'attached' });
  else await page.locator(realKernelUrl === undefined ? 'body[data-ready]' : `.dock__item[data-type^="${PLUGIN}"]`).waitFor();
}

/** When a note is in front; on a phone SiYuan shows no title in it. */
export async function whenShown(page: Page, note: string): Promise<void> {
  if (isOnPhone(page)) await page.locator(`.protyle-background[data-node-id="${note}"]`).waitFor({ state: 'attached' });
  else await page.locator(`.protyle-title[data-node-id="${note}"]:visible`).waitFor();
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

/** A press before SiYuan's page listens is lost; it moves its drawer in at once when it was heard. */
async function drawOut(page: Page, by: string, drawer: string, press: 'click' | 'tap' = 'click'): Promise<void> {
  const isOut = (): Promise<boolean> => page.locator(drawer).evaluate(({ style }) => style.transform === 'translateX(0px)');
  await expect
    .poll(async () => {
      if (!(await isOut())) await page.locator(by)[press]();
      return isOut();
    })
    .toBe(true);
}

/** Runs in the page of a phone: its bar has seen where the caret is. */
function barFollows(): boolean {
  const { siyuan } = window as { siyuan?: { mobile?: { editor?: { protyle?: { toolbar?: { range?: Range } } } } } };
  const seen = siyuan?.mobile?.editor?.protyle?.toolbar?.range;
  const selection = getSelection();
  const now = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
  return seen !== undefined && now !== undefined && seen.startContainer === now.startContainer && seen.startOffset === now.startOffset;
}

/** Chooses a command of the plugin from the host's list of all commands. */
export async function runCommand(page: Page, name: string): Promise<void> {
  const label = `Marginalia: ${name}`;
  if (realKernelUrl === undefined) {
    await page.getByRole('button', { name: 'Commands' }).click();
    await page.locator('.b3-dialog').getByRole('button', { name: label }).click();
  } else {
    if (isOnPhone(page)) {
      await drawOut(page, '#toolbarMore', '#menu');
      await page.locator('#menuCommand').click();
    } else await page.keyboard.press('Alt+Shift+P');
    await page.locator('#commands .b3-list-item', { hasText: label }).first().click();
  }
}

/** Chooses a slash command where the caret is, by its name; on a phone SiYuan has them behind the + of its bar. */
export async function chooseSlash(page: Page, name: string, entry: string): Promise<void> {
  if (isOnPhone(page)) {
    await page.waitForFunction(barFollows);
    await page.locator('#keyboardToolbar [data-type="add"]').click();
    await page.locator('#keyboardToolbar .keyboard__slash-item', { hasText: entry }).click();
    return;
  }
  await page.keyboard.type(`/${name}`);
  const items = page.locator('.protyle-hint .b3-list-item:visible');
  const chosen = page.locator('.protyle-hint .b3-list-item--focus:visible');
  await items.filter({ hasText: entry }).first().waitFor();
  // SiYuan's own entries stand first. The list may be drawn again while it is walked: what is chosen counts, not where it stood.
  for (let left = await items.count(); left > 0 && !(await chosen.innerText()).includes(entry); left--)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/** Opens the panel on a phone as a finger does. */
export async function openOnPhone(page: Page, press: 'click' | 'tap' = 'click'): Promise<void> {
  const entry = page.locator('.b3-menu__item', { hasText: 'Marginalia' });
  if (realKernelUrl === undefined) {
    await page.locator('#toolbarMore')[press]();
    await entry[press]();
    return;
  }
  await drawOut(page, '#toolbarFile', '#sidebar', press);
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
  let isGone = false;
  const running = await start(port).catch((error: unknown) => {
    if (port > 0 && error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return start(0);
    throw error;
  });
  return {
    running,
    workspace,
    address({ note, mobile } = {}) {
      const asked = new URLSearchParams({ ...(note && { open: note }), ...(mobile && { frontend: 'mobile' }) });
      return `${running.url}${asked.size > 0 ? `?${asked}` : ''}`;
    },
    signIn: async () => undefined,
    async cut(path) {
      if (path !== undefined) return running.failures.set(path, { mode: 'drop' });
      isGone = true;
      await running.pause();
    },
    async mend() {
      running.failures.clear();
      if (isGone) await running.resume();
      isGone = false;
    },
    push: async (event) => running.kernel.pushes.push(event, { type: 'main' }),
    async close() {
      await running.close();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}
