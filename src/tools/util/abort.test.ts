import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { linkSignals } from './abort.ts';

/** A signal that counts its listeners. */
function counted(): { controller: AbortController; listeners: () => number } {
  const controller = new AbortController();
  const add = vi.spyOn(controller.signal, 'addEventListener');
  const remove = vi.spyOn(controller.signal, 'removeEventListener');
  return { controller, listeners: () => add.mock.calls.length - remove.mock.calls.length };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('linkSignals', () => {
  it('is aborted by the first signal, with its reason', () => {
    const [one, other] = [counted(), counted()];
    const link = linkSignals([one.controller.signal, other.controller.signal], 1000);
    expect(link.signal.aborted).toBe(false);
    other.controller.abort('closed');
    one.controller.abort('later');
    expect(link.signal.reason).toBe('closed');
    expect([one.listeners(), other.listeners(), vi.getTimerCount()]).toEqual([0, 0, 0]);
    expect(link.timedOut()).toBe(false);
  });

  it('is aborted from the start when a signal is', () => {
    const open = counted();
    const link = linkSignals([open.controller.signal, AbortSignal.abort('before')], 1000);
    expect(link.signal.reason).toBe('before');
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(2000);
    expect(link.timedOut()).toBe(false);
  });

  it('is aborted by the clock, and then no longer by a signal', () => {
    const { controller, listeners } = counted();
    const link = linkSignals([controller.signal], 1000);
    vi.advanceTimersByTime(999);
    expect(link.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(link.signal.reason).toMatchObject({ name: 'TimeoutError' });
    controller.abort();
    expect(link.signal.reason).toMatchObject({ name: 'TimeoutError' });
    expect(link.timedOut()).toBe(true);
    expect(listeners()).toBe(0);
  });

  it('leaves neither timer nor listener after release, and is not aborted any more', () => {
    const { controller, listeners } = counted();
    const link = linkSignals([controller.signal], 1000);
    expect([listeners(), vi.getTimerCount()]).toEqual([1, 1]);
    link.release();
    expect([listeners(), vi.getTimerCount()]).toEqual([0, 0]);
    controller.abort();
    vi.advanceTimersByTime(2000);
    expect(link.signal.aborted).toBe(false);
    expect(link.timedOut()).toBe(false);
  });

  it('waits for nothing where there is neither signal nor time', () => {
    const link = linkSignals([]);
    expect(vi.getTimerCount()).toBe(0);
    expect(link.signal.aborted).toBe(false);
  });
});
