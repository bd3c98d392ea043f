// What other programs send is as deep and as large as they like: it is refused with a next step, and nothing of the service ends.
import { connect } from 'node:net';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, nextEvent, type ServiceBench, startServiceBench, TOKEN } from './support.ts';

let bench: ServiceBench;
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
beforeAll(async () => {
  process.on('unhandledRejection', note);
  bench = await startServiceBench({ mcpWaitMs: 0 });
});
afterAll(async () => {
  await bench.close();
  process.off('unhandledRejection', note);
});

const DEEP = [65, 5000, 100_000];
const MANY = JSON.stringify(Array.from({ length: 200_001 }, () => 0));
const lists = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const VALUES: readonly (readonly [string, string])[] = [
  ...DEEP.flatMap((levels) => [[`${levels} lists`, lists(levels)] as const, [`${levels} objects`, objects(levels)] as const]),
  ['200,001 values', MANY],
];

async function alive(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).toEqual([]);
  expect(await bench.json('/healthz')).toEqual({ status: 'ok' });
  expect(bench.logged.filter((line) => line.includes('internal error') || line.includes('RangeError'))).toEqual([]);
}

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'A', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

/** A request of the newest revision, whose params are `text`. */
const modern = (method: string, text: string, name = 'insert_blocks'): Promise<Response> =>
  bench.fetch('/mcp', {
    method: 'POST',
    headers: { ...HEADERS, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, 'Mcp-Name': name },
    body: `{"jsonrpc":"2.0","id":7,"method":"${method}","params":${text}}`,
  });

describe.each(VALUES)('%s', (_name, value) => {
  it.each([
    ['/api/chat/send', `{"message":${value}}`],
    ['/api/chat/send', `{"message":"a","session_id":${value}}`],
    ['/api/mcp/clients', `{"name":"A","notebooks":${value}}`],
    ['/api/orders/run', value],
  ])('are refused in a body for %s', async (path, body) => {
    const response = await bench.fetch(path, { method: 'POST', headers: HEADERS, body });
    expect([400, 404]).toContain(response.status);
    const { error } = (await response.json()) as { error: { message: string; next: string } };
    expect(error.message).toMatch(/cannot be used|is not JSON/);
    expect(error.next).not.toBe('');
    await alive();
  });

  it.each(['insert_blocks', 'read_doc', 'search_notes'])('are refused as arguments of %s', async (name) => {
    const meta = JSON.stringify(MODERN);
    const response = await modern('tools/call', `{"_meta":${meta},"name":"${name}","arguments":{"id":${value}}}`, name);
    const text = await response.text();
    expect(text).toMatch(/nested more than 64 levels|more than 200000 values/);
    await alive();
  });

  it('are refused as a request state, an answer, and a meta field', async () => {
    const meta = JSON.stringify(MODERN);
    for (const params of [
      `{"_meta":${meta},"name":"insert_blocks","arguments":{},"requestState":${value}}`,
      `{"_meta":${meta},"name":"insert_blocks","arguments":{},"requestState":"a/b","inputResponses":{"consent":${value}}}`,
      `{"_meta":{${meta.slice(1, -1)},"x":${value}},"name":"insert_blocks","arguments":{}}`,
    ]) {
      const response = await modern('tools/call', params);
      expect(await response.text()).toMatch(/nested more than 64 levels|more than 200000 values/);
    }
    await alive();
  });
});

const LEGACY: ClientOptions = {};
const NEWEST: ClientOptions = { versionNegotiation: { mode: 'auto' } };

describe.each([
  ['the newest revision', NEWEST],
  ['the revision before', LEGACY],
] as const)('%s', (_name, options) => {
  it('refuses deep arguments of each tool with what to do, and goes on', async () => {
    const client = new Client({ name: 'Deep', version: '1.0.0' }, options);
    const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${bench.url}/mcp`), { requestInit }));
    const { tools } = await client.listTools();
    for (const { name } of tools) {
      const call = client.callTool({ name, arguments: { id: JSON.parse(lists(4000)) } });
      await expect(call.then((result) => JSON.stringify(result))).rejects.toThrow(/nested more than 64 levels.*send/);
    }
    await client.close();
    await alive();
  });
});

it.each([
  ['links without an end', '[a]('.repeat(1000)],
  ['items in items on one line', '* [ ] '.repeat(1000)],
  ['super blocks in super blocks', '{{{row\n  \n'.repeat(1000)],
])('refuses Markdown whose %s would keep the parser busy for minutes', async (_what, markdown) => {
  const call = async (name: string, args: object): Promise<string> =>
    (await modern('tools/call', JSON.stringify({ name, arguments: args, _meta: MODERN }), name)).text();
  const pending = await call('insert_blocks', { anchor: bench.note, position: 'append', markdown });
  const id = /pending: (\w+)/.exec(pending)?.[1];
  await expect.poll(() => call('pending_change', { id })).toMatch(/too_large: the text opens too many/);
  await alive();
});

it('goes on when SiYuan is out of reach while two changes wait', async () => {
  const own = await startServiceBench({ mcpWaitMs: 0 });
  const client = new Client({ name: 'Two', version: '1.0.0' }, LEGACY);
  const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${own.url}/mcp`), { requestInit }));
  const insert = { name: 'insert_blocks', arguments: { anchor: own.note, position: 'append', markdown: 'x' } };
  await client.callTool(insert);
  const second = await client.callTool(insert);
  const { id } = second.structuredContent as { id: string };
  const [first] = await own.json<{ id: string; session_id: string }[]>('/api/chat/approvals');
  await own.host.close();
  await own.fetch(`/api/chat/approvals/${first?.id}`, { method: 'POST', body: JSON.stringify({ decision: 'reject' }) });
  await own.json('/api/chat/abort', { session_id: first?.session_id });
  await expect
    .poll(async () => (await client.callTool({ name: 'pending_change', arguments: { id } }).catch(String)) as unknown)
    .not.toMatchObject({ structuredContent: { status: 'pending' } });
  expect(unhandled).toEqual([]);
  expect(await own.json('/healthz')).toEqual({ status: 'ok' });
  await client.close();
  await own.service.close();
  await own.model.close();
}, 30_000);

it('lets a waiting change be rejected while SiYuan is out of reach, and approves none', async () => {
  const own = await startServiceBench();
  const insert = { name: 'insert_blocks', args: { anchor: own.note, position: 'append', markdown: 'x' } };
  own.model.push({ calls: [insert] }, { text: 'No.' });
  const events = eventsOf(await own.send({ message: 'Add x.' }));
  const { id } = (await nextEvent(events, 'approval_request')).data;
  const decide = (decision: string) =>
    own.fetch(`/api/chat/approvals/${String(id)}`, { method: 'POST', body: JSON.stringify({ decision, reason: 'not now' }) });
  await own.host.pause();
  expect((await decide('approve')).status).toBe(502);
  expect((await decide('reject')).status).toBe(200);
  await own.host.resume();
  await nextEvent(events, 'done');
  expect(own.model.requests.at(-1)?.messages.at(-1)?.content).toContain('not now');
  expect(await own.json('/api/chat/approvals')).toEqual([]);
  await own.close();
}, 30_000);

describe('a body', () => {
  it.each(['A', '"A b"'])('that is a form of 200,000 fields is refused before they are read: %s', async (boundary) => {
    const mark = `--${boundary.replaceAll('"', '')}`;
    const fields = Array.from({ length: 200_000 }, (_, n) => `${mark}\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\nv\r\n`);
    const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
    const send = async (some: readonly string[]) => {
      const answer = await bench.fetch('/api/chat/send', { method: 'POST', headers, body: `${some.join('')}${mark}--\r\n` });
      return ((await answer.json()) as { error: { message: string } }).error.message;
    };
    const begun = performance.now();
    expect(await send(fields)).toMatch(/more than 100 parts/);
    // Reading them took 8 s.
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(await send(fields.slice(0, 100))).toMatch(/there is no field "f0"/);
    await alive();
  });

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary="A',
    'multipart/form-data; boundary="\\A"',
  ])('of a form without a usable boundary is refused: %s', async (type) => {
    const answer = await bench.fetch('/api/chat/send', { method: 'POST', headers: { 'Content-Type': type }, body: '--A--' });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('is no form')]);
  });

  it.each(['/api/chat/send', '/mcp', '/api/mcp/clients'])('that ends before its length at %s is no defect of the service', async (path) => {
    const { hostname, port } = new URL(bench.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 1000\r\n\r\n{"message":`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await alive();
  });
});

describe('a model', () => {
  it.each(VALUES)('that sends %s as arguments reads why they are refused', async (_name, value) => {
    const call = (name: string, args: string) => ({ name, args });
    bench.model.push(
      {
        calls: [
          call('read_doc', `{"id":${value}}`),
          call('insert_blocks', value),
          call('search_notes', `{"query":${JSON.stringify(value)}}`),
        ],
      },
      { text: 'No.' },
    );
    const answer = await bench.json<{ status: string }>('/api/chat/send', { message: 'Read.', stream: false });
    if (answer.status !== 'completed') console.log(JSON.stringify(answer).slice(-600));
    expect(answer.status).toBe('completed');
    const results = bench.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
    for (const result of results.slice(0, 2))
      expect(result.content).toMatch(/nested more than 64 levels|more than 200000 values|not a JSON object/);
    await alive();
  });
});

/** A program whose tools, or results, are as deep as `levels`. */
const hostileServer = (levels: number): string => `
  const deep = (n) => { let v = 1; for (let i = 0; i < n; i += 1) v = { a: v }; return v; };
  const text = (v, n) => { let t = '1'; for (let i = 0; i < n; i += 1) t = '{"a":' + t + '}'; return JSON.stringify(v).replace('"DEEP"', t); };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const answer = (result) => console.log(text({ jsonrpc: '2.0', id, result }, ${levels}));
    if (method === 'initialize')
      answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {}, prompts: {}, resources: {} }, serverInfo: { name: 'h', version: '1' }, ...(MODE === 'initialize' ? { _meta: { x: 'DEEP' } } : {}) });
    else if (method === 'tools/list')
      answer({ tools: [{ name: 'echo', description: 'E', inputSchema: { type: 'object', properties: {}, ...(MODE === 'schema' ? { x: 'DEEP' } : {}) } }] });
    else if (method === 'tools/call') answer({ content: [{ type: 'text', text: 'ok' }], structuredContent: { x: 'DEEP' } });
    else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
  });
`;

describe.each(['initialize', 'schema', 'result'])('the server of somebody else, deep in its %s', (mode) => {
  it.each([65, 5000, 100_000])(
    'by %d levels, loses that alone',
    async (levels) => {
      const own = await startServiceBench({ mcpPrograms: true });
      const args = ['-e', `const MODE = ${JSON.stringify(mode)};${hostileServer(levels)}`];
      await own.settings({ mcpServers: { mcpServers: { hostile: { command: process.execPath, args } } } });
      const state = async () => {
        await own.json('/api/chat/sessions/x/messages');
        own.model.push({ text: 'Yes.' });
        await own.json('/api/chat/send', { message: 'Hello?', stream: false });
        return JSON.stringify(await own.json('/api/servers'));
      };
      if (mode !== 'result') await expect.poll(state, { timeout: 10_000 }).toMatch(/nested more than 64 levels|closed|problem/);
      else {
        await expect.poll(state, { timeout: 10_000 }).toContain('"tools":1');
        own.model.push({ calls: [{ name: 'mcp_hostile_echo', args: {} }] }, { text: 'No.' });
        const events = eventsOf(await own.send({ message: 'Echo.' }));
        const { data: asked } = await nextEvent(events, 'approval_request');
        await own.json(`/api/chat/approvals/${asked.id}`, { decision: 'approve' });
        await nextEvent(events, 'done');
        expect(own.model.requests.at(-1)?.messages.at(-1)?.content).toContain('nested more than 64 levels');
      }
      expect(unhandled).toEqual([]);
      await own.close();
    },
    30_000,
  );
});
