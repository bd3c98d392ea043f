// Secrets of the environment go where they went first, whatever the synced settings name later.
import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceBench, startServiceBench } from './support.ts';

let bench: ServiceBench;
const servers: Server[] = [];
const got: [port: number, authorization: string][] = [];

async function listen(): Promise<number> {
  const server = createServer((request, response) => {
    got.push([(server.address() as AddressInfo).port, String(request.headers.authorization)]);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

let one = 0;
let other = 0;
beforeAll(async () => {
  process.env.MARGINALIA_MCP_A = 'secret-a';
  [one, other] = [await listen(), await listen()];
  bench = await startServiceBench();
});
afterAll(async () => {
  await bench.close();
  for (const server of servers) server.close();
  delete process.env.MARGINALIA_MCP_A;
});

const use = async (port: number, name = 'a') => {
  const headers = { Authorization: ['Bearer $', '{MARGINALIA_MCP_A}'].join('') };
  await bench.settings({ mcpServers: { mcpServers: { [name]: { url: `http://127.0.0.1:${port}/mcp`, headers } } } });
  return bench.json<{ name: string; problem: string | null }[]>('/api/servers');
};
const at = (port: number) => got.filter(([each]) => each === port).map(([, authorization]) => authorization);

it('a changed address, or another server, does not get the value, after a restart too', async () => {
  await use(one);
  await expect.poll(() => at(one)).toContain('Bearer secret-a');
  const file = join(bench.data, 'secret-places.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain('secret-a');
  for (const name of ['a', 'b']) {
    const states = await use(other, name);
    expect(states).toMatchObject([{ name, problem: expect.stringContaining(`--allow-key 'MARGINALIA_MCP_A=http://127.0.0.1:${other}'`) }]);
    await bench.restart();
    expect(await bench.json('/api/servers')).toMatchObject([{ name, problem: expect.stringContaining('was given for') }]);
  }
  expect(bench.logged.join('\n')).toContain('MARGINALIA_MCP_A was given for');
  expect(at(other)).toEqual([]);
});

it('it goes there once that is allowed, and to no other place then', async () => {
  await use(other);
  await bench.restart({ allowedSecrets: [{ variable: 'MARGINALIA_MCP_A', place: `http://127.0.0.1:${other}` }] });
  await expect.poll(() => at(other)).toContain('Bearer secret-a');
  const before = at(one).length;
  expect(await use(one)).toMatchObject([{ problem: expect.stringContaining('was given for') }]);
  expect(at(one).length).toBe(before);
});

it('a program, or other arguments of it, gets nothing that was given for an address', async () => {
  await bench.restart({ mcpPrograms: true });
  const env = { KEY: ['$', '{MARGINALIA_MCP_A}'].join('') };
  await bench.settings({ mcpServers: { mcpServers: { a: { command: process.execPath, args: ['-e', '1'], env } } } });
  expect(await bench.json('/api/servers')).toMatchObject([{ problem: expect.stringContaining('program:') }]);
});

it('the key of the search service goes to no other service', async () => {
  const search = await listen();
  const elsewhere = await listen();
  const endpoints = { brave: `http://127.0.0.1:${search}/`, tavily: `http://127.0.0.1:${elsewhere}/` };
  await bench.settings({ groups: { web: true }, search: { provider: 'brave' } });
  await bench.restart({ searchKey: 'secret-s', searchEndpoints: endpoints });
  const ask = async () => {
    bench.model.push({ calls: [{ name: 'web_search', args: { query: 'x' } }] }, { text: 'Done.' });
    const done = bench.json('/api/chat/send', { message: 'Search.', stream: false });
    const ended = { is: false };
    void done.then(() => {
      ended.is = true;
    });
    while (!ended.is) {
      for (const { id } of await bench.json<{ id: string }[]>('/api/chat/approvals'))
        await bench.json(`/api/chat/approvals/${id}`, { decision: 'approve' });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await ask();
  expect(at(search).length).toBeGreaterThan(0);
  await bench.settings({ groups: { web: true }, search: { provider: 'tavily' } });
  await ask();
  expect(at(elsewhere)).toEqual([]);
  expect(bench.logged.join('\n')).toContain('MARGINALIA_SEARCH_KEY was given for');
});
