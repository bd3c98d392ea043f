/** Identifies each window as a separate writer, so that none mistakes the running turn of another for one that a crash cut off. */
export interface WindowRegistry {
  /** `<device>`, or `<device>_<window>` where a device has several; part of file names. */
  readonly id: string;
  /** Other open writers of this device; for other devices, the open ones among `named`. */
  others(named?: readonly string[]): Promise<ReadonlySet<string>>;
  /** Resolves when that writer is gone: its window was closed, or crashed. */
  gone(writer: string): Promise<void>;
}

/** For a program that is the only one of its device. */
export function onlyWriter(device: string): WindowRegistry {
  return { id: device, others: () => Promise.resolve(new Set()), gone: () => Promise.resolve() };
}

export function isOfDevice(writer: string, device: string): boolean {
  return writer === device || writer.startsWith(`${device}_`);
}

/** The part of `navigator.locks` that is used (absent over plain HTTP): a lock is held exactly as long as its page lives. */
export interface PageLocks {
  request(name: string, hold: () => Promise<void>): Promise<unknown>;
  /** Resolves when nobody holds that lock any more; waiting callers do not block each other, and `held` leaves them out. */
  free(name: string): Promise<unknown>;
  held(): Promise<readonly string[]>;
}

/** The part of `localStorage` that is used: the windows of one device share it. */
export interface KeyValueStore {
  keys(): readonly string[];
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

export interface WindowRegistryOptions {
  readonly device: string;
  /** Random for each page. */
  readonly window: string;
  readonly locks?: PageLocks;
  readonly notes: KeyValueStore;
  readonly now: () => number;
  readonly every: (milliseconds: number, work: () => void) => () => void;
}

const PREFIX = 'marginalia-writer:';
const BEAT = 5_000;
/** A background page may send heartbeats only once a minute: browsers throttle its timers. */
const LEASE = 90_000;

/** WindowRegistry of a browser's windows, by locks, or by heartbeats where there are none. `close` releases the name. */
export function createWindowRegistry(options: WindowRegistryOptions): WindowRegistry & { close(): void } {
  const { device, window, locks } = options;
  const id = `${device}_${window}`;
  const isOther = (writer: string): boolean => writer !== id && isOfDevice(writer, device);
  if (locks) {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Rejects only when the page is torn down, and then nobody waits for it.
    void locks.request(PREFIX + id, () => held).catch(() => undefined);
    const others = async (): Promise<ReadonlySet<string>> => {
      const names = (await locks.held()).filter((name) => name.startsWith(PREFIX));
      return new Set(names.map((name) => name.slice(PREFIX.length)).filter(isOther));
    };
    const gone = async (writer: string): Promise<void> => void (await locks.free(PREFIX + writer));
    return { id, others, gone, close: release };
  }
  return beatingWriters(options, id, isOther);
}

function beatingWriters({ notes, now, every }: WindowRegistryOptions, id: string, isOther: (writer: string) => boolean) {
  const beat = (): void => notes.set(PREFIX + id, String(now()));
  beat();
  const stop = every(BEAT, beat);
  const watches = new Set<() => void>();
  const alive = (): ReadonlySet<string> => {
    const found = new Set<string>();
    for (const key of notes.keys()) {
      if (!key.startsWith(PREFIX)) continue;
      if (Number(notes.get(key)) < now() - LEASE) notes.remove(key);
      else if (isOther(key.slice(PREFIX.length))) found.add(key.slice(PREFIX.length));
    }
    return found;
  };
  return {
    id,
    others: () => Promise.resolve(alive()),
    gone: (writer: string) =>
      new Promise<void>((resolve) => {
        const stopWatching = every(BEAT, () => {
          if (alive().has(writer)) return;
          stopWatching();
          watches.delete(stopWatching);
          resolve();
        });
        watches.add(stopWatching);
      }),
    close(): void {
      for (const stopWatching of [stop, ...watches]) stopWatching();
      notes.remove(PREFIX + id);
    },
  };
}
