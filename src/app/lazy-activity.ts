import type { ActivityFiles, createActivityFiles } from '../chat/activity/activity-files.ts';
import type { PluginStorage } from '../host/kernel/storage.ts';
import { lazyMethods, lazyPart } from '../tools/util/lazy.ts';
import type { OpenedChatStore } from './chat-store.ts';
import { callsPrefix, deviceId, pageLocks } from './device-storage.ts';

interface LazyActivityDeps extends Pick<OpenedChatStore, 'writers' | 'notes'> {
  readonly storage: PluginStorage;
  /** Days that records are kept. */
  readonly days: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly load: () => Promise<typeof createActivityFiles>;
  readonly signal: AbortSignal;
}

/** The records of this workspace; their code is loaded for the first call. */
export function lazyActivity({ storage, writers, notes, days, now, load, signal }: LazyActivityDeps): ActivityFiles {
  const locks = pageLocks();
  const make = lazyPart(async () =>
    (await load())({
      notes,
      days,
      now,
      device: deviceId(),
      writer: writers.id,
      others: () => writers.others(),
      prefix: callsPrefix(),
      storage: {
        read: (path) => storage.read(path),
        write: (path, text) => storage.write(path, text),
        remove: (path) => storage.remove(path),
        list: async (folder) => (await storage.list(folder)).map(({ name }) => name),
      },
      exclusive: locks ? (work) => locks.request('siyuan-marginalia:activity', work) : undefined,
      later(milliseconds, work) {
        const timer = setTimeout(work, milliseconds);
        signal.addEventListener('abort', () => clearTimeout(timer));
      },
    }),
  );
  const names = { start: true, finish: true, list: true, get: true, remove: true, read: true, startAnew: true, flush: true } as const;
  return {
    ...lazyMethods<Pick<ActivityFiles, keyof typeof names>>(make, names),
    // Asked when a chat is opened, before anything can run here; leftovers of other windows are adopted with the first call.
    cutOff: async () => undefined,
  };
}
