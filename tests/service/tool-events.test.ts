// What the tools do, over a WebSocket.
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { allEvents, eventsOf, nextEvent, type ServiceBench, startServiceBench, TOKEN } from './support.ts';

const ORIGIN = 'https://allowed.example';
const BEARER = { Authorization: `Bearer ${TOKEN}` };

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench({ origins: [ORIGIN], pingMs: 200 });
});
afterAll(() => bench.close());

let opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened) socket.terminate();
  opened = [];
});

interface SocketOptions {
  readonly headers?: Record<string, string>;
  readonly protocols?: readonly string[];
  readonly autoPong?: boolean;
}

function open(query = '', { headers = BEARER, protocols = [], autoPong = true }: SocketOptions = {}): WebSocket {
  const address = `${bench.url.replace('http', 'ws')}/ws/tool-events${query}`;
  const socket = new WebSocket(address, [...protocols], { headers, autoPong });
  opened.push(socket);
  return socket;
}

/** Everything that comes, as it comes. */
async function listen(query = '', options: SocketOptions = {}) {
  const messages: Readonly<Record<string, unknown>>[] = [];
  const socket = open(query, options);
  socket.on('message', (data) => void messages.push(JSON.parse(String(data))));
  await once(socket, 'open');
  return { socket, messages };
}

/** The status and the reason with which a socket is refused. */
async function refusal(query: string, options: SocketOptions): Promise<readonly [number, string]> {
  const socket = open(query, options);
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  let text = '';
  for await (const part of response) text += part;
  expect(text).not.toContain(TOKEN);
  return [response.statusCode, JSON.parse(text).error.code];
}

const READ = { name: 'read_doc', args: { id: '20200101000000-nothere' } };

describe('what the tools do', () => {
  it('is told as it happens, with the ids of chat and call: of one chat, or of all', async () => {
    const [all, first] = await Promise.all([listen(), listen('?session_id=first')]);
    bench.model.push({ calls: [{ name: 'read_doc', args: { id: bench.note } }] }, { text: 'Read.' });
    const events = await allEvents(await bench.send({ session_id: 'first', message: 'Read.' }));
    bench.model.push({ calls: [READ] }, { text: 'Not there.' });
    await allEvents(await bench.send({ session_id: 'second', message: 'Read.' }));
    await expect.poll(() => all.messages.length).toBe(4);
    const told = events.filter(({ event }) => event.startsWith('tool_'));
    expect(first.messages).toEqual(told.map(({ event, data }) => ({ type: event, session_id: 'first', ...data })));
    expect(first.messages[0]).toEqual({
      ...{ type: 'tool_start', session_id: 'first', id: expect.any(String), tool: 'read_doc', arguments: { id: bench.note } },
      timestamp: expect.any(Number),
    });
    expect(first.messages[1]).toMatchObject({ type: 'tool_complete', tool: 'read_doc', duration_ms: expect.any(Number) });
    expect(all.messages.map(({ type, session_id }) => [type, session_id])).toEqual([
      ['tool_start', 'first'],
      ['tool_complete', 'first'],
      ['tool_start', 'second'],
      ['tool_error', 'second'],
    ]);
  });

  it('can be approved by who hears of it', async () => {
    const { messages } = await listen('?session_id=third');
    bench.model.push({ calls: [{ name: 'daily_note', args: { op: 'append', notebook: 'Work', markdown: 'x' } }] }, { text: 'No.' });
    const events = eventsOf(await bench.send({ session_id: 'third', message: 'Note it.' }));
    await expect.poll(() => messages.map(({ type }) => type)).toEqual(['tool_start', 'approval_request']);
    await bench.json(`/api/chat/approvals/${messages[1]?.id}`, { decision: 'reject' });
    await nextEvent(events, 'done');
    await expect.poll(() => messages.length).toBe(4);
    expect(messages.slice(2)).toMatchObject([
      { type: 'approval_end', decision: 'rejected' },
      { type: 'tool_error', session_id: 'third' },
    ]);
  });
});

describe('a socket', () => {
  it('of a page, which cannot send headers, has the token as a protocol; it is not sent back', async () => {
    const { socket } = await listen('', { headers: { origin: ORIGIN }, protocols: ['marginalia', `bearer.${TOKEN}`] });
    expect(socket.protocol).toBe('marginalia');
  });

  it.each([
    ['', { headers: {} }, 401, 'bad_token'],
    ['', { headers: { Authorization: 'Bearer wrong' } }, 401, 'bad_token'],
    ['', { headers: {}, protocols: ['marginalia', 'bearer.wrong'] }, 401, 'bad_token'],
    ['', { headers: BEARER, protocols: ['marginalia', 'bearer.wrong'] }, 401, 'bad_token'],
    [`?token=${TOKEN}`, { headers: {} }, 401, 'bad_token'],
    [`?token=${TOKEN}`, {}, 400, 'bad_parameter'],
    ['?session_id=../x', {}, 400, 'bad_session_id'],
    ['/more', {}, 404, 'no_route'],
    ['', { headers: { ...BEARER, origin: 'https://evil.example' } }, 403, 'foreign_origin'],
    ['', { headers: { ...BEARER, origin: 'null' } }, 403, 'foreign_origin'],
    ['', { headers: { ...BEARER, host: 'evil.example' } }, 403, 'foreign_host'],
  ])('is refused where it should be: %s %j', async (query, options: SocketOptions, status, code) => {
    expect(await refusal(query, options)).toEqual([status, code]);
  });

  it('is said to be one to who asks without', async () => {
    expect((await bench.fetch('/ws/tool-events')).status).toBe(426);
  });

  it('that says too much, or answers no ping, is closed', async () => {
    const talking = await listen();
    talking.socket.send('x'.repeat(5000));
    expect(await once(talking.socket, 'close')).toMatchObject([1009, expect.anything()]);
    const silent = await listen('', { autoPong: false });
    const answering = await listen();
    await once(silent.socket, 'close');
    expect(answering.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('ends with the service', async () => {
    const { socket } = await listen();
    const closed = once(socket, 'close');
    await bench.restart();
    await closed;
  });
});
