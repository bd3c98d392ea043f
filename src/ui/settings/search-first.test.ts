import { expect, it } from 'vitest';
import { openSettings, settingCalls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

it('the switch of searching first is as the search is: off where it would ask, and the line below says so', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      const { models } = window.page.settings;
      models.chosen = { ...models.chosen, calls: { written: 'tags', isRefused: false } } as never;
    });
    await openSettings(page, 'How models are used');
    const search = page.getByRole('checkbox', { name: /^Search notes before asking / });
    await expect.poll(() => search.isChecked()).toBe(true);
    const held = page.getByText('asks first, or shows you its results first');
    expect(await held.count()).toBe(0);
    for (const patch of [{ policy: 'ask-always' }, { policy: 'auto', results: 'always' }, { results: 'never', enabled: false }]) {
      await page.evaluate((given) => window.page.settings.setTool('search_notes', given as never), patch);
      await held.waitFor();
      await expect.poll(() => search.isChecked()).toBe(false);
      await page.evaluate(() => window.page.settings.setTool('search_notes', { policy: 'auto', results: 'never', enabled: true } as never));
      await held.waitFor({ state: 'detached' });
      await expect.poll(() => search.isChecked()).toBe(true);
    }
    await page.evaluate(() => window.page.settings.setTool('search_notes', { enabled: false }));
    await held.waitFor();
    await search.check();
    expect((await settingCalls(page)).at(-1)).toEqual(['update', { searchFirst: { 'openai/gpt-4.1-mini': true } }]);
    expect(await held.count()).toBe(0);
  }));
