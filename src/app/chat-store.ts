import { joinChannels, Peers } from '../chat/store/peers.ts';
import { createChatStore } from '../chat/store/store.ts';
import type { ChangeChannel, ChatStore } from '../chat/store/store-port.ts';
import { createWindowRegistry, type KeyValueStore, type PageLocks, type WindowRegistry } from '../chat/store/window-registry.ts';
import { openBroadcast } from '../host/kernel/broadcast.ts';
import type { PluginStorage } from '../host/kernel/storage.ts';
import { deviceId, keyValueStore, newId, pageLocks, unsavedPrefix } from './device-storage.ts';
import type { PageEnd } from './page-end.ts';
import { lazyWorker } from './search/lazy-search-worker.ts';
import { asChatStorage } from './workspace/chat-storage.ts';

const CHANNEL = 'siyuan-marginalia:chats';

function asPageLocks(locks: LockManager): PageLocks {
  return {
    request: (name, hold) => locks.request(name, hold),
    // Shared, so that a waiting lock request does not count as the window itself.
    free: (name) => locks.request(name, { mode: 'shared' }, () => undefined),
    async held() {
      const { held = [] } = await locks.query();
      return held.flatMap(({ name, mode }) => (name !== undefined && mode === 'exclusive' ? [name] : []));
    },
  };
}

/**
 * The browser aborts connections before the last scripts of a page have run: failures that these record then, such as a model that
 * cannot be reached, are not real.
 */
function notesUntil(ended: () => boolean): KeyValueStore {
  return {
    ...keyValueStore,
    set: (key, value) => void (ended() || keyValueStore.set(key, value)),
    remove: (key) => void (ended() || keyValueStore.remove(key)),
  };
}

function openChannel(signal: AbortSignal): ChangeChannel {
  const channel = new BroadcastChannel(CHANNEL);
  signal.addEventListener('abort', () => channel.close());
  return {
    post: (id) => {
      // A closed channel throws: the last save of a closing window need not be announced.
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

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface OpenChatStoreOptions {
  readonly storage: PluginStorage;
  /** Outside the synced folder. */
  readonly cache: PluginStorage;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly end: PageEnd;
  /** Aborted when the product ends, after the last save. */
  readonly signal: AbortSignal;
}

export interface OpenedChatStore {
  readonly store: ChatStore;
  /** This window among the device's others. */
  readonly writers: WindowRegistry;
  /** Storage shared by the windows, and kept for the next page. */
  readonly notes: KeyValueStore;
}

/** The store of this window: it knows the device's other windows, and announces what it writes. */
export function openChatStore({ storage, cache, now, end, signal }: OpenChatStoreOptions): OpenedChatStore {
  const locks = pageLocks();
  const writers = createWindowRegistry({
    device: deviceId(),
    window: newId().slice(-10),
    locks: locks ? asPageLocks(locks) : undefined,
    notes: keyValueStore,
    now,
    every(milliseconds, work) {
      const timer = setInterval(work, milliseconds);
      return () => clearInterval(timer);
    },
  });
  signal.addEventListener('abort', () => writers.close());
  // Without locks, the next page would wait for the end of this one. A page that the browser caches may come back.
  let left = false;
  const leave = ({ persisted }: PageTransitionEvent): void => {
    left = !persisted;
    if (left) writers.close();
  };
  window.addEventListener('pagehide', leave, { signal });
  const connect = (path: string): WebSocket => new WebSocket(`${location.origin.replace(/^http/, 'ws')}${path}`);
  const broadcast = openBroadcast({ connect, signal });
  const peers = new Peers({ broadcast, registry: writers, device: deviceId(), now, wait, signal });
  const notes = notesUntil(() => left || end.near());
  const store = createChatStore({
    storage: asChatStorage(storage),
    cache: asChatStorage(cache),
    writers: peers,
    device: deviceId(),
    now,
    startSearchWorker: () => lazyWorker(async () => (await import('./search/start-search-worker.ts')).startSearchWorker),
    channel: joinChannels(openChannel(signal), peers),
    unsaved: { notes, prefix: unsavedPrefix() },
    exclusive: locks ? (name, work) => locks.request(`siyuan-marginalia:${name}`, work) : undefined,
  });
  signal.addEventListener('abort', () => store.close());
  return { store, writers, notes };
}
