import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import sveltePlugin from 'esbuild-svelte';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from '../../../tests/support/chromium.ts';

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

/** Bundles an entry of this folder into a temporary folder, as the plugin's own build does, and opens it in Chromium. */
export async function startPanelBrowser(entry = 'page.ts'): Promise<PanelBrowser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chrome or Chromium: install one, or name it in MARGINALIA_CHROMIUM');
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-ui-'));
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
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  const address = pathToFileURL(join(folder, 'index.html')).href;
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
      await page.goto(`${address}?scene=${scene}&lang=${language}&theme=${theme}`);
      const [failure] = failures;
      if (failure) throw failure;
      return page;
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
