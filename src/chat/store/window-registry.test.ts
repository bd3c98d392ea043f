import { describe, expect, it } from 'vitest';
import { createWindowRegistry, isOfDevice, type KeyValueStore, onlyWriter, type PageLocks } from './window-registry.ts';

function memoryNotes(): KeyValueStore {
  const notes = new Map<string, string>([['other', 'thing']]);
  return {
    keys: () => [...notes.keys()],
    get: (key) => notes.get(key) ?? null,
    set: (key, value) => void notes.set(key, value),
    remove: (key) => void notes.delete(key),
  };
}

function memoryLocks(): PageLocks {
  const held = new Set<string>();
  const waiting: (() => void)[] = [];
  return {
    async request(name, hold) {
      held.add(name);
      await hold();
      held.delete(name);
      for (const wake of waiting.splice(0)) wake();
    },
    free: async (name) => {
      while (held.has(name)) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
    held: async () => [...held],
  };
}

describe('writers of one device', () => {
  it('know each other by locks, held as long as the window lives', async () => {
    const shared = { notes: memoryNotes(), locks: memoryLocks(), now: () => 0, every: () => () => {} };
    const one = createWindowRegistry({ ...shared, device: 'dev', window: 'a' });
    const two = createWindowRegistry({ ...shared, device: 'dev', window: 'b' });
    createWindowRegistry({ ...shared, device: 'device', window: 'x' });
    expect(await one.others()).toEqual(new Set(['dev_b']));
    expect(await two.others()).toEqual(new Set(['dev_a']));
    const gone = one.gone('dev_b');
    two.close();
    await gone;
    expect(await one.others()).toEqual(new Set());
  });

  it('know each other by a heartbeat where there are no locks, and forget who stopped beating', async () => {
    let now = 0;
    const beats: (() => void)[] = [];
    const every = (_ms: number, work: () => void) => {
      beats.push(work);
      return () => void beats.splice(beats.indexOf(work), 1);
    };
    const shared = { notes: memoryNotes(), now: () => now, every };
    const one = createWindowRegistry({ ...shared, device: 'dev', window: 'a' });
    const two = createWindowRegistry({ ...shared, device: 'dev', window: 'b' });
    const three = createWindowRegistry({ ...shared, device: 'dev', window: 'c' });
    expect(await one.others()).toEqual(new Set(['dev_b', 'dev_c']));
    three.close();
    expect(await one.others()).toEqual(new Set(['dev_b']));
    now = 100_000;
    expect(beats).toHaveLength(2);
    beats[0]?.();
    expect(await two.others()).toEqual(new Set(['dev_a']));
    expect(await one.others()).toEqual(new Set());
    beats[1]?.();
    expect(await one.others()).toEqual(new Set(['dev_b']));
    let left = false;
    const gone = one.gone('dev_b').then(() => {
      left = true;
    });
    beats[2]?.();
    await Promise.resolve();
    expect(left).toBe(false);
    now = 200_000;
    beats[2]?.();
    await gone;
    expect(beats).toHaveLength(2);
    expect(shared.notes.get('other')).toBe('thing');
  });

  it('a program alone on its device has no others', async () => {
    expect(await onlyWriter('dev').others()).toEqual(new Set());
    await expect(onlyWriter('dev').gone('dev_a')).resolves.toBeUndefined();
    expect([isOfDevice('dev', 'dev'), isOfDevice('dev_a', 'dev'), isOfDevice('device', 'dev')]).toEqual([true, true, false]);
  });
});
