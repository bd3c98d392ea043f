// How calls run, over HTTP: started by hand, and each confirmed whatever a policy allows.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { MessageView } from '../../src/service/chats/messages.ts';
import { allEvents, eventsOf, nextEvent, type ServiceBench, startServiceBench } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
});
afterEach(() => bench.settings({}));
afterAll(() => bench.close());

const read = () => ({ name: 'read_doc', args: { id: bench.note } });
const decide = (id: unknown, decision: 'approve' | 'reject') => bench.json(`/api/chat/approvals/${id}`, { decision });

it('started by hand wait over HTTP until each is decided; none runs before', async () => {
  await bench.settings({ toolCalls: { mode: 'manual' } });
  bench.model.push({ calls: [read(), { name: 'recent_docs', args: {} }] }, { text: 'Read.' });
  const events = eventsOf(await bench.send({ message: 'Read.' }));
  const [first, second] = [await nextEvent(events, 'approval_request'), await nextEvent(events, 'approval_request')];
  expect([first.data, second.data]).toMatchObject([
    { kind: 'execution', tool: 'read_doc', manual: true },
    { kind: 'execution', tool: 'recent_docs', manual: true },
  ]);
  expect(await bench.json('/api/chat/approvals')).toHaveLength(2);
  const calls = async () => {
    const [, answer] = await bench.json<MessageView[]>(`/api/chat/sessions/${first.data.session_id}/messages?metadata=true`);
    expect(answer?.metadata?.toolCall).toEqual([]);
    return answer?.tool_calls.map(({ status, error }) => [status, error]);
  };
  expect(await calls()).toEqual([
    ['waiting', null],
    ['waiting', null],
  ]);
  await decide(first.data.id, 'approve');
  // It was approved, and runs when all are decided.
  expect(await calls()).toEqual([
    ['running', null],
    ['waiting', null],
  ]);
  expect(await bench.json('/api/tools/conversations')).toMatchObject([{ status: 'running' }, { status: 'running' }]);
  await decide(second.data.id, 'reject');
  expect((await nextEvent(events, 'tool_error')).data).toMatchObject({ tool: 'recent_docs', status: 'execution_rejected' });
  expect((await nextEvent(events, 'tool_complete')).data).toMatchObject({ tool: 'read_doc' });
  await nextEvent(events, 'done');
});

it('confirmed ask before they run, reads too', async () => {
  await bench.settings({ toolCalls: { requireConfirmation: true } });
  bench.model.push({ calls: [read()] }, { text: 'No.' });
  const events = eventsOf(await bench.send({ message: 'Read.' }));
  const asked = await nextEvent(events, 'approval_request');
  expect(asked.data).not.toHaveProperty('manual');
  await decide(asked.data.id, 'reject');
  expect((await nextEvent(events, 'tool_error')).data).toMatchObject({ status: 'execution_rejected' });
  await nextEvent(events, 'done');
});

it.each([
  ['length', 'length'],
  ['content_filter', 'filter'],
  ['refusal', 'refusal'],
])('says how an answer ended that is not whole: %s', async (finish, end) => {
  bench.model.push({ text: 'Half of it', finish });
  const events = await allEvents(await bench.send({ message: 'Say it.' }));
  expect(events.at(-1)).toMatchObject({ event: 'done', data: { status: 'completed', end } });
  bench.model.push({ text: 'Half of it', finish });
  const whole = await (await bench.send({ message: 'Say it.', stream: false })).json();
  expect(whole).toMatchObject({ status: 'completed', end });
  const messages = await bench.json<MessageView[]>(`/api/chat/sessions/${whole.session_id}/messages`);
  expect(messages.at(-1)).toMatchObject({ end });
  bench.model.push({ text: 'All of it.' });
  expect((await allEvents(await bench.send({ message: 'Say it.' }))).at(-1)?.data).not.toHaveProperty('end');
});
