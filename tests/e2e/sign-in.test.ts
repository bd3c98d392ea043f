// A server of tools that wants a login, in the panel: every press, from the settings to the answer in a chat.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { type LoginServer, startLoginServer } from '../support/login-server.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('a login at a server of other people’s tools', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let server: LoginServer;
  const button = (name: string | RegExp) => panel.region.getByRole('button', { name, exact: true });
  const section = () => panel.region.getByRole('region', { name: 'Servers' });
  const row = () => section().getByRole('group', { name: 'Server work' });
  const inRow = (name: string) => row().getByRole('button', { name, exact: true });
  /** Everything that is synced. */
  const synced = (): string =>
    readdirSync(join(app.workspace, 'data/storage'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');

  /** Presses until the browser has come back: the address at which it ended. */
  async function throughBrowser(): Promise<string> {
    const opened = app.page.waitForEvent('popup');
    await inRow('Sign in to work').click();
    const address = await row().getByRole('link', { name: 'Open the login' }).getAttribute('href');
    await (await opened).close();
    return server.browser(address ?? '');
  }

  beforeAll(async () => {
    server = await startLoginServer();
    app = await startApp();
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(async () => {
    await app?.close();
    await server?.close();
  });

  it('is offered where the server answers nobody else, opens in the browser, and is ended by what the browser came back with', async () => {
    await panel.openSettings('Servers');
    await section().getByRole('button', { name: 'Add a server', exact: true }).click();
    await section().getByLabel('Name', { exact: true }).fill('work');
    await section().getByRole('textbox', { name: 'Address' }).fill(server.url);
    await section().getByRole('button', { name: 'Save', exact: true }).click();
    await row().getByText('not signed in', { exact: true }).waitFor();
    expect(server.paths().filter((path) => path !== '/mcp')).toEqual([]);
    const ended = await throughBrowser();
    await row().getByLabel('Address at which the browser ended').fill('http://127.0.0.1:33917/signed-in?code=x&state=y');
    await inRow('Finish').click();
    await row()
      .getByText(/of another login/)
      .waitFor();
    await row().getByLabel('Address at which the browser ended').fill(ended);
    await inRow('Finish').click();
    await row().getByText('1 tool', { exact: true }).waitFor();
    await row()
      .getByText(`Signed in at ${new URL(server.login).host}.`)
      .waitFor();
    expect(synced()).not.toMatch(/access-|refresh-|client-[0-9a-f]/);
    await button('Back').click();
  });

  it('is renewed without anybody, and neither it nor its token is in what the model gets', async () => {
    server.expire();
    server.paths();
    app.model.push({ calls: [{ name: 'mcp_work_secret_word', args: {} }] }, { text: 'It is swordfish.' });
    await panel.send('What is the word?');
    await button('Approve').click();
    await panel.answer.getByText('It is swordfish.').waitFor();
    await panel.settled();
    expect(server.paths().filter((path) => path === '/token')).toHaveLength(1);
    expect(JSON.stringify(app.model.requests)).toContain('swordfish');
    expect(JSON.stringify(app.model.requests)).not.toMatch(/access-|refresh-|not signed in/);
    expect(synced()).not.toMatch(/access-|refresh-/);
  });

  it('outlasts a reload, and is over with a press: the tokens are revoked, and the tools are gone', async () => {
    await app.reload();
    await panel.open();
    await panel.openSettings('Servers');
    await row().getByText('1 tool', { exact: true }).waitFor();
    await inRow('Sign out').click();
    await row().getByText('not signed in', { exact: true }).waitFor();
    await expect.poll(() => server.living()).toBe(0);
    await expect.poll(() => row().getByText('1 tool', { exact: true }).count()).toBe(0);
  });

  it('that is refused in the browser, or takes only clients made by hand, says so and what to do', async () => {
    // The client that was registered before was forgotten with the login.
    server.change({ denies: true, registers: false });
    await inRow('Sign in to work').click();
    await row()
      .getByText(/registers no programs/)
      .waitFor();
    await row().getByLabel('Client ID', { exact: true }).fill('by-hand');
    server.allow('by-hand');
    const refused = await throughBrowser();
    await row().getByLabel('Address at which the browser ended').fill(refused);
    await inRow('Finish').click();
    await row()
      .getByText(/was refused in the browser/)
      .waitFor();
    server.change({ denies: false });
    const ended = await throughBrowser();
    await row().getByLabel('Address at which the browser ended').fill(ended);
    await inRow('Finish').click();
    await row().getByText('1 tool', { exact: true }).waitFor();
  });
});
