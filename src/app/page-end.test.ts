import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchPageEnd } from './page-end.ts';

describe('the end of a page', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is near from the moment at which it is left, until it is clear that it stays', async () => {
    const page = new EventTarget();
    const end = watchPageEnd(new AbortController().signal, page);
    await end.stays();
    expect(end.near()).toBe(false);
    page.dispatchEvent(new Event('beforeunload'));
    expect(end.near()).toBe(true);
    const stayed: boolean[] = [];
    const stays = end.stays().then(() => stayed.push(end.near()));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stayed).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    await stays;
    expect(stayed).toEqual([false]);
  });
});
