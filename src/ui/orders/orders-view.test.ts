import { expect, it } from 'vitest';
import { button, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

it('does not say that nothing is pending before it knows', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      const order = { id: 'o1', name: 'Watch', problems: [], schedule: { kind: 'every', unit: 'hours', count: 2 } };
      const row = { order, next: [], last: undefined, failures: 0, paused: null, had: 0 };
      const read = new Promise<readonly []>((resolve) => window.addEventListener('inbox-read', () => resolve([])));
      Object.assign(window.page.settings.orders, {
        view: async () => ({ note: { kind: 'read', id: 'n1', title: 'Orders' }, orders: [row], runsOn: '' }),
        inbox: () => read,
      });
    });
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    const orders = page.getByRole('group', { name: 'Standing orders' });
    await orders.getByRole('article', { name: 'Watch' }).waitFor();
    expect(await orders.getByText('Nothing is pending.').count()).toBe(0);
    await page.evaluate(() => window.dispatchEvent(new Event('inbox-read')));
    await orders.getByText('Nothing is pending.').waitFor();
  }));
