import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

/** The notes of one notebook are closed: by its right, or one by its guard alone. */
const close = (page: Page, ids: readonly string[], alone = false) =>
  page.evaluate(
    ([closed, isAlone]) => {
      const { host, controller } = window.page;
      for (const id of closed) host.gone.add(id);
      host.suggestions = async () => [];
      if (isAlone) return;
      const [first, ...others] = controller.view().notebooks;
      controller.set({ notebooks: [{ ...first!, right: 'none' }, ...others] });
    },
    [ids, alone] as const,
  );

/** An empty chat that suggests two questions about notes. */
async function suggest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { host, controller } = window.page;
    const about = { kind: 'document', group: 'here', id: 'salary', title: 'Salary', place: '' } as const;
    host.suggestions = async () => [
      { text: 'What are the main points of Salary?', about },
      { text: 'Summarize Divorce', note: 'divorce' },
    ];
    await controller.newChat();
  });
  await button(page, 'Summarize Divorce').waitFor();
}

describe('a notebook that is closed', () => {
  it('is in no suggestion any more', () =>
    on('empty', async (page) => {
      await suggest(page);
      await close(page, ['salary', 'divorce'], true);
      // Before others are found.
      await page.evaluate(() => {
        const { host, controller } = window.page;
        host.suggestions = () => new Promise(() => undefined);
        const [first, ...others] = controller.view().notebooks;
        controller.set({ notebooks: [{ ...first!, right: 'none' }, ...others] });
      });
      await button(page, 'Summarize Divorce').waitFor({ state: 'detached' });
      await expect.poll(() => button(page, 'What are the main points of Salary?').count()).toBe(0);
    }));

  it.each(['What are the main points of Salary?', 'Summarize Divorce'])(
    'sends no title, although a suggestion with it was pressed: %s',
    (question) =>
      on('empty', async (page) => {
        await suggest(page);
        await close(page, ['salary', 'divorce'], true);
        await button(page, question).click();
        await page.getByRole('alert').waitFor();
        await button(page, question).waitFor({ state: 'detached' });
        expect(await calls(page, 'send')).toEqual([]);
        expect(await message(page).inputValue()).toBe('');
      }),
  );

  it('takes off what was attached of it, and says so', () =>
    on('empty', async (page) => {
      await page.evaluate(() => {
        const composer = window.page.controller.composer();
        composer.addContext({ kind: 'document', id: 'salary', title: 'Salary', text: '4,200' });
        composer.addContext({ kind: 'document', id: 'heat', title: 'Urban heat', text: 'Trees cool.' });
      });
      await expect.poll(() => page.locator('.mg-composer .mg-chip').count()).toBe(2);
      await close(page, ['salary']);
      await expect.poll(() => page.locator('.mg-composer .mg-chip__title').allInnerTexts()).toEqual(['Urban heat']);
      await page.getByText('“Salary” was taken off').waitFor();
    }));

  it('is not named as the open note any more', () =>
    on('empty', async (page) => {
      await page.locator('.mg-open-note').waitFor();
      await page.evaluate(() => {
        window.page.host.hasEditor = false;
        window.page.host.editorMark = () => 'true false';
      });
      await close(page, []);
      await page.locator('.mg-open-note').waitFor({ state: 'detached' });
    }));

  it('is looked for among related notes again', () =>
    on('empty', async (page) => {
      const asked = () => page.evaluate(() => window.page.host.log.filter(([name]) => name === 'relatedNotes').length);
      await message(page).pressSequentially('@');
      await page.getByRole('option', { name: 'All related notes…' }).click();
      await expect.poll(asked).toBe(1);
      await close(page, []);
      await expect.poll(asked).toBe(2);
    }));
});
