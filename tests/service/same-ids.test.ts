// Ids that differ only in case: on some disks they are one file.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MessageView } from '../../src/service/chats/messages.ts';
import { allEvents, type ServiceBench, startServiceBench, textOf } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
});
afterAll(() => bench.close());

const ids = async () => (await bench.json<{ id: string }[]>('/api/chat/sessions')).map(({ id }) => id);
const messagesOf = (id: string) => bench.json<MessageView[]>(`/api/chat/sessions/${id}/messages`);

it('are one chat: at the same moment, while it is open, and when it is opened anew', async () => {
  bench.model.otherwise({ text: 'Yes.' });
  const both = await Promise.all(['Trip', 'trip'].map((session_id) => bench.send({ session_id, message: 'Go?' })));
  const [first, second] = both.map(({ status }) => status).sort();
  expect([first, second]).toEqual([200, 409]);
  await Promise.all(both.map((answer) => answer.text()));
  const [id = ''] = await ids();
  expect(await ids()).toEqual([id]);
  const again = await bench.send({ session_id: 'TRIP', message: 'And back?' });
  expect(again.headers.get('x-session-id')).toBe(id);
  expect(textOf(await allEvents(again))).toBe('Yes.');
  await bench.restart();
  expect(await messagesOf('tRIP')).toHaveLength(4);
  const last = await allEvents(await bench.send({ session_id: 'tRiP', message: 'Once more?' }));
  expect(last[0]?.data).toMatchObject({ session_id: id });
  expect(await ids()).toEqual([id]);
});

it('that are there already, as two files, stay two', async () => {
  const saved = JSON.stringify({ ...JSON.parse((await bench.read(`sessions/${(await ids())[0]}.json`)) ?? '{}'), title: 'Other' });
  for (const id of ['Two', 'two']) await bench.write(`sessions/${id}.json`, saved);
  expect((await messagesOf('two')).map(({ session_id }) => session_id)[0]).toBe('two');
  expect((await messagesOf('Two')).map(({ session_id }) => session_id)[0]).toBe('Two');
});

it('never name the index', async () => {
  const refused = await bench.send({ session_id: 'INDEX', message: 'Go?' });
  expect([refused.status, (await refused.json()).error.code]).toEqual([400, 'bad_session_id']);
});
