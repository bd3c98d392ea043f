import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import sveltePlugin from 'esbuild-svelte';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { serveFolder, sharedBrowser, sharedFolder } from '../../../tests/support/shared.ts';

const here = dirname(fileURLToPath(import.meta.url));

export interface PageOptions {
  readonly scene?: string;
  readonly language?: 'en_US' | 'zh_CN';
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly context?: BrowserContextOptions;
}

export interface PanelBrowser {
  readonly browser: Browser;
  /** Errors that pages threw and nobody caught. */
  readonly failures: readonly Error[];
  /** Opens one scene: in the one page that all scenes share, or in a context of its own where options for one are given. */
  open(options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

/** Bundles an entry of this folder as the plugin's own build does, with a page that runs it. */
async function buildPage(entry: string, folder: string): Promise<void> {
  await build({
    entryPoints: { page: join(here, entry) },
    bundle: true,
    outdir: folder,
    format: 'iife',
    target: ['chrome105', 'safari16', 'firefox115'],
    conditions: ['svelte', 'browser'],
    mainFields: ['svelte', 'browser', 'module', 'main'],
    plugins: [sveltePlugin({ compilerOptions: { css: 'external', dev: false } })],
    logLevel: 'error',
  });
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="page.css"></head><body><script src="page.js"></script></body></html>',
  );
}

/** Opens the page of an entry of this folder in a context of its own. */
export async function startPanelBrowser(entry = 'page.ts'): Promise<PanelBrowser> {
  const folder = await sharedFolder(`page ${entry}`, (empty) => buildPage(entry, empty));
  const browser = await sharedBrowser();
  const site = await serveFolder(folder);
  const failures: Error[] = [];
  let shared: Page | undefined;
  return {
    browser,
    failures,
    async open({ scene = 'empty', language = 'en_US', theme = 'light', width = 380, height = 720, context } = {}) {
      let page = shared;
      if (!page || context) {
        page = await (await browser.newContext(context)).newPage();
        page.setDefaultTimeout(10_000);
        page.on('pageerror', (error) => failures.push(error));
      }
      if (!context) shared = page;
      await page.setViewportSize({ width, height });
      await page.goto(`${site.url}?scene=${scene}&lang=${language}&theme=${theme}`);
      const [failure] = failures;
      if (failure) throw failure;
      return page;
    },
    async close() {
      await shared?.context().close();
      await site.close();
    },
  };
}
