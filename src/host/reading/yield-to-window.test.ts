import { expect, it } from 'vitest';
import { yieldToWindow } from './yield-to-window.ts';

it('lets others work after each dozen milliseconds, and goes no further once the call was stopped', async () => {
  let now = 0;
  const stop = new AbortController();
  const yieldIfDue = yieldToWindow(stop.signal, () => now);
  let others = 0;
  setTimeout(() => {
    others += 1;
    stop.abort();
  });
  for (; now < 12; now += 4) await yieldIfDue();
  expect(others).toBe(0);
  await expect(yieldIfDue()).rejects.toMatchObject({ code: 'aborted' });
  expect(others).toBe(1);
});
