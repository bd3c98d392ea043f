import { expect, it } from 'vitest';
import { breather } from './breather.ts';

it('lets others work after each dozen milliseconds, and goes no further once the call was stopped', async () => {
  let now = 0;
  const stop = new AbortController();
  const breathe = breather(stop.signal, () => now);
  let others = 0;
  setTimeout(() => {
    others += 1;
    stop.abort();
  });
  for (; now < 12; now += 4) await breathe();
  expect(others).toBe(0);
  await expect(breathe()).rejects.toMatchObject({ code: 'aborted' });
  expect(others).toBe(1);
});
