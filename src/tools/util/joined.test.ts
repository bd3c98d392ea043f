import { describe, expect, it } from 'vitest';
import { joined } from './turns.ts';

function work() {
  const ends: ((value: number) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  const ask = joined(
    () =>
      new Promise<number>((resolve, reject) => {
        ends.push(resolve);
        failures.push(reject);
      }),
  );
  return { ask, ends, failures };
}

describe('work that many ask for', () => {
  it('runs at once, and once more for all who asked meanwhile', async () => {
    const { ask, ends } = work();
    const first = ask();
    const others = [ask(), ask(), ask()];
    expect(ends).toHaveLength(1);
    ends[0]?.(1);
    expect(await first).toBe(1);
    await expect.poll(() => ends.length).toBe(2);
    // Asked after that run began.
    const last = ask();
    ends[1]?.(2);
    expect(await Promise.all(others)).toEqual([2, 2, 2]);
    await expect.poll(() => ends.length).toBe(3);
    ends[2]?.(3);
    expect(await last).toBe(3);
  });

  it('begins anew when nothing runs', async () => {
    const { ask, ends } = work();
    const first = ask();
    ends[0]?.(1);
    await first;
    const second = ask();
    expect(ends).toHaveLength(2);
    ends[1]?.(2);
    expect(await second).toBe(2);
  });

  it('fails for those alone whose run failed', async () => {
    const { ask, ends, failures } = work();
    const first = ask();
    const second = ask();
    failures[0]?.(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await expect.poll(() => ends.length).toBe(2);
    ends[1]?.(2);
    expect(await second).toBe(2);
  });
});
