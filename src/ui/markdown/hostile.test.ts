import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PanelBrowser, startPanelBrowser } from '../testing/browser-page.ts';
import payloads from '../testing/hostile/dompurify-payloads.json' with { type: 'json' };
import { hostileInputs } from '../testing/hostile/inputs.ts';
import type { HostileWay } from '../testing/hostile-page.ts';

/** Lute's package brings the KaTeX and the highlight.js that SiYuan's editor uses too. */
const scriptOf = (path: string): string => createRequire(import.meta.url).resolve(`vditor/dist/js/${path}`);
const fixtures = payloads.map(({ payload }) => payload);

let browser: PanelBrowser;
let page: Page;
const requests: string[] = [];

beforeAll(async () => {
  browser = await startPanelBrowser('hostile-page.ts');
  page = await browser.open();
  await page.addScriptTag({ path: scriptOf('katex/katex.min.js') });
  await page.addScriptTag({ path: scriptOf('highlight.js/highlight.min.js') });
  page.on('request', (request) => requests.push(request.url()));
});
afterAll(() => browser.close());

async function tryAll(inputs: readonly string[], way: HostileWay): Promise<void> {
  const address = page.url();
  expect(await page.evaluate(([texts, how]) => window.tryAll(texts, how), [inputs, way] as const)).toEqual([]);
  // `assets/…` is a file of the workspace: the one thing that an answer may load.
  expect(requests.filter((url) => !/\/assets\/[^/]*$/.test(url))).toEqual([]);
  expect([page.url(), page.frames().length, browser.failures]).toEqual([address, 1, []]);
}

describe('hostile inputs', () => {
  it('are as many as they should be, none twice', () => {
    expect(fixtures.length).toBeGreaterThanOrEqual(223);
    expect(new Set(hostileInputs).size).toBe(hostileInputs.length);
    expect(hostileInputs.length).toBeGreaterThanOrEqual(200);
  });

  for (const way of ['answer', 'html', 'drawn', 'changed'] as const) {
    it(`of DOMPurify's own tests run nothing and reach nothing: ${way}`, () => tryAll(fixtures, way));
    it(`of our own table run nothing and reach nothing: ${way}`, () => tryAll(hostileInputs, way));
  }

  it('would be seen: the same page without the nets runs them', async () => {
    const ran = await page.evaluate(async () => {
      const before = window.fire;
      const seen: unknown[] = [];
      await new Promise<void>((resolve) => {
        window.fire = (what) => {
          seen.push(what);
          resolve();
        };
        document.body.insertAdjacentHTML('beforeend', '<img src="data:x" onerror="fire(1)">');
      });
      window.fire = before;
      return seen;
    });
    expect(ran).toEqual([1]);
  });
});

describe('what the host draws', () => {
  it('keeps its look behind the net', async () => {
    const html = await page.evaluate(async () => {
      await window.tryAll([], 'drawn');
      return window.drawn(String.raw`\frac{\sqrt{a_1}}{2}`, 'const a = "x"; // why');
    });
    expect(html.formula).toMatch(/class="vlist"[^>]*style="height:/);
    expect(html.formula).toContain('<svg');
    expect(html.code).toContain('<span class="hljs-keyword">const</span>');
  });
});
