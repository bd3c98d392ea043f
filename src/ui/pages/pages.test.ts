import { describe, expect, it } from 'vitest';
import { button, calls, hostCalls, message, openSettings, settingCalls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

describe('pages', () => {
  it('switch tools and groups, say when they ask, and whose results are seen first', () =>
    on('empty', async (page) => {
      await button(page, 'Tools').click();
      await expect.poll(() => page.getByRole('checkbox', { name: 'Search notes' }).isVisible()).toBe(false);
      const group = (name: RegExp) => page.getByRole('button', { name });
      const names = () => page.getByRole('group', { name: 'Tools', exact: true }).locator('section b').allInnerTexts();
      const order = await names();
      expect(order.slice(0, 3)).toEqual(['Notes', 'Search', 'Blocks']);
      await group(/^Search/).click();
      await group(/^Notes/).click();
      await page.getByRole('checkbox', { name: 'Search notes' }).uncheck();
      await group(/^Search 3 of 4 on/).waitFor();
      await page.getByLabel('Permission for Read note', { exact: true }).selectOption('ask-once');
      await page.getByLabel('Results of Read note', { exact: true }).selectOption('always');
      await page.getByRole('checkbox', { name: 'Blocks', exact: true }).uncheck();
      await group(/^Blocks off/).click();
      await expect.poll(() => page.getByRole('checkbox', { name: 'Edit block' }).isDisabled()).toBe(true);
      expect(await names()).toEqual(order);
      expect(await settingCalls(page)).toEqual([
        ['setTool', 'search_notes', { enabled: false }],
        ['setTool', 'read_doc', { policy: 'ask-once' }],
        ['setTool', 'read_doc', { results: 'always' }],
        ['setGroup', 'blocks', false],
      ]);
    }));

  it('stay legible in a narrow panel: names keep room in their row, rows their distance, fields show what stands in them', () =>
    on(
      'empty',
      async (page) => {
        await openSettings(page, 'Answers', 'Tool calls');
        const rows = await page.locator('.mg-right').evaluateAll((elements) =>
          elements.map((element) => {
            const field = element.querySelector('select')!.getBoundingClientRect();
            return { row: element.getBoundingClientRect().width, field: field.width, top: field.top, bottom: field.bottom };
          }),
        );
        for (const [index, { row, field, top }] of rows.entries()) {
          expect(field).toBeLessThanOrEqual(row * 0.56);
          if (index > 0) expect(top - rows[index - 1]!.bottom).toBeGreaterThanOrEqual(4);
        }
        const cut = await page.locator('.mg-line input[placeholder]:visible').evaluateAll(
          (fields) =>
            (fields as HTMLInputElement[]).filter((field) => {
              const style = getComputedStyle(field);
              const pen = document.createElement('canvas').getContext('2d')!;
              pen.font = style.font;
              // Chromium keeps 16 px for the arrows of a number.
              const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight) - 16;
              return pen.measureText(field.placeholder).width > room;
            }).length,
        );
        expect(cut).toBe(0);
      },
      { width: 247 },
    ));

  it('lead from no model to one with a single button, the nearest way that works', () =>
    on('first-run', async (page) => {
      await page.getByText('No model yet').waitFor();
      const ways = page.getByRole('radiogroup', { name: 'Where the model comes from' }).getByRole('radio');
      await button(page, 'Test and use gpt-4.1-mini').click();
      await page.getByRole('status').getByText('gpt-4.1-mini').waitFor();
      await ways.nth(1).check();
      await button(page, 'Test and use qwen3:8b').click();
      await ways.nth(2).check();
      await expect.poll(() => button(page, 'Test and use').isDisabled()).toBe(true);
      await page.getByRole('combobox', { name: 'Provider', exact: true }).selectOption('Other');
      await button(page, 'Open settings').click();
      // Its address is what comes next.
      const added = page.getByRole('group', { name: 'New provider' }).getByLabel('Base URL');
      await expect.poll(() => added.evaluate((field) => field === document.activeElement)).toBe(true);
      expect((await settingCalls(page)).filter(([name]) => name !== 'keep')).toEqual([
        ['test', { providerId: 'openai', model: 'gpt-4.1-mini' }],
        ['choose', { providerId: 'openai', model: 'gpt-4.1-mini' }],
        ['test', { providerId: 'ollama', model: 'qwen3:8b' }],
        ['choose', { providerId: 'ollama', model: 'qwen3:8b' }],
        ['saveProvider', null, { name: '', baseURL: '' }],
      ]);
    }));

  it('say what is missing before a test, and a try that fails leaves no provider behind', () =>
    on('first-run', async (page) => {
      await page.evaluate(() => {
        const { models } = window.page.settings;
        models.chosen = { label: '', kind: 'missing' };
        models.test = async () => Promise.reject(Object.assign(new Error('refused'), { code: 'model_unauthorized', next: 'check it' }));
      });
      const way = page.getByRole('radiogroup', { name: 'Where the model comes from' }).getByRole('radio').nth(2);
      await way.check();
      await page.getByLabel('API key', { exact: true }).fill('sk-wrong');
      await button(page, 'Test and use').click();
      await expect.poll(async () => (await settingCalls(page)).map(([name]) => name)).toEqual(['saveProvider', 'removeProvider']);
      await openSettings(page);
      await button(page, 'Test connection').click();
      await page.getByText('Choose a model first.').waitFor();
      await page.getByLabel('Add a provider…').selectOption('Other');
      await button(page, 'Test connection').click();
      await page.getByText('Enter the base URL of the new provider first.').waitFor();
      const added = page.getByRole('group', { name: 'New provider' });
      await added.getByLabel('Base URL').fill('http://127.0.0.1:11434/v1');
      await page.keyboard.press('Tab');
      await added.getByRole('button', { name: 'Choose a model' }).click();
      await page.getByRole('combobox', { name: 'Search models' }).waitFor();
    }));

  it('keep model, key and rights, and never show the key again', () =>
    on('first-run', async (page) => {
      await button(page, 'Settings').click();
      await page.getByLabel('Add a provider…').selectOption('Other');
      const added = page.getByRole('group', { name: 'New provider' });
      await added.getByLabel('Base URL').fill('http://127.0.0.1:11434/v1');
      const key = added.getByLabel('API key', { exact: true });
      await expect.poll(() => key.getAttribute('type')).toBe('password');
      await key.fill('sk-secret');
      await key.press('Tab');
      await expect
        .poll(() => key.getAttribute('aria-describedby'))
        .toBe(await added.getByText('The key stays on this device').getAttribute('id'));
      const bar = page.getByRole('searchbox', { name: 'Search settings' });
      const choose = page.getByRole('region', { name: 'Model' }).getByRole('button', { name: 'Choose a model' }).first();
      const under = await bar.evaluate((field) => field.getBoundingClientRect().top);
      await choose.evaluate((element: HTMLElement, top) => {
        let scroller: HTMLElement | null = element;
        while (scroller && getComputedStyle(scroller).overflowY !== 'auto') scroller = scroller.parentElement;
        scroller?.scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' });
        element.click();
      }, under);
      const models = page.getByRole('combobox', { name: 'Search models' });
      await models.waitFor();
      // The search of the settings, which stays above, does not cover it.
      await expect.poll(async () => (await models.boundingBox())!.y).toBeGreaterThanOrEqual(under + 28);
      await models.fill('qwen3');
      await page.getByRole('option', { name: 'Use “qwen3”' }).last().click();
      await page.getByRole('combobox', { name: /^Private/ }).selectOption('read');
      await page.getByRole('checkbox', { name: 'Local only' }).check();
      expect(await key.inputValue()).toBe('');
      await expect.poll(() => key.getAttribute('placeholder')).toBe('A key is saved; type to replace it');
      expect(await settingCalls(page)).toEqual([
        ['saveProvider', null, { name: '', baseURL: '' }],
        ['saveProvider', 'new', { baseURL: 'http://127.0.0.1:11434/v1' }],
        ['saveProvider', 'new', { apiKey: 'sk-secret' }],
        ['choose', { providerId: 'new', model: 'qwen3' }],
        ['setRight', 'nb-private', 'read'],
        ['update', { localOnly: true }],
      ]);
      await page.keyboard.press('Escape');
      expect(await page.getByRole('group', { name: 'Settings' }).count()).toBe(0);
    }));

  it('are found one by one, with their heading', () =>
    on('empty', async (page) => {
      await button(page, 'Settings').click();
      const settings = page.getByRole('group', { name: 'Settings', exact: true });
      const search = page.getByRole('searchbox', { name: 'Search settings' });
      await search.fill('read, edit and undo');
      await settings.getByRole('checkbox', { name: 'Summarize earlier messages' }).waitFor();
      await expect.poll(() => settings.getByRole('spinbutton').count()).toBe(0);
      await expect.poll(() => settings.getByRole('heading', { name: 'Answers' }).isVisible()).toBe(true);
      await search.fill('language');
      await settings.getByRole('textbox', { name: 'Translate into' }).waitFor();
      await search.fill('');
      await settings.getByRole('textbox', { name: 'Translate into' }).waitFor({ state: 'hidden' });
      await button(page, 'Answers').click();
      await settings.getByRole('spinbutton', { name: 'Maximum request length, in tokens' }).waitFor();
    }));

  it('are searched, say that they are saved, and are reset to their defaults one by one', () =>
    on('empty', async (page) => {
      await button(page, 'Settings').click();
      const settings = page.getByRole('group', { name: 'Settings', exact: true });
      await page.getByRole('searchbox', { name: 'Search settings' }).fill('rounds');
      await expect.poll(() => settings.getByRole('region').count()).toBe(1);
      const rounds = page.getByRole('spinbutton', { name: 'Maximum tool rounds per answer' });
      expect(await button(page, 'Reset “Maximum tool rounds per answer”').count()).toBe(0);
      await rounds.fill('5');
      await rounds.press('Tab');
      await page.getByRole('status').getByText('Saved').waitFor();
      await button(page, 'Reset “Maximum tool rounds per answer”').click();
      await page.getByRole('status').getByText('Reset to the default').waitFor();
      await expect.poll(() => rounds.inputValue()).toBe('10');
      for (const wrong of ['0', '']) {
        await rounds.fill(wrong);
        await rounds.press('Tab');
        await page.getByRole('alert').getByText('from 1 to 100').waitFor();
        await expect.poll(() => rounds.inputValue()).toBe('10');
      }
      await page.getByRole('searchbox', { name: 'Search settings' }).fill('no such words');
      await page.getByText('No settings match.').waitFor();
      expect(await settingCalls(page)).toEqual([
        ['update', { toolCallMaxRounds: 5 }],
        ['update', { toolCallMaxRounds: 10 }],
      ]);
    }));

  it('have a line for each subject, which opens it where it is, and what they explain on request', () =>
    on('empty', async (page) => {
      await openSettings(page, 'Tool calls');
      const help = page.getByText('Off: one call at a time');
      const height = async () => (await help.boundingBox())!.height;
      expect(await height()).toBeLessThan(2);
      await button(page, 'Show explanations').click();
      await expect.poll(height).toBeGreaterThan(10);
      await button(page, 'Budget').click();
      const section = page.getByRole('region', { name: 'Budget', exact: true });
      await section.getByRole('spinbutton').first().waitFor();
      await button(page, 'Budget').click();
      await section.getByRole('spinbutton').first().waitFor({ state: 'hidden' });
    }));

  it('are found by synonyms, and the first match scrolls into view', () =>
    on('empty', async (page) => {
      await button(page, 'Settings').click();
      const search = page.getByRole('searchbox', { name: 'Search settings' });
      const region = (name: string) => page.getByRole('region', { name, exact: true });
      for (const [words, name] of [
        ['api key', 'Model'],
        ['password', 'Model'],
        ['retries', 'How models are used'],
        ['timeout', 'Tool calls'],
        ['theme', 'Look'],
        ['undo', 'On other pages'],
        ['cost', 'Budget'],
        ['redact', 'Private text'],
        ['temperature', 'On other pages'],
        ['reasoning effort', 'On other pages'],
      ] as const) {
        await search.fill(words);
        await region(name).waitFor();
        expect(await page.getByText('No settings match.').count()).toBe(0);
      }
      await search.fill('temperature');
      await region('On other pages').getByRole('button', { name: 'Temperature' }).click();
      const temperature = page.getByRole('spinbutton', { name: 'Temperature' });
      await expect.poll(() => temperature.evaluate((field) => field === document.activeElement)).toBe(true);
      await button(page, 'Settings').click();
      await search.fill('retries');
      const retries = page.getByRole('spinbutton', { name: 'Retries when the provider is busy' });
      const inSight = () =>
        retries.evaluate((field) => {
          const [box, frame] = [field.getBoundingClientRect(), field.closest('.mg-page__body')?.getBoundingClientRect()];
          return frame !== undefined && box.top > frame.top + 30 && box.bottom < frame.bottom;
        });
      await expect.poll(inSight).toBe(true);
      await expect.poll(() => page.evaluate(() => CSS.highlights.get('marginalia-find')?.size)).toBe(1);
      await expect.poll(() => search.evaluate((field) => field.getBoundingClientRect().top > 0)).toBe(true);
    }));

  it('are reset to their defaults, whatever their kind, and the reset can be undone', () =>
    on('empty', async (page) => {
      await openSettings(page, 'Tool calls', 'Budget', 'Your own prompts');
      const reset = (name: string) => button(page, `Reset “${name}”`);
      const mode = page.getByRole('combobox', { name: 'Start calls' });
      await mode.selectOption('manual');
      const budget = page.getByRole('spinbutton', { name: 'Per day, US dollars' });
      await budget.fill('2');
      await budget.press('Tab');
      const prompts = page.getByRole('region', { name: 'Your own prompts' });
      await page.evaluate(() =>
        window.page.settings.update({ prompts: [{ id: 'own-1', name: 'haiku', prompt: 'As a haiku.', output: 'insert' }] }),
      );
      expect(await prompts.getByRole('listitem').count()).toBeGreaterThan(0);
      await reset('Per day').click();
      await expect.poll(() => budget.inputValue()).toBe('');
      await reset('Start calls').click();
      await expect.poll(() => mode.inputValue()).toBe('auto');
      await reset('Your own prompts').click();
      await expect.poll(() => prompts.getByRole('listitem').count()).toBe(0);
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => prompts.getByRole('listitem').count()).toBeGreaterThan(0);
    }));

  it('refuse an amount that is none, and say so beside it', () =>
    on('empty', async (page) => {
      await openSettings(page, 'Budget');
      const field = page.getByRole('region', { name: 'Budget' }).getByRole('spinbutton').first();
      await field.fill('-3');
      await field.press('Tab');
      await page.getByRole('region', { name: 'Budget' }).getByRole('alert').waitFor();
      expect(await field.inputValue()).toBe('');
      expect(await settingCalls(page)).toEqual([]);
    }));

  it('open at the field that a failure asks for', () =>
    on('error', async (page) => {
      const fail = (code: 'budget_reached' | 'model_no_price') =>
        page.evaluate((which) => {
          const { controller } = window.page;
          const messages = controller
            .view()
            .messages.map((message) =>
              message.role === 'assistant'
                ? { ...message, status: 'error' as const, error: { code: which, message: 'm', next: 'n' } }
                : message,
            );
          controller.set({ messages });
        }, code);
      const focused = () => page.evaluate(() => document.activeElement?.closest('section')?.getAttribute('data-part'));
      await fail('budget_reached');
      await button(page, 'Raise the budget').first().click();
      await expect.poll(focused).toBe('budget');
      await page.keyboard.press('Escape');
      await fail('model_no_price');
      await button(page, 'Set its price').first().click();
      await expect.poll(focused).toBe('prices');
      expect(await page.getByRole('region', { name: 'Prices' }).getByRole('textbox').count()).toBeGreaterThan(0);
    }));

  it('limit how many earlier messages go along, or let all', () =>
    on('empty', async (page) => {
      await openSettings(page, 'Answers');
      const field = page.getByRole('spinbutton', { name: 'Earlier messages to send' });
      await expect.poll(() => field.getAttribute('placeholder')).toBe('all');
      for (const value of ['20', '0', '']) {
        await field.fill(value);
        await field.press('Tab');
      }
      // What is undefined does not come through to this side.
      expect(await settingCalls(page)).toEqual([
        ['update', { contextMessages: 20 }],
        ['update', {}],
      ]);
    }));

  it('say what goes with a request: the prompt, rounds, tokens, the history', () =>
    on('empty', async (page) => {
      await openSettings(page, 'Answers', 'Tool calls');
      const set = async (label: string, value: string) => {
        const field = page.getByLabel(label, { exact: true });
        await field.fill(value);
        await field.press('Tab');
      };
      await set('Custom instructions', 'Be brief.');
      for (const rounds of ['3', '0', '101']) await set('Maximum tool rounds per answer', rounds);
      for (const tokens of ['9000', '999', '']) await set('Maximum request length, in tokens', tokens);
      const history = page.getByRole('checkbox', { name: 'Send earlier tool results in full' });
      await history.check();
      await history.uncheck();
      // What is undefined does not come through to this side.
      expect(await settingCalls(page)).toEqual([
        ['update', { systemPrompt: 'Be brief.' }],
        ['update', { toolCallMaxRounds: 3 }],
        ['update', { contextTokens: 9000 }],
        ['update', {}],
        ['update', { toolHistory: 'full' }],
        ['update', { toolHistory: 'compressed' }],
      ]);
    }));

  it('say which numbers a chat may have, and keep the one that it had', () =>
    on('empty', async (page) => {
      await page.evaluate(() => window.page.controller.set({ own: { options: { temperature: 0.5 } } }));
      await button(page, 'This chat has settings of its own').click();
      const temperature = page.getByLabel('Temperature');
      await temperature.fill('3');
      await temperature.press('Tab');
      await page.getByText('Nothing was changed: enter a number from 0 to 2.').waitFor();
      await expect.poll(() => temperature.inputValue()).toBe('0.5');
      const tokens = page.getByLabel('Maximum answer length, in tokens');
      await tokens.fill('-1');
      await tokens.press('Tab');
      await page.getByText('Nothing was changed: enter a number of 1 or more.').waitFor();
      expect(await tokens.inputValue()).toBe('');
      expect(await calls(page, 'setOwn')).toEqual([]);
      await temperature.fill('2');
      await temperature.press('Tab');
      await page.getByText('enter a number from 0 to 2').waitFor({ state: 'detached' });
      expect(await calls(page, 'setOwn')).toHaveLength(1);
    }));

  it('take what is private: words and expressions with their names, changed and removed; what cannot be used stays in the form', () =>
    on('empty', async (page) => {
      await button(page, 'Settings').click();
      const section = page.getByRole('region', { name: 'Private text' });
      await section.getByRole('checkbox', { name: 'Mask private text in requests' }).check();
      const enter = async (match: string, label = ''): Promise<void> => {
        await section.getByLabel('Word, or /regular expression/').fill(match);
        await section.getByLabel('Label').fill(label);
        await section.getByRole('button', { name: 'Save' }).click();
      };
      await section.getByText('Nothing is masked yet').waitFor();
      await enter('Mallory');
      await section.getByText('Nothing is masked yet').waitFor({ state: 'detached' });
      for (const [match, label] of [['/\\d{3}-\\d{4}/', 'phone'], ['/(/']] as const) {
        await section.getByRole('button', { name: 'Add private text' }).click();
        await enter(match, label);
      }
      await section.getByText('This is not a valid regular expression').waitFor();
      await section.getByLabel('Word, or /regular expression/').press('Escape');
      const add = section.getByRole('button', { name: 'Add private text' });
      await expect.poll(() => add.evaluate((element) => element === document.activeElement)).toBe(true);
      await section.getByLabel('Try it').fill('mallory 555-1234');
      await section.getByText('MASK1V1X MASK2V1X').waitFor();
      await section.getByRole('button', { name: 'Edit Mallory' }).click();
      await enter('IBAN');
      await section.getByText('IBAN', { exact: true }).waitFor();
      await section.getByRole('button', { name: /Remove .*3/ }).click();
      const phone = { match: '/\\d{3}-\\d{4}/', label: 'phone' };
      await expect
        .poll(() => settingCalls(page))
        .toEqual([
          ['update', { privacy: { enabled: true } }],
          ['update', { privacy: { fields: ['Mallory'] } }],
          ['update', { privacy: { fields: ['Mallory', phone] } }],
          ['update', { privacy: { fields: ['IBAN', phone] } }],
          ['update', { privacy: { fields: ['IBAN'] } }],
        ]);
    }));

  it('hand prompts of one’s own out as a file, and take them in', () =>
    on('empty', async (page) => {
      await openSettings(page, 'Your own prompts');
      const prompts = page.getByRole('region', { name: 'Your own prompts' });
      expect(await prompts.getByRole('button', { name: 'Export' }).count()).toBe(0);
      const take = async (text: string): Promise<void> => {
        const chooser = page.waitForEvent('filechooser');
        await prompts.getByRole('button', { name: 'Import' }).click();
        await (await chooser).setFiles({ name: 'prompts.json', mimeType: 'application/json', buffer: Buffer.from(text) });
      };
      await take('nonsense');
      await page.getByText('This file has no new prompts').waitFor();
      const mail = { id: 'own-1', name: 'E-mail', prompt: 'Write {{selection}} as an e-mail.', output: 'insert' };
      await take(JSON.stringify({ format: 'marginalia-prompts', schema: 1, prompts: [mail] }));
      await page.getByText('1 prompt imported').waitFor();
      expect(await settingCalls(page)).toEqual([['update', { prompts: [mail] }]]);
      const saved = page.waitForEvent('download');
      await prompts.getByRole('button', { name: 'Export' }).click();
      expect((await saved).suggestedFilename()).toBe('Marginalia prompts.json');
    }));

  it('choose the key that sends, and tell the keys of the panel', () =>
    on('empty', async (page) => {
      await openSettings(page, 'Keyboard');
      const keyboard = page.getByRole('region', { name: 'Keyboard' });
      await keyboard.getByText('Shift+Enter').waitFor();
      await keyboard.getByLabel('Send with').selectOption('Ctrl+Enter');
      expect(await settingCalls(page)).toEqual([['update', { sendWith: 'mod-enter' }]]);
      expect(await keyboard.getByText('Shift+Enter').count()).toBe(0);
      await page.keyboard.press('Escape');
      await message(page).pressSequentially('one');
      await message(page).press('Enter');
      await message(page).pressSequentially('two');
      expect(await calls(page)).toEqual([]);
      await message(page).press('Control+Enter');
      expect(await calls(page)).toEqual([['send', 'one\ntwo']]);
    }));

  it('say of an empty message that it has to be written first, and lead to where', () =>
    on('empty', async (page) => {
      await button(page, 'More').click();
      await page.getByRole('menuitem', { name: 'What will be sent' }).click();
      await page.getByText('No message is written yet.').waitFor();
      await button(page, 'Write a message').click();
      await expect.poll(() => message(page).evaluate((field) => field === document.activeElement)).toBe(true);
    }));

  it('save the chat as a note in any notebook that may be read, first where writing is allowed; the word about it leads there', () =>
    on('finished', async (page) => {
      await button(page, 'More').click();
      await page.getByRole('menuitem', { name: 'Save as a note' }).click();
      // What could not be saved is not said to be, and what was typed stays.
      await page.getByLabel('Path').fill('/Refused');
      await button(page, 'Save').click();
      await expect.poll(() => page.getByLabel('Path').inputValue()).toBe('/Refused');
      await page.getByLabel('Path').fill('/Chats/Heat');
      await button(page, 'Save').click();
      await page.getByText('Saved as a note', { exact: true }).waitFor();
      expect(await calls(page)).toEqual([
        ['notes.save', 'nb-projects', '/Refused'],
        ['notes.save', 'nb-projects', '/Chats/Heat'],
      ]);
      await page.getByRole('status').getByRole('button', { name: 'Open' }).click();
      await expect.poll(() => hostCalls(page)).toContainEqual(['openBlock', '20260101000000-bbbbbbb']);
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await page.getByText('The save was undone.').waitFor();
      expect(await calls(page, 'notes.undoSave')).toHaveLength(1);
    }));
});
