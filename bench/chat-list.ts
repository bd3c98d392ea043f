import { createMemoryStorage } from '../src/chat/store/storage-port.ts';
import { createChatStore } from '../src/chat/store/store.ts';
import { makeTalk } from './chat-talk.ts';
import type { Figure } from './figures.ts';
import type { BenchSize } from './size.ts';

/** What start and save cost where there are many chats. */
export async function measureChatList({ chats }: BenchSize): Promise<readonly Figure[]> {
  const storage = createMemoryStorage();
  for (let index = 0; index < chats; index++) {
    const chat = makeTalk(`chat${index}`, { messages: 4, words: 20, seed: index });
    await storage.write(`sessions/${chat.id}.json`, JSON.stringify(chat));
  }
  const counted = countRequests(storage);
  const open = () => createChatStore({ storage: counted.storage, device: 'bench', now: Date.now });
  await open().list();

  counted.reset();
  const store = open();
  const start = performance.now();
  const { length } = await store.list();
  const list = performance.now() - start;
  const { requests } = counted;
  const saved = await store.load('chat17');
  if (length !== chats || !saved) throw new Error('bench_failed: chats are gone → mend the benchmark');
  counted.reset();
  await store.save({ ...saved.session, title: 'Renamed' });
  return [
    { name: `list of ${chats} chats at start`, value: list, unit: ' ms' },
    { name: 'requests for that list', value: requests, unit: '', limit: 5 },
    { name: 'bytes written to save one small chat among them', value: counted.written, unit: '' },
  ];
}

function countRequests(storage: ReturnType<typeof createMemoryStorage>) {
  const counter = {
    requests: 0,
    written: 0,
    reset(): void {
      counter.requests = 0;
      counter.written = 0;
    },
    storage: {
      ...storage,
      read(path: string) {
        counter.requests++;
        return storage.read(path);
      },
      write(path: string, text: string) {
        counter.written += text.length;
        return storage.write(path, text);
      },
      async modified(dir: string) {
        counter.requests++;
        return (await storage.modified?.(dir)) ?? new Map<string, number>();
      },
    },
  };
  return counter;
}
