import * as v from 'valibot';
import { mapLimited } from './map-limited.ts';
import { readSession } from './saved-format.ts';
import { makeSearchEntry, type SearchEntry, type SearchHit, searchChats, searchEntryFormat } from './search-text.ts';
import { pathOf } from './session-files.ts';
import type { IndexEntry, SessionIndex } from './session-index.ts';
import type { ChatStorage } from './storage-port.ts';

/** Shards of the texts; a chat that changed has its shard written again. */
const SHARDS = 32;
const READS_AT_ONCE = 8;
/** So long a search believes that nobody outside changed a file of which no window and no sync told; in milliseconds. */
const BELIEVED = 5_000;
const shardFormat = v.object({ schema: v.literal(1), chats: v.record(v.string(), searchEntryFormat) });

const shardPath = (shard: number): string => `search/${shard}.json`;

function shardOf(id: string): number {
  let hash = 0;
  for (let index = 0; index < id.length; index++) hash = (Math.imul(hash, 31) + id.charCodeAt(index)) >>> 0;
  return hash % SHARDS;
}

export interface ChatSearchOptions {
  readonly storage: ChatStorage;
  readonly index: SessionIndex;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Where the texts are kept between two starts; best outside the synced folder. Absent: they are read anew after a start. */
  readonly cache?: ChatStorage;
}

/**
 * Full text search over all chats. The first search loads the texts, shard by shard; every search reads what changed since. Runs
 * wherever its ports are: in the page, in a worker, in Node.
 */
export class ChatSearch {
  private readonly options: ChatSearchOptions;
  private entries: Map<string, SearchEntry> | null = null;
  private files: ReadonlyMap<string, IndexEntry> = new Map();
  /** What the texts were last compared with. */
  private seen = { revision: -1, time: 0 };
  /** One at a time: two searches at once would read everything twice. */
  private updating: Promise<unknown> = Promise.resolve();

  constructor(options: ChatSearchOptions) {
    this.options = options;
  }

  /** The best first. Rejects as the storage does; a chat that cannot be read is found by what the list knows of it. */
  async search(query: string, limit = 50): Promise<readonly SearchHit[]> {
    if (query.trim() === '') return [];
    const entries = await this.update();
    const summaries = [...this.files.values()].flatMap(({ summary }) => summary ?? []);
    return searchChats(summaries, entries, query, limit);
  }

  /** Brings the texts up to date; called ahead, it makes the first search a warm one. */
  update(): Promise<ReadonlyMap<string, SearchEntry>> {
    const result = this.updating.then(
      () => this.bring(),
      () => this.bring(),
    );
    this.updating = result;
    return result;
  }

  /** Gives the memory back; the next search loads again. */
  release(): void {
    this.entries = null;
  }

  private async bring(): Promise<ReadonlyMap<string, SearchEntry>> {
    const { storage, index, now } = this.options;
    if (this.entries && index.revision === this.seen.revision && now() - this.seen.time < BELIEVED) return this.entries;
    const [files, entries] = await Promise.all([index.entries(), this.load()]);
    this.files = files;
    this.seen = { revision: index.revision, time: now() };
    const dirty = new Set<number>();
    for (const id of [...entries.keys()]) {
      if (files.has(id)) continue;
      entries.delete(id);
      dirty.add(shardOf(id));
    }
    // Where the storage tells no times, the time of the chat's last save is as good.
    const stateOf = (id: string): number => files.get(id)?.modified ?? files.get(id)?.summary?.updated ?? 0;
    const stale = [...files.keys()].filter((id) => entries.get(id)?.modified !== stateOf(id));
    await mapLimited(stale, READS_AT_ONCE, async (id) => {
      const text = await storage.read(pathOf(id));
      const read = text === null ? null : readSession(text);
      const session = read && read.kind !== 'broken' ? read.session : null;
      entries.set(id, session ? makeSearchEntry(session, stateOf(id)) : { modified: stateOf(id), nodes: [], texts: [] });
      dirty.add(shardOf(id));
    });
    await this.persist(entries, dirty);
    return entries;
  }

  private async load(): Promise<Map<string, SearchEntry>> {
    if (this.entries) return this.entries;
    const { cache } = this.options;
    const loaded = new Map<string, SearchEntry>();
    const shards = cache ? Array.from({ length: SHARDS }, (_none, shard) => shard) : [];
    await mapLimited(shards, READS_AT_ONCE, async (shard) => {
      for (const [id, entry] of readShard((await cache?.read(shardPath(shard))) ?? null)) loaded.set(id, entry);
    });
    this.entries = loaded;
    return loaded;
  }

  /** Never rejects: what could not be kept is read again after the next start. */
  private async persist(entries: ReadonlyMap<string, SearchEntry>, dirty: ReadonlySet<number>): Promise<void> {
    const { cache } = this.options;
    if (!cache || dirty.size === 0) return;
    const shards = new Map([...dirty].map((shard) => [shard, new Map<string, SearchEntry>()]));
    for (const [id, entry] of entries) shards.get(shardOf(id))?.set(id, entry);
    await mapLimited([...shards], READS_AT_ONCE, async ([shard, chats]) => {
      const text = JSON.stringify({ schema: 1, chats: Object.fromEntries(chats) });
      await cache.write(shardPath(shard), text).catch(() => undefined);
    });
  }
}

function readShard(text: string | null): readonly (readonly [string, SearchEntry])[] {
  if (text === null) return [];
  try {
    return Object.entries(v.parse(shardFormat, JSON.parse(text)).chats);
  } catch {
    return [];
  }
}
