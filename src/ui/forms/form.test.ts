import { describe, expect, it } from 'vitest';
import { button, calls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

describe('a form of a server', () => {
  it('says who asks and where the answer goes, and sends what was entered with a press alone', () =>
    on('server-form', async (page) => {
      const form = page.getByRole('group', { name: 'Form of the server “shop”' });
      await form.getByText('The server “shop” asks you, in its own words:').waitFor();
      await form.getByText('What you enter goes to shop.example, once you press “Send”. Enter no password and no key.').waitFor();
      await expect.poll(() => form.getByLabel('Day of delivery').inputValue()).toBe('2026-12-01');
      await form.getByLabel('Name').fill('Anna');
      await form.getByLabel('Name').press('Enter');
      expect(await calls(page, 'decide')).toEqual([]);
      await form.getByLabel('Name').fill('Anna');
      await form.getByLabel('E-mail address').fill('anna@example.org');
      await form.getByLabel('How many').fill('3');
      await form.getByLabel('Size').selectOption({ label: 'Large' });
      await form.getByLabel('A spare shade').check();
      await form.getByLabel('A bulb').check();
      await form.getByLabel('A spare shade').uncheck();
      await form.getByLabel('Tell me about other lamps').check();
      await button(page, 'Send').first().click();
      const answers = { name: 'Anna', mail: 'anna@example.org', day: '2026-12-01', count: 3, size: 'L', extras: ['b'], news: true };
      await expect.poll(() => calls(page, 'decide')).toEqual([['decide', 'form-1', { approved: true, answers }]]);
    }));

  it('says what is wrong, and sends nothing until it is right', () =>
    on('server-form', async (page) => {
      const form = page.getByRole('group', { name: 'Form of the server “shop”' });
      await form.getByLabel('E-mail address').fill('nobody');
      await form.getByLabel('How many').fill('12');
      await form.getByRole('button', { name: 'Send' }).click();
      await form.getByText('Fill this in.').waitFor();
      await form.getByText('This is no value of the kind “email”.').waitFor();
      await form.getByText('At most 9.').waitFor();
      await expect.poll(() => form.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true);
      expect(await calls(page, 'decide')).toEqual([]);
    }));

  it.each([
    ['Decline', { approved: false }],
    ['Cancel', { approved: false, closed: true }],
  ])('is left with %s', (name, decision) =>
    on('server-form', async (page) => {
      await page.getByRole('group', { name: 'Form of the server “shop”' }).getByRole('button', { name }).click();
      await expect.poll(() => calls(page, 'decide')).toEqual([['decide', 'form-1', decision]]);
    }),
  );

  it('shows the whole address of a page, and opens it with a press alone', () =>
    on('server-page', async (page) => {
      const form = page.getByRole('group', { name: 'Form of the server “shop”' });
      await form.getByText('https://pay.example/orders/17?from=lamp').waitFor();
      await form.getByText('Open it only if you trust pay.example.').waitFor();
      await page.evaluate(() => {
        window.open = (address) => {
          document.title = String(address);
          return null;
        };
      });
      await form.getByRole('button', { name: 'Open the page' }).click();
      await expect.poll(() => page.title()).toBe('https://pay.example/orders/17?from=lamp');
      await expect.poll(() => calls(page, 'decide')).toEqual([['decide', 'form-1', { approved: true }]]);
    }));
});
