// What takes long to make and no test changes, made once in a worker for all of its test files (vitest.config.ts): the
// browser, the development host's page, the sample notes, the built pages of components.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts';

const made = new Map<string, Promise<string>>();

/** A folder that `fill` fills the first time that one of this name is asked for. It goes with the run (temp-folder.ts). */
export function sharedFolder(name: string, fill: (folder: string) => Promise<unknown>): Promise<string> {
  const known = made.get(name) ?? makeFolder(fill);
  made.set(name, known);
  // A failure is its test's alone: the next one tries anew.
  known.catch(() => made.delete(name));
  return known;
}

async function makeFolder(fill: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-shared-'));
  await fill(folder);
  return folder;
}

/**
 * MARGINALIA_SLOW shows races. `page`: a page with a sixth of a processor, and a kernel that answers late and out of order (app.ts).
 * `test`: a test that is slower than its page, so that what is in sight for a moment only is missed.
 */
export const SLOW = process.env.MARGINALIA_SLOW;

export function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chrome or Chromium: install one, or name it in MARGINALIA_CHROMIUM');
  return chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS, ...flags], slowMo: SLOW === 'test' ? 100 : 0 });
}

let launched: Promise<Browser> | undefined;

/** The worker's browser, for a context of the caller's own; another one where it crashed. It ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await launched?.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  launched = launchBrowser();
  return launched;
}

/** For programs, which end when nothing is open any more; a worker is ended. */
export async function closeShared(): Promise<void> {
  await (await launched)?.close();
  for (const folder of await Promise.all(made.values())) rmSync(folder, { recursive: true, force: true });
}
