// Somebody who knows only that there is a chat over HTTP looks for the tools themselves.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceBench, startServiceBench, TOKEN } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
});
afterAll(() => bench.close());

interface Refused {
  readonly error: { readonly code: string; readonly next: string };
}

it('the index names both doors, and every route of the documentation', async () => {
  const index = await bench.json<{ chat: string; tools: string; description: string; routes: { method: string; path: string }[] }>('/');
  expect([index.chat, index.tools]).toEqual(['POST /api/chat/send', 'POST /mcp']);
  const described = await bench.json<{ paths: object }>(index.description);
  expect(Object.keys(described.paths)).toContain('/mcp');
  const text = readFileSync(join(import.meta.dirname, '../../docs/service.md'), 'utf8');
  const missing = index.routes.filter(({ method, path }) => !text.includes(`\`${method} ${path}`));
  expect(missing).toEqual([]);
});

it.each(['/api/mcp', '/mcp/', '/api/tools', '/api/tools/list', '/tools/call', '/sse', '/messages', '/api/chat/tools', '/v1/mcp'])(
  'a path that is not there says where the tools are: %s',
  async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await bench.fetch(path, { method });
      const { error }: Refused = await answer.json();
      expect([answer.status, error.next]).toEqual([404, expect.stringContaining('POST /mcp')]);
    }
  },
);

it('any other path says where chats and tools are', async () => {
  const { error } = await bench.json<Refused>('/api/nowhere');
  expect(error.next).toMatch(/POST \/api\/chat\/send.*POST \/mcp.*GET \//);
});

it('the door by another method says how it is opened', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await bench.fetch('/mcp', { method });
    const { error }: Refused = await answer.json();
    expect([method, answer.status, error.code, error.next]).toEqual([method, 405, 'bad_method', expect.stringContaining('POST')]);
  }
});

it('the tools that a chat uses are found there', async () => {
  const client = new Client({ name: 'stranger', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${bench.url}/mcp`), { requestInit }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['search_notes', 'read_doc', 'edit_block']));
  await client.close();
});
