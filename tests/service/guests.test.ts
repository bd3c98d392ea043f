// Another agent, a program of its own, as the model of a chat of the service.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listProcesses } from '../../src/desktop/processes/process-list.ts';
import { eventsOf, nextEvent, type ServiceBench, startServiceBench, textOf } from './support.ts';

let bench: ServiceBench;
/** Tells its processes from others of this machine. */
const MARK = randomUUID();
const AGENT = {
  id: 'agent',
  name: 'Test agent',
  command: process.execPath,
  args: [join(import.meta.dirname, '../guests/agent-program.ts'), MARK],
};

beforeAll(async () => {
  bench = await startServiceBench({ model: undefined });
  writeFileSync(join(bench.data, 'agents.json'), JSON.stringify([AGENT, { id: 'nameless' }]));
  await bench.settings({ model: { source: 'host', providerId: 'agent', model: 'Test agent' } });
  await bench.restart();
});
afterAll(() => bench.close());

const steps = (...list: readonly (readonly [tool: string, args: object])[]): string =>
  `STEPS ${JSON.stringify(list.map(([tool, args]) => ({ tool, args })))}`;

it('reads, changes a note once a person has approved, and the change is undone like any other', async () => {
  const [block = ''] = (await bench.kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: bench.note })).map(({ id }) => id).slice(1);
  const message = steps(['read_doc', { id: bench.note }], ['insert_blocks', { anchor: block, position: 'after', markdown: 'By a guest.' }]);
  const events = eventsOf(await bench.send({ message }));
  const approval = await nextEvent(events, 'approval_request');
  const text = async () => (await bench.kernel<{ kramdown: string }>('/api/block/getBlockKramdown', { id: bench.note })).kramdown;
  expect(await text()).not.toContain('By a guest.');
  await bench.json(`/api/chat/approvals/${String(approval.data.id)}`, { decision: 'approve' });
  const rest = [];
  for await (const event of events) rest.push(event);
  expect(textOf(rest)).toMatch(/insert_blocks: [\s\S]*Done\.$/u);
  expect(await text()).toContain('By a guest.');
  const [{ id: sessionId } = { id: '' }] = await bench.json<{ id: string }[]>('/api/chat/sessions');
  const messages = await bench.json<{ id: string; role: string; tool_calls: { name: string; status: string }[] }[]>(
    `/api/chat/sessions/${sessionId}/messages`,
  );
  const answer = messages.findLast(({ role }) => role === 'assistant');
  expect(answer?.tool_calls.map(({ name, status }) => [name, status])).toEqual([
    ['read_doc', 'success'],
    ['insert_blocks', 'success'],
  ]);
  expect(await bench.json(`/api/chat/sessions/${sessionId}/undo`, { message_id: answer?.id })).toMatchObject({ conflicts: [] });
  expect(await text()).not.toContain('By a guest.');
});

it.skipIf(process.platform !== 'linux')('ends with the service, with everything that it started', async () => {
  const running = async () => {
    const lines = (await listProcesses())
      .filter(({ ended }) => !ended)
      .map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
    return (await Promise.all(lines)).filter((line) => line.includes(MARK)).length;
  };
  expect(await running()).toBeGreaterThan(0);
  await bench.restart();
  await expect.poll(running).toBe(0);
});
