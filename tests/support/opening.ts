// A store of many chats, and what the dock asks of the kernel until it can be used over it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { writeSession } from '../../src/chat/session/saved-format.ts';
import { session } from '../../src/chat/testing/samples.ts';
import { realKernelUrl } from '../host/real-kernel.ts';
import type { TestApp } from './app.ts';
import type { PanelDriver } from './panel.ts';

const STORAGE = 'data/storage/petal/siyuan-marginalia';

export interface Opening {
  /** Paths of what was asked from the click on the dock until the composer could be used. */
  readonly requests: readonly string[];
  /** Milliseconds between the two. */
  readonly ms: number;
}

/** For `AppOptions.init`: notes when the composer could be used, on the clock of the page's requests. */
export function watchComposer(): void {
  performance.setResourceTimingBufferSize(50_000);
  new MutationObserver((_, observer) => {
    if (!document.querySelector('section[aria-label="Marginalia"] textarea:not(:disabled)')) return;
    observer.disconnect();
    document.documentElement.dataset.composer = String(performance.now());
  }).observe(document, { childList: true, subtree: true, attributes: true });
}

/** Written as other devices would have left them: without an index. `title` of each chat by its number. */
export function writeChats(workspace: string, chats: number, deleted: number, title = (index: number) => `Talk ${index}`): void {
  const folder = (name: string): string => join(workspace, STORAGE, name);
  for (const name of ['sessions', 'trash']) mkdirSync(folder(name), { recursive: true });
  for (let index = 0; index < chats; index += 1) {
    const chat = session(`c${index}`, { title: title(index), updated: 1_000_000 + index });
    writeFileSync(join(folder('sessions'), `c${index}.json`), writeSession(chat));
  }
  for (let index = 0; index < deleted; index += 1) {
    const entry = { schema: 1, deleted: Date.now() - index, title: `Gone ${index}`, text: '{}' };
    writeFileSync(join(folder('trash'), `d${index}.json`), JSON.stringify(entry));
  }
}

async function untilUsed(page: Page, start: number): Promise<Opening> {
  const opened = await page.waitForFunction((start) => {
    const ready = Number(document.documentElement.dataset.composer);
    if (!ready) return null;
    const all = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/'));
    const requests = all.filter(({ startTime }) => startTime >= start && startTime <= ready).map(({ name }) => new URL(name).pathname);
    return { requests, ms: ready - start };
  }, start);
  const found = await opened.jsonValue();
  if (!found) throw new Error('the composer could not be used');
  // A real page still starts meanwhile, and asks for much itself, but for no files.
  return realKernelUrl === undefined ? found : { ...found, requests: found.requests.filter((path) => path.startsWith('/api/file/')) };
}

/** Loads the page again and opens the dock. */
export async function openDock(app: TestApp, panel: PanelDriver): Promise<Opening> {
  await app.reload();
  const start = await app.page.evaluate(() => performance.now());
  await panel.open();
  return untilUsed(app.page, start);
}
