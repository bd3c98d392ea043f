import type { ChatStorage } from '../chat/storage-port.ts';
import { createChatStore } from '../chat/store.ts';
import type { ChangeChannel, ChatStore } from '../chat/store-port.ts';
import { createWindowWriters, type PageLocks, type SharedNotes } from '../chat/writers.ts';
import type { PluginStorage } from '../host/storage.ts';
import { deviceId, newId } from './device.ts';
import { startSearchWorker } from './start-search-worker.ts';

const CHANNEL = 'siyuan-marginalia:chats';

/** What the windows of one browser leave for each other. */
const windowNotes: SharedNotes = {
  keys: () => Object.keys(localStorage),
  get: (key) => localStorage.getItem(key),
  set: (key, value) => localStorage.setItem(key, value),
  remove: (key) => localStorage.removeItem(key),
};

/** Absent on plain http (HOST.md, "The browser"). */
function pageLocks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}

function asPageLocks(locks: LockManager): PageLocks {
  return {
    request: (name, hold) => locks.request(name, hold),
    // Shared: who waits for the end of a window is not taken for it.
    free: (name) => locks.request(name, { mode: 'shared' }, () => undefined),
    async held() {
      const { held = [] } = await locks.query();
      return held.flatMap(({ name, mode }) => (name !== undefined && mode === 'exclusive' ? [name] : []));
    },
  };
}

function asChatStorage(storage: PluginStorage): ChatStorage {
  return {
    read: (path) => storage.read(path),
    write: (path, text) => storage.write(path, text),
    remove: (path) => storage.remove(path),
    list: async (folder) => (await storage.list(folder)).map((entry) => entry.name),
    modified: async (folder) => {
      const files = (await storage.list(folder)).filter((entry) => !entry.isDir);
      return new Map(files.map(({ name, updated = 0 }) => [name, updated]));
    },
  };
}

function openChannel(signal: AbortSignal): ChangeChannel {
  const channel = new BroadcastChannel(CHANNEL);
  signal.addEventListener('abort', () => channel.close());
  return {
    post: (id) => {
      // A closed channel throws: the last save of a window that closes needs no more telling.
      if (!signal.aborted) channel.postMessage(id);
    },
    subscribe(listener) {
      const hear = ({ data }: MessageEvent<unknown>): void => {
        if (typeof data === 'string') listener(data);
      };
      channel.addEventListener('message', hear);
      return () => channel.removeEventListener('message', hear);
    },
  };
}

export interface OpenChatStoreOptions {
  readonly storage: PluginStorage;
  /** Outside the synced folder. */
  readonly cache: PluginStorage;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Aborted when the product ends, after the last save. */
  readonly signal: AbortSignal;
}

/** The store of this window: it knows the device's other windows, and tells them what it writes. */
export function openChatStore({ storage, cache, now, signal }: OpenChatStoreOptions): ChatStore {
  const locks = pageLocks();
  const writers = createWindowWriters({
    device: deviceId(),
    window: newId().slice(-10),
    ...(locks ? { locks: asPageLocks(locks) } : {}),
    notes: windowNotes,
    now,
    every(milliseconds, work) {
      const timer = setInterval(work, milliseconds);
      return () => clearInterval(timer);
    },
  });
  signal.addEventListener('abort', () => writers.close());
  const store = createChatStore({
    ...{ storage: asChatStorage(storage), cache: asChatStorage(cache), writers, device: deviceId(), now, startSearchWorker },
    channel: openChannel(signal),
    ...(locks ? { exclusive: (name, work) => locks.request(`siyuan-marginalia:${name}`, work) } : {}),
  });
  signal.addEventListener('abort', () => store.search.release());
  return store;
}
