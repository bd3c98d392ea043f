// Who may ask the service what: another page in the same browser, another program, somebody without the token.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from './served-features.ts';
import { type ServiceBench, startServiceBench, TOKEN } from './support.ts';

const ORIGIN = 'https://allowed.example';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench({ origins: [ORIGIN], hosts: ['Notes.example'], requestTimeoutMs: 1000 });
});
afterAll(() => bench.close());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request byte for byte as it is given: `fetch` sets Host itself and tidies paths up. */
function raw(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Iterable<string> } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(bench.url);
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method, headers: { authorization: `Bearer ${TOKEN}`, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    if (typeof body === 'object') for (const part of body) sent.write(part);
    sent.end(typeof body === 'string' ? body : undefined);
  });
}

/** What comes until the service ends the connection. */
function untilClosed(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(bench.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write(lines.join('\r\n'));
  });
}

const CLOSED = ROUTES.flatMap(({ method, path, open }) => (open ? [] : [[method, path.replaceAll(/\{\w+\}/g, 'some')] as const]));

describe('a request by another method', () => {
  it.each([
    ['GET', '/api/chat/send', 'POST'],
    ['PUT', '/api/tools/conversations', 'GET, DELETE'],
    ['DELETE', '/api/chat/sessions/some/messages', 'GET'],
    ['POST', '/healthz', 'GET'],
  ])('than those of its route is told which there are: %s %s', async (method, path, allow) => {
    const { status, headers, text } = await raw(path, { method });
    expect([status, headers.allow, JSON.parse(text).error.code]).toEqual([405, allow, 'bad_method']);
    expect((await raw('/api/chat/nowhere', { method })).status).toBe(404);
  });
});

describe('without the token', () => {
  it.each([...CLOSED, ['GET', '/no/such/route'] as const])('nothing is answered: %s %s', async (method, path) => {
    for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, TOKEN]) {
      const { status, headers, text } = await raw(path, { method, headers: { authorization } });
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(text).not.toContain(TOKEN);
    }
    expect(bench.model.requests).toEqual([]);
  });

  it('only whether the service runs is told', async () => {
    expect(await raw('/healthz', { headers: { authorization: '' } })).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  });
});

describe('a page of somebody else', () => {
  it.each(['https://evil.example', 'null', 'http://127.0.0.1', `${ORIGIN}.evil.example`, ''])(
    'is refused by its origin, token or not: %s',
    async (origin) => {
      for (const path of ['/healthz', '/api/chat/sessions']) {
        const { status, headers } = await raw(path, { headers: { origin } });
        expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined]);
      }
      expect((await raw('/api/chat/send', { method: 'OPTIONS', headers: { origin } })).status).toBe(403);
    },
  );

  it.each([
    'evil.example',
    'evil.example:6810',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '127.0.0.1@evil.example',
    '[::ffff:1.2.3.4]',
  ])('that gave its own name this machine’s address is refused by that name: %s', async (host) => {
    // What is no name at all is refused before that.
    expect([400, 403]).toContain((await raw('/api/chat/sessions', { headers: { host } })).status);
    expect([400, 403]).toContain((await raw('/healthz', { headers: { host } })).status);
  });

  it('may ask where its origin and the name of the service are allowed', async () => {
    const asked = await raw('/api/chat/sessions', { headers: { origin: ORIGIN, host: 'notes.example:443' } });
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([200, ORIGIN]);
    const preflight = await raw('/api/chat/send', { method: 'OPTIONS', headers: { origin: ORIGIN, authorization: '' } });
    expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([
      204,
      'Authorization, Content-Type, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
    ]);
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:6810']) expect((await raw('/healthz', { headers: { host } })).status).toBe(200);
  });
});

describe('a body', () => {
  it('of 11 MB is refused, whether it says so or not', async () => {
    const body = JSON.stringify({ message: 'x'.repeat(11 * 1024 * 1024) });
    const said = await raw('/api/chat/send', { method: 'POST', headers: { 'content-length': String(body.length) }, body });
    expect([said.status, JSON.parse(said.text).error.code]).toEqual([413, 'body_too_large']);
    const unsaid = await raw('/api/chat/send', { method: 'POST', headers: { 'transfer-encoding': 'chunked' }, body: [body] });
    expect(unsaid.status).toBe(413);
  });

  it.each([
    ['POST', '/api/chat/send', TOKEN, 413],
    ['POST', '/api/chat/approvals/some', TOKEN, 413],
    ['POST', '/api/chat/send', 'wrong', 401],
    ['GET', '/no/such/route', 'wrong', 401],
  ])('that is announced as 1 GB is refused at once, and the connection ends: %s %s with %s', async (method, path, token, status) => {
    const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`, `Content-Length: ${2 ** 30}`];
    expect(await untilClosed([...head, '', 'x'.repeat(1000)])).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it.each([
    ['head', ['POST /api/chat/send HTTP/1.1', 'Host: localhost', 'X-Slow: ']],
    ['body', ['POST /api/chat/send HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${TOKEN}`, 'Content-Length: 100', '', '{"mess']],
  ])('or head that does not come is not waited for: %s', async (_what, lines) => {
    const answer = await untilClosed(lines);
    expect(answer === '' || answer.startsWith('HTTP/1.1 408')).toBe(true);
    expect(bench.model.requests).toEqual([]);
  });

  it.each([
    ['not JSON', 'message', 'bad_json'],
    ['none', '', 'bad_json'],
    ['without a message', '{}', 'bad_body'],
    ['with an empty one', '{"message":" "}', 'bad_body'],
    ['with files', '{"message":"a","attachments":[{"path":"/etc/passwd"}]}', 'bad_body'],
    ['with a field that there is not', '{"message":"a","sesion_id":"b"}', 'bad_body'],
    ['a list', '["message"]', 'bad_body'],
    ['with a number for a flag', '{"message":"a","stream":1}', 'bad_body'],
  ])('that is %s gets the reason and the next step', async (_what, body, code) => {
    const { status, text } = await raw('/api/chat/send', { method: 'POST', body });
    expect([status, JSON.parse(text).error]).toEqual([400, { code, message: expect.any(String), next: expect.any(String) }]);
  });
});

describe('the id of a chat', () => {
  const TRICKS = [
    '../settings',
    '..',
    '.',
    '../../../../conf/conf',
    'a/b',
    'a\\b',
    'index',
    'index-recent',
    'a.json',
    'a\u0000',
    ' ',
    'é',
    '\u212a',
    'x'.repeat(81),
  ];

  it.each(TRICKS)('is no path: %j', async (id) => {
    const encoded = id.replaceAll(/[^\w-]/g, (letter) => `%${Buffer.from(letter).toString('hex').match(/../g)?.join('%')}`);
    for (const [method, end] of [
      ['GET', 'messages'],
      ['GET', 'events'],
      ['POST', 'abort'],
    ] as const) {
      const { status, text } = await raw(`/api/chat/sessions/${encoded}/${end}`, { method });
      expect([400, 404]).toContain(status);
      expect(text).not.toContain('notebooks');
    }
    const { status, text } = await raw('/api/chat/send', { method: 'POST', body: JSON.stringify({ session_id: id, message: 'a' }) });
    expect([status, JSON.parse(text).error.code]).toEqual([400, 'bad_session_id']);
    expect(bench.model.requests).toEqual([]);
  });

  it('of one that there is not is said to be unknown', async () => {
    expect((await raw('/api/chat/sessions/nowhere/messages')).status).toBe(404);
    expect((await raw('/api/chat/sessions/nowhere/abort', { method: 'POST' })).status).toBe(404);
    expect((await raw('/api/chat/approvals/0123456789abcdef', { method: 'POST', body: '{"decision":"approve"}' })).status).toBe(404);
    expect(await bench.json('/api/chat/sessions')).toEqual([]);
  });
});

describe('what goes wrong', () => {
  it('with the kernel is said without its token, and nothing is logged that is secret', async () => {
    bench.model.push({ text: 'Never.' });
    await bench.host.pause();
    const { status, text } = await raw('/api/chat/send', { method: 'POST', body: '{"message":"a"}' });
    await bench.host.resume();
    expect([status, JSON.parse(text).error.code]).toEqual([502, 'kernel_unreachable']);
    for (const secret of [TOKEN, 'the-token-of-the-kernel', 'the-key-of-the-model']) {
      expect(text).not.toContain(secret);
      expect(bench.logged.join('\n')).not.toContain(secret);
    }
  });
});
