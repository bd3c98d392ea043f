// What is changed while the service runs counts for the next request.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { everythingProgram } from '../support/everything.ts';
import { toolsIn } from '../support/model-server.ts';
import { type ServiceBench, startServiceBench, TOKEN } from './support.ts';

let bench: ServiceBench;
const CHAT = 'switches';
beforeAll(async () => {
  bench = await startServiceBench({ mcpPrograms: true });
});
afterAll(() => bench.close());
beforeEach(() => bench.settings({}));

/** The request of the next question in an open chat. */
async function request() {
  bench.model.push({ text: 'Yes.' });
  await bench.json('/api/chat/send', { session_id: CHAT, message: 'Are you there?', stream: false });
  return bench.model.requests.at(-1);
}
const offered = async (): Promise<readonly string[]> => toolsIn(await request());
/** Tools of another program. */
async function listed(): Promise<readonly string[]> {
  const client = new Client({ name: 'A', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${bench.url}/mcp`), { requestInit }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}
/** Whether a tool is there, for a chat and for another program. */
const both = async (name: string) => [(await offered()).includes(name), (await listed()).includes(name)];

const AV = (id: string) =>
  `<div data-node-id="${id}" data-type="NodeAttributeView" data-av-id="20260101000000-aaaaaaa" data-av-type="table"></div>`;

describe('what the notes contain', () => {
  it('cards', async () => {
    expect(await both('flashcards')).toEqual([false, false]);
    await bench.kernel('/api/riff/addRiffCards', { deckID: '20230218211946-2kw8jgx', blockIDs: [bench.note] });
    expect(await both('flashcards')).toEqual([true, true]);
    await bench.kernel('/api/riff/removeRiffCards', { deckID: '20230218211946-2kw8jgx', blockIDs: [bench.note] });
    expect(await both('flashcards')).toEqual([false, false]);
  });

  it('databases', async () => {
    expect((await offered()).some((name) => name.startsWith('db_'))).toBe(false);
    const id = '20260101000001-bbbbbbb';
    await bench.kernel('/api/block/appendBlock', { parentID: bench.note, dataType: 'dom', data: AV(id) });
    expect((await offered()).some((name) => name.startsWith('db_'))).toBe(true);
    expect((await listed()).some((name) => name.startsWith('db_'))).toBe(true);
  });

  it('files', async () => {
    expect((await offered()).some((name) => name.includes('asset'))).toBe(false);
    await bench.kernel('/api/block/appendBlock', {
      parentID: bench.note,
      dataType: 'markdown',
      data: '[a](assets/a-20260101000000-aaaaaaa.pdf)',
    });
    expect((await offered()).some((name) => name.includes('asset'))).toBe(true);
    expect((await listed()).some((name) => name.includes('asset'))).toBe(true);
  });

  it('and only what may be read counts', async () => {
    await bench.settings({ notebooks: { [bench.notebook]: 'none' } });
    expect((await offered()).some((name) => name.startsWith('db_'))).toBe(false);
    await bench.settings({});
    expect((await offered()).some((name) => name.startsWith('db_'))).toBe(true);
  });
});

describe('the settings file', () => {
  it('switches groups', async () => {
    expect(await both('web_fetch')).toEqual([false, false]);
    await bench.settings({ groups: { web: true } });
    expect(await both('web_fetch')).toEqual([true, true]);
    await bench.settings({ groups: { web: false } });
    expect(await both('web_fetch')).toEqual([false, false]);
  });

  it('switches tools', async () => {
    await bench.settings({ tools: { read_doc: false } });
    expect(await both('read_doc')).toEqual([false, false]);
    await bench.settings({});
    expect(await both('read_doc')).toEqual([true, true]);
  });

  it('holds policies', async () => {
    const call = { calls: [{ name: 'read_doc', args: { id: bench.note } }] };
    const ask = async () => {
      bench.model.push(call, { text: 'Done.' });
      const done = bench.json('/api/chat/send', { session_id: CHAT, message: 'Read.', stream: false });
      const asked = await Promise.race([
        done.then(() => [] as { id: string }[]),
        expect
          .poll(() => bench.json<{ id: string }[]>('/api/chat/approvals'), { timeout: 5000 })
          .toHaveLength(1)
          .then(() => bench.json<{ id: string }[]>('/api/chat/approvals')),
      ]).catch(() => [] as { id: string }[]);
      for (const { id } of asked) await bench.json(`/api/chat/approvals/${id}`, { decision: 'approve' });
      await done;
      return asked.length;
    };
    expect(await ask()).toBe(0);
    await bench.settings({ permissions: { read_doc: { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } } });
    expect(await ask()).toBe(1);
    await bench.settings({});
    expect(await ask()).toBe(0);
  });

  it('keeps all on this machine', async () => {
    const call = { calls: [{ name: 'web_fetch', args: { url: 'https://example.com/' } }] };
    await bench.settings({ groups: { web: true }, localOnly: true });
    bench.model.push(call, { text: 'Done.' });
    const answer = await bench.json<{ tool_calls: { error: { code: string } | null }[] }>('/api/chat/send', {
      session_id: CHAT,
      message: 'Fetch.',
      stream: false,
    });
    expect(JSON.stringify(answer)).toMatch(/local_only/);
  });

  it('names skills and prompts', async () => {
    const prompts = [{ id: 'weekly', name: 'Weekly', prompt: 'Review my week.' }];
    await bench.settings({ prompts });
    const client = new Client({ name: 'A', version: '1' });
    const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${bench.url}/mcp`), { requestInit }));
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('my-weekly');
    await bench.settings({});
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).not.toContain('my-weekly');
    await client.close();
  });

  it('names servers of other people', async () => {
    const server = { command: process.execPath, args: [everythingProgram, 'stdio'] };
    await bench.settings({ mcpServers: { mcpServers: { every: server } } });
    await expect.poll(offered, { timeout: 20_000 }).toContain('mcp_every_echo');
    await bench.settings({ mcpServers: { mcpServers: { every: { ...server, disabled: true } } } });
    expect((await offered()).filter((name) => name.startsWith('mcp_'))).toEqual([]);
  });

  it('names the note of the memory', async () => {
    await bench.settings({ groups: { memory: true }, memory: { notebook: bench.notebook } });
    expect((await offered()).some((name) => name === 'memory')).toBe(true);
    await bench.settings({});
    expect((await offered()).some((name) => name === 'memory')).toBe(false);
  });
});

/** The text of the rules that a new chat sends. */
async function rules(): Promise<string> {
  bench.model.push({ text: 'Yes.' });
  await bench.json('/api/chat/send', { message: 'Are you there?', stream: false });
  return JSON.stringify(bench.model.requests.at(-1)?.messages.filter(({ role }) => role === 'system'));
}

it('the languages of the notes count for the next chat', async () => {
  expect(await rules()).not.toContain('Chinese');
  const markdown = '这是一篇关于花园的笔记。我们在春天种下了许多花,夏天它们开得很好,秋天收获果实。\n\n'.repeat(40);
  await bench.kernel('/api/filetree/createDocWithMd', { notebook: bench.notebook, path: '/花园', markdown });
  expect(await rules()).toContain('Chinese');
});

it('the embedding server of SiYuan counts for the next request, in an open chat too, where it is allowed', async () => {
  let embedding: object = { enabled: false };
  const asked: unknown[] = [];
  const proxy = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const answer = (data: unknown): void => void response.end(JSON.stringify({ code: 0, msg: '', data }));
    if (body.includes('block_embeddings')) return answer([{ id: 'x' }]);
    if (request.url?.includes('semanticSearchBlock')) {
      asked.push(JSON.parse(body).query);
      return answer({ blocks: [], matchedBlockCount: 0, matchedRootCount: 0, pageCount: 0 });
    }
    const headers = { Authorization: request.headers.authorization ?? '', 'Content-Type': request.headers['content-type'] ?? '' };
    const sent = await fetch(new URL(request.url ?? '/', bench.host.url), { method: 'POST', headers, body });
    const text = await sent.text();
    response.writeHead(sent.status);
    response.end(
      request.url === '/api/system/getConf'
        ? text.replace('"embedding":{"enabled":false}', `"embedding":${JSON.stringify(embedding)}`)
        : text,
    );
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  await bench.restart({ kernel: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
  /** The searches by meaning of the next answer; an empty one only asks whether there are any. */
  const meanings = async (settings: object) => {
    await bench.settings(settings);
    asked.length = 0;
    bench.model.push({ calls: [{ name: 'search_notes', args: { query: 'stars' } }] }, { text: 'Done.' });
    await bench.json('/api/chat/send', { session_id: CHAT, message: 'Search.', stream: false });
    return asked.filter((query) => query !== '');
  };
  const away = 'https://meaning.example/v1';
  expect(await meanings({ meaningService: away })).toEqual([]);
  embedding = { enabled: true, baseURL: away };
  expect(await meanings({})).toEqual([]);
  expect(await meanings({ meaningService: 'https://other.example/v1' })).toEqual([]);
  expect(await meanings({ meaningService: away })).toEqual(['stars']);
  expect(await meanings({ meaningService: away, localOnly: true })).toEqual([]);
  embedding = { enabled: true, baseURL: 'http://127.0.0.1:11434/v1' };
  expect(await meanings({ localOnly: true })).toEqual(['stars']);
  embedding = { enabled: false };
  expect(await meanings({ meaningService: away })).toEqual([]);
  await bench.settings({});
  await bench.restart({});
  proxy.close();
});
