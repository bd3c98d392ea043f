import { createMemoryStorage } from '../src/chat/storage-port.ts';
import { createChatStore } from '../src/chat/store.ts';
import type { Session } from '../src/chat/types.ts';
import { makeTalk } from './chat-talk.ts';
import { type Figure, median } from './figures.ts';

const CHATS = 10_000;
const MESSAGES = 10;
const WORDS = 60;
const QUERIES = ['budget', 'launch may', '笔记 预算', 'nothing of this kind', 'zyzzyva', 'the plan of the garden'];

/** A warm search over 10,000 chats, and what start and save cost in such a storage. */
export async function measureChatSearch(): Promise<{ readonly notes: readonly string[]; readonly figures: readonly Figure[] }> {
  const storage = createMemoryStorage();
  let characters = 0;
  for (let index = 0; index < CHATS; index++) {
    const chat = makeTalk(`chat${index}`, { messages: MESSAGES, words: WORDS, seed: index });
    const text = JSON.stringify(chat);
    characters += text.length;
    await storage.write(`sessions/${chat.id}.json`, text);
  }
  const cache = createMemoryStorage();
  const open = () => createChatStore({ storage: counted.storage, cache, device: 'bench', now: Date.now });
  const counted = countRequests(storage);
  await open().list();
  const coldStart = performance.now();
  await open().search.update();
  const cold = performance.now() - coldStart;

  counted.reset();
  const store = open();
  const listStart = performance.now();
  const summaries = await store.list();
  const list = performance.now() - listStart;
  const { requests } = counted;
  const loadStart = performance.now();
  await store.search.update();
  const load = performance.now() - loadStart;
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (const query of QUERIES) {
      const start = performance.now();
      await store.search.search(query);
      times.push(performance.now() - start);
    }
  }
  counted.reset();
  await store.save({ ...(await loaded(store.load('chat17'))), title: 'Renamed' });
  return {
    notes: [
      `${summaries.length} chats, ${Math.round(characters / 1e6)} MB of files; index made in ${Math.round(cold)} ms, loaded in ${Math.round(load)} ms`,
    ],
    figures: [
      { name: 'full text search over 10,000 chats, warm, median', value: median(times), unit: ' ms', limit: 150 },
      { name: 'the same, slowest query', value: Math.max(...times), unit: ' ms' },
      { name: 'list of 10,000 chats at start', value: list, unit: ' ms' },
      { name: 'requests for that list', value: requests, unit: '', limit: 5 },
      { name: 'bytes written to save one small chat among them', value: counted.written, unit: '' },
    ],
  };
}

async function loaded(loading: Promise<{ readonly session: Session } | null>): Promise<Session> {
  const found = await loading;
  if (!found) throw new Error('bench_failed: a chat is gone → mend the benchmark');
  return found.session;
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
