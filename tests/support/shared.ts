// What takes long to make and no test changes, made once: in a worker for all of its test files (vitest.config.ts) the browser; in a run
// for all workers the development host's page, the sample notes, the built pages of components.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { fileBelow, sendFile } from '../../devhost/kernel/http/static-files.ts';
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts';
import { RUN_FOLDER } from './temp-folder.ts';

const made = new Map<string, Promise<string>>();

/** A folder that `fill` fills the first time that one of this name is asked for in a run, by whichever worker. It goes with the run (temp-folder.ts). */
export function sharedFolder(name: string, fill: (folder: string) => Promise<unknown>): Promise<string> {
  const known = made.get(name) ?? makeFolder(name, fill);
  made.set(name, known);
  // A failure is its test's alone: the next one tries again.
  known.catch(() => made.delete(name));
  return known;
}

async function makeFolder(name: string, fill: (folder: string) => Promise<unknown>): Promise<string> {
  const run = process.env[RUN_FOLDER];
  // A program that is no test run has nobody to share with.
  if (run === undefined) {
    const own = mkdtempSync(join(tmpdir(), 'marginalia-shared-'));
    await fill(own);
    return own;
  }
  const folder = join(run, name.replaceAll(/\W/g, '-'));
  const filling = `${folder}.filling`;
  while (!existsSync(folder)) {
    if (!isMade(filling)) {
      await setTimeout(50);
      continue;
    }
    try {
      await fill(filling);
      renameSync(filling, folder);
    } finally {
      rmSync(filling, { recursive: true, force: true });
    }
  }
  return folder;
}

/** False where it is there already: another worker fills it. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Serves a folder that does not change. From a file's own address a browser would parse the scripts again for each page. */
export async function serveFolder(folder: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = fileBelow(folder, pathname === '/' ? 'index.html' : pathname);
    response.setHeader('Cache-Control', 'max-age=3600');
    if (file === undefined) response.writeHead(404).end();
    else sendFile(request, response, file);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
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
