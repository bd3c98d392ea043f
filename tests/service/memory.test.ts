// What is held of chats in which nothing runs.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceBench, startServiceBench } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
});
afterAll(() => bench.close());

const eventsOfChat = async (id: string) => {
  const { status, body } = await bench.fetch(`/api/chat/sessions/${id}/events`);
  await body?.cancel();
  return status;
};

it('is bounded over all chats: the longest unused are closed first', { timeout: 180_000 }, async () => {
  bench.model.otherwise({ text: 'x'.repeat(4_000_000), piece: 1_000_000 });
  for (let chat = 0; chat < 11; chat++) await (await bench.send({ session_id: `large-${chat}`, message: 'Write much.' })).text();
  expect(await eventsOfChat('large-0')).toBe(204);
  expect(await eventsOfChat('large-10')).toBe(200);
});

it('is bounded when many end together and nobody opens another', { timeout: 180_000 }, async () => {
  bench.model.otherwise({ text: 'x'.repeat(4_000_000), piece: 1_000_000 });
  const ids = Array.from({ length: 12 }, (_, chat) => `together-${chat}`);
  await Promise.all(ids.map(async (session_id) => (await bench.send({ session_id, message: 'Write much.' })).text()));
  const open = async () => (await Promise.all(ids.map(eventsOfChat))).filter((status) => status === 200).length;
  // 32 million characters: as many as 8 of them have.
  await expect.poll(open, { timeout: 60_000 }).toBeLessThanOrEqual(8);
  const [, answer] = await bench.json<{ content: string }[]>('/api/chat/sessions/together-0/messages');
  expect(answer?.content).toHaveLength(4_000_000);
});
