import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyView } from '../testing/fake-controller.ts';
import { ViewThrottle } from './view-throttle.ts';

describe('ViewThrottle', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function throttled() {
    const shown: string[] = [];
    const throttle = new ViewThrottle((view) => shown.push(view.title));
    const take = (title: string, running = true) => throttle.take({ ...emptyView, title, running });
    return { throttle, shown, take };
  }

  it('shows a streaming answer once a frame, from a frame after it began, and what comes after a rest at once', async () => {
    const { shown, take } = throttled();
    for (const title of ['first', 'a']) take(title);
    expect(shown).toEqual([]);
    await vi.advanceTimersByTimeAsync(16);
    for (const title of ['b', 'c', 'd']) take(title);
    expect(shown).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(16);
    expect(shown).toEqual(['a', 'd']);
    take('e');
    expect(shown).toEqual(['a', 'd']);
    await vi.advanceTimersByTimeAsync(16);
    await vi.advanceTimersByTimeAsync(16);
    take('f');
    expect(shown).toEqual(['a', 'd', 'e', 'f']);
  });

  it('shows the end of an answer at once, nothing old after it, and what comes while nothing runs', async () => {
    const { shown, take } = throttled();
    take('a');
    await vi.advanceTimersByTimeAsync(16);
    take('b');
    for (const title of ['c', 'd']) take(title, false);
    expect(shown).toEqual(['a', 'c', 'd']);
    await vi.advanceTimersByTimeAsync(100);
    expect(shown).toEqual(['a', 'c', 'd']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for nothing where what is shown already runs', () => {
    const shown: string[] = [];
    new ViewThrottle((view) => shown.push(view.title), true).take({ ...emptyView, title: 'a', running: true });
    expect(shown).toEqual(['a']);
  });

  it('shows nothing more once it is destroyed', async () => {
    const { throttle, shown, take } = throttled();
    take('a');
    await vi.advanceTimersByTimeAsync(16);
    take('b');
    throttle.destroy();
    await vi.advanceTimersByTimeAsync(100);
    expect(shown).toEqual(['a']);
  });
});
