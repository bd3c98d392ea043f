// The page of the search benchmark: the store over made-up chats in memory, in the browser and its worker.

import { startSearchWorker } from '../src/app/search/start-search-worker.ts';
import { shardOf } from '../src/chat/store/search/search-corpus.ts';
import { createMemoryStorage } from '../src/chat/store/storage-port.ts';
import { createChatStore } from '../src/chat/store/store.ts';
import { makeTalk } from './chat-talk.ts';

/** `worker`: as the panel does; `page`: as it does where no worker can start. */
export type SearchWay = 'worker' | 'page';

export interface SearchRun {
  /** Milliseconds until the answer. */
  readonly took: number;
  /** The longest time in which the page could do nothing else; milliseconds. */
  readonly held: number;
  readonly matches: number;
}

declare global {
  interface Window {
    /** Makes the chats; characters of all their files. */
    fillChats(count: number, messages: number, words: number): Promise<number>;
    /** Opens a store as after a start, its list read. */
    openStore(way: SearchWay): Promise<void>;
    searchChats(query: string): Promise<SearchRun>;
    /** Whether every shard of the index that holds a chat is written. */
    isIndexKept(): boolean;
  }
}

const storage = createMemoryStorage();
const cache = createMemoryStorage();
const shards = new Set<number>();
let store: ReturnType<typeof createChatStore> | undefined;

window.fillChats = async (count, messages, words) => {
  let characters = 0;
  for (let index = 0; index < count; index++) {
    const chat = makeTalk(`chat${index}`, { messages, words, seed: index });
    const text = JSON.stringify(chat);
    characters += text.length;
    shards.add(shardOf(chat.id));
    await storage.write(`sessions/${chat.id}.json`, text);
  }
  return characters;
};

window.openStore = async (way) => {
  store?.search.release();
  store = createChatStore({
    ...{ storage, cache, device: 'bench', now: () => Date.now() },
    ...(way === 'worker' ? { startSearchWorker } : {}),
  });
  await store.list();
};

/** Milliseconds between two looks, which are what a page that nothing holds up shows. Looking all the time would take the worker's processor. */
const LOOK_MS = 4;

/** The longest time between two looks until it is stopped. */
function watchLoop(): () => number {
  let last = performance.now();
  let longest = 0;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, LOOK_MS);
  return () => {
    look();
    clearInterval(timer);
    return longest;
  };
}

window.searchChats = async (query) => {
  if (!store) throw new Error('open a store first');
  const stop = watchLoop();
  const start = performance.now();
  const { length: matches } = await store.search.search(query);
  return { took: performance.now() - start, held: stop(), matches };
};

window.isIndexKept = () => cache.files.size === shards.size;
