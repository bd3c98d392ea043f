// The tools for databases are offered where the notes have one: to a chat, and to each program as far as it may read.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseIn } from '../support/databases.ts';
import { toolsIn } from '../support/model-server.ts';
import { allEvents, type ServiceBench, startServiceBench, TOKEN } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench({ mcpWaitMs: 0 });
});
afterAll(() => bench.close());

async function offeredToChat(): Promise<readonly string[]> {
  bench.model.push({ text: 'Well.' });
  await allEvents(await bench.send({ message: 'What is due?' }));
  return toolsIn(bench.model.requests.at(-1));
}

async function offeredTo(token: string): Promise<readonly string[]> {
  const client = new Client({ name: 'Program', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${bench.url}/mcp`), { requestInit }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

const tokenFor = async (notebooks: object): Promise<string> =>
  (await bench.json<{ token: string }>('/api/mcp/clients', { name: 'Cursor', notebooks })).token;

it('are those of what may be read, whoever asks; what the user chose stands', async () => {
  expect(await offeredToChat()).not.toContain('db_read');
  const blocks = await bench.kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: bench.note });
  await databaseIn(bench, { blocks: blocks.map(({ id }) => id) });
  await bench.restart();
  expect(await offeredToChat()).toContain('db_read');
  expect(await offeredTo(TOKEN)).toContain('db_read');
  expect(await offeredTo(await tokenFor({ [bench.notebook]: 'read' }))).toContain('db_read');
  const other = (await bench.kernel<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Other' })).notebook.id;
  const elsewhere = await offeredTo(await tokenFor({ [other]: 'read' }));
  expect(elsewhere).toContain('read_doc');
  expect(elsewhere).not.toContain('db_read');
  await bench.settings({ groups: { databases: false } });
  expect(await offeredToChat()).not.toContain('db_read');
});
