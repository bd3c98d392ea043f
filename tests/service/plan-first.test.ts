// A chat that plans first, over HTTP: nothing is written before the list was approved, by the route of all approvals.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventsOf, nextEvent, type ServiceBench, startServiceBench } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
});
afterAll(() => bench.close());

it('a field of the question switches it on for the chat, and the list is approved by the route of approvals', async () => {
  const write = { name: 'insert_blocks', args: { anchor: bench.note, position: 'append', markdown: 'It is mended.' } };
  const steps = { name: 'propose_plan', args: { steps: ['The note: say that it is mended'] } };
  bench.model.push({ calls: [write] }, { calls: [steps] }, { text: 'Planned.' });
  const events = eventsOf(await bench.send({ message: 'Mend it.', session_id: 'plans', plan_first: true }));
  const { data: asked } = await nextEvent(events, 'approval_request');
  expect(asked).toMatchObject({ tool: 'propose_plan', plan: { operations: [{ after: 'The note: say that it is mended' }] } });
  await bench.json(`/api/chat/approvals/${asked.id}`, { decision: 'approve' });
  await nextEvent(events, 'done');
  const [first] = bench.model.requests.slice(-3);
  expect(JSON.stringify(first?.tools)).toContain('propose_plan');
  expect(JSON.stringify(bench.model.requests.at(-2)?.messages)).toContain('propose_plan');

  // It holds for the chat, until it is ended.
  bench.model.push({ text: 'Still.' });
  await bench.send({ message: 'And now?', session_id: 'plans', stream: false }).then((answer) => answer.text());
  expect(JSON.stringify(bench.model.requests.at(-1)?.tools)).toContain('propose_plan');
  bench.model.push({ text: 'No longer.' });
  await bench.send({ message: 'And now?', session_id: 'plans', stream: false, plan_first: false }).then((answer) => answer.text());
  expect(JSON.stringify(bench.model.requests.at(-1)?.tools)).not.toContain('propose_plan');
});
