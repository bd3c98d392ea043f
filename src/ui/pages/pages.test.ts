import { describe, expect, it } from 'vitest';
import { button, calls, hostCalls, message, settingCalls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

describe('pages', () => {
  it('list, search, open, rename and delete chats', () =>
    on('chats', async (page) => {
      await button(page, 'Chats').click();
      await page.getByRole('searchbox').fill('second chap');
      expect(await page.getByRole('group', { name: 'Chats' }).getByRole('listitem').count()).toBe(1);
      await button(page, 'Rename').click();
      await page.getByRole('textbox', { name: 'Title' }).fill('Thesis');
      await page.keyboard.press('Enter');
      await page.getByRole('searchbox').fill('thesis');
      await button(page, 'Delete').click();
      await page.getByText('No title matches.').waitFor();
      await page.getByRole('searchbox').fill('');
      await page.getByRole('button', { name: /^Urban heat/ }).click();
      expect((await calls(page)).map((entry) => entry.slice(0, 2))).toEqual([
        ['renameChat', 'session-2'],
        ['removeChat', 'session-2'],
        ['openChat', 'session-1'],
      ]);
      expect((await hostCalls(page)).map(([name]) => name)).toEqual(['confirm']);
      expect(await message(page).evaluate((field) => field === document.activeElement)).toBe(true);
    }));

  it('switch tools and groups and say when they ask', () =>
    on('empty', async (page) => {
      await button(page, 'Tools').click();
      await page.getByRole('checkbox', { name: 'Search notes' }).uncheck();
      await page.getByLabel('When Read note asks').selectOption('ask-once');
      await page.getByRole('checkbox', { name: 'Blocks', exact: true }).uncheck();
      expect(await page.getByText('Edit block').count()).toBe(0);
      expect(await settingCalls(page)).toEqual([
        ['setTool', 'search_notes', { enabled: false }],
        ['setTool', 'read_doc', { policy: 'ask-once' }],
        ['setGroup', 'blocks', false],
      ]);
    }));

  it('keep model, key and rights, and never show the key again', () =>
    on('first-run', async (page) => {
      await page.getByText('No model yet').waitFor();
      await button(page, 'Choose a model').click();
      await page.getByLabel('Where from').selectOption('custom');
      await page.getByLabel('Base URL').fill('http://127.0.0.1:11434/v1');
      const key = page.getByLabel('Key', { exact: true });
      expect(await key.getAttribute('type')).toBe('password');
      await key.fill('sk-secret');
      await page.getByLabel('Model name').fill('qwen3');
      await page.getByLabel('Model name').press('Tab');
      await page.getByLabel('Private').selectOption('read');
      expect(await key.inputValue()).toBe('');
      expect(await key.getAttribute('placeholder')).toBe('A key is kept; type to replace it');
      expect(await settingCalls(page)).toEqual([
        ['update', { model: { source: 'custom' } }],
        ['update', { model: { baseURL: 'http://127.0.0.1:11434/v1' } }],
        ['update', { model: { apiKey: 'sk-secret' } }],
        ['update', { model: { model: 'qwen3' } }],
        ['setRight', 'nb-private', 'read'],
      ]);
      await page.keyboard.press('Escape');
      expect(await page.getByRole('group', { name: 'Settings' }).count()).toBe(0);
    }));

  it('save the chat as a note where writing is allowed', () =>
    on('finished', async (page) => {
      await button(page, 'More').click();
      await page.getByRole('menuitem', { name: 'Save as a note' }).click();
      await page.getByLabel('Path').fill('/Chats/Heat');
      await button(page, 'Save').click();
      expect(await calls(page)).toEqual([['saveAsNote', 'nb-projects', '/Chats/Heat']]);
    }));
});
