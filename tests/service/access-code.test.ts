// A SiYuan with an access code closes the socket of its pushes to programs: nothing that people write meanwhile may be lost by that.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lastToolText } from '../support/scripts.ts';
import { eventsOf, nextEvent, type ServiceBench, startServiceBench } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench({}, { accessCode: 'open sesame' });
});
afterAll(() => bench.close());

const updateIn = (id: string, markdown: string) => bench.kernel('/api/block/updateBlock', { id, dataType: 'markdown', data: markdown });
const childOf = async (note: string): Promise<string> =>
  (await bench.kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: note })).at(-1)?.id ?? '';

it('says once that it hears no pushes, and reads what was written meanwhile', async () => {
  await expect.poll(() => bench.logged.filter((line) => line.includes('closes the socket of its pushes')).length).toBe(1);
  await updateIn(await childOf(bench.note), 'Written in SiYuan.');
  bench.model.push({ calls: [{ name: 'read_doc', args: { id: bench.note } }] }, { text: 'Read.' });
  const events = eventsOf(await bench.send({ message: 'Read it.' }));
  expect((await nextEvent(events, 'tool_complete')).data.result).toContain('Written in SiYuan.');
  await nextEvent(events, 'done');
});

it('writes over nothing that changed while its proposal waited', async () => {
  const id = await childOf(bench.note);
  bench.model.push(
    { calls: [{ name: 'read_doc', args: { id: bench.note } }] },
    (request) => {
      const expectHash = new RegExp(`@@${id}@@p#(\\w+)`).exec(lastToolText(request))?.[1];
      return { calls: [{ name: 'edit_block', args: { id, expectHash, edits: [{ old: 'Written', new: 'Proposed' }] } }] };
    },
    { text: 'Tried.' },
  );
  const events = eventsOf(await bench.send({ message: 'Change it.' }));
  const asked = await nextEvent(events, 'approval_request');
  await updateIn(id, 'Typed while it waited.');
  await bench.json(`/api/chat/approvals/${asked.data.id}`, { decision: 'approve' });
  await nextEvent(events, 'done');
  expect(lastToolText(bench.model.requests.at(-1)!)).toContain('stale');
  expect(await bench.kernel<{ kramdown: string }>('/api/block/getBlockKramdown', { id })).toMatchObject({
    kramdown: expect.stringContaining('Typed while it waited.'),
  });
});
