import { Listeners } from '../../tools/util/notify.ts';
import { sideBySide } from '../../tools/util/turns.ts';
import type { SessionSummary } from '../session/types.ts';
import type { IndexEntry } from './folder-index.ts';
import { EngineLost, engineInPage, type SearchEngine } from './search/search-calls.ts';
import { SHARDS, shardOf } from './search/search-corpus.ts';
import type { ChatTitle, SearchMatch } from './search/search-text.ts';
import { WorkerEngine, type WorkerPort } from './search/search-worker.ts';
import { pathOf } from './session-files.ts';
import type { SessionIndex } from './session-index.ts';
import type { ChatStorage } from './storage-port.ts';

const READS_AT_ONCE = 8;
/** The newest files that a search waits for; the rest is read in the background, as many at a time. */
const READ_AT_ONCE = 200;
/** Titles in one message: all of them at once would block the page. */
const TITLES_PER_CALL = 1_000;
/** Milliseconds for which a file counts as unchanged if no window and no sync announced a change. */
const BELIEVED = 5_000;

const shardPath = (shard: number): string => `search/${shard}.json`;

export interface ChatSearchOptions {
  readonly storage: ChatStorage;
  readonly index: SessionIndex;
  readonly now: () => number;
  /** Keeps texts between two starts, best outside the synced folder. Absent: they are read again after a start. */
  readonly cache?: ChatStorage;
  /** Starts a worker with `createSearchServer` in it; may throw. Absent or failing: the texts are held and searched in the page. */
  readonly startWorker?: () => WorkerPort;
}

interface Held {
  readonly engine: SearchEngine;
  /** The state of each chat's file in the engine; null until the saved texts are loaded. */
  chats: Map<string, number> | null;
  readonly sentTitles: Map<string, SessionSummary>;
  readonly dirty: Set<number>;
  /** The state that the texts were last compared with. */
  seen: { readonly revision: number; readonly time: number };
  /** Files that must still be read, the newest first. */
  unread: readonly string[];
  files: Files;
  isReading: boolean;
}

type Files = ReadonlyMap<string, IndexEntry<SessionSummary>>;

/** Full text search over all chats by an engine; a search reads the newest changed files, the background the others. */
export class ChatSearch {
  private readonly options: ChatSearchOptions;
  private held: Held | null = null;
  private workerFailed = false;
  /** Serialized: two concurrent searches would read everything twice. */
  private updating: Promise<unknown> = Promise.resolve();
  private keeping: Promise<unknown> = Promise.resolve();
  private readonly listeners = new Listeners<[]>();

  constructor(options: ChatSearchOptions) {
    this.options = options;
  }

  /** The best first; empty if the memory is released meanwhile. Rejects like the storage; an unreadable chat is found by title and tags. */
  async search(query: string, limit = 50): Promise<readonly SearchMatch[]> {
    if (query.trim() === '') return [];
    const held = this.open();
    try {
      return await this.ask(held, query, limit);
    } catch (error) {
      if (!(error instanceof EngineLost)) throw error;
      if (this.held === held) {
        this.workerFailed = true;
        this.held = null;
      }
      return this.workerFailed ? this.ask(this.open(), query, limit) : [];
    }
  }

  get unread(): number {
    return this.held?.unread.length ?? 0;
  }

  /** Calls back when the messages of more chats can be found; returns a function that stops it. */
  watch(listener: () => void): () => void {
    return this.listeners.add(listener);
  }

  /** Frees the memory and ends the worker; the next search starts again. */
  release(): void {
    this.held?.engine.end();
    this.held = null;
  }

  private open(): Held {
    this.held ??= {
      engine: this.startEngine(),
      chats: null,
      sentTitles: new Map(),
      dirty: new Set(),
      seen: { revision: -1, time: 0 },
      unread: [],
      files: new Map(),
      isReading: false,
    };
    return this.held;
  }

  private startEngine(): SearchEngine {
    const { startWorker } = this.options;
    if (!startWorker || this.workerFailed) return engineInPage();
    try {
      return new WorkerEngine(startWorker());
    } catch {
      this.workerFailed = true;
      return engineInPage();
    }
  }

  private async ask(held: Held, query: string, limit: number): Promise<readonly SearchMatch[]> {
    await this.update(held);
    const found = await held.engine.ask('search', { query, limit });
    return found.flatMap(({ id, ...place }) => {
      const summary = held.sentTitles.get(id);
      return summary ? [{ summary, ...place }] : [];
    });
  }

  /** Brings the texts up to date. Changes are saved after the answer: nobody waits for that. */
  private update(held: Held): Promise<void> {
    const brought = this.updating.then(() => this.bring(held));
    this.updating = brought.catch(() => undefined);
    this.keeping = Promise.all([this.keeping, brought])
      .then(() => (held.unread.length > 0 ? this.readBehind(held) : this.keep(held)))
      .catch(() => undefined);
    return brought;
  }

  /** Alternates with searches, so that each of them waits for one step at most. */
  private async readBehind(held: Held): Promise<void> {
    if (held.isReading) return;
    held.isReading = true;
    try {
      while (held.unread.length > 0 && this.held === held) {
        const step = this.updating.then(async () => this.read(held, await this.load(held), held.files));
        this.updating = step.catch(() => undefined);
        await step;
        this.listeners.call();
      }
      await this.keep(held);
    } finally {
      held.isReading = false;
    }
  }

  private async bring(held: Held): Promise<void> {
    const { index, now } = this.options;
    if (held.chats && index.revision === held.seen.revision && now() - held.seen.time < BELIEVED) return;
    const [{ entries: files }, chats] = await Promise.all([index.soon(READ_AT_ONCE), this.load(held)]);
    const seen = { revision: index.revision, time: now() };
    const gone = [...new Set([...chats.keys(), ...held.sentTitles.keys()])].filter((id) => !files.has(id));
    if (gone.length > 0) await held.engine.ask('drop', gone);
    for (const id of gone) {
      if (chats.delete(id)) held.dirty.add(shardOf(id));
      held.sentTitles.delete(id);
    }
    await this.sendTitles(held, files);
    held.files = files;
    held.unread = staleOf(files, chats);
    await this.read(held, chats, files);
    held.seen = seen;
  }

  private async load(held: Held): Promise<Map<string, number>> {
    if (held.chats) return held.chats;
    const { cache } = this.options;
    const loaded = new Map<string, number>();
    const shards = cache ? Array.from({ length: SHARDS }, (_none, shard) => shard) : [];
    await sideBySide(
      shards,
      async (shard) => {
        const text = (await cache?.read(shardPath(shard))) ?? null;
        if (text === null) return;
        for (const [id, modified] of await held.engine.ask('load', text)) loaded.set(id, modified);
      },
      READS_AT_ONCE,
    );
    held.chats = loaded;
    return loaded;
  }

  private async sendTitles({ engine, sentTitles }: Held, files: Files): Promise<void> {
    const news = [...files.values()].flatMap(({ summary }) => (summary && sentTitles.get(summary.id) !== summary ? [summary] : []));
    for (let at = 0; at < news.length; at += TITLES_PER_CALL) {
      const some = news.slice(at, at + TITLES_PER_CALL);
      await engine.ask('setTitles', some.map(titleOf));
      for (const summary of some) sentTitles.set(summary.id, summary);
    }
  }

  private async read(held: Held, chats: Map<string, number>, files: Files): Promise<void> {
    const { engine, dirty } = held;
    await sideBySide(
      held.unread.slice(0, READ_AT_ONCE),
      async (id) => {
        const modified = stateOf(files, id);
        await engine.ask('read', { id, modified, text: await this.options.storage.read(pathOf(id)) });
        chats.set(id, modified);
        dirty.add(shardOf(id));
      },
      READS_AT_ONCE,
    );
    held.unread = held.unread.slice(READ_AT_ONCE);
  }

  /** A text that could not be saved is read again after the next start. */
  private async keep({ engine, dirty }: Held): Promise<void> {
    const { cache } = this.options;
    const shards = [...dirty];
    dirty.clear();
    if (!cache) return;
    await sideBySide(
      shards,
      async (shard) => {
        const text = await engine.ask('shardText', shard);
        await cache.write(shardPath(shard), text).catch(() => undefined);
      },
      READS_AT_ONCE,
    );
  }
}

const titleOf = ({ id, title, tags, updated }: SessionSummary): ChatTitle => ({ id, title, updated, tags });

/** If the storage gives no times, the time of the chat's last save is used. */
const stateOf = (files: Files, id: string): number => files.get(id)?.modified ?? files.get(id)?.summary?.updated ?? 0;

/** Chats that are held in another state or not at all, newest first. */
const staleOf = (files: Files, chats: ReadonlyMap<string, number>): readonly string[] =>
  [...files.keys()]
    .filter((id) => chats.get(id) !== stateOf(files, id))
    .sort((left, right) => (files.get(right)?.summary?.updated ?? 0) - (files.get(left)?.summary?.updated ?? 0));
