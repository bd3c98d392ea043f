// The service too works with models that have no native tool calls.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { MessageView } from '../../src/service/chats/messages.ts';
import { MARKS, writtenCall } from '../support/written-calls.ts';
import { allEvents, type ServiceBench, startServiceBench, textOf } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
});
beforeEach(() => {
  bench.model.clear();
  bench.model.requests.length = 0;
});
afterAll(() => bench.close());

const ask = async (id: string) => allEvents(await bench.send({ session_id: id, message: 'What does README say?' }));
const read = () => ({ text: `I look.\n${writtenCall('vcp', 'read_doc', { id: bench.note })}\nIt says nothing.`, piece: 4 });

it('a chat over VCP has the events, records and messages of native calls, and no mark', async () => {
  await bench.settings({ toolProtocol: 'vcp' });
  bench.model.push(read(), { text: 'It says a lot.', piece: 3 });
  const events = await ask('vcp');
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['tool_start', 'tool_complete', 'done']));
  expect(textOf(events)).toMatch(/^I look\.\s*It says a lot\.$/);
  expect(JSON.stringify(events)).not.toMatch(MARKS);
  expect(bench.model.requests.map(({ tools }) => tools)).toEqual([undefined, undefined]);
  const [, answer] = await bench.json<MessageView[]>('/api/chat/sessions/vcp/messages?metadata=true');
  const [call] = answer?.tool_calls ?? [];
  expect(call).toMatchObject({ name: 'read_doc', arguments: { id: bench.note }, status: 'success' });
  expect(answer?.metadata).toEqual({
    toolCallsRequested: [{ requestId: call?.id, toolName: 'read_doc', args: { id: bench.note } }],
    toolCall: [{ requestId: call?.id, toolName: 'read_doc', status: 'success', result: call?.result, durationMs: call?.duration }],
  });
  expect(await bench.json('/api/tools/conversations?session_id=vcp')).toMatchObject([{ tool_name: 'read_doc', status: 'success' }]);
});

it('a refusal of native calls is answered in the same turn; the first turn says so', async () => {
  await bench.settings({});
  const refusal = { status: 400, body: '{"error":{"message":"scripted does not support tools"}}' };
  bench.model.push(refusal, read(), { text: 'A lot.' }, refusal, { text: 'Yes.' }, { text: 'No.' });
  expect((await ask('auto')).at(-1)).toMatchObject({ event: 'done', data: { warnings: [{ code: 'tools_in_text' }] } });
  // One refusal teaches nothing; after a second turn the model is asked in text at once.
  for (const _ of [1, 2]) {
    const { event, data } = (await ask('auto')).at(-1) ?? {};
    expect([event, data?.warnings]).toEqual(['done', undefined]);
  }
  expect(bench.model.requests.map(({ tools }) => tools !== undefined)).toEqual([true, false, false, true, false, false]);
});
