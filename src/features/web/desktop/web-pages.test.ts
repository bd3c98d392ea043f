import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPageReader, pageProgram } from '../../../desktop/web/page-reader.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { WebAnswer } from '../web-fetch.ts';
import { createAddressGuard, type Resolved } from './address-guard.ts';
import { askPage, MAX_BYTES } from './ask-page.ts';
import { createWebPages, type WebPagesOptions } from './web-pages.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let host: string;
let answer: Answer;
let asked: IncomingMessage[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const send =
  (body: string | Uint8Array, headers: Record<string, string> = { 'content-type': 'text/plain' }, status = 200): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

/** Reads from the local server, which nothing but the tests may. */
function read(path: string, reply: Answer, options: Partial<WebPagesOptions> = {}): Promise<WebAnswer> {
  asked = [];
  answer = reply;
  return createWebPages({ reader: createPageReader({ program: pageProgram() }), allowed: [host], ...options }).read(
    `http://${host}${path}`,
    new AbortController().signal,
  );
}
const textOf = async (reply: Answer): Promise<string> => {
  const page = await read('/', reply);
  return 'text' in page ? page.text : page.elsewhere;
};

describe('a page', () => {
  it('is asked for without cookies or referrer, by this program under its own name', async () => {
    await read('/a?b=c#d', send('x', { 'content-type': 'text/plain', 'set-cookie': 'a=b' }));
    await read('/', send('x'));
    const [{ headers, url, method }] = asked as [IncomingMessage];
    expect([method, url, Object.keys(headers).sort()]).toEqual([
      'GET',
      '/',
      ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'],
    ]);
    expect(headers['user-agent']).toMatch(/^Marginalia\//u);
  });

  it('is text in its own character set, unpacked', async () => {
    expect(await textOf(send(Buffer.from([0xc4, 0xe3]), { 'content-type': 'text/plain; charset=gbk' }))).toBe('你');
    expect(await textOf(send(Buffer.from('<meta charset="latin1"><p>caf\xe9', 'latin1'), { 'content-type': 'text/html' }))).toBe('café');
    for (const [name, body] of [
      ['gzip', gzipSync('packed')],
      ['br', brotliCompressSync('packed')],
    ] as const)
      expect(await textOf(send(body, { 'content-type': 'text/plain', 'content-encoding': name }))).toBe('packed');
    expect(await textOf(send('{"a":1}', { 'content-type': 'application/ld+json' }))).toBe('{"a":1}');
  });

  it.each<[string, string, Answer]>([
    ['a file', 'not_text', send('x', { 'content-type': 'application/zip' })],
    ['a PDF', 'not_text', send('x', { 'content-type': 'application/pdf' })],
    ['nothing there', 'site_error', send('x', {}, 404)],
    ['an unknown encoding', 'site_error', send('x', { 'content-type': 'text/plain', 'content-encoding': 'zstd' })],
    ['too much, said before', 'too_large', send('x'.repeat(MAX_BYTES + 1))],
    [
      'too much, not said',
      'too_large',
      (_request, response) => {
        response.write('x'.repeat(MAX_BYTES));
        response.end('xx');
      },
    ],
    [
      'too much, packed small',
      'too_large',
      send(gzipSync(Buffer.alloc(MAX_BYTES * 40)), { 'content-type': 'text/plain', 'content-encoding': 'gzip' }),
    ],
    [
      'too much, said before and never sent',
      'too_large',
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain', 'content-length': MAX_BYTES + 1 }).flushHeaders(),
    ],
    [
      'too much that unpacks to nothing',
      'too_large',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
        response.write(Buffer.alloc(MAX_BYTES + 40, gzipSync('')));
        response.end();
      },
    ],
    ['a broken connection', 'site_unreachable', (_request, response) => void response.destroy()],
    ['a redirect to nowhere', 'site_error', send('', {}, 302)],
    ['redirects without end', 'site_error', send('', { location: '/again' }, 302)],
    ['a redirect to this computer', 'address_refused', send('', { location: 'http://[::ffff:127.0.0.1]/' }, 302)],
    ['a redirect to metadata', 'address_refused', send('', { location: '//2852039166/latest' }, 307)],
    ['a redirect to a file', 'bad_address', send('', { location: 'file:///etc/passwd' }, 301)],
  ])('of %s is %s', async (_what, code, reply) => {
    await expect(read('/', reply)).rejects.toMatchObject({ code });
  });

  it('that does not end is given up', async () => {
    const endless: Answer = (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('x');
    await expect(read('/', endless, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('that leads on is followed on the same site, and told of where it leads to another', async () => {
    const moved: Answer = (request, response) =>
      request.url === '/' ? send('', { location: '/new' }, 301)(request, response) : send('here')(request, response);
    expect(await read('/', moved)).toMatchObject({ url: `http://${host}/new`, text: 'here' });
    expect(await read('/', send('', { location: 'https://example.org/x' }, 302))).toEqual({ elsewhere: 'https://example.org/x' });
    expect(asked).toHaveLength(1);
  });
});

describe('a name whose answer changes', () => {
  it('is looked up once, and the connection goes where was checked', async () => {
    let looked = 0;
    const lookup = async (): Promise<readonly Resolved[]> => [{ address: looked++ === 0 ? '127.0.0.1' : '192.0.2.1', family: 4 }];
    answer = send('where it was checked');
    // Nobody else knows the name: a connection that looked it up again would fail.
    const name = `rebind.example:${host.split(':')[1]}`;
    const page = await createWebPages({ reader: createPageReader({ program: pageProgram() }), allowed: [name], lookup }).read(
      `http://${name}/`,
      new AbortController().signal,
    );
    expect([page, looked]).toEqual([expect.objectContaining({ text: 'where it was checked' }), 1]);
  });

  it('is checked anew before each redirect', async () => {
    let looked = 0;
    const resolve = async (): Promise<readonly Resolved[]> => {
      if (looked++ > 0) throw new ToolError('address_refused', 'it is this computer now', '');
      return [{ address: '127.0.0.1', family: 4 }];
    };
    asked = [];
    answer = send('', { location: '/inside' }, 302);
    const guard = { ...createAddressGuard({ allowed: [host] }), resolve };
    await expect(askPage(new URL(`http://${host}/`), guard, new AbortController().signal)).rejects.toMatchObject({
      code: 'address_refused',
    });
    expect(asked.map(({ url }) => url)).toEqual(['/']);
  });
});
