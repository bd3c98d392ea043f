import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// Of its own: the writes of all answers take turns, and another test file may have left one that never ends.
vi.resetModules();
const { StreamThrottle } = await import('./turn-recorder.ts');

describe('StreamThrottle', () => {
  const open: InstanceType<typeof StreamThrottle>[] = [];
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    for (const throttle of open.splice(0)) throttle.stop();
    vi.useRealTimers();
  });

  function follow(write: () => Promise<void> = () => Promise.resolve()) {
    const written: string[] = [];
    let text = '';
    const throttle = new StreamThrottle(() => {
      written.push(text);
      return write();
    }, Date.now);
    open.push(throttle);
    const say = (piece: string): void => {
      text += piece;
      throttle.grown(piece);
    };
    return { throttle, written, say };
  }

  it('writes at the end of a sentence, otherwise once a second, in any script', async () => {
    const { written, say } = follow();
    await vi.advanceTimersByTimeAsync(600);
    say('First.');
    await vi.advanceTimersByTimeAsync(0);
    expect(written).toEqual(['First.']);
    say(' Then');
    await vi.advanceTimersByTimeAsync(999);
    expect(written).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(written.at(-1)).toBe('First. Then');
    say('……说完了。');
    await vi.advanceTimersByTimeAsync(500);
    expect(written.at(-1)).toBe('First. Then……说完了。');
  });

  it('writes at most twice a second, however fast it comes, and loses nothing', async () => {
    const { written, say } = follow();
    for (let index = 0; index < 1000; index++) {
      say(`${index}. `);
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(1000);
    expect(written.length).toBeLessThanOrEqual(21);
    expect(written.length).toBeGreaterThanOrEqual(19);
    expect(written.at(-1)?.endsWith('999. ')).toBe(true);
  });

  it('writes each answer less often the more there are, at most ten times a second in total', async () => {
    const answers = Array.from({ length: 50 }, () => follow());
    for (let time = 0; time < 20_000; time += 100) {
      for (const { say } of answers) say('More. ');
      await vi.advanceTimersByTimeAsync(100);
    }
    const written = () => answers.reduce((sum, answer) => sum + answer.written.length, 0);
    expect(written()).toBeLessThanOrEqual(50 * 8);
    for (const { throttle } of answers.slice(1)) throttle.stop();
    const before = written();
    await vi.advanceTimersByTimeAsync(2_500);
    for (let time = 0; time < 10_000; time += 100) {
      answers[0]?.say('More. ');
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(written() - before).toBeGreaterThan(15);
  });

  it('waits for a slow write, then writes what arrived meanwhile', async () => {
    const waiting: (() => void)[] = [];
    const { written, say } = follow(() => new Promise((resolve) => void waiting.push(resolve)));
    say('One.');
    await vi.advanceTimersByTimeAsync(500);
    say(' Two.');
    say(' Three.');
    await vi.advanceTimersByTimeAsync(5000);
    expect(written).toEqual(['One.']);
    waiting[0]?.();
    await vi.advanceTimersByTimeAsync(500);
    expect(written).toEqual(['One.', 'One. Two. Three.']);
    waiting[1]?.();
  });

  it('writes a few at one time: the others wait, and write what they have by then, or nothing where they have ended', async () => {
    const waiting: (() => void)[] = [];
    const answers = Array.from({ length: 10 }, () => follow(() => new Promise((resolve) => void waiting.push(resolve))));
    const written = () => answers.flatMap((answer) => answer.written);
    for (const { say } of answers) say('One.');
    await vi.advanceTimersByTimeAsync(2000);
    expect(written()).toHaveLength(4);
    for (const { say } of answers.slice(5)) say(' Two.');
    answers[4]?.throttle.stop();
    while (waiting.length > 0) {
      for (const end of waiting.splice(0)) end();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(written()).toEqual([...Array(4).fill('One.'), ...Array(5).fill('One. Two.')]);
  });

  it('writes nothing that is saved elsewhere, and nothing after it has ended', async () => {
    const { throttle, written, say } = follow();
    say('One.');
    throttle.reset();
    await vi.advanceTimersByTimeAsync(2000);
    say('Two.');
    throttle.stop();
    say('Three.');
    await vi.advanceTimersByTimeAsync(2000);
    expect(written).toEqual([]);
  });
});
