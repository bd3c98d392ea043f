import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runLimited } from './run-limited.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('work that makes progress may take longer than its limit, and work that stops making any is over', async () => {
  const never = new AbortController().signal;
  const steps = async (count: number, pause: number, renew: () => void): Promise<number> => {
    for (let step = 0; step < count; step++) {
      await wait(pause);
      renew();
    }
    return count;
  };
  const going = runLimited((_signal, renew) => steps(10, 900, renew), { signal: never, timeoutMs: 1000 });
  await vi.advanceTimersByTimeAsync(9000);
  expect(await going).toEqual({ kind: 'done', value: 10 });
  const slow = runLimited((_signal, renew) => steps(10, 1100, renew), { signal: never, timeoutMs: 1000 });
  await vi.advanceTimersByTimeAsync(11_000);
  expect(await slow).toEqual({ kind: 'timeout' });
  expect(vi.getTimerCount()).toBe(0);
});
