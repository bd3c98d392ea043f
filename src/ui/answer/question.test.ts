import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const question = (page: Page) => page.locator('.mg-question').first();

const ask = (page: Page, text: string): Promise<void> =>
  page.evaluate((words) => {
    const { controller } = window.page;
    const [first, ...rest] = controller.view().messages;
    const named = { contextId: 'c1', kind: 'document', id: '20260412093000-apollo0', title: 'Apollo', text: 'x', mention: '@Apollo' };
    const open = { contextId: 'c2', kind: 'document', id: '20260412093000-minutes', title: 'Minutes', text: 'Anna and Li met.' };
    controller.set({
      messages: [{ ...first!, segments: [{ kind: 'text', text: words }], contexts: [named, open], attachments: [] }, ...rest],
    });
  }, text);

describe('a question', () => {
  it('shows a mention once, and no count of a text that is small', () =>
    on('finished', async (page) => {
      await ask(page, 'What is in @Apollo?');
      await expect.poll(() => question(page).locator('.mg-mention').allInnerTexts()).toEqual(['@Apollo']);
      await expect.poll(() => question(page).getByRole('listitem').allInnerTexts()).toEqual(['Minutes']);
    }));

  it('of one line is no higher than two, with what goes along', () =>
    on('finished', async (page) => {
      await ask(page, 'What is in @Apollo?');
      const line = () =>
        question(page)
          .locator('p')
          .first()
          .evaluate((words) => words.clientHeight);
      await expect.poll(async () => (await question(page).boundingBox())!.height / (await line())).toBeLessThan(2.6);
    }));
});
