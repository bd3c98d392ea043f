import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { openKernelFetch } from './kernel-fetch.ts';

let server: Server | undefined;

async function serving(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const echo: RequestListener = async (request, response) => {
  const { method, url, headers } = request;
  response.writeHead(202, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ method, url, token: headers.authorization, type: headers['content-type'], body: await text(request) }));
};

describe('requests to the kernel', () => {
  it('carry method, headers and text, and give status, type and body as fetch does', async () => {
    const url = await serving(echo);
    const init = { method: 'POST', headers: { Authorization: 'Token t', 'Content-Type': 'application/json' }, body: '{"名":"ö"}' };
    const [ours, usual] = [await openKernelFetch()(`${url}/api/x?y=1`, init), await fetch(`${url}/api/x?y=1`, init)];
    const answer = await ours.json();
    expect(answer).toEqual({ method: 'POST', url: '/api/x?y=1', token: 'Token t', type: 'application/json', body: '{"名":"ö"}' });
    expect(await usual.json()).toEqual(answer);
    expect([ours.status, ours.ok, ours.headers.get('content-type')]).toEqual([202, true, 'application/json']);
  });

  it('give bytes as they are, and an answer without a body', async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => at % 256);
    const url = await serving(
      ({ url: path }, response) => void response.writeHead(path === '/none' ? 204 : 200).end(path === '/none' ? undefined : bytes),
    );
    const request = openKernelFetch();
    expect(new Uint8Array(await (await request(`${url}/asset`, {})).arrayBuffer())).toEqual(bytes);
    const none = await request(`${url}/none`, {});
    expect([none.status, await none.text()]).toEqual([204, '']);
  });

  it('go on one connection, one after another', async () => {
    const ports = new Set<number | undefined>();
    const url = await serving(({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end('x');
    });
    const request = openKernelFetch();
    for (let at = 0; at < 3; at++) expect(await (await request(url, { method: 'POST', body: '{}' })).text()).toBe('x');
    expect(ports.size).toBe(1);
  });

  it('send a form and a long text in slices', async () => {
    const url = await serving(echo);
    const form = new FormData();
    form.set('path', '/data/x');
    const request = openKernelFetch();
    expect((await (await request(url, { method: 'POST', body: form })).json()).body).toContain('/data/x');
    expect((await (await request(url, { method: 'POST', body: new Blob(['a', 'b']) })).json()).body).toBe('ab');
  });

  it('follow an address that sends elsewhere, with what was sent', async () => {
    const url = await serving((asked, response) => {
      if (asked.url !== '/old') return echo(asked, response);
      asked.resume();
      response.writeHead(308, { location: '/new' }).end();
    });
    const answer = await openKernelFetch()(`${url}/old`, { method: 'POST', body: 'all' });
    expect(await answer.json()).toMatchObject({ url: '/new', method: 'POST', body: 'all' });
  });

  it.each(['before it is sent', 'before its answer', 'in the middle of its answer'] as const)(
    'end when they are stopped %s',
    async (when) => {
      const stop = new AbortController();
      const url = await serving((_asked, response) => {
        if (when !== 'before its answer') response.writeHead(200).write('half');
        setImmediate(() => stop.abort());
      });
      if (when === 'before it is sent') stop.abort();
      const read = openKernelFetch()(url, { signal: stop.signal }).then((response) => response.text());
      await expect(read).rejects.toThrow(/abort/i);
    },
  );

  it('fail where the connection breaks, with no half of an answer, and where nobody listens', async () => {
    const url = await serving((_asked, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    const request = openKernelFetch();
    await expect(request(url, {}).then((response) => response.text())).rejects.toThrow();
    server?.close();
    await expect(request(url, {})).rejects.toThrow(/ECONNREFUSED|ECONNRESET|hang up/);
  });
});
