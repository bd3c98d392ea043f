// How calls run, over HTTP: started by hand, and each confirmed whatever a policy allows.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { eventsOf, nextEvent, type ServiceBench, startServiceBench } from './support.ts';

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
  await decide(first.data.id, 'approve');
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
