import { describe, expect, it } from 'vitest';
import { session } from '../testing/samples.ts';
import { openSessionIndex, type SessionIndex, summarizeSession } from './session-index.ts';
import { createMemoryStorage, type MemoryStorage } from './storage-port.ts';

const storageOf = (count: number): MemoryStorage =>
  createMemoryStorage(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`sessions/s${at + 1}.json`, JSON.stringify(session(`s${at + 1}`))])),
  );
const idsOf = async (index: SessionIndex): Promise<readonly string[]> => [...(await index.entries()).keys()].sort();

describe('the list of chats', () => {
  it('does not wait for its cache to be written', async () => {
    const storage = storageOf(1);
    const wanted: string[] = [];
    const write = (path: string): Promise<void> => {
      wanted.push(path);
      return new Promise(() => undefined);
    };
    expect(await idsOf(openSessionIndex({ ...storage, write }))).toEqual(['s1']);
    expect(wanted).toEqual(['sessions/index.json']);
  });

  it('writes its cache once for chats that are saved together, and what is saved meanwhile after that', async () => {
    const storage = storageOf(150);
    await openSessionIndex(storage).entries();
    await expect.poll(() => storage.files.has('sessions/index.json')).toBe(true);
    const writes: string[] = [];
    let begun = (): void => undefined;
    const write = async (path: string, text: string): Promise<void> => {
      writes.push(path);
      begun();
      await storage.write(path, text);
    };
    const index = openSessionIndex({ ...storage, write });
    const say = (at: number): Promise<void> => index.put(`s${at}`, summarizeSession(session(`s${at}`, { title: 'Said' })));
    const meanwhile = new Promise<void>((resolve) => {
      begun = () => {
        if (writes.at(-1) === 'sessions/index.json') resolve(say(150));
      };
    });
    await Promise.all(Array.from({ length: 140 }, (_, at) => say(at + 1)));
    await say(141);
    await meanwhile;
    expect(writes.length).toBeLessThanOrEqual(5);
    const titles = [...(await openSessionIndex(storage).entries()).values()].map(({ summary }) => summary?.title);
    expect(titles.filter((title) => title === 'Said')).toHaveLength(142);
  });

  it('is written later where many are saved, and a program that ends before that leaves nothing that is no longer true', async () => {
    const storage = storageOf(3);
    const waiting: (() => void)[] = [];
    const writes: string[] = [];
    const write = async (path: string, text: string): Promise<void> => {
      writes.push(path);
      await storage.write(path, text);
    };
    const open = () => openSessionIndex({ ...storage, write }, (work) => void waiting.push(work));
    const index = open();
    await index.entries();
    await expect.poll(() => storage.files.has('sessions/index.json')).toBe(true);
    writes.length = 0;
    const save = async (title: string): Promise<void> => {
      const saved = session('s1', { title });
      await storage.write('sessions/s1.json', JSON.stringify(saved));
      await index.put('s1', summarizeSession(saved));
    };
    await save('First');
    await save('Second');
    expect([writes, waiting.length]).toEqual([[], 1]);
    waiting.splice(0)[0]?.();
    await expect.poll(() => writes).toEqual(['sessions/index.json']);
    // The program ends before the next one.
    await save('Third');
    expect([writes.length, waiting.length]).toEqual([1, 1]);
    expect((await openSessionIndex(storage).entries()).get('s1')?.summary?.title).toBe('Third');
  });

  it('includes a chat that another window writes while the list is being read', async () => {
    const storage = storageOf(3);
    await openSessionIndex(storage).entries();
    await storage.write('sessions/s3.json', JSON.stringify(session('s3', { title: 'Changed' })));
    const read = async (path: string): Promise<string | null> => {
      if (path === 'sessions/s3.json') for (const id of ['s1', 's2', 's3']) index.drop(id);
      return storage.read(path);
    };
    const index: SessionIndex = openSessionIndex({ ...storage, read });
    expect(await idsOf(index)).toEqual(['s1', 's2', 's3']);
    expect(await idsOf(index)).toEqual(['s1', 's2', 's3']);
  });
});

describe('the list of chats without an index', () => {
  const COUNT = 600;

  it('starts with the chats written last, reads the rest in the background, and is saved', async () => {
    const storage = storageOf(COUNT);
    await storage.write('sessions/s7.json', JSON.stringify(session('s7', { title: 'The newest' })));
    const index = openSessionIndex(storage);
    const left: number[] = [];
    const ended = new Promise<void>((resolve) => {
      index.watch((unread) => {
        left.push(unread);
        if (unread === 0) resolve();
      });
    });
    const first = await index.soon();
    expect([first.entries.size + first.unread, first.entries.get('s7')?.summary?.title]).toEqual([COUNT, 'The newest']);
    expect(first.entries.size).toBeLessThan(100);
    await ended;
    expect(left).toEqual([...left].sort((one, other) => other - one));
    expect((await index.soon()).unread).toBe(0);
    await expect.poll(() => storage.files.has('sessions/index.json')).toBe(true);
    const asked: string[] = [];
    const again = openSessionIndex({
      ...storage,
      read: (path) => {
        asked.push(path);
        return storage.read(path);
      },
    });
    expect([(await again.soon()).entries.size, asked]).toEqual([COUNT, ['sessions/index.json']]);
  });

  it('keeps chats that have since been written elsewhere, and reads them in the background too', async () => {
    const storage = storageOf(COUNT);
    const index = openSessionIndex(storage);
    const ids = await idsOf(index);
    for (const id of ids) await storage.write(`sessions/${id}.json`, JSON.stringify(session(id, { title: 'Synced' })));
    const ended = new Promise<void>((resolve) => index.watch((unread) => unread === 0 && resolve()));
    expect((await index.soon()).entries.size).toBe(COUNT);
    await ended;
    const { entries } = await index.soon();
    expect([...entries.values()].filter(({ summary }) => summary?.title === 'Synced')).toHaveLength(COUNT);
  });

  it('stops reading when it is stopped, and continues after a storage failure', async () => {
    const storage = storageOf(COUNT);
    let fails = true;
    let reads = 0;
    const read = async (path: string): Promise<string | null> => {
      reads += 1;
      if (fails && reads > 100) throw new Error('the storage is gone');
      return storage.read(path);
    };
    const index = openSessionIndex({ ...storage, read });
    const told = new Promise<number>((resolve) => index.watch(resolve));
    await index.soon();
    expect(await told).toBe(0);
    fails = false;
    expect((await index.entries()).size).toBe(COUNT);
    const other = openSessionIndex({
      ...storage,
      read: (path) => {
        reads += 1;
        return path.includes('index') ? Promise.resolve(null) : storage.read(path);
      },
    });
    reads = 0;
    other.stop();
    await other.soon();
    await new Promise((resolve) => setImmediate(resolve));
    expect(reads).toBeLessThan(100);
  });
});
