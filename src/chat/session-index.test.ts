import { describe, expect, it } from 'vitest';
import { SessionIndex } from './session-index.ts';
import { createMemoryStorage } from './storage-port.ts';
import { session } from './testing/samples.ts';

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
});
