// The person's side of the service's MCP server: what Claude Desktop and others want to change stands in the panel.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver, setDock } from '../support/panel.ts';
import { startServiceBeside } from '../support/service-beside.ts';

const TOKEN = 'the-token-of-the-service';

describe.skipIf(!chromiumPath)('programs that use the notes, in the panel', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let folder = '';
  let service: Awaited<ReturnType<typeof startServiceBeside>>;
  let token = '';
  let client: Client;
  const page = () => panel.region.getByRole('group', { name: 'Other programs', exact: true });
  const button = (name: string | RegExp) => panel.region.getByRole('button', { name, exact: true });
  const call = (name: string, args: object) => client.callTool({ name, arguments: { ...args } });
  const textOf = (result: Awaited<ReturnType<typeof call>>): string => JSON.stringify(result.content);

  beforeAll(async () => {
    app = await startApp();
    folder = mkdtempSync(join(tmpdir(), 'marginalia-service-'));
    service = await startServiceBeside(app, { data: folder, token: TOKEN });
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(async () => {
    await client?.close();
    await service.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('come in with a token that is made here, and shown once', async () => {
    await panel.openSettings('Other programs');
    await panel.region.getByRole('region', { name: 'Other programs' }).getByRole('button', { name: 'Open' }).click();
    await page().getByLabel('Address of the service').fill(service.url);
    await page().getByLabel('Token of the service').fill('another-token');
    await page().getByRole('button', { name: 'Connect', exact: true }).click();
    await panel.region.getByRole('alert').getByText('The service did not accept the token.').waitFor();
    await page().getByLabel('Token of the service').fill(TOKEN);
    await page().getByRole('button', { name: 'Connect', exact: true }).click();
    await page().getByText('No program has a token of its own yet.').waitFor();
    await panel.region.getByText('The service did not accept the token.').waitFor({ state: 'detached' });
    await page().getByRole('button', { name: 'Add a program' }).click();
    await page().getByLabel('Name', { exact: true }).fill('Claude Desktop');
    const writes = page().getByRole('checkbox', { name: 'May propose changes' });
    await expect.poll(() => writes.isChecked()).toBe(false);
    for (const width of [300, 380]) {
      await setDock(app.page, width);
      const box = await writes.boundingBox();
      expect([box!.width, box!.height].map(Math.round)).toEqual([26, 16]);
    }
    await writes.check();
    await page().getByRole('button', { name: 'Save', exact: true }).click();
    token = await page().locator('code').innerText();
    expect(token).toMatch(/^mcp_[0-9a-f]{48}$/);
    await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page().getByRole('button', { name: 'Copy', exact: true }).click();
    await panel.region.getByText('Copied', { exact: true }).waitFor();
    await expect.poll(() => app.page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    await page().getByText('may propose changes', { exact: true }).waitFor();
    const settings = readFileSync(join(app.workspace, 'data/storage/petal/siyuan-marginalia/settings.json'), 'utf8');
    expect(settings).not.toContain(TOKEN);
    client = new Client({ name: 'claude', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    // To the settings, from which the page was opened, and to the chat.
    await button('Back').click();
    await button('Back').click();
  });

  it('wait for the person in the panel: what they want to change is shown, and approved in part', async () => {
    const change = call('daily_note', { op: 'append', notebook: 'Life', markdown: 'From Claude.\n\nZanzibar.' });
    await panel.region.getByText('Claude Desktop wants to change 2 blocks.').waitFor();
    await panel.region.getByRole('button', { name: 'Show', exact: true }).click();
    const approval = page().getByRole('group', { name: 'Approval' });
    await approval.getByText('Zanzibar.').first().waitFor();
    await approval.getByRole('checkbox').last().uncheck();
    await approval.getByRole('button', { name: 'Approve 2 of 3' }).click();
    expect(textOf(await change)).not.toContain('pending');
    await page().getByText('Nothing is pending.').waitFor();
    const { blocks } = await app.kernel<{ blocks: { content: string }[] }>('/api/search/fullTextSearchBlock', {
      query: 'Claude',
      method: 0,
    });
    expect(blocks.some(({ content }) => content.includes('From'))).toBe(true);
    const none = await app.kernel<{ blocks: object[] }>('/api/search/fullTextSearchBlock', { query: 'Zanzibar', method: 0 });
    expect(none.blocks).toEqual([]);
  });

  it('are told when the person rejects', async () => {
    const change = call('daily_note', { op: 'append', notebook: 'Life', markdown: 'Never.' });
    const approval = page().getByRole('group', { name: 'Approval' });
    await approval.getByRole('button', { name: 'Reject…' }).click();
    await approval.getByRole('textbox').fill('not in my diary');
    await approval.getByRole('button', { name: 'Reject', exact: true }).click();
    expect(textOf(await change)).toContain('not in my diary');
    await page().getByText('Nothing is pending.').waitFor();
  });

  it('are shut out when their token is taken away, with what they had pending', async () => {
    // Nobody answers it any more.
    void call('daily_note', { op: 'append', notebook: 'Life', markdown: 'Too late.' }).catch(() => undefined);
    await page().getByRole('group', { name: 'Approval' }).waitFor();
    await page().getByRole('button', { name: 'Remove Claude Desktop' }).click();
    await app.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page().getByText('No program has a token of its own yet.').waitFor();
    await page().getByText('Nothing is pending.').waitFor();
    await expect(client.listTools()).rejects.toThrow();
  });
});
