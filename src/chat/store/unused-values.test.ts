import { describe, expect, it } from 'vitest';
import { session } from '../testing/samples.ts';
import { createMemoryStorage } from './storage-port.ts';
import { createChatStore } from './store.ts';

const LONG = 'x'.repeat(20_000);
const DAY = 24 * 60 * 60 * 1000;
const variable = (name: string) => ({ name, type: 'LLMAdd' as const, value: LONG, created: 1 });

/** A chat with two long values, of which one was removed since; its store, and a clock that can be set. */
async function withRemoved() {
  const storage = createMemoryStorage();
  const time = { now: 1_700_000_000_000 };
  const store = createChatStore({ storage, device: 'dev', now: () => time.now });
  const { session: saved } = await store.save(session('s1', { variables: [variable('a'), variable('b')] }));
  await store.save({ ...saved, variables: saved.variables.slice(0, 1) });
  const values = () => [...storage.files.keys()].filter((path) => path.startsWith('variables/') && path.endsWith('.txt'));
  const tidy = (days: number) => {
    time.now += days * DAY;
    return store.purge(time.now - 30 * DAY);
  };
  return { storage, store, saved, values, tidy };
}

describe('long values that nothing names any more', () => {
  it('are removed a month after that was seen; those that are named stay', async () => {
    const { values, tidy, storage } = await withRemoved();
    await tidy(100);
    await tidy(29);
    expect(values()).toHaveLength(2);
    await tidy(2);
    expect(values()).toEqual(['variables/s1/a-1.txt']);
    expect(await storage.read('variables/s1/unused.json')).toBeNull();
  });

  it('stay where another window brings the variable back meanwhile, and are counted anew', async () => {
    const { store, saved, values, tidy } = await withRemoved();
    await tidy(0);
    await store.save(saved);
    await tidy(40);
    await store.save({ ...saved, variables: saved.variables.slice(0, 1) });
    await tidy(0);
    expect(values()).toHaveLength(2);
  });

  it.each([
    ['a journal', 'journal/s1/other-1.json'],
    ['a damaged copy', 'sessions/s1.json.broken-1'],
  ])('stay while %s names them', async (_what, path) => {
    const { storage, values, tidy } = await withRemoved();
    await storage.write(path, '{"file":"b-1.txt"');
    await tidy(0);
    await tidy(40);
    expect(values()).toHaveLength(2);
  });

  it('of a chat in the trash stay; of one that is nowhere they go with their folder', async () => {
    const { store, storage, values, tidy } = await withRemoved();
    await store.remove('s1');
    await tidy(0);
    await tidy(29);
    expect(values()).toContain('variables/s1/a-1.txt');
    await storage.remove('trash/s1.json');
    await storage.write('variables/gone/c-1.txt', LONG);
    await tidy(0);
    await tidy(31);
    expect(values()).toEqual([]);
    expect(await storage.list('variables')).toEqual([]);
  });
});
