import { describe, expect, it } from 'vitest';
import { nextTask } from '../../tools/util/next-task.ts';
import { createKernelClient, type Fetch } from './kernel-client.ts';

const open = new AbortController().signal;
const text = (data: unknown): string => {
  if (typeof data !== 'string') throw new Error('no string');
  return data;
};
const clientOf = (fetch: Fetch, timeoutMs = 1000) => createKernelClient({ baseUrl: 'http://k', token: 'T', fetch, timeoutMs });
const answering =
  (body: string, status = 200): Fetch =>
  async () =>
    new Response(body, { status });
const line = (run: Promise<unknown>): Promise<string> => run.then(String, String);

describe('the envelope', () => {
  it('gives the data and sends the token', async () => {
    let seen: RequestInit = {};
    const client = clientOf(async (_url, init) => {
      seen = init;
      return new Response('{"code":0,"msg":"","data":"x"}');
    });
    expect(await client.call('/api/x', { a: 1 }, text, open)).toBe('x');
    expect(seen.headers).toMatchObject({ Authorization: 'Token T' });
    expect(seen.body).toBe('{"a":1}');
  });

  it.each([
    ['an unknown route', answering(''), /^kernel_refused: SiYuan does not know \/api\/x/],
    ['code 0 without the data', answering('{"code":0,"msg":"","data":null}'), /^kernel_refused: .*lacks what was requested/],
    ['a refusal', answering('{"code":-1,"msg":"tree not found","data":null}'), /^kernel_refused: .*tree not found/],
    ['read-only mode', answering('{"code":-1,"msg":"This operation is not supported in read-only mode","data":{}}'), /^read_only: /],
    ['read-only mode in Traditional Chinese', answering('{"code":-1,"msg":"唯讀模式下不支援該操作","data":{}}'), /^read_only: /],
    [
      'a locked notebook',
      answering('{"code":-1,"msg":"encrypted notebook is locked: x","data":null}'),
      /^encrypted_notebook: the notebook was locked/,
    ],
    ['no JSON', answering('<html>'), /^kernel_refused: /],
    ['another shape', answering('[1]'), /^kernel_refused: .*unknown format/],
    ['a wrong token', answering('{}', 401), /^kernel_refused: .*token/],
    ['a server error', answering('x', 500), /^kernel_unreachable: /],
    ['no server', () => Promise.reject(new TypeError('failed')), /^kernel_unreachable: SiYuan cannot be reached/],
  ])('tells %s', async (_what, fetch, expected) => {
    expect(await line(clientOf(fetch).call('/api/x', {}, text, open))).toMatch(expected);
  });

  const hanging: Fetch = (_url, init) =>
    new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));

  it('tells a timeout from a stop', async () => {
    expect(await line(clientOf(hanging, 20).call('/api/x', {}, text, open))).toMatch(/^kernel_unreachable: SiYuan did not answer in time/);
    const stop = new AbortController();
    const call = line(clientOf(hanging).call('/api/x', {}, text, stop.signal));
    stop.abort();
    expect(await call).toMatch(/^aborted: /);
    expect(await line(clientOf(hanging).call('/api/x', {}, text, stop.signal))).toMatch(/^aborted: /);
  });
});

describe('files', () => {
  it('reads a file, and null where there is none (HTTP 202)', async () => {
    expect(await clientOf(answering('{"code":7}')).readFile('/data/x', open)).toBe('{"code":7}');
    expect(await clientOf(answering('{"code":404,"msg":"","data":null}', 202)).readFile('/data/x', open)).toBeNull();
    expect(await line(clientOf(answering('{"code":403,"msg":"no","data":null}', 202)).readFile('/x', open))).toMatch(/^kernel_refused/);
  });

  it.each(['', 'é 😀\r\n--', '--marginalia-\r\nContent-Disposition: form-data; name="path"\r\n\r\n/x', '\0'])(
    'writes a text as a form in one piece, whatever is in it: %j',
    async (content) => {
      const bodies: unknown[] = [];
      const fetch: Fetch = async (_url, { body, headers }) => {
        bodies.push(body);
        const form = await new Response(body ?? null, { headers: headers ?? {} }).formData();
        expect([...form.keys()]).toEqual(['path', 'isDir', 'file']);
        expect([form.get('path'), form.get('isDir')]).toEqual(['/data/a "b" é.json', 'false']);
        const file = form.get('file');
        expect(file instanceof Blob && (await file.text())).toBe(content);
        return new Response('{"code":0,"msg":"","data":null}');
      };
      await clientOf(fetch, 10_000).writeFile('/data/a "b" é.json', content, open);
      expect(bodies).toEqual([expect.any(String)]);
    },
  );

  it('writes and reads a long text in slices, no character cut, and lets the window go on between them', async () => {
    const long = `x${'😀'.repeat(600_000)}é`;
    let stored = '';
    const fetch: Fetch = async (url, { body, headers }) => {
      if (url.endsWith('/getFile')) return new Response(cut(new TextEncoder().encode(long), 99_999));
      const file = (await new Response(body ?? null, { headers: headers ?? {} }).formData()).get('file');
      if (file instanceof Blob) stored = await file.text();
      return new Response('{"code":0,"msg":"","data":null}');
    };
    const client = clientOf(fetch, 10_000);
    for (const begin of [() => client.writeFile('/data/x', long, open), () => client.readFile('/data/x', open)]) {
      const order: string[] = [];
      const done = begin().then((text) => {
        order.push('work');
        return text;
      });
      const other = nextTask().then(() => order.push('other'));
      expect([undefined, long]).toContain(await done);
      await other;
      expect(order).toEqual(['other', 'work']);
    }
    expect(stored).toBe(long);
  });
});

function cut(bytes: Uint8Array<ArrayBuffer>, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
      if (at >= bytes.length) controller.close();
    },
  });
}
