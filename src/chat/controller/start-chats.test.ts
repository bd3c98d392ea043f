import { expect, it } from 'vitest';
import { createMemoryStorage } from '../store/storage-port.ts';
import { createChatStore } from '../store/store.ts';
import { session } from '../testing/samples.ts';
import { startChats } from './start-chats.ts';

async function started(archived: number): Promise<{ readonly opened: string | null; readonly read: readonly string[] }> {
  const storage = createMemoryStorage();
  // Each is written after the one before it.
  for (let index = 0; index < 9; index += 1) {
    const chat = session(`c${index}`, { updated: index, archived: index >= 9 - archived });
    await storage.write(`sessions/c${index}.json`, JSON.stringify(chat));
  }
  const read: string[] = [];
  const watched = {
    ...storage,
    read: (path: string) => {
      read.push(path);
      return storage.read(path);
    },
  };
  const store = createChatStore({ storage: watched, device: 'dev', now: () => 1 });
  const opened = await startChats(store, (work) => work());
  store.close();
  return { opened, read };
}

it('reads one chat to find the one to open where there is no index, and more only where that is archived', async () => {
  expect(await started(0)).toEqual({ opened: 'c8', read: ['sessions/c8.json'] });
  const { opened, read } = await started(1);
  expect([opened, read.length <= 8]).toEqual(['c7', true]);
  expect((await started(9)).opened).toBeNull();
});
