// What a chat has of its own, from the page that sets it to what the server receives.
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const PROMPTS = [
  { id: 'own-1', name: 'Critic', prompt: 'You are a stern critic.', output: 'ask' },
  { id: 'own-2', name: 'About', prompt: 'Explain {{note}}.', output: 'ask' },
];

describe.skipIf(!chromiumPath)('a chat with settings of its own', () => {
  let app: TestApp;
  let panel: PanelDriver;
  const button = (name: string | RegExp): Locator => panel.region.getByRole('button', { name, exact: true });
  const page = (): Locator => panel.region.getByRole('group', { name: 'Chat settings' });
  const mark = (): Locator => button('This chat has settings of its own');

  beforeAll(async () => {
    app = await startApp({ settings: { systemPrompt: 'Be brief.', chatOption: { temperature: 0.4 }, prompts: PROMPTS } });
    app.model.list([{ id: 'scripted' }, { id: 'qwen3-32b', supported_parameters: ['tools', 'reasoning'] }]);
    app.model.otherwise({ text: 'As you like.' });
    await app.page.route(/^http:\/\/127\.0\.0\.1:(1234|11434)\//, (route) => route.abort());
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(() => app?.close());

  async function openSettings(): Promise<void> {
    await button('More').first().click();
    await panel.region.getByRole('menuitem', { name: 'Chat settings' }).click();
    await page().waitFor();
  }

  async function openChat(question: string): Promise<void> {
    await button('Chats').click();
    const chats = panel.region.getByRole('group', { name: 'Chats', exact: true });
    await chats.getByRole('button', { name: question }).first().click();
    await panel.region.getByRole('article').getByText(question).first().waitFor();
  }

  /** What the server receives for a question: model, the beginning of the prompt, and the options. */
  async function asked(question: string): Promise<Record<string, unknown>> {
    await panel.send(question);
    await panel.settled();
    const {
      model,
      messages,
      tools: _tools,
      stream: _stream,
      stream_options: _usage,
      tool_choice: _choice,
      ...options
    } = JSON.parse(app.model.bodies.at(-1) ?? '');
    const prompt = /Be brief\.|You are a stern critic\./.exec(messages[0].content)?.[0];
    const questions = messages.filter(({ role }: { role: string }) => role === 'user').length;
    return { model, prompt, questions, options };
  }

  const DEFAULTS = { model: 'scripted', prompt: 'Be brief.', options: { temperature: 0.4 } };
  const OWN = {
    model: 'qwen3-32b',
    prompt: 'You are a stern critic.',
    options: { temperature: 1.2, max_tokens: 500, reasoning_effort: 'high', top_p: 0.9 },
  };

  it('is asked with its model, prompt and options; another chat with those of the settings; after a reload too', async () => {
    expect(await asked('The plain chat')).toEqual({ ...DEFAULTS, questions: 1 });
    expect(await mark().count()).toBe(0);
    await panel.newChat();
    await button(/^Model: /).click();
    await panel.region
      .getByRole('option', { name: /qwen3-32b/ })
      .last()
      .click();
    await button(/^Model: qwen3-32b/).waitFor();
    await openSettings();
    // The prompt of the settings is what counts until another is taken; a prompt about a note is no instruction.
    const prompt = page().getByRole('textbox', { name: 'Custom instructions' });
    await expect.poll(() => prompt.getAttribute('placeholder')).toBe('Be brief.');
    expect(await button('About').count()).toBe(0);
    await button('Critic').click();
    await expect.poll(() => prompt.inputValue()).toBe('You are a stern critic.');
    await page().getByLabel('Temperature').fill('1.2');
    await page().getByLabel('Maximum answer length, in tokens').fill('500');
    await page().getByLabel('Reasoning effort').selectOption('high');
    const json = page().getByLabel('Other options, as JSON');
    await json.fill('{ "top_p": 0.9');
    await json.blur();
    await page().getByRole('alert').getByText('This is not valid JSON, so nothing was changed').waitFor();
    await json.fill('{ "top_p": 0.9 }');
    await json.blur();
    await expect.poll(() => page().getByRole('alert').innerText()).toBe('');
    await page().getByLabel('Earlier messages to send').fill('1');
    await button('Back').click();
    await mark().waitFor();
    expect(await asked('The chat of its own')).toEqual({ ...OWN, questions: 1 });

    await openChat('The plain chat');
    await button(/^Model: scripted/).waitFor();
    expect(await asked('Plain again')).toEqual({ ...DEFAULTS, questions: 2 });
    await app.reload();
    await panel.open();
    await openChat('The chat of its own');
    await mark().waitFor();
    // One earlier message goes along: the answer, not the question before it.
    expect(await asked('And again')).toEqual({ ...OWN, questions: 1 });
  });

  it('takes them along in its export', async () => {
    await button('Chats').click();
    const row = panel.region.getByRole('listitem').filter({ hasText: 'The chat of its own' });
    await row.getByRole('button', { name: 'More' }).click();
    const entry = panel.region.getByRole('menuitem', { name: 'Export as JSON' });
    const [file] = await Promise.all([app.page.waitForEvent('download'), entry.click()]);
    const text = await readFile(await file.path(), 'utf8');
    const { chats } = JSON.parse(text);
    const [own] = chats;
    expect(own).toMatchObject({ model: { model: 'qwen3-32b' }, systemPrompt: 'You are a stern critic.', options: OWN.options });
    expect(own.contextMessages).toBe(1);
    await button('Back').click();
  });

  it('goes back to the settings, and that can be undone', async () => {
    await openChat('The chat of its own');
    await mark().click();
    await button('Reset to defaults').click();
    await expect.poll(() => button('Reset to defaults').isDisabled()).toBe(true);
    await button('Undo').last().click();
    await expect.poll(() => button('Reset to defaults').isDisabled()).toBe(false);
    await button('Reset to defaults').click();
    await expect.poll(() => button('Reset to defaults').isDisabled()).toBe(true);
    await button('Back').click();
    expect(await mark().count()).toBe(0);
    expect(await asked('Plain now')).toMatchObject(DEFAULTS);
  });

  it('keeps a model whose provider is gone and says so; the model of the settings answers when it is chosen', async () => {
    await panel.newChat();
    await button('Settings').click();
    await panel.region.getByLabel('Add a provider…').selectOption('Other');
    const fields = panel.region.getByRole('group', { name: 'New provider' });
    await fields.getByLabel('Base URL').fill(app.model.baseURL);
    await fields.getByLabel('Name').fill('Second');
    await app.page.keyboard.press('Tab');
    await panel.region.getByRole('group', { name: 'Second' }).waitFor();
    await button('Back').click();
    await button(/^Model: /).click();
    await panel.region.getByRole('combobox', { name: 'Search models' }).fill('second qwen');
    await panel.region.getByRole('option', { name: /qwen3-32b/ }).click();
    await button('Model: qwen3-32b · Second').waitFor();
    expect(await asked('The second provider')).toMatchObject({ model: 'qwen3-32b' });
    await button('Settings').click();
    await panel.region.getByRole('group', { name: 'Second' }).locator('summary').click();
    await button('Remove Second').click();
    await app.page.locator('.b3-dialog--open').getByRole('button', { name: 'Remove', exact: true }).click();
    await button('Remove Second').waitFor({ state: 'detached' });
    await button('Back').click();
    await button('Model not available').waitFor();
    const before = app.model.requests.length;
    await panel.send('Who answers?');
    await panel.settled('error');
    await panel.region.getByRole('alert').getByText('The model of this chat is no longer available.').waitFor();
    expect(app.model.requests).toHaveLength(before);
    await button('Model not available').click();
    await button(/^Use the default: scripted/).click();
    await button('Model not available').waitFor({ state: 'detached' });
    expect(await asked('And now?')).toMatchObject({ model: 'scripted' });
  });
});
