// Servers of other people's tools in the panel: set up in the settings, asked about in the chat.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { type EverythingServer, startEverything } from '../support/everything.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('servers of other people’s tools in the panel', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let everything: EverythingServer;
  const button = (name: string | RegExp) => panel.region.getByRole('button', { name, exact: true });
  const section = () => panel.region.getByRole('region', { name: 'Servers' });
  const server = (name: string) => section().getByRole('group', { name: `Server ${name}` });
  const inSection = (name: string) => section().getByRole('button', { name, exact: true });
  const settings = (): string => readFileSync(join(app.workspace, 'data/storage/petal/siyuan-marginalia/settings.json'), 'utf8');
  const offered = (): readonly string[] => (app.model.requests.at(-1)?.tools ?? []).map(({ function: { name } }) => name);
  const scripts = () => app.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));

  beforeAll(async () => {
    everything = await startEverything();
    app = await startApp();
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(async () => {
    await app?.close();
    await everything?.close();
  });

  it('are set up by hand: their tools are listed in the words of the server, and a key stays on the device', async () => {
    await panel.openSettings('Servers');
    expect((await scripts()).filter((name) => /\/mcp-servers-/.test(name))).toEqual([]);
    await inSection('Add a server').click();
    await section().getByLabel('Name', { exact: true }).fill('everything');
    await section().getByRole('textbox', { name: 'Address' }).fill(everything.url);
    await inSection('Add a header, such as a key').click();
    await section().getByLabel('Header').fill('Authorization');
    await section().getByLabel('Value').fill('Bearer very-secret');
    await inSection('Save').click();
    await server('everything')
      .getByText(/^\d+ tools$/)
      .waitFor();
    await server('everything').getByText('What it offers, in its own words').click();
    await server('everything').getByText('get-sum').first().waitFor();
    expect(settings()).not.toContain('very-secret');
    expect(settings()).toContain('MARGINALIA_MCP_EVERYTHING_AUTHORIZATION');
    await button('Back').click();
  });

  it('are called after a question that shows what is sent, and answer in the chat', async () => {
    app.model.push({ calls: [{ name: 'mcp_everything_get-sum', args: { a: 2, b: 40 } }] }, { text: 'It is forty-two.' });
    await panel.send('What is 2 and 40?');
    await panel.approval.getByText(/"b":\s*40/u).waitFor();
    expect(offered()).toContain('mcp_everything_get-sum');
    await button('Approve').click();
    await panel.answer.getByText('It is forty-two.').waitFor();
    await panel.settled();
    expect(app.model.requests.at(-1)?.messages.at(-1)?.content).toContain('42');
  });

  it('ask the person by a form while a tool of them is called, and get what was entered with a press alone', async () => {
    const form = panel.region.getByRole('group', { name: 'Form of the server “everything”' });
    app.model.push({ calls: [{ name: 'mcp_everything_trigger-elicitation-request', args: {} }] }, { text: 'They answered.' });
    await panel.send('Ask me.');
    await button('Approve').click();
    await form.getByText('The server “everything” asks you, in its own words:').waitFor();
    await form.getByText(new URL(everything.url).host).waitFor();
    await expect.poll(() => form.getByLabel('String with default').inputValue()).toBe('It was a dark and stormy night.');
    await form
      .getByRole('textbox', { name: /^String/ })
      .first()
      .fill('Anna');
    await form.getByLabel('Integer').fill('7');
    await form.getByRole('button', { name: 'Send' }).click();
    await panel.answer.getByText('They answered.').waitFor();
    await panel.settled();
    const said = String(app.model.requests.at(-1)?.messages.at(-1)?.content);
    expect(said).toContain('[The user filled in a form of the server: ');
    expect(said).toMatch(/Anna[\s\S]*"integer": 7/u);
    app.model.push({ calls: [{ name: 'mcp_everything_trigger-elicitation-request', args: {} }] }, { text: 'They did not.' });
    await panel.send('Ask me again.');
    await button('Approve').click();
    await form.getByRole('button', { name: 'Decline' }).click();
    await panel.answer.getByText('They did not.').waitFor();
    await panel.settled();
    expect(String(app.model.requests.at(-1)?.messages.at(-1)?.content)).toContain('the user declined to answer');
  });

  it('hold nobody up when they are gone, say so, and are asked again before the next question', async () => {
    const port = Number(new URL(everything.url).port);
    await everything.close();
    app.model.push({ calls: [{ name: 'mcp_everything_get-sum', args: { a: 1, b: 1 } }] }, { text: 'It does not answer.' });
    await panel.send('And 1 and 1?');
    await button('Approve').click();
    await panel.answer.getByText('It does not answer.').waitFor();
    await panel.settled();
    await app.reload();
    await panel.open();
    await panel.openSettings('Servers');
    await server('everything').getByText('The server cannot be reached.').waitFor();
    await button('Back').click();
    app.model.push({ text: 'Hello.' }, { text: 'Hello again.' });
    await panel.send('Are you there?');
    await panel.settled();
    expect(offered().filter((name) => name.startsWith('mcp_'))).toEqual([]);
    everything = await startEverything(port);
    await panel.openSettings('Servers');
    await server('everything').getByRole('button', { name: 'Retry' }).click();
    await server('everything')
      .getByText(/^\d+ tools$/)
      .waitFor();
    await button('Back').click();
    await panel.send('And now?');
    await panel.settled();
    expect(offered()).toContain('mcp_everything_echo');
  });

  it('are taken from what another program has, and what cannot be used is said', async () => {
    await panel.openSettings('Servers');
    await inSection('Paste settings').click();
    const pasted = {
      mcpServers: {
        'My other server': { type: 'http', url: everything.url },
        files: { command: 'npx', args: ['-y', 'some-files'], env: { KEY: 'hidden-key' } },
        older: { type: 'sse', url: 'http://localhost:1/sse' },
        everything: { url: 'http://localhost:1/mcp' },
      },
    };
    await section().getByRole('textbox').fill(JSON.stringify(pasted));
    await inSection('Save').click();
    await section()
      .getByText(/older form of the protocol/)
      .waitFor();
    await section()
      .getByText(/a server of this name already/)
      .waitFor();
    await inSection('Cancel').click();
    await server('My-other-server')
      .getByText(/^\d+ tools$/)
      .waitFor();
    await server('files').getByText('runs only in the desktop app').waitFor();
    expect(settings()).not.toContain('hidden-key');
    await server('My-other-server')
      .getByRole('switch', { name: 'Use My-other-server' })
      .or(server('My-other-server').getByRole('checkbox'))
      .uncheck();
    await server('My-other-server').getByText('off', { exact: true }).waitFor();
    await server('My-other-server')
      .getByRole('button', { name: /^Remove/ })
      .click();
    await server('My-other-server').waitFor({ state: 'detached' });
  });
});
