// Programs of this computer in SiYuan's desktop app, of which this page takes itself for one: real clients at a real port.
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { DESKTOP_PAGE, servePrograms } from '../support/desktop-page.ts';
import { freePort } from '../support/free-port.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const BRIDGE = join(import.meta.dirname, '..', '..', 'dist', 'mcp-bridge.cjs');

interface Configured {
  readonly mcpServers: {
    readonly marginalia: {
      readonly url?: string;
      readonly headers?: Record<string, string>;
      readonly args?: readonly string[];
      readonly env?: Record<string, string>;
      readonly command?: string;
    };
  };
}

describe.skipIf(!chromiumPath)('programs of this computer, in the desktop app', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let stopServing = (): void => undefined;
  let port = 0;
  const clients: Client[] = [];
  const page = () => panel.region.getByRole('group', { name: 'Other programs', exact: true });
  const letIn = () => page().getByRole('region', { name: 'Let other programs in' });
  const configuration = async (): Promise<string> => (await letIn().locator('pre').textContent()) ?? '';

  beforeAll(async () => {
    app = await startApp({ init: DESKTOP_PAGE });
    stopServing = await servePrograms(app.page);
    port = await freePort();
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    stopServing();
    await app?.close();
  });

  async function connect(text: string): Promise<Client> {
    const { url = '', headers = {} } = (JSON.parse(text) as Configured).mcpServers.marginalia;
    const client = new Client({ name: 'cursor', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    clients.push(client);
    return client;
  }
  const textOf = (result: { readonly content?: unknown }): string => JSON.stringify(result.content);

  it('come in with one switch and what is copied from the page, and the page says that they called', async () => {
    await panel.openSettings('Other programs');
    await panel.region.getByRole('region', { name: 'Other programs' }).getByRole('button', { name: 'Open' }).click();
    await letIn().getByRole('checkbox', { name: 'Let other programs in' }).check();
    await letIn().getByLabel('Port', { exact: true }).fill(String(port));
    await letIn().getByLabel('Port', { exact: true }).press('Enter');
    await letIn().getByRole('button', { name: 'Cursor', exact: true }).click();
    await letIn().getByText('Put this into ~/.cursor/mcp.json').waitFor();
    await letIn().getByText('has not called yet').waitFor();
    const client = await connect(await configuration());
    expect(textOf(await client.callTool({ name: 'search_notes', arguments: { query: 'margin' } }))).toContain('siyuan://blocks/');
    await letIn()
      .getByText(/called at/)
      .waitFor();
  });

  it('change nothing before the person has seen it, and are in the records by name', async () => {
    const [client] = clients as [Client];
    const change = client.callTool({
      name: 'daily_note',
      arguments: { op: 'append', notebook: 'Life', markdown: 'Quaxolotl from outside.' },
    });
    await page().getByRole('region', { name: 'Cursor' }).getByRole('button', { name: 'Approve', exact: true }).click();
    expect(textOf(await change)).not.toContain('pending');
    const found = await app.kernel<{ blocks: unknown[] }>('/api/search/fullTextSearchBlock', { query: 'Quaxolotl', method: 0 });
    expect(found.blocks).toHaveLength(1);
  });

  it('only read where they may not propose', async () => {
    await letIn().getByRole('checkbox', { name: 'May propose changes' }).uncheck();
    const client = await connect(await configuration());
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('search_notes');
    expect(names).not.toContain('edit_block');
  });

  it('that start a command get one that needs nothing installed', async () => {
    await letIn().getByRole('button', { name: 'Claude Desktop', exact: true }).click();
    await letIn()
      .getByText(/claude_desktop_config\.json/)
      .waitFor();
    const { command, args = [], env = {} } = (JSON.parse(await configuration()) as Configured).mcpServers.marginalia;
    expect([command, args[0]]).toEqual(['/opt/siyuan/siyuan', expect.stringMatching(/data\/plugins\/siyuan-marginalia\/mcp-bridge\.cjs$/)]);
    expect(env.ELECTRON_RUN_AS_NODE).toBe('1');
    const client = new Client({ name: 'claude-desktop', version: '1' });
    clients.push(client);
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [BRIDGE], env }));
    expect(textOf(await client.callTool({ name: 'search_notes', arguments: { query: 'margin' } }))).toContain('siyuan://blocks/');
  });

  it('are shut out at once when they are removed, or the switch is off', async () => {
    const [client] = clients as [Client];
    await letIn().getByRole('button', { name: 'Remove Cursor' }).click();
    await app.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await letIn().getByText('Cursor', { exact: true }).first().waitFor();
    await expect(client.callTool({ name: 'search_notes', arguments: { query: 'margin' } })).rejects.toThrow();
    const refused = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers: { Authorization: 'Bearer nobody' } });
    expect(refused.status).toBe(401);
    await letIn().getByRole('checkbox', { name: 'Let other programs in' }).uncheck();
    await expect.poll(() => fetch(`http://127.0.0.1:${port}/mcp`).then(String, () => 'closed')).toBe('closed');
  });
});
