import { describe, expect, it } from 'vitest';
import { session } from '../testing/samples.ts';
import { SessionIndex } from './session-index.ts';
import { createMemoryStorage } from './storage-port.ts';

describe('the list of chats', () => {
  it('waits for no write of its cache', async () => {
    const storage = createMemoryStorage({ 'sessions/s1.json': JSON.stringify(session('s1')) });
    const wanted: string[] = [];
    const write = (path: string): Promise<void> => {
      wanted.push(path);
      return new Promise(() => undefined);
    };
    const index = new SessionIndex({ ...storage, write });
    expect((await index.list()).map(({ id }) => id)).toEqual(['s1']);
    expect(wanted).toEqual(['sessions/index.json']);
  });

  it('has a chat that another window writes while the list is read', async () => {
    const files = ['s1', 's2', 's3'].map((id) => [`sessions/${id}.json`, JSON.stringify(session(id))]);
    const storage = createMemoryStorage(Object.fromEntries(files));
    await new SessionIndex(storage).list();
    await storage.write('sessions/s3.json', JSON.stringify(session('s3', { title: 'Changed' })));
    const read = async (path: string): Promise<string | null> => {
      if (path === 'sessions/s3.json') for (const id of ['s1', 's2', 's3']) index.forget(id);
      return storage.read(path);
    };
    const index: SessionIndex = new SessionIndex({ ...storage, read });
    expect((await index.list()).map(({ id }) => id).sort()).toEqual(['s1', 's2', 's3']);
    expect((await index.list()).map(({ id }) => id).sort()).toEqual(['s1', 's2', 's3']);
  });
});
