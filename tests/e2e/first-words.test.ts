// The first minutes, on the built plugin: from no model at all to an answer, and questions made from the notes.
import { afterEach, describe, expect, it } from 'vitest';
import { type AppOptions, chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const NO_MODEL = { model: { source: 'custom', providerId: '', model: '' }, providers: {} };
const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

describe.skipIf(!chromiumPath)('without a model', () => {
  let app: TestApp | undefined;
  let panel: PanelDriver;
  const button = (name: string | RegExp) => panel.region.getByRole('button', { name });
  afterEach(() => app?.close());

  /** Servers at these addresses are the scripted one; no other runs. */
  async function open(servers: readonly string[], options: AppOptions = {}): Promise<TestApp> {
    const opened = await startApp({ settings: NO_MODEL, ...options });
    app = opened;
    const { page, model } = opened;
    for (const address of ['http://127.0.0.1:11434', 'http://127.0.0.1:1234', 'http://127.0.0.1:8080', 'https://api.openai.com']) {
      await page.route(`${address}/**`, async (route) => {
        if (!servers.includes(address)) return route.abort();
        if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 204, headers: CORS });
        const { pathname } = new URL(route.request().url());
        if (!pathname.startsWith('/v1')) return route.fulfill({ status: 404, headers: CORS });
        const response = await route.fetch({ url: `${model.baseURL}${pathname.replace(/^\/v1/, '')}` });
        return route.fulfill({ response, headers: { ...response.headers(), ...CORS } });
      });
    }
    await page.reload();
    panel = drive(page);
    await panel.open();
    return opened;
  }

  it.each([
    ['Ollama', 'http://127.0.0.1:11434'],
    ['llama.cpp', 'http://127.0.0.1:8080'],
  ])('a server on this computer is found, tested and used with one button: %s', async (name, address) => {
    const { model } = await open([address]);
    await panel.region.getByText('No model yet').waitFor();
    model.push({ text: '', calls: [{ name: 'report_ready', args: { ready: true } }] });
    await button('Test and use scripted').click();
    await button(`Model: scripted · ${name}`).waitFor();
    model.push({ text: 'Here I am.' });
    await panel.send('Are you there?');
    await panel.answer.getByText('Here I am.').waitFor();
  });

  it('a question without one leads to the same ways, over the composer', async () => {
    const { model } = await open(['https://api.openai.com']);
    await panel.region.getByText('No model yet').waitFor();
    await panel.send('What is in my notes?');
    await panel.answer.getByText('No model is set up.').waitFor();
    await button('Choose a model').click();
    const menu = panel.region.getByRole('dialog', { name: 'Model' });
    await menu.getByRole('radio', { name: /^With a key of your own/ }).waitFor();
    expect(await menu.getByText('No models match.').count()).toBe(0);
    await app?.page.keyboard.press('Escape');
    await expect.poll(() => menu.count()).toBe(0);
    await button('Choose a model').click();
    await menu.getByLabel('API key', { exact: true }).fill('sk-right');
    model.push({ text: '', calls: [{ name: 'report_ready', args: { ready: true } }] });
    await menu.getByRole('button', { name: 'Test and use' }).click();
    await button('Model: scripted · OpenAI').waitFor();
    await menu.waitFor({ state: 'detached' });
    model.push({ text: 'Worms.' });
    await button('Retry').click();
    await panel.answer.getByText('Worms.').waitFor();
  });

  it('a key is tested before it is used; an error is explained and can be corrected', async () => {
    const { model } = await open(['https://api.openai.com']);
    const ways = panel.region.getByRole('radiogroup', { name: 'Where the model comes from' });
    await ways.getByText('Ollama, LM Studio and llama.cpp are not running.').waitFor();
    await expect.poll(() => ways.getByRole('radio', { name: /^With a key of your own/ }).isChecked()).toBe(true);
    await expect.poll(() => button('Test and use').isDisabled()).toBe(true);
    const key = panel.region.getByLabel('API key', { exact: true });
    await key.fill('sk-wrong');
    model.push({ status: 401, body: '{"error":{"message":"Incorrect API key provided"}}' });
    await key.press('Enter');
    await panel.region.getByText('The provider does not accept the key. Check the key, then try again.').waitFor();
    await key.fill('sk-right');
    model.push({ text: '', calls: [{ name: 'report_ready', args: { ready: true } }] });
    await button('Test and use').click();
    await button('Model: scripted · OpenAI').waitFor();
    await button('Settings').click();
    await expect.poll(() => panel.region.getByRole('group', { name: 'OpenAI' }).count()).toBe(1);
  });
});

describe.skipIf(!chromiumPath)('with a model', () => {
  it('questions are about the open note and the notebooks, in the language of the interface', async () => {
    const app = await startApp({ language: 'zh-CN' });
    try {
      await app.page.goto(app.address({ note: '20260211100000-urbheat' }));
      await app.page.locator('.protyle-wysiwyg:visible [data-node-id]').first().waitFor();
      await app.page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
      const questions = app.page.locator('.mg-empty li');
      await questions.getByText('《Urban heat》的要点是什么？').waitFor();
      await expect.poll(() => questions.count()).toBe(3);
      const texts = await questions.allInnerTexts();
      for (const text of texts) expect(text).toMatch(/^(《|我的笔记|总结)/);
    } finally {
      await app.close();
    }
  });
});
