// The models that there are, from the list to the request: what a person chooses is what the server is asked for.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const LISTED = [
  { id: 'scripted' },
  { id: 'qwen3-32b', context_length: 131_072, supported_parameters: ['tools', 'reasoning'] },
  { id: 'llava-13b', architecture: { input_modalities: ['text', 'image'] } },
  { id: 'text-embedding-3-small' },
  ...Array.from({ length: 350 }, (_, index) => ({ id: `zz-${index}` })),
];

describe.skipIf(!chromiumPath)('models', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let list: Locator;
  const button = (name: string | RegExp) => panel.region.getByRole('button', { name, exact: true });
  const search = () => panel.region.getByRole('combobox', { name: 'Search models' });
  const option = (name: string | RegExp) => list.getByRole('option', { name });

  beforeAll(async () => {
    app = await startApp({ settings: { retries: 2 } });
    app.model.list(LISTED);
    // Nothing else runs on this machine; Ollama does, as far as the page knows.
    await app.page.route('http://127.0.0.1:1234/**', (route) => route.abort());
    await app.page.route('http://127.0.0.1:11434/**', (route) =>
      route.fulfill({ json: { data: [{ id: 'gemma3:4b' }] }, headers: { 'access-control-allow-origin': '*' } }),
    );
    panel = drive(app.page);
    list = panel.region.getByRole('listbox', { name: 'Models' });
    await panel.open();
  });
  afterAll(() => app?.close());
  beforeEach(async () => {
    await panel.newChat();
    app.model.clear();
  });

  async function openList(): Promise<void> {
    await button(/^Model: /).click();
    await search().waitFor();
    await option(/qwen3-32b/)
      .first()
      .waitFor();
  }

  it('are listed with what they can do, found by a word, chosen by the keyboard, and asked at once', async () => {
    await openList();
    await expect.poll(() => option(/qwen3-32b/).innerText()).toMatch(/calls tools[\s\S]*thinks first[\s\S]*131K/);
    await expect.poll(() => option(/llava-13b/).innerText()).toContain('reads images');
    expect(await option(/embedding/).count()).toBe(0);
    await list.getByText('53 more. Type to narrow the list.').waitFor();
    await search().fill('QWEN 32');
    await expect.poll(() => option('').count()).toBe(1);
    await search().press('Enter');
    await button(/^Model: qwen3-32b · /).waitFor();
    await search().waitFor({ state: 'detached' });
    app.model.push({ text: 'From the other model.' });
    await panel.send('Who are you?');
    await panel.settled();
    expect(app.model.requests.at(-1)?.model).toBe('qwen3-32b');
    await openList();
    await expect
      .poll(() => list.getByRole('group', { name: 'Recent' }).getByRole('option').allInnerTexts())
      .toEqual([expect.stringContaining('qwen3-32b')]);
    await expect
      .poll(() =>
        option(/qwen3-32b/)
          .first()
          .getAttribute('aria-selected'),
      )
      .toBe('true');
    await search().press('Escape');
    await search().waitFor({ state: 'detached' });
  });

  it('that no list has can be typed', async () => {
    await openList();
    await search().fill('my-own-model');
    await option('Use “my-own-model”').click();
    app.model.push({ text: 'Here.' });
    await panel.send('And you?');
    await panel.settled();
    expect(app.model.requests.at(-1)?.model).toBe('my-own-model');
  });

  it('are listed anew once a refused key is corrected; a provider is removed after a question; a reset moves no control', async () => {
    const { page } = app;
    await panel.openSettings('How models are used');
    await panel.region.getByLabel('Add a provider…').selectOption('other');
    const provider = panel.region.getByRole('group', { name: 'New provider' }).last();
    let key = '';
    await page.route('http://127.0.0.1:9/v1/models', (route) => {
      key = route.request().headers().authorization ?? '';
      const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
      return key === 'Bearer right'
        ? route.fulfill({ json: { data: [{ id: 'late-model' }] }, headers })
        : route.fulfill({ status: 401, headers });
    });
    await provider.getByLabel('Base URL').fill('http://127.0.0.1:9/v1');
    await provider.getByLabel('Base URL').blur();
    const own = panel.region.getByRole('group', { name: '127.0.0.1:9' });
    await own.getByLabel('API key').fill('wrong');
    await own.getByLabel('API key').blur();
    await expect.poll(() => key).toBe('Bearer wrong');
    await own.getByLabel('API key').fill('right');
    await own.getByLabel('API key').blur();
    const titles = panel.region.getByRole('checkbox', { name: 'Let the model name chats' });
    const before = await titles.boundingBox();
    await titles.check();
    // It has its default now, and the button for that is gone.
    await button('Reset “Let the model name chats”').waitFor({ state: 'detached' });
    await expect.poll(async () => (await titles.boundingBox())?.x).toBe(before?.x);
    await panel.region.locator('option', { hasText: 'late-model' }).first().waitFor({ state: 'attached' });
    await own.getByRole('button', { name: 'Remove 127.0.0.1:9' }).click();
    const question = page.locator('.b3-dialog--open');
    await question.getByRole('button', { name: 'Remove', exact: true }).waitFor();
    await expect.poll(() => own.isVisible()).toBe(true);
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
    await own.waitFor({ state: 'detached' });
    await titles.uncheck();
    await button('Back').click();
  });

  it('that run on this machine are found, and one that is chosen is kept with its server', async () => {
    await openList();
    const ollama = list.getByRole('group', { name: 'Ollama' });
    await ollama.getByText('on this computer').waitFor();
    await ollama.getByRole('option', { name: /gemma3:4b/ }).click();
    await button('Model: gemma3:4b · Ollama').waitFor();
    await button('Settings').click();
    const fields = panel.region.getByRole('group', { name: 'Ollama' });
    await expect.poll(() => fields.getByLabel('Base URL').inputValue()).toBe('http://127.0.0.1:11434/v1');
    await fields.locator('summary').click();
    await fields.getByRole('button', { name: 'Remove Ollama' }).click();
    await app.page.locator('.b3-dialog--open').getByRole('button', { name: 'Remove', exact: true }).click();
    await fields.waitFor({ state: 'detached' });
    await button('Back').click();
    // The chat's own is gone, and no other gets the chat.
    await button('Model not available').waitFor();
    await button('Model: No model').waitFor();
  });

  it('are tested: what works is said, and what does not', async () => {
    await button('Settings').click();
    const test = button('Test connection');
    const said = panel.region.getByRole('region', { name: 'Model' }).getByRole('status').first();
    app.model.push({ text: '', calls: [{ name: 'report_ready', args: { ready: true } }] });
    await test.click();
    await expect
      .poll(() => said.innerText())
      .toMatch(/Address\s*works\s*Key\s*works\s*Model\s*works\s*Streaming\s*works\s*Tools\s*works[\s\S]*It called a tool natively\./);
    expect(app.model.requests.at(-1)?.tools?.map((tool) => tool.function.name)).toEqual(['report_ready']);
    app.model.push({ text: 'I am ready to help' });
    await test.click();
    await expect
      .poll(() => said.innerText())
      .toMatch(/Tools\s*unknown[\s\S]*It answers, but called no tool\. If that happens in chats too/);
    app.model.push({ status: 400, body: '{"error":{"message":"scripted does not support tools"}}' }, { text: 'I am ready to help' });
    await test.click();
    await expect
      .poll(() => said.innerText())
      .toMatch(
        /Tools\s*does not work[\s\S]*Its server refused tools\. In chats, this model calls tools in text\.\s*scripted does not support tools/,
      );
    app.model.push({ status: 401, body: '{"error":{"message":"Incorrect API key provided: test-key"}}' });
    await test.click();
    await expect
      .poll(() => said.innerText())
      .toMatch(/Address\s*works\s*Key\s*does not work\s*Model\s*unknown[\s\S]*does not accept the key/);
    expect(await said.innerText()).not.toContain('test-key');
    await button('Back').click();
  });

  it('whose provider is busy are asked again when it says, with the wait in sight, and Stop ends it', async () => {
    const busy = { status: 429, body: '{"error":{"message":"Slow down"}}', headers: { 'retry-after': '3' } };
    app.model.push(busy, { text: 'Now I can.' });
    // It is in sight for the three seconds only.
    const waiting = panel.answer.getByText(/asks you to wait\. Retrying in [123] s\./).waitFor();
    await panel.send('Are you there?');
    await waiting;
    await panel.answer.getByText('Now I can.').waitFor();
    await panel.settled();
    app.model.push({ ...busy, headers: { 'retry-after': '50' } });
    await panel.send('And now?');
    await panel.answer.getByText(/Retrying in \d\d s\./).waitFor();
    const asked = app.model.requests.length;
    await button('Stop').click();
    await panel.settled('stopped');
    expect(app.model.requests.length).toBe(asked);
  });

  it('elsewhere are not asked while only local ones are, until their provider is allowed', async () => {
    await button('Settings').click();
    await panel.region.getByLabel('Add a provider…').selectOption('Other');
    const fields = panel.region.getByRole('group', { name: 'New provider' });
    await fields.getByLabel('Base URL').fill('https://models.example/v1');
    await fields.getByLabel('Name').fill('Far away');
    await app.page.keyboard.press('Tab');
    await panel.region.getByRole('checkbox', { name: 'Local only' }).check();
    await button('Change').click();
    await search().fill('far-model');
    await option('Use “far-model”').last().click();
    await button('Back').click();
    await button('Model: far-model · Far away').waitFor();
    const far: string[] = [];
    await app.page.route('https://models.example/**', (route) => {
      far.push(route.request().method());
      return route.abort();
    });
    // SiYuan cannot reach it either.
    await app.page.route('**/api/network/forwardProxy', (route) => route.abort());
    await panel.send('Is anybody there?');
    await panel.settled('error');
    await panel.region.getByText('“Local only” is on').last().waitFor();
    expect(far).toEqual([]);
    await button('Allow this provider').click();
    await expect.poll(() => far.length).toBeGreaterThan(0);
  });
});
