import * as v from 'valibot';
import { inBackground, Listeners } from '../../tools/util/notify.ts';
import { joined, sideBySide } from '../../tools/util/turns.ts';
import type { ChatStorage } from './storage-port.ts';

/** The entry of one file. `modified` is absent after our own write, until a listing gives it. */
export interface IndexEntry<T> {
  readonly modified?: number;
  /** null: the file cannot be read. */
  readonly summary: T | null;
}

interface Known<T> {
  readonly entries: ReadonlyMap<string, IndexEntry<T>>;
  readonly unread: number;
}

export interface FolderIndexOptions<T> {
  readonly storage: ChatStorage;
  readonly folder: string;
  /** Grows with each change of the entry format: an index of another version is rebuilt. */
  readonly schema: number;
  readonly format: v.GenericSchema<unknown, T>;
  /** The index entry for a file's text; null if the text is not ours. */
  readonly summarize: (id: string, text: string) => T | null;
  /** Where many files are saved: calls back a moment later, so that the index is not written with each save; absent: with each. */
  readonly later?: ((work: () => void) => void) | undefined;
}

/** Entries newer than the index are written into a second file: with many files the index is large, and every write is synced. */
const RECENT_ENTRIES = 100;
const EXTENSION = '.json';
const READS_AT_ONCE = 8;
/** A page has six connections to a server: background reading leaves some for requests that somebody waits for. */
const BEHIND_AT_ONCE = 3;
/** Milliseconds before background reading starts, unless somebody is watching: a panel that is opening has priority. */
const BEHIND_AFTER = 2000;
/** Files that are read in the background between two reports. */
const STEP = 250;

/** An index of the JSON files in a folder, in three requests; files that it lacks or that someone else has written are read. */
export class FolderIndex<T> {
  revision = 0;
  private readonly options: FolderIndexOptions<T>;
  private known: Map<string, IndexEntry<T>> | null = null;
  private readonly recent = new Map<string, IndexEntry<T>>();
  /** Dropped before the index was loaded. */
  private readonly dropped = new Set<string>();
  private readonly listeners = new Listeners<[unread: number]>();
  private isReading = false;
  private stopped = false;
  private begin: (() => void) | undefined;
  /** Once for chats that are saved together. */
  private readonly persist = joined(() => this.writeNews());
  private willPersist = false;

  constructor(options: FolderIndexOptions<T>) {
    this.options = options;
  }

  /** The entries of all files, brought up to date. Includes a file that is written meanwhile and must be read again. */
  async entries(): Promise<ReadonlyMap<string, IndexEntry<T>>> {
    const { found, changed, present } = await this.compare();
    await this.read(changed, present, found);
    // Nobody waits for a cache.
    if (changed.length > 0) inBackground(this.persist());
    return found;
  }

  /** The same without a long wait: of the files to read, only this many of the newest; the others are read in the background. */
  async soon(atOnce = 6): Promise<Known<T>> {
    const { found, changed, present } = await this.compare();
    const newest = [...changed].sort((left, right) => (present.get(right) ?? 0) - (present.get(left) ?? 0));
    const later = newest.slice(atOnce);
    // The old entry of a changed file is used until the file is read.
    for (const id of later) {
      const entry = this.known?.get(id);
      if (entry) found.set(id, entry);
    }
    await this.read(newest.slice(0, atOnce), present, found);
    if (later.length > 0) inBackground(this.readBehind(later, present));
    else if (changed.length > 0) inBackground(this.persist());
    return { entries: found, unread: later.length };
  }

  /** Calls back with the number of unread files while they are read in the background; returns a function that stops it. */
  watch(listener: (unread: number) => void): () => void {
    const stop = this.listeners.add(listener);
    this.begin?.();
    return stop;
  }

  stop(): void {
    this.stopped = true;
    this.begin?.();
  }

  /** Never rejects: if the storage fails, the list in this window is still right. */
  async put(id: string, summary: T): Promise<void> {
    const loaded = await this.load().catch(() => null);
    this.set(id, { summary });
    if (!loaded) return;
    if (this.options.later) this.persistLater(this.options.later);
    else await this.persist();
  }

  /** Also for a file that someone else wrote: it is read again. */
  drop(id: string): void {
    this.revision++;
    if (!this.known) this.dropped.add(id);
    this.known?.delete(id);
    this.recent.delete(id);
  }

  /** Files may have changed since they were written here. */
  distrust(): void {
    this.revision++;
    for (const [id, entry] of this.known ?? []) if (entry.modified === undefined) this.drop(id);
  }

  private async compare() {
    const { present, names } = await this.listing();
    const known = await this.load(names);
    for (const id of [...known.keys()]) if (!present.has(id)) known.delete(id);
    const found = new Map<string, IndexEntry<T>>();
    const changed: string[] = [];
    for (const [id, modified] of present) {
      const entry = known.get(id);
      if (!entry || isStale(entry, modified)) changed.push(id);
      else if (entry.modified === undefined && modified !== undefined) this.learn(id, { ...entry, modified }, found);
      else found.set(id, entry);
    }
    return { found, changed, present };
  }

  private async read(
    ids: readonly string[],
    present: ReadonlyMap<string, number | undefined>,
    found: Map<string, IndexEntry<T>>,
    atOnce = READS_AT_ONCE,
  ): Promise<void> {
    const { storage, folder, summarize } = this.options;
    await sideBySide(
      ids,
      async (id) => {
        const text = await storage.read(`${folder}/${id}${EXTENSION}`);
        const modified = present.get(id);
        this.learn(id, { summary: text === null ? null : summarize(id, text), modified }, found);
      },
      atOnce,
    );
  }

  /** One at a time; failures are tried again when the list is requested again. */
  private async readBehind(ids: readonly string[], present: ReadonlyMap<string, number | undefined>): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    await this.untilQuiet();
    try {
      for (let at = 0; at < ids.length && !this.stopped; at += STEP) {
        // The last report comes when a new reading may begin.
        if (at > 0) this.say(ids.length - at);
        const unread = ids.slice(at, at + STEP).filter((id) => {
          const entry = this.known?.get(id);
          return !entry || isStale(entry, present.get(id));
        });
        await this.read(unread, present, new Map(), BEHIND_AT_ONCE);
      }
    } catch {
      // An unread file is read again at the next request.
    } finally {
      this.isReading = false;
    }
    this.say(0);
    await this.persist();
  }

  private untilQuiet(): Promise<void> {
    if (this.stopped || this.listeners.size > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.begin?.(), BEHIND_AFTER);
      this.begin = () => {
        clearTimeout(timer);
        this.begin = undefined;
        resolve();
      };
    });
  }

  private say(unread: number): void {
    this.listeners.call(unread);
  }

  private learn(id: string, entry: IndexEntry<T>, found: Map<string, IndexEntry<T>>): void {
    found.set(id, entry);
    this.set(id, entry);
  }

  private set(id: string, entry: IndexEntry<T>): void {
    this.revision++;
    this.known?.set(id, entry);
    this.recent.set(id, entry);
  }

  /** `names`: the existing files, if known; no others are requested. */
  private async load(names?: ReadonlySet<string>): Promise<Map<string, IndexEntry<T>>> {
    if (this.known) return this.known;
    const stored = (name: string): Promise<string | null> =>
      names && !names.has(`${name}${EXTENSION}`) ? Promise.resolve(null) : this.options.storage.read(this.path(name));
    const [index, recent] = await Promise.all([stored('index'), stored('index-recent')]);
    const entries = this.parse(recent);
    this.known ??= new Map([...this.parse(index), ...entries]);
    for (const [id, entry] of entries) if (!this.recent.has(id)) this.recent.set(id, entry);
    for (const id of this.dropped) this.drop(id);
    this.dropped.clear();
    return this.known;
  }

  /** Nothing if the cache is missing, damaged or of another version: then it is rebuilt. */
  private parse(text: string | null): readonly (readonly [string, IndexEntry<T>])[] {
    const { schema, format } = this.options;
    if (text === null) return [];
    const entry = v.object({ modified: v.optional(v.number()), summary: v.nullable(format) });
    try {
      return Object.entries(
        v.parse(v.object({ schema: v.literal(schema), entries: v.record(v.string(), entry) }), JSON.parse(text)).entries,
      );
    } catch {
      return [];
    }
  }

  private path(name: string): string {
    return `${this.options.folder}/${name}${EXTENSION}`;
  }

  /** `present`: ids of the existing files, with their times if the storage gives them. `names`: all files in the folder. */
  private async listing() {
    const { storage, folder } = this.options;
    const times = await storage.modified?.(folder);
    const names = times ? [...times.keys()] : await storage.list(folder);
    const ours = names.filter((name) => name.endsWith(EXTENSION) && !name.startsWith('index'));
    const present = new Map(ours.map((name) => [name.slice(0, -EXTENSION.length), times?.get(name)] as const));
    return { present, names: new Set(names) };
  }

  private persistLater(later: (work: () => void) => void): void {
    if (this.willPersist) return;
    this.willPersist = true;
    later(() => {
      this.willPersist = false;
      inBackground(this.persist());
    });
  }

  private async writeNews(): Promise<void> {
    const { storage } = this.options;
    try {
      const all = this.known ?? this.recent;
      if (all.size > RECENT_ENTRIES && this.recent.size <= RECENT_ENTRIES) return await this.write('index-recent', this.recent);
      const written = [...this.recent];
      await this.write('index', all);
      if (all.size > RECENT_ENTRIES) await storage.remove(this.path('index-recent'));
      // Entries added meanwhile are in no file yet.
      for (const [id, entry] of written) if (this.recent.get(id) === entry) this.recent.delete(id);
    } catch {
      // An outdated cache must not be trusted. If it cannot be removed either, the storage is unavailable.
      await storage.remove(this.path('index')).catch(() => undefined);
    }
  }

  private write(name: string, entries: ReadonlyMap<string, IndexEntry<T>>): Promise<void> {
    const { storage, schema, later } = this.options;
    // A file may change again before the index is written: an entry without a time is read again by the next program.
    const sure = later ? [...entries].filter(([, { modified }]) => modified !== undefined) : entries;
    return storage.write(this.path(name), JSON.stringify({ schema, entries: Object.fromEntries(sure) }));
  }
}

/** Someone else has written it since. */
function isStale({ modified }: IndexEntry<unknown>, present: number | undefined): boolean {
  return modified !== undefined && present !== undefined && modified !== present;
}
