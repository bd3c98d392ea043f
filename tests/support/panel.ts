// The panel as a person sees it: by role and name, so that the tests also hold the accessible names to their promise.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

export interface PanelDriver {
  readonly region: Locator;
  readonly message: Locator;
  readonly approval: Locator;
  /** The last answer. */
  readonly answer: Locator;
  tool(name: string): Locator;
  open(): Promise<void>;
  send(text: string): Promise<void>;
  /** Waits until the new chat is there: words that are typed earlier stay with the one before. */
  newChat(press?: 'click' | 'tap'): Promise<void>;
  /** Allows writing in the notebook where that is asked, then approves. */
  approve(): Promise<void>;
  /** Also what was not looked at. */
  approveAll(name?: 'Approve' | 'Run'): Promise<void>;
  reject(): Promise<void>;
  /** Opens the settings, and these subjects in it. */
  openSettings(...subjects: readonly string[]): Promise<void>;
  /** On the page “Save as a note”: saves, with text of other notebooks where the chat holds such. */
  saveNote(press?: 'click' | 'tap'): Promise<void>;
  /** Waits until what was sent last is answered, with this status, and no answer runs. */
  settled(status?: 'done' | 'stopped' | 'error' | 'interrupted'): Promise<void>;
}

/** Runs in the page. */
function answered(known: { readonly node: string | null; readonly status: string }): boolean {
  const last = [...document.querySelectorAll('section[aria-label="Marginalia"] article[data-role="assistant"]')].at(-1);
  const node = last?.closest('[data-node]')?.getAttribute('data-node');
  return last !== undefined && node !== known.node && last.getAttribute('data-status') === known.status;
}

async function pressAll(approval: Locator, name: string): Promise<void> {
  const all = approval.getByRole('button', { name: `${name} all`, exact: true });
  const unseen = approval.getByRole('button', { name: `${name} unseen`, exact: true });
  await all.click();
  await expect
    .poll(async () => {
      if (await unseen.isVisible()) await unseen.click();
      return all.count();
    })
    .toBe(0);
}

async function pressEach(within: Locator, ...names: readonly string[]): Promise<void> {
  for (const name of names) await within.getByRole('button', { name, exact: true }).first().click();
}

export function drive(page: Page): PanelDriver {
  const region = page.getByRole('region', { name: 'Marginalia' });
  const message = region.getByRole('textbox', { name: 'Message' });
  const approval = region.getByRole('group', { name: 'Approval' });
  const answer = region.locator('article[data-role="assistant"]').last();
  /** Node of the last answer when the last question was sent: the panel shows the next one a moment later. */
  let before: string | null = null;
  return {
    region,
    message,
    approval,
    answer,
    tool: (name) => region.locator(`[data-tool="${name}"]`),
    async open() {
      // The host remembers which docks were open: a click would close it then.
      const dock = page.locator('.dock__item[data-type="siyuan-marginaliapanel"]');
      await dock.waitFor();
      if (!(await dock.getAttribute('class'))?.includes('dock__item--active')) await dock.click();
      await message.waitFor();
    },
    async send(text) {
      before = await region.evaluate((panel) => {
        const last = [...panel.querySelectorAll('article[data-role="assistant"]')].at(-1);
        return last?.closest('[data-node]')?.getAttribute('data-node') ?? null;
      });
      await message.fill(text);
      await region.getByRole('button', { name: 'Send' }).click();
    },
    async newChat(press = 'click') {
      await region.getByRole('button', { name: 'New chat', exact: true }).first()[press]();
      await region.locator('article').first().waitFor({ state: 'detached' });
    },
    async approve() {
      const grant = approval.getByRole('radio', { name: /^Always: set/ });
      const button = approval.getByRole('button', { name: /^Approve( \d+ of \d+)?$/ });
      await button.waitFor();
      if (await grant.count()) await grant.check();
      await button.click();
    },
    approveAll: (name = 'Approve') => pressAll(approval, name),
    reject: () => pressEach(approval, 'Reject…', 'Reject'),
    openSettings: (...subjects) => pressEach(region, 'Settings', ...subjects),
    async saveNote(press = 'click') {
      const form = region.getByRole('group', { name: 'Save as a note' });
      const others = region.getByRole('button', { name: 'Save including that text' });
      const saved = region.getByRole('status').filter({ hasText: 'Saved as a note' });
      await form.getByRole('button', { name: 'Save', exact: true })[press]();
      await others.or(saved).first().waitFor();
      if (await others.isVisible()) await others[press]();
      await saved.waitFor();
    },
    async settled(status = 'done') {
      // A page behind another one draws seldom, so it is not asked at each drawing.
      await page.waitForFunction(answered, { node: before, status }, { polling: 50 });
      await region.getByRole('button', { name: 'Send' }).waitFor();
    },
  };
}

/** What stands under About on the page “What will be sent”, which it opens. */
export async function aboutHost({ page }: { readonly page: Page }, { region }: PanelDriver): Promise<string> {
  await region.getByRole('button', { name: 'More' }).first().click();
  await page.getByRole('menuitem', { name: 'What will be sent' }).click();
  await region.getByText('About', { exact: true }).click();
  return region.locator('[data-about]').innerText();
}

/** Drags the dock's splitter until the panel has the width. */
export async function setDock(page: Page, width: number): Promise<void> {
  const splitter = await page.locator('.layout__resize:visible').last().boundingBox();
  const panel = await page.locator('.mg-panel').boundingBox();
  const x = splitter!.x + splitter!.width / 2;
  await page.mouse.move(x, 300);
  await page.mouse.down();
  await page.mouse.move(x + panel!.width - width, 300, { steps: 3 });
  await page.mouse.up();
  await expect.poll(async () => Math.round((await page.locator('.mg-panel').boundingBox())!.width)).toBe(width);
}
