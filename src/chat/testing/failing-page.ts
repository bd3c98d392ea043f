import type { ChatStorage, MemoryStorage } from '../store/storage-port.ts';
import type { KeyValueStore } from '../store/window-registry.ts';

/** The browser's storage of one device. */
export function deviceNotes(room = Number.POSITIVE_INFINITY): KeyValueStore & { readonly all: ReadonlyMap<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    keys: () => [...all.keys()],
    get: (key) => all.get(key) ?? null,
    set(key, value) {
      if (value.length > room) throw new Error('no room');
      all.set(key, value);
    },
    remove: (key) => void all.delete(key),
  };
}

export interface EndingStorage extends ChatStorage {
  /** Answers only this many more requests: the page is gone before the next one is answered. */
  endAfter(requests: number): void;
  /** Resolves when a request was made that will not be answered. */
  readonly ended: Promise<void>;
}

/** The storage of a page that is closed in the middle of something. */
export function endingStorage(storage: MemoryStorage): EndingStorage {
  let left = Number.POSITIVE_INFINITY;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const asked = <T>(work: () => Promise<T>): Promise<T> => {
    if (--left >= 0) return work();
    end();
    return new Promise(() => undefined);
  };
  return {
    ended,
    endAfter(requests) {
      left = requests;
    },
    read: (path) => asked(() => storage.read(path)),
    write: (path, text) => asked(() => storage.write(path, text)),
    remove: (path) => asked(() => storage.remove(path)),
    list: (folder) => asked(() => storage.list(folder)),
    modified: (folder) => asked(() => storage.modified?.(folder) ?? Promise.resolve(new Map<string, number>())),
  };
}
