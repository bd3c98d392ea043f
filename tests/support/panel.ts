// The panel as a person sees it: by role and name, so that the tests also hold the accessible names to their promise.
import type { Locator, Page } from 'playwright-core';

export interface PanelDriver {
  readonly region: Locator;
  readonly message: Locator;
  readonly approval: Locator;
  /** The last answer. */
  readonly answer: Locator;
  tool(name: string): Locator;
  open(): Promise<void>;
  send(text: string): Promise<void>;
  /** Allows writing in the notebook where that is asked, then approves. */
  approve(): Promise<void>;
  reject(): Promise<void>;
  /** Waits until no answer runs and the last one has the status. */
  settled(status?: 'done' | 'stopped' | 'error' | 'interrupted'): Promise<void>;
}

export function drive(page: Page): PanelDriver {
  const region = page.getByRole('region', { name: 'Marginalia' });
  const message = region.getByRole('textbox', { name: 'Message' });
  const approval = region.getByRole('group', { name: 'Approval' });
  const answer = region.locator('article[data-role="assistant"]').last();
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
      await message.fill(text);
      await region.getByRole('button', { name: 'Send' }).click();
    },
    async approve() {
      const grant = approval.getByRole('checkbox', { name: /^Allow writing in/ });
      const button = approval.getByRole('button', { name: 'Approve', exact: true });
      await button.waitFor();
      if (await grant.count()) await grant.check();
      await button.click();
    },
    async reject() {
      await approval.getByRole('button', { name: 'Reject', exact: true }).click();
    },
    async settled(status = 'done') {
      await region.locator(`article[data-role="assistant"][data-status="${status}"]`).last().waitFor();
      await region.getByRole('button', { name: 'Send' }).waitFor();
    },
  };
}
