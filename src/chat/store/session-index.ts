import * as v from 'valibot';
import { readSession } from '../session/saved-format.ts';
import { threadOf } from '../session/thread.ts';
import type { Session, SessionSummary } from '../session/types.ts';
import { mapLimited } from './map-limited.ts';
import { pathOf } from './session-files.ts';
import type { ChatStorage } from './storage-port.ts';

/** Grows by one with each change of what an entry holds: another one is no index, and is made anew. */
const INDEX_SCHEMA = 2;
const exact = <T extends v.GenericSchema>(schema: T) => v.exactOptional(schema);
const summaryFormat: v.GenericSchema<unknown, SessionSummary> = v.object({
  id: v.string(),
  title: v.string(),
  updated: v.number(),
  pinned: v.boolean(),
  messages: v.number(),
  boundDocument: exact(v.string()),
  tags: exact(v.array(v.string())),
  archived: exact(v.boolean()),
});

/** What is known of one file. `modified` is absent after a write of our own, until a listing tells it. */
export interface IndexEntry {
  readonly modified?: number;
  /** null: the file cannot be read. */
  readonly summary: SessionSummary | null;
}

const indexFormat: v.GenericSchema<unknown, { readonly entries: Readonly<Record<string, IndexEntry>> }> = v.object({
  schema: v.literal(INDEX_SCHEMA),
  entries: v.record(v.string(), v.object({ modified: exact(v.number()), summary: v.nullable(summaryFormat) })),
});

function summarize(session: Session): SessionSummary {
  const messages = threadOf(session, session.leafId).filter((node) => node.role !== 'separator').length;
  const { id, title, updated, pinned, boundDocument, tags, archived } = session;
  return {
    ...{ id, title, updated, pinned, messages },
    ...(boundDocument === undefined ? {} : { boundDocument }),
    ...(tags.length > 0 ? { tags } : {}),
    ...(archived ? { archived } : {}),
  };
}

/** Nothing when the cache is missing, damaged or of another version: it is rebuilt then. */
function readIndex(text: string | null): readonly (readonly [string, IndexEntry])[] {
  if (text === null) return [];
  try {
    return Object.entries(v.parse(indexFormat, JSON.parse(text)).entries);
  } catch {
    return [];
  }
}

/** Pinned first, then the newest. */
function sortSummaries(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return [...sessions].sort(
    (left, right) => Number(right.pinned) - Number(left.pinned) || right.updated - left.updated || (left.id < right.id ? -1 : 1),
  );
}

function summaryOf(id: string, text: string | null): SessionSummary | null {
  const read = text === null ? null : readSession(text);
  return read && read.kind !== 'broken' && read.session ? summarize({ ...read.session, id }) : null;
}

const INDEX = 'sessions/index.json';
/** Entries that are newer than the index: it is large where there are many chats, and every write is synced. */
const RECENT = 'sessions/index-recent.json';
const RECENT_ENTRIES = 100;
const EXTENSION = '.json';
const READS_AT_ONCE = 8;

/**
 * The list of chats. Three requests, however many there are: the folder, `index.json` and what is newer than that. Files that the
 * index does not know, or that were written since by someone else, are read.
 */
export class SessionIndex {
  /** Grows with every change of what is known. */
  revision = 0;
  private readonly storage: ChatStorage;
  private known: Map<string, IndexEntry> | null = null;
  private readonly recent = new Map<string, IndexEntry>();

  constructor(storage: ChatStorage) {
    this.storage = storage;
  }

  async list(): Promise<readonly SessionSummary[]> {
    const entries = await this.entries();
    return sortSummaries([...entries.values()].flatMap(({ summary }) => summary ?? []));
  }

  /** What is known of each chat's file, brought up to date. A chat that is written meanwhile, and is to be read again, is among them. */
  async entries(): Promise<ReadonlyMap<string, IndexEntry>> {
    const [present, known] = await Promise.all([this.present(), this.load()]);
    for (const id of [...known.keys()]) if (!present.has(id)) known.delete(id);
    const found = new Map<string, IndexEntry>();
    const learn = (id: string, entry: IndexEntry): void => {
      found.set(id, entry);
      this.set(id, entry);
    };
    const changed: string[] = [];
    for (const [id, modified] of present) {
      const entry = known.get(id);
      if (!entry || (entry.modified !== undefined && modified !== undefined && entry.modified !== modified)) changed.push(id);
      else if (entry.modified === undefined && modified !== undefined) learn(id, { ...entry, modified });
      else found.set(id, entry);
    }
    await mapLimited(changed, READS_AT_ONCE, async (id) => {
      const summary = summaryOf(id, await this.storage.read(pathOf(id)));
      const modified = present.get(id);
      learn(id, { summary, ...(modified === undefined ? {} : { modified }) });
    });
    // Nobody waits for a cache.
    if (changed.length > 0) void this.persist();
    return found;
  }

  /** Never rejects: where the storage fails the list of this window is right all the same. */
  async put(session: Session): Promise<void> {
    const loaded = await this.load().catch(() => null);
    this.set(session.id, { summary: summarize(session) });
    if (loaded) await this.persist();
  }

  drop(id: string): void {
    this.revision++;
    this.known?.delete(id);
    this.recent.delete(id);
  }

  /** Someone else wrote this chat: it is read again. */
  forget(id: string): void {
    this.drop(id);
  }

  /** Files may have changed since they were written here. */
  distrust(): void {
    this.revision++;
    for (const [id, entry] of this.known ?? []) if (entry.modified === undefined) this.drop(id);
  }

  private set(id: string, entry: IndexEntry): void {
    this.revision++;
    this.known?.set(id, entry);
    this.recent.set(id, entry);
  }

  private async load(): Promise<Map<string, IndexEntry>> {
    if (this.known) return this.known;
    const [index, recent] = await Promise.all([this.storage.read(INDEX), this.storage.read(RECENT)]);
    const entries = readIndex(recent);
    this.known ??= new Map([...readIndex(index), ...entries]);
    for (const [id, entry] of entries) if (!this.recent.has(id)) this.recent.set(id, entry);
    return this.known;
  }

  /** Ids of the files that are there, with their times where the storage tells them. */
  private async present(): Promise<ReadonlyMap<string, number | undefined>> {
    const times = await this.storage.modified?.('sessions');
    const names = times ? [...times.keys()] : await this.storage.list('sessions');
    const sessions = names.filter((name) => name.endsWith(EXTENSION) && !name.startsWith('index'));
    return new Map(sessions.map((name) => [name.slice(0, -EXTENSION.length), times?.get(name)]));
  }

  private async persist(): Promise<void> {
    try {
      const all = this.known ?? this.recent;
      if (all.size > RECENT_ENTRIES && this.recent.size <= RECENT_ENTRIES) return await this.write(RECENT, this.recent);
      await this.write(INDEX, all);
      if (all.size > RECENT_ENTRIES) await this.storage.remove(RECENT);
      this.recent.clear();
    } catch {
      // A cache that could not be brought up to date must not be believed. When it cannot be removed either, the storage is gone.
      await this.storage.remove(INDEX).catch(() => undefined);
    }
  }

  private write(path: string, entries: ReadonlyMap<string, IndexEntry>): Promise<void> {
    return this.storage.write(path, JSON.stringify({ schema: INDEX_SCHEMA, entries: Object.fromEntries(entries) }));
  }
}
