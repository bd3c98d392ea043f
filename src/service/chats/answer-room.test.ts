import { expect, it } from 'vitest';
import { AnswerRoom, type Heap } from './answer-room.ts';

const MB = 1_000_000;

function open(limit: number, { live = 10 * MB, garbage = 0 } = {}) {
  const done: string[] = [];
  const state = { live, garbage };
  const heap: Heap = {
    limit,
    used: () => state.live + state.garbage,
    collectGarbage() {
      done.push('collect');
      state.garbage = 0;
    },
  };
  const room = new AnswerRoom(heap, async () => void done.push('let go'));
  return { room, state, done };
}

it('takes as many answers as have room, and one more for each that ended', async () => {
  const { room } = open(40 * MB);
  const leave: (() => void)[] = [];
  for (let at = 0; at < 5; at++) leave.push(await room.take());
  const refused = {
    status: 503,
    code: 'memory_full',
    message: expect.stringContaining('running: 5'),
    next: expect.stringContaining('send it again'),
  };
  await expect(room.take()).rejects.toMatchObject(refused);
  leave[0]?.();
  await room.take();
  await expect(room.take()).rejects.toMatchObject(refused);
});

it('counts no garbage, and lets go of what can be read again before it refuses: once for questions that come together', async () => {
  const { room, done } = open(100 * MB, { garbage: 80 * MB });
  await room.take();
  expect(done).toEqual([]);
  await room.take();
  expect(done).toEqual(['let go', 'collect']);
  const { room: full, done: looked } = open(20 * MB);
  await full.take();
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => full.take()));
  expect(asked.every(({ status }) => status === 'rejected')).toBe(true);
  expect(looked).toHaveLength(4);
});

it('tries a single answer with whatever there is', async () => {
  const { room } = open(20 * MB, { live: 19 * MB });
  const leave = await room.take();
  await expect(room.take()).rejects.toMatchObject({ code: 'memory_full' });
  leave();
  await expect(room.take()).resolves.toBeTypeOf('function');
});
