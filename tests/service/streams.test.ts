// Clients that leave, come back, stall or give up.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageView } from '../../src/service/chats/messages.ts';
import { allEvents, eventsOf, nextEvent, type ServiceBench, type ServiceEvent, startServiceBench, textOf } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
});
afterAll(() => bench.close());

/** An answer that stops after its first words until it is released. */
function heldAnswer(text: string): () => void {
  let release = (): void => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  bench.model.push({ text, hold });
  return release;
}

const lastOf = async (id: unknown): Promise<MessageView | undefined> =>
  (await bench.json<MessageView[]>(`/api/chat/sessions/${id}/messages`)).at(-1);

/** Begins a turn, and leaves after its first words. */
async function leaveInTheMiddle(body: object): Promise<{ readonly seen: ServiceEvent[]; readonly id: unknown }> {
  const leaving = new AbortController();
  const events = eventsOf(await bench.send(body, { signal: leaving.signal }));
  const seen = [await nextEvent(events, 'start'), await nextEvent(events, 'message')];
  leaving.abort();
  return { seen, id: seen[0]?.data.session_id };
}

describe('a client that leaves', () => {
  it('ends nothing, and finds every event that it missed, once each and in order', async () => {
    const release = heldAnswer('One two three four five.');
    const { seen, id } = await leaveInTheMiddle({ message: 'Count.' });
    const path = `/api/chat/sessions/${id}/events`;
    const again = bench.fetch(path, { headers: { 'Last-Event-ID': seen[1]?.id ?? '' } }).then(allEvents);
    const fromStart = bench.fetch(path).then(allEvents);
    release();
    const whole = await fromStart;
    expect([...seen, ...(await again)]).toEqual(whole);
    expect(textOf(whole)).toBe('One two three four five.');
    const numbers = whole.map((event) => Number(event.id.split('-')[1]));
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    expect(await lastOf(id)).toMatchObject({ content: 'One two three four five.' });

    // After the end there is nothing to wait for, and an event that nobody knows is no place to go on from.
    expect((await bench.fetch(path, { headers: { 'Last-Event-ID': whole.at(-1)?.id ?? '' } })).status).toBe(204);
    const unknown = await bench.fetch(path, { headers: { 'Last-Event-ID': 'ffffffff-3' } });
    expect(unknown.status).toBe(410);
    expect(await unknown.json()).toMatchObject({ error: { code: 'events_gone', next: expect.stringContaining('/messages') } });
  });

  it('ends the turn where it asked for that', async () => {
    const release = heldAnswer('One two three four.');
    const { id } = await leaveInTheMiddle({ message: 'Count.', abort_on_disconnect: true });
    await expect.poll(async () => (await lastOf(id))?.status).toBe('stopped');
    release();
  });
});

describe('a turn', () => {
  it('is in its messages as far as it has come', async () => {
    const release = heldAnswer('One two three four.');
    const events = eventsOf(await bench.send({ message: 'Count.' }));
    const id = (await nextEvent(events, 'start')).data.session_id;
    const { data } = await nextEvent(events, 'message');
    const { content = '', status } = (await lastOf(id)) ?? {};
    expect([content.startsWith(String(data.content)), status]).toEqual([true, 'running']);
    release();
    await nextEvent(events, 'done');
    expect(await lastOf(id)).toMatchObject({ content: 'One two three four.' });
  });

  it('is ended by an abort, with what was said so far', async () => {
    const release = heldAnswer('One two three four.');
    const events = eventsOf(await bench.send({ message: 'Count.' }));
    const id = (await nextEvent(events, 'start')).data.session_id;
    await nextEvent(events, 'message');
    expect(await bench.json(`/api/chat/sessions/${id}/abort`, {})).toEqual({ aborted: true });
    expect((await nextEvent(events, 'done')).data).toMatchObject({ status: 'aborted' });
    expect(await lastOf(id)).toMatchObject({ status: 'stopped', content: expect.stringMatching(/^One/) });
    expect(await bench.json(`/api/chat/sessions/${id}/abort`, {})).toEqual({ aborted: false });
    release();
  });

  it('that waits for an approval is ended by an abort, and nothing is written', async () => {
    bench.model.push({ calls: [{ name: 'create_doc', args: { notebook: 'Work', path: '/Never', markdown: 'x' } }] });
    const events = eventsOf(await bench.send({ message: 'Make it.' }));
    const { data } = await nextEvent(events, 'approval_request');
    await bench.json(`/api/chat/sessions/${data.session_id}/abort`, {});
    expect((await nextEvent(events, 'approval_end')).data).toEqual({ id: data.id, decision: 'aborted' });
    await nextEvent(events, 'done');
    expect(await bench.json('/api/chat/approvals')).toEqual([]);
    expect(await bench.kernel('/api/query/sql', { stmt: "SELECT id FROM blocks WHERE content = 'Never'" })).toEqual([]);
  });

  it('is one at a time in a chat; other chats go on beside it', async () => {
    const release = heldAnswer('One two three.');
    const events = eventsOf(await bench.send({ message: 'Count.' }));
    const session_id = (await nextEvent(events, 'start')).data.session_id;
    await nextEvent(events, 'message');
    const second = await bench.send({ session_id, message: 'Faster.' });
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ error: { code: 'chat_busy' } });
    bench.model.push({ text: 'Beside.' });
    expect(textOf(await allEvents(await bench.send({ message: 'Another.' })))).toBe('Beside.');
    release();
    await nextEvent(events, 'done');
  });

  it('that the service’s end cuts off is kept as far as it came', async () => {
    const release = heldAnswer('One two three.');
    const { id } = await leaveInTheMiddle({ message: 'Count.' });
    await bench.restart();
    // Its events went with the service: nothing will follow, and from one of them nothing can be gone on with.
    const path = `/api/chat/sessions/${id}/events`;
    expect((await bench.fetch(path)).status).toBe(204);
    expect((await bench.fetch(path, { headers: { 'Last-Event-ID': 'ffffffff-3' } })).status).toBe(410);
    expect((await bench.fetch('/api/chat/sessions/nowhere/events')).status).toBe(404);
    expect(await bench.json(`/api/chat/sessions/${id}/abort`, {})).toEqual({ aborted: false });
    expect(await lastOf(id)).toMatchObject({ status: 'stopped', content: expect.stringMatching(/^One/) });
    release();
  });
});

describe('a client that stalls', () => {
  it('holds nobody back, and loses nothing', async () => {
    const words = `${'w'.repeat(300)} `.repeat(8000);
    const release = heldAnswer(words);
    const stalled = await bench.send({ message: 'Write much.' });
    const other = bench.fetch(`/api/chat/sessions/${stalled.headers.get('x-session-id')}/events`).then(allEvents);
    release();
    const heard = await other;
    expect(textOf(heard)).toBe(words);
    expect(await allEvents(stalled)).toEqual(heard);
  });
});
