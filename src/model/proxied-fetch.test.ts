import { describe, expect, it } from 'vitest';
import { createProviderProxy, type Forward, type ForwardedAnswer, type ForwardedRequest } from './proxied-fetch.ts';

const PROVIDER = 'https://models.example/v1';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const answer = (parts: Partial<ForwardedAnswer> = {}): ForwardedAnswer => ({ status: 200, headers: {}, body: bytes('{}'), ...parts });

function proxyOf(direct: typeof fetch, forward: Forward | ForwardedAnswer) {
  const sent: ForwardedRequest[] = [];
  const changes: boolean[] = [];
  const proxy = createProviderProxy({
    fetch: direct,
    forward: async (request, signal) => {
      sent.push(request);
      return typeof forward === 'function' ? forward(request, signal) : forward;
    },
    onChange: () => changes.push(proxy.forwards(PROVIDER)),
  });
  return { proxy, sent, changes, ask: proxy.fetchFor(PROVIDER) };
}
const forbidden: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'));

describe('a provider that the page may not ask', () => {
  it('is asked by the host, byte for byte, and answers with what came', async () => {
    const { ask, sent, proxy, changes } = proxyOf(
      forbidden,
      answer({
        status: 429,
        headers: { 'Retry-After': '3', 'Content-Encoding': 'gzip', 'content-length': '9' },
        body: bytes('too many 中文'),
      }),
    );
    const body = JSON.stringify({ messages: ['中文 “x”'] });
    const headers = { authorization: 'Bearer k', 'content-type': 'application/json' };
    const response = await ask(`${PROVIDER}/chat/completions`, { method: 'POST', headers, body, redirect: 'error' });
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([429, '3', 'too many 中文']);
    expect([response.headers.get('content-encoding'), response.headers.get('content-length')]).toEqual([null, null]);
    expect(sent[0]).toMatchObject({ url: `${PROVIDER}/chat/completions`, method: 'POST', headers });
    expect(new TextDecoder().decode(sent[0]?.body)).toBe(body);
    expect([proxy.forwards(`${PROVIDER}/`), proxy.forwards('https://other.example/v1'), changes]).toEqual([true, false, [true]]);
  });

  it('gets forms as a browser would send them', async () => {
    const { ask, sent } = proxyOf(forbidden, answer());
    const form = new FormData();
    form.append('model', 'whisper');
    await ask(`${PROVIDER}/audio/transcriptions`, { method: 'POST', body: form });
    expect(sent[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(new TextDecoder().decode(sent[0]?.body)).toContain('whisper');
  });

  it('is asked directly as soon as it can be', async () => {
    let up = false;
    const { ask, changes, sent } = proxyOf(async (input, init) => (up ? new Response('direct') : forbidden(input, init)), answer());
    await ask(`${PROVIDER}/models`);
    up = true;
    expect(await (await ask(`${PROVIDER}/models`)).text()).toBe('direct');
    expect([changes, sent.length]).toEqual([[true, false], 1]);
  });
});

describe('a request that may cost money', () => {
  const post = { method: 'POST', body: '{}' };
  const counted = (work: (count: number) => Promise<Response>) => {
    let count = 0;
    const direct: typeof fetch = () => {
      count += 1;
      return work(count);
    };
    return { direct, asked: () => count };
  };

  it('is not sent twice where the connection breaks: a page that was answered before is allowed to ask', async () => {
    const { direct, asked } = counted(async (count) => {
      if (count > 1) throw new TypeError('network changed');
      return new Response('direct');
    });
    const { ask, sent, proxy } = proxyOf(direct, answer());
    await ask(`${PROVIDER}/images/generations`, post);
    await expect(ask(`${PROVIDER}/images/generations`, post)).rejects.toThrow('network changed');
    expect([asked(), sent.length, proxy.forwards(PROVIDER)]).toEqual([2, 0, false]);
    // Reading is another matter.
    expect((await ask(`${PROVIDER}/models`)).ok).toBe(true);
  });

  it('that was paid is not lost to a header that the browser does not take', async () => {
    const { ask } = proxyOf(forbidden, answer({ headers: { 'x-region': '北京', 'x-bad name': '1', 'x-id': '7' } }));
    const response = await ask(`${PROVIDER}/chat/completions`, post);
    expect([response.status, response.headers.get('x-id')]).toEqual([200, '7']);
  });
});

describe('nothing is forwarded', () => {
  const failure = new TypeError('Failed to fetch');
  const direct: typeof fetch = () => Promise.reject(failure);

  it.each([
    ['of what the host cannot reach either', () => Promise.reject(new Error('nobody answers'))],
    ['of a redirect, which another server would answer', answer({ status: 307, headers: { location: 'https://evil.example' } })],
    ['of what is no status', answer({ status: 0 })],
  ])('%s: the first failure stands', async (_what, forward) => {
    const { ask, proxy } = proxyOf(direct, forward);
    await expect(ask(`${PROVIDER}/models`)).rejects.toBe(failure);
    expect(proxy.forwards(PROVIDER)).toBe(false);
  });

  it('to a server that is not the provider’s: an answer must not make the host call one', async () => {
    const { ask, sent } = proxyOf(direct, answer());
    for (const url of ['http://127.0.0.1:6806/api/system/exit', 'https://models.example:8443/v1/models', 'https://evil.example/v1'])
      await expect(ask(url)).rejects.toBe(failure);
    expect(sent).toEqual([]);
  });

  it('of a request that was stopped, or that failed by its own fault', async () => {
    const stopped = new AbortController();
    stopped.abort();
    const { ask, sent } = proxyOf(direct, answer());
    await expect(ask(`${PROVIDER}/models`, { signal: stopped.signal })).rejects.toBe(failure);
    const own = proxyOf(() => Promise.reject(new RangeError('ours')), answer());
    await expect(own.ask(`${PROVIDER}/models`)).rejects.toThrow(RangeError);
    expect([...sent, ...own.sent]).toEqual([]);
  });
});
