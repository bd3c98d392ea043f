import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const broken = (page: Page) => page.getByRole('alert').filter({ hasText: 'This part cannot be shown.' });

/** What follows a part that cannot be drawn: the rest of the panel is there. */
async function restWorks(page: Page): Promise<void> {
  await message(page).fill('still here');
  await expect.poll(() => message(page).inputValue()).toBe('still here');
  await button(page, 'Tools').click();
  await page.getByRole('group', { name: 'Tools', exact: true }).waitFor();
  await page.keyboard.press('Escape');
}

describe('a part that cannot be drawn', () => {
  it('is one message: it says so, the others stand, and it is tried again with what comes next', () =>
    on('finished', async (page) => {
      const before = await page.getByRole('article').count();
      await page.evaluate(() => {
        const { messages } = window.page.controller.view();
        const damaged = { ...messages.at(-1)!, segments: [{ kind: 'text', text: null as never } as const] };
        window.page.controller.set({ messages: [...messages.slice(0, -1), damaged] });
      });
      await broken(page).waitFor();
      await expect.poll(() => page.getByRole('article').count()).toBe(before - 1);
      await restWorks(page);
      await page.evaluate(() => {
        const { messages } = window.page.controller.view();
        const whole = { ...messages.at(-1)!, segments: [{ kind: 'text', text: 'All is well.' } as const] };
        window.page.controller.set({ messages: [...messages.slice(0, -1), whole] });
      });
      await broken(page).waitFor({ state: 'detached' });
      await expect.poll(() => page.getByRole('article').count()).toBe(before);
    }));

  it('is a tool card, the chips, the approvals, a question or the line below: the rest stands', () =>
    on('approval', async (page) => {
      const damage: readonly (() => void)[] = [
        () => window.page.controller.set({ contexts: [null as never] }),
        () => window.page.controller.set({ approvals: [null as never] }),
        () => window.page.controller.set({ questions: [{ callId: 'x', question: 'Which?', options: null as never }] }),
        () => window.page.controller.set({ notebooks: [null as never] }),
      ];
      const view = await page.evaluateHandle(() => window.page.controller.view());
      for (const one of damage) {
        await page.evaluate(one);
        await broken(page).first().waitFor();
        await restWorks(page);
        await page.evaluate((whole) => window.page.controller.replace(whole), view);
        await broken(page).first().waitFor({ state: 'detached' });
      }
    }));

  it('is a list of which two have one id, which is no damage at all', () =>
    on('finished', async (page) => {
      await page.evaluate(() => {
        const { messages } = window.page.controller.view();
        const context = { contextId: 'c', kind: 'block', id: '20260211100000-urbheat', title: 'Heat', text: 'x' } as const;
        window.page.controller.set({ contexts: [context, context], messages: [...messages, messages[0]!], tags: ['a', 'a'] });
      });
      await expect.poll(() => page.getByRole('list', { name: 'Attached notes and files' }).last().getByRole('listitem').count()).toBe(2);
      expect(await broken(page).count()).toBe(0);
      await restWorks(page);
    }));

  it('is a page: it offers another chat', () =>
    on('finished', async (page) => {
      await page.evaluate(() => {
        window.page.settings.tools = () => [{ group: 'search', enabled: true, tools: null as never }];
        return window.page.settings.update({});
      });
      await button(page, 'Tools').click();
      await broken(page).last().getByRole('button', { name: 'Open another chat' }).click();
      await page.getByRole('group', { name: 'Chats', exact: true }).waitFor();
    }));

  it('is all of it: it offers a new chat, and its details can be copied', () =>
    on('finished', async (page) => {
      await page.evaluate(() => window.page.controller.set({ messages: null as never }));
      await broken(page).first().waitFor();
      await button(page, 'Copy details').first().click();
      await expect
        .poll(() => page.evaluate(() => window.page.host.log.find(([what]) => what === 'writeClipboard')?.[1]))
        .toContain('Error');
      await page.getByRole('button', { name: 'New chat' }).first().click();
      expect(await calls(page, 'newChat')).toHaveLength(1);
      await message(page).fill('still here');
      expect(await broken(page).count()).toBe(0);
    }));
});
