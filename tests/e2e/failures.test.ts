// Whatever goes wrong, the panel says what happened and what to do, the question stays, nothing is written, and the next
// message works.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, notebookFiles, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { lastToolText } from '../support/scripts.ts';

describe.skipIf(!chromiumPath)('failures', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let files: Record<string, string>;

  beforeAll(async () => {
    // A model without native calls is a failure only where these are demanded.
    app = await startApp({ settings: { toolProtocol: 'native' } });
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(() => app?.close());

  beforeEach(async () => {
    await panel.newChat();
    files = notebookFiles(app.workspace);
  });

  const question = 'What do my notes say about soil?';

  /** The failure is said in words with a next step; the question stands; the next message is answered. */
  async function saysAndGoesOn(words: RegExp, helping: string): Promise<void> {
    await panel.settled('error');
    await expect.poll(() => panel.region.getByRole('alert').last().innerText()).toMatch(words);
    await expect.poll(() => panel.region.getByRole('alert').last().getByRole('button').first().innerText()).toBe(helping);
    await expect.poll(() => panel.region.locator('article[data-role="user"]').last().innerText()).toContain(question);
    app.model.push({ text: 'All is well again.' });
    await panel.send('And now?');
    await panel.answer.getByText('All is well again.').waitFor();
    await panel.settled();
    expect(notebookFiles(app.workspace)).toEqual(files);
  }

  it('a wrong key', async () => {
    app.model.push({
      status: 401,
      body: '{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}',
    });
    await panel.send(question);
    await saysAndGoesOn(/does not accept the key/, 'Check the key');
  });

  it('a model that is asked too often', async () => {
    app.model.push({ status: 429, body: '{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}' });
    await panel.send(question);
    await saysAndGoesOn(/too (often|many)|wait/i, 'Retry');
  });

  it('a model that the provider does not have, one that takes too little or no tools, an account without credit, and a provider that fails', async () => {
    app.model.push({ status: 404, body: '{"error":{"message":"The model `scripted` does not exist","code":"model_not_found"}}' });
    await panel.send(question);
    await saysAndGoesOn(/no model named “scripted”/, 'Choose a model');
    await panel.newChat();
    const limit = '{"error":{"message":"This model\'s maximum context length is 2048 tokens","code":"context_length_exceeded"}}';
    app.model.push({ status: 400, body: limit });
    await panel.send(question);
    await saysAndGoesOn(/This question is more than “scripted” can read at once/, 'Choose a model');
    app.model.push({ status: 400, body: '{"error":{"message":"nope"}}' });
    await panel.send(question);
    await saysAndGoesOn(/did not accept the request/, 'Check the model');
    app.model.push({ status: 400, body: '{"error":{"message":"scripted does not support tools"}}' });
    await panel.send(question);
    await saysAndGoesOn(/cannot call tools/, 'Choose a model');
    app.model.push({ status: 429, body: '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}' });
    await panel.send(question);
    await saysAndGoesOn(/no credit left/, 'Choose a model');
    app.model.push({ status: 500, body: '{"error":{"message":"out of order"}}' });
    await panel.send(question);
    await saysAndGoesOn(/The provider reported a server error/, 'Retry');
  });

  it('a model that answers rubbish', async () => {
    app.model.push({ raw: '<html>welcome to the hotel wifi</html>', contentType: 'text/html' });
    await panel.send(question);
    await saysAndGoesOn(/answer|address/i, 'Retry');
  });

  it('an answer that breaks off keeps what arrived', async () => {
    const cut = Promise.withResolvers<void>();
    app.model.push({ cutAfter: 'The soil in your notes is ', hold: cut.promise });
    await panel.send(question);
    await panel.answer.getByText('The soil in your notes is').waitFor();
    cut.resolve();
    await panel.settled('error');
    await expect.poll(() => panel.answer.innerText()).toContain('The soil in your notes is');
    app.model.push({ text: 'Whole this time.' });
    await panel.region.getByRole('button', { name: 'Retry' }).last().click();
    await panel.answer.getByText('Whole this time.').waitFor();
  });

  it('tool arguments that are no JSON are told to the model, which goes on', async () => {
    app.model.push({ calls: [{ name: 'search_notes', args: 'soil please!' }] }, { text: 'I could not search.' });
    await panel.send(question);
    await panel.settled();
    await expect.poll(() => panel.tool('search_notes').last().getAttribute('data-status')).toBe('error');
    expect(lastToolText(app.model.requests.at(-1)!)).toMatch(/^\w+: .+ → .+/);
    expect(notebookFiles(app.workspace)).toEqual(files);
  });

  it('a tool that does not exist is told to the model with near names', async () => {
    app.model.push({ calls: [{ name: 'serach_notes', args: { query: 'soil' } }] }, { text: 'No such tool.' });
    await panel.send(question);
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toContain('search_notes');
  });

  it('a closed notebook is named, and nothing is written', async () => {
    const life = await app.notebook('Life');
    await app.kernel('/api/notebook/closeNotebook', { notebook: life });
    app.model.push(
      { calls: [{ name: 'create_doc', args: { notebook: life, path: '/Soil', markdown: 'x' } }] },
      { text: 'Life is closed.' },
    );
    await panel.send(question);
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toMatch(/closed_notebook: .*→/);
    await app.kernel('/api/notebook/openNotebook', { notebook: life });
    expect(Object.keys(notebookFiles(app.workspace)).some((path) => /Soil/.test(path))).toBe(false);
  });

  it('a kernel that is gone in the middle of a turn', async () => {
    app.model.push(
      { calls: [{ name: 'search_notes', args: { query: 'soil', mode: 'keyword' } }] },
      { text: 'SiYuan could not be reached.' },
    );
    await app.cut('/api/search/fullTextSearchBlock');
    await panel.send(question);
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toMatch(/kernel_unreachable: .*→/);
    await app.cut();
    app.model.push({ text: 'I can still talk.' });
    await panel.send('And with SiYuan gone?');
    await panel.answer.getByText('I can still talk.').waitFor();
    await app.mend();
    app.model.push({ text: 'Back again.' });
    await panel.send('And now?');
    await panel.answer.getByText('Back again.').waitFor();
    await panel.settled();
    await app.reload();
    await panel.open();
    await panel.region.getByText('I can still talk.').waitFor();
    expect(notebookFiles(app.workspace)).toEqual(files);
  });

  it('a change that SiYuan did not take is said on the message, whatever the model says of it', async () => {
    app.model.push(
      { calls: [{ name: 'daily_note', args: { op: 'append', notebook: 'Life', markdown: 'Soil is alive.' } }] },
      { text: 'It is added.' },
    );
    await panel.send(question);
    const approve = panel.approval.getByRole('button', { name: 'Approve', exact: true });
    await approve.waitFor();
    await app.cut();
    await approve.click();
    await panel.settled();
    await panel.answer.getByText('It is added.').waitFor();
    await panel.answer.getByText('1 change was not written. SiYuan cannot be reached.').waitFor();
    await app.mend();
    await app.reload();
    await panel.open();
    await panel.answer.getByText('1 change was not written. SiYuan cannot be reached.').waitFor();
    expect(notebookFiles(app.workspace)).toEqual(files);
  });

  it('no network', async () => {
    await app.model.close();
    await panel.send(question);
    await panel.settled('error');
    await expect.poll(() => panel.region.getByRole('alert').last().innerText()).toMatch(/reach|network|address/i);
    await expect.poll(() => panel.message.isEditable()).toBe(true);
  });
});
