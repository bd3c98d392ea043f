// Servers with one thing that is not by the protocol: that alone is lost, and said.
import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { McpServers } from '../../src/features/mcp-client/mcp-servers.ts';
import { NEVER } from '../../src/tools/util/abort.ts';
import { executorWith, openServers, serve } from './support.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanUp.splice(0).reverse()) await close();
});

/** By method; of lists also by cursor. */
type Results = Readonly<Record<string, unknown>>;
const isPaged = (result: unknown): result is (cursor?: string) => unknown => typeof result === 'function';

async function bodyOf(request: IncomingMessage): Promise<{ id?: unknown; method?: string; params?: { cursor?: string } }> {
  let text = '';
  for await (const part of request) text += part;
  return text === '' ? {} : JSON.parse(text);
}

const INITIALIZED = {
  ...{ protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {}, prompts: {} } },
  serverInfo: { name: 'odd', version: '1' },
};

/** Connects to a server with these results by method, in one message each or as a stream of events. */
async function connect(results: Results, { name = 'x', asStream = false, envelope = {} } = {}): Promise<McpServers> {
  const server = await serve(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method = '', params } = await bodyOf(request);
    if (id === undefined) return void response.writeHead(202).end();
    const known = new Map(Object.entries({ initialize: INITIALIZED, ...results })).get(method);
    const result: unknown = isPaged(known) ? known(params?.cursor) : known;
    const error = { code: -32601, message: 'no such method' };
    const message = JSON.stringify({
      jsonrpc: '2.0',
      id,
      ...(result === undefined ? { error } : { result }),
      ...(result === undefined ? {} : envelope),
    });
    const type = asStream ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'Content-Type': type }).end(asStream ? `event: message\r\nid: 1\r\ndata: ${message}\r\n\r\n` : message);
  });
  const servers = openServers();
  cleanUp.push(server.close, () => servers.close());
  await servers.use([{ name, enabled: true, url: server.url }]);
  return servers;
}

const TOOL = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } };

const namesOf = (servers: McpServers) => servers.groups().flatMap(({ tools }) => tools.map(({ definition }) => definition.function.name));

describe.each([false, true])('a list of tools, as a stream: %s', (asStream) => {
  it.each<[string, unknown, boolean]>([
    ['a schema of results that is none', { outputSchema: { $id: 'x' } }, true],
    ['alternatives instead of a type', { inputSchema: { anyOf: [{ type: 'object' }] } }, true],
    ['no arguments', { inputSchema: null }, true],
    ['no description', { description: null }, true],
    ['no hints', { annotations: null }, true],
    ['hints in words', { annotations: { readOnlyHint: 'yes', title: 7 } }, true],
    ['a list of fields', { inputSchema: { type: 'object', properties: [] } }, true],
    ['nothing required', { inputSchema: { type: 'object', properties: {}, required: null } }, true],
    ['a field without a description', { inputSchema: { type: 'object', properties: { a: { type: 'string', description: null } } } }, true],
    ['icons that are none', { icons: 'x', title: 3, execution: [], _meta: 'x' }, true],
    ['a schema that is a word', { inputSchema: 'object' }, false],
    ['a schema of a text', { inputSchema: { type: 'string' } }, false],
    ['no name', { name: null }, false],
    ['a number as a name', { name: 7 }, false],
  ])('keeps the others beside one with %s', async (_name, odd, isOffered) => {
    const second = { ...TOOL, name: 'odd', ...(odd as object) };
    const servers = await connect({ 'tools/list': { tools: [TOOL, second, null, { ...TOOL, name: 'last' }] } }, { asStream });
    expect(namesOf(servers)).toEqual(['mcp_x_look', ...(isOffered ? ['mcp_x_odd'] : []), 'mcp_x_last']);
    expect(servers.states()[0]?.problem).toEqual(isOffered ? undefined : expect.stringContaining('1 tools are left out'));
    expect(servers.states()[0]?.failure).toBeUndefined();
  });

  it('takes null for what is absent, everywhere', async () => {
    const initialize = {
      ...INITIALIZED,
      instructions: null,
      _meta: null,
      serverInfo: { ...INITIALIZED.serverInfo, title: null, icons: null },
    };
    const results = { initialize, 'tools/list': { tools: [TOOL], nextCursor: null, _meta: null } };
    expect(namesOf(await connect(results, { asStream, envelope: { error: null } }))).toEqual(['mcp_x_look']);
    const none = await connect({ 'tools/list': { tools: null } }, { asStream });
    expect(none.states()).toEqual([{ name: 'x', tools: 0 }]);
  });
});

describe('a tool', () => {
  it.each([
    ['Chinese', ['搜索笔记', '查找文件', '删除页面']],
    ['long names', ['a', 'b', 'c'].map((end) => `${'read_'.repeat(20)}${end}`)],
    ['signs', ['get.a', 'get/a', 'get a']],
    ['names with faces', ['🙂', '🙃', '_']],
  ])('stays apart from others: %s', async (_name, names) => {
    const offered = namesOf(await connect({ 'tools/list': { tools: names.map((name) => ({ ...TOOL, name })) } }));
    expect(new Set(offered).size).toBe(3);
    expect(offered.every((name) => /^mcp_x_[a-zA-Z0-9_-]{1,58}$/.test(name))).toBe(true);
  });

  it('is called what it is, where that is enough', async () => {
    expect(namesOf(await connect({ 'tools/list': { tools: ['get.a', 'put-b', '查_c'].map((name) => ({ ...TOOL, name })) } }))).toEqual([
      'mcp_x_get_a',
      'mcp_x_put-b',
      'mcp_x___c',
    ]);
  });

  it('beyond the 64th is not offered, which the person and the model are told, page by page or without end', async () => {
    const tools = Array.from({ length: 100 }, (_, at) => ({ ...TOOL, name: `t${at}` }));
    const paged = (cursor = '0') => ({ tools: tools.slice(+cursor, +cursor + 50), ...(cursor === '0' ? { nextCursor: '50' } : {}) });
    const endless = (cursor = '0') => ({ tools: [{ ...TOOL, name: `t${cursor}` }], nextCursor: String(+cursor + 1) });
    const servers = await connect({ 'tools/list': paged });
    expect(servers.states()).toEqual([{ name: 'x', tools: 64, problem: expect.stringContaining('36 tools are left out: more than 64') }]);
    expect(servers.groups()[0]?.rulePrompt).toContain('36 more tools');
    expect(namesOf(await connect({ 'tools/list': endless }))).toHaveLength(10);
  });
});

describe('a result', () => {
  const textOf = async (result: unknown, asStream = false) => {
    const servers = await connect({ 'tools/list': { tools: [TOOL] }, 'tools/call': result }, { asStream });
    const { status, finalText = '' } = await executorWith(servers).executor.execute('mcp_x_look', {});
    return `${status}: ${finalText}`;
  };

  const HELLO = { type: 'text', text: 'hello' };
  it.each<[string, object, string?]>([
    ['a part of another kind', { content: [{ type: 'video', data: 'x' }, HELLO] }, '[video, not shown]'],
    ['a text that is null', { content: [{ type: 'text', text: null }, HELLO] }],
    ['a part that is null', { content: [null, HELLO] }],
    ['a link without a name', { content: [{ type: 'resource_link', uri: 'https://example.com/a' }, HELLO] }, 'https://example.com/a'],
    ['a picture that is none', { content: [{ type: 'image', data: '@@', mimeType: 'image/png' }, HELLO] }, '[image, not shown]'],
    ['a picture without a kind', { content: [{ type: 'image', data: 'AAAA' }, HELLO] }, '[image, not shown]'],
    ['a file without an address', { content: [{ type: 'resource', resource: { text: 'x' } }, HELLO] }, '[resource, not shown]'],
    ['a text instead of parts', { content: 'hello' }],
    ['a text as a part', { content: ['hello'] }],
    ['one part instead of a list', { content: HELLO }],
    ['a list of data', { content: [HELLO], structuredContent: [1] }],
    ['data alone', { structuredContent: ['hello'] }],
    ['data without parts', { content: null, structuredContent: { said: 'hello', none: null } }, '"none":null'],
    ['marks that are none', { content: [{ ...HELLO, annotations: { audience: 'all', priority: 'high' } }], isError: null, _meta: null }],
  ])('keeps its text beside %s', async (_name, result, also = '') => {
    for (const asStream of [false, true]) {
      const text = await textOf(result, asStream);
      expect(text).toMatch(/^success: /);
      expect(text).toContain('hello');
      expect(text).toContain(also);
    }
  });
});

describe('a list of', () => {
  const titles = async (results: Results) =>
    (await (await connect({ 'tools/list': { tools: [TOOL] }, ...results })).offers('x')).map(({ title }) => title);

  it('resources keeps the others', async () => {
    const resources = [
      { uri: 'x://1', name: 'one' },
      null,
      { uri: null, name: 'two' },
      { uri: 'x://3', name: null, title: null, size: 'big', annotations: 7 },
    ];
    expect(await titles({ 'resources/list': { resources, nextCursor: null }, 'prompts/list': { prompts: null } })).toEqual([
      'one',
      'x://3',
    ]);
  });

  it('prompts keeps the others, and what they have', async () => {
    const prompts = [
      { name: 'one', arguments: null },
      { title: 'two' },
      { name: 'three', arguments: [null, { name: 'a', required: 'yes' }] },
    ];
    const results = { 'resources/list': { resources: [] }, 'prompts/list': { prompts } };
    expect(await titles(results)).toEqual(['one', 'three']);
    const messages = [{ role: 'user', content: 'hello' }, { role: 'system', content: [{ type: 'text', text: 'there' }, null] }, null];
    const servers = await connect({ ...results, 'prompts/get': { messages, description: null } });
    expect((await servers.take('x', { kind: 'prompt', id: 'one' }, {}, NEVER)).draft).toBe('hello\n\nthere');
  });

  it('contents keeps the others', async () => {
    const contents = [null, { uri: 'x://1', text: null }, { uri: 'x://1', text: 'hello', mimeType: null, _meta: null }];
    const servers = await connect({ 'resources/read': { contents } });
    expect((await servers.take('x', { kind: 'resource', id: 'x://1' }, {}, NEVER)).texts).toEqual([{ uri: 'x://1', text: 'hello' }]);
  });
});
