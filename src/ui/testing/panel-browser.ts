import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type PageOptions, type PanelBrowser, startPanelBrowser } from './browser-page.ts';

type Entry = readonly [string, ...unknown[]];

/** What the panel asked of the controller, of the host and of the settings, in order. */
export const calls = (page: Page, name?: string): Promise<Entry[]> =>
  page.evaluate((only) => window.page.controller.log.filter(([entry]) => !only || entry === only), name);
export const hostCalls = (page: Page): Promise<Entry[]> => page.evaluate(() => [...window.page.host.log]);
export const settingCalls = (page: Page): Promise<Entry[]> => page.evaluate(() => [...window.page.settings.log]);

export const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const card = (page: Page) => page.getByRole('group', { name: 'Approval' });
/** Rejects what is open, without a reason. */
export async function reject(page: Page): Promise<void> {
  await button(page, 'Reject…').click();
  await button(page, 'Reject').click();
}

/** Opens the settings, and these subjects in it. */
export async function openSettings(page: Page, ...subjects: readonly string[]): Promise<void> {
  await button(page, 'Settings').click();
  for (const subject of subjects) await button(page, subject).click();
}

/** Starts Chromium for a test file; the answer runs `use` on a fresh scene. */
export function usePanelBrowser(): (scene: string, use: (page: Page) => Promise<void>, options?: PageOptions) => Promise<void> {
  let browser: PanelBrowser;
  beforeAll(async () => {
    browser = await startPanelBrowser();
  });
  afterAll(() => browser.close());
  return async (scene, use, options = {}) => {
    const page = await browser.open({ ...options, scene });
    await use(page);
    if (options.context) await page.context().close();
    expect(browser.failures).toEqual([]);
  };
}
