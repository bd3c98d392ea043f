import { describe, expect, it } from 'vitest';
import { createWindowWriters, isOfDevice, onlyWriter, type PageLocks, type SharedNotes } from './writers.ts';

function memoryNotes(): SharedNotes {
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
  return {
    async request(name, hold) {
      held.add(name);
      await hold();
      held.delete(name);
    },
    query: async () => ({ held: [...held].map((name) => ({ name })) }),
  };
}

describe('writers of one device', () => {
  it('know each other by locks, held as long as the window lives', async () => {
    const shared = { notes: memoryNotes(), locks: memoryLocks(), now: () => 0, every: () => () => {} };
    const one = createWindowWriters({ ...shared, device: 'dev', window: 'a' });
    const two = createWindowWriters({ ...shared, device: 'dev', window: 'b' });
    createWindowWriters({ ...shared, device: 'device', window: 'x' });
    expect(await one.others()).toEqual(new Set(['dev_b']));
    expect(await two.others()).toEqual(new Set(['dev_a']));
    two.close();
    await Promise.resolve();
    expect(await one.others()).toEqual(new Set());
  });

  it('know each other by a beat where there are no locks, and forget who stopped beating', async () => {
    let now = 0;
    const beats: (() => void)[] = [];
    const every = (_ms: number, work: () => void) => {
      beats.push(work);
      return () => void beats.splice(beats.indexOf(work), 1);
    };
    const shared = { notes: memoryNotes(), now: () => now, every };
    const one = createWindowWriters({ ...shared, device: 'dev', window: 'a' });
    const two = createWindowWriters({ ...shared, device: 'dev', window: 'b' });
    const three = createWindowWriters({ ...shared, device: 'dev', window: 'c' });
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
    expect(shared.notes.get('other')).toBe('thing');
  });

  it('a program alone on its device has no others', async () => {
    expect(await onlyWriter('dev').others()).toEqual(new Set());
    expect([isOfDevice('dev', 'dev'), isOfDevice('dev_a', 'dev'), isOfDevice('device', 'dev')]).toEqual([true, true, false]);
  });
});
