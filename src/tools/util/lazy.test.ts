import { describe, expect, it } from 'vitest';
import { lazyMethods, lazyPart } from './lazy.ts';

describe('a part that is loaded lazily', () => {
  it('is loaded once, and after a failure at the next need', async () => {
    let loads = 0;
    const get = lazyPart(async () => {
      loads += 1;
      if (loads === 1) throw new TypeError('Failed to fetch');
      return { loads };
    });
    await expect(get()).rejects.toMatchObject({ code: 'not_loaded', detail: 'Failed to fetch' });
    expect(get.loaded()).toBeUndefined();
    expect(await Promise.all([get(), get()])).toEqual([{ loads: 2 }, { loads: 2 }]);
    expect(get.loaded()).toEqual({ loads: 2 });
    expect(loads).toBe(2);
  });

  it('is made by the first call of a method, which an abort lets go', async () => {
    let there = (): void => undefined;
    const waits = new Promise<void>((resolve) => {
      there = resolve;
    });
    const part = { add: async (one: number, other: number, _signal?: AbortSignal) => one + other };
    const lazy = lazyMethods<typeof part>(async () => waits.then(() => part), { add: true });
    const stopped = new AbortController();
    const patient = lazy.add(1, 2);
    const aborted = lazy.add(3, 4, stopped.signal);
    stopped.abort(new Error('stopped'));
    await expect(aborted).rejects.toThrow('stopped');
    await expect(lazy.add(5, 6, stopped.signal)).rejects.toThrow('stopped');
    there();
    expect(await patient).toBe(3);
    expect(await lazy.add(7, 8, new AbortController().signal)).toBe(15);
  });

  it('is made anew for each call where that is wanted, with the signal of the call', async () => {
    const signals: unknown[] = [];
    const { signal } = new AbortController();
    const part = lazyMethods<{ add(one: number, signal?: AbortSignal): Promise<number> }>(
      (given) => {
        signals.push(given);
        return { add: async (one) => one + signals.length };
      },
      { add: true },
    );
    expect([await part.add(1, signal), await part.add(1)]).toEqual([2, 3]);
    expect(signals).toEqual([signal, undefined]);
  });
});
