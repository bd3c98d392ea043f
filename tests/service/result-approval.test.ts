// “Show me the result first”, for tools that run by themselves: in chats of the service, and over MCP.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventsOf, nextEvent, type ServiceBench, startServiceBench, TOKEN } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench({ mcpWaitMs: 0 });
});
afterAll(() => bench.close());

const permission = (executionPolicy: string, resultApprovalPolicy: string) => ({ executionPolicy, resultApprovalPolicy });
const HELD: readonly (readonly [string, object])[] = [
  ['of the tool', { permissions: { read_doc: permission('auto', 'always') } }],
  ['of all others', { permissions: { '*': permission('auto', 'always') } }],
];

it.each(HELD)('by a setting %s, a chat holds the result back', async (_name, settings) => {
  await bench.settings(settings);
  bench.model.push({ calls: [{ name: 'read_doc', args: { id: bench.note } }] }, { text: 'It was kept.' });
  const events = eventsOf(await bench.send({ message: 'Read.' }));
  const { data: asked } = await nextEvent(events, 'approval_request');
  expect(asked).toMatchObject({ tool: 'read_doc', kind: 'result' });
  await bench.json(`/api/chat/approvals/${asked.id}`, { decision: 'reject' });
  await nextEvent(events, 'done');
  expect(JSON.stringify(bench.model.requests.at(-1)?.messages)).not.toContain('A chat in the margin');
});

it.each([
  ...HELD.map(([name, settings]) => [name, settings, { id: '' }] as const),
  ['of a failure', { permissions: { read_doc: permission('auto', 'on-error') } }, { id: '20200101000000-aaaaaaa' }] as const,
])('by a setting %s, a program waits for the result', async (_name, settings, args) => {
  await bench.settings(settings);
  const client = new Client({ name: 'A', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${bench.url}/mcp`), { requestInit }));
  const result = await client.callTool({ name: 'read_doc', arguments: { id: args.id === '' ? bench.note : args.id } });
  expect(JSON.stringify(result)).toContain('pending');
  expect(JSON.stringify(result)).not.toContain('A chat in the margin');
  await expect.poll(() => bench.json('/api/chat/approvals')).toMatchObject([{ tool: 'read_doc', kind: 'result' }]);
  const [approval] = await bench.json<{ id: string }[]>('/api/chat/approvals');
  await bench.json(`/api/chat/approvals/${approval?.id}`, { decision: 'reject' });
  await client.close();
});
