import { describe, expect, it } from 'vitest';
import { sideBySide } from './turns.ts';

describe('work side by side', () => {
  it('gives results in order, never exceeds its limit, and starts nothing after a failure', async () => {
    let open = 0;
    let most = 0;
    const work = async (item: number): Promise<number> => {
      open += 1;
      most = Math.max(most, open);
      for (let wait = item % 3; wait >= 0; wait -= 1) await Promise.resolve();
      open -= 1;
      return item * 2;
    };
    const items = Array.from({ length: 20 }, (_item, index) => index);
    expect(await sideBySide(items, work)).toEqual(items.map((item) => item * 2));
    expect(most).toBe(6);
    const begun: number[] = [];
    const fails = async (item: number): Promise<void> => {
      begun.push(item);
      if (item === 1) throw new Error('no');
      await Promise.resolve();
    };
    await expect(sideBySide(items, fails, 2)).rejects.toThrow('no');
    expect(begun.length).toBeLessThan(5);
  });
});
