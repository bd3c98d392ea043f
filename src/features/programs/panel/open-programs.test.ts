import { expect, it } from 'vitest';
import { openPrograms } from './open-programs.ts';

interface Sent {
  readonly url: string;
  readonly authorization: string | null;
  readonly body: unknown;
}

/** A service that answers so, and what was sent to it or to others. */
function bench(answer: (path: string) => unknown = () => []) {
  const kept = new Map<string, string>();
  const sent: Sent[] = [];
  const secrets = { get: (name: string) => kept.get(name), set: (name: string, value: string) => void kept.set(name, value) };
  const programs = openPrograms(secrets, () => async (input, init) => {
    const { url, headers, method } = new Request(input, init);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    sent.push({ url: `${method} ${url}`, authorization: headers.get('authorization'), body });
    const given = answer(new URL(url).pathname);
    return given instanceof Response ? given : Response.json(given);
  });
  return { programs, sent, kept };
}

it('keeps an address only once the service answers there, and its token for that address alone', async () => {
  let isRefused = true;
  const { programs, sent, kept } = bench(() => (isRefused ? new Response('{}', { status: 401 }) : []));
  await expect(programs.connect('127.0.0.1:6810/', 'wrong')).rejects.toMatchObject({ code: 'service_refused' });
  expect(await programs.connection()).toEqual({ address: '', hasToken: false });
  isRefused = false;
  await programs.connect('127.0.0.1:6810/', 'right');
  expect(await programs.connection()).toEqual({ address: 'http://127.0.0.1:6810', hasToken: true });
  await programs.connect('https://evil.example');
  expect(sent.at(-1)).toMatchObject({ url: 'GET https://evil.example/api/mcp/clients', authorization: 'Bearer' });
  await programs.disconnect();
  expect([...kept.values()].join('')).not.toContain('right');
  await expect(programs.list()).rejects.toMatchObject({ code: 'service_missing' });
});

it('decides as the person did: a part, this once, or not, with a reason', async () => {
  const { programs, sent } = bench();
  await programs.connect('http://127.0.0.1:6810', 'right');
  await programs.decide('a/b', { approved: true, acceptedOperations: ['one'], remember: true, beyondRight: true });
  expect(sent.at(-1)).toMatchObject({
    url: 'POST http://127.0.0.1:6810/api/chat/approvals/a%2Fb',
    body: { decision: 'approve', accepted_operations: ['one'], beyond_right: true },
  });
  expect(JSON.stringify(sent.at(-1)?.body)).not.toContain('remember');
  await programs.decide('c', { approved: false, reason: 'not now' });
  expect(sent.at(-1)?.body).toEqual({ decision: 'reject', reason: 'not now' });
});

it('takes no answer that it cannot draw', async () => {
  const { programs } = bench((path) => (path.endsWith('approvals') ? [{ id: 'x', plan: 'all of it' }] : []));
  await programs.connect('http://127.0.0.1:6810', 'right');
  await expect(programs.pending()).rejects.toMatchObject({ code: 'service_failed' });
});
