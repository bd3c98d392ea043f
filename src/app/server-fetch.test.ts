import { expect, it } from 'vitest';
import { createServerFetch } from './server-fetch.ts';

const ADDRESS = 'https://mcp.example/mcp';

/** A server behind CORS rules: pages get nothing of what it answers. */
function behindRules() {
  const sent: string[] = [];
  const forwarded: string[] = [];
  const request = createServerFetch(ADDRESS, {
    send: async (_url, init) => {
      sent.push(init?.method ?? 'GET');
      throw new TypeError('Failed to fetch');
    },
    forward: async ({ method }) => {
      forwarded.push(method);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode('{}') };
    },
  });
  return { request, sent, forwarded };
}

it('lets SiYuan send what a page may not, and each further request only once', async () => {
  const { request, sent, forwarded } = behindRules();
  for (const body of ['initialize', 'tools/call', 'tools/call'])
    expect((await request(ADDRESS, { method: 'POST', body })).status).toBe(200);
  expect([sent, forwarded]).toEqual([['POST'], ['POST', 'POST', 'POST']]);
});

it('has no open stream where SiYuan sends: it would never end', async () => {
  const { request, forwarded } = behindRules();
  await request(ADDRESS, { method: 'POST', body: '{}' });
  expect((await request(ADDRESS, { method: 'GET' })).status).toBe(405);
  expect(forwarded).toEqual(['POST']);
});

it('sends nothing by SiYuan to a server that has answered the page, nor to another one', async () => {
  const forwarded: string[] = [];
  let isDead = false;
  const request = createServerFetch(ADDRESS, {
    send: async () => {
      if (isDead) throw new TypeError('Failed to fetch');
      return new Response('{}');
    },
    forward: async ({ url }) => {
      forwarded.push(url);
      return { status: 200, headers: {}, body: new Uint8Array() };
    },
  });
  await request(ADDRESS, { method: 'POST', body: '{}' });
  isDead = true;
  await expect(request(ADDRESS, { method: 'POST', body: '{}' })).rejects.toThrow(TypeError);
  await expect(request('https://other.example/mcp', { method: 'POST', body: '{}' })).rejects.toThrow(TypeError);
  expect(forwarded).toEqual([]);
});
