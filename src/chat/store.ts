import type { EventError } from '../tools/events.ts';
import { ChatSearch } from './chat-search.ts';
import { answersOf, replayJournal } from './journal.ts';
import {
  createJournalWriter,
  type JournalWriter,
  journaledSessions,
  type ReadJournal,
  readJournal,
  removeEntries,
} from './journal-files.ts';
import { mergeSessions, stampChanges } from './merge-sessions.ts';
import { CANNOT_SHOW, isSafeId, pathOf, SessionFiles } from './session-files.ts';
import { SessionIndex } from './session-index.ts';
import type { ChatStorage } from './storage-port.ts';
import { Trash, type TrashedChat } from './trash.ts';
import type { Session, SessionSummary } from './types.ts';
import { VariableFiles } from './variable-files.ts';
import { onlyWriter, type Writers } from './writers.ts';

export interface LoadedSession {
  readonly session: Session;
  /** Written by a newer version: shown, never saved. */
  readonly readOnly: boolean;
  /** Something was replayed from the crash journal. */
  readonly recovered: boolean;
  /** Answers that another window of this device is writing now; such a chat is shown, not continued here. */
  readonly elsewhere: readonly string[];
  /** Variables whose files are gone. */
  readonly missingVariables: readonly string[];
}

interface SavedChat {
  /** What was written: the chat, and what others had put into its file meanwhile. */
  readonly session: Session;
  readonly merged: boolean;
}

/** A chat was written by another window, or by a sync; null: any may have been. */
export type OutsideChange = readonly string[] | null;

export interface ChatStore {
  /** Newest first, pinned before. Files that cannot be read are left out. */
  list(): Promise<readonly SessionSummary[]>;
  /** null when there is no such chat. Rejects with ToolError `chat_broken` (a copy was put aside), `chat_newer`, or the storage's own. */
  load(id: string): Promise<LoadedSession | null>;
  /**
   * Writes the file, then the index. What others wrote into the file since it was read here is merged in, not overwritten. A
   * failing index is no failure: it is a cache. Rejects as `load`.
   */
  save(session: Session): Promise<SavedChat>;
  /** The chat as it stands here with what others wrote; null when there is nothing to read. Writes nothing. */
  refresh(session: Session): Promise<LoadedSession | null>;
  /** Into the trash. */
  remove(id: string): Promise<void>;
  trashed(): Promise<readonly TrashedChat[]>;
  /** Brings a deleted chat back; false when it is not in the trash any more. */
  restore(id: string): Promise<boolean>;
  /** Removes for good what was deleted before that time (milliseconds since the epoch). */
  purge(before: number): Promise<void>;
  /** Chats of which a crash left this device's journal behind. */
  interrupted(): Promise<readonly string[]>;
  journal(sessionId: string, onError: (error: EventError) => void): JournalWriter;
  /** To be called when a sync (or anyone else) changed files; without ids any may have changed. */
  changedOutside(ids?: readonly string[]): void;
  /** Calls back for every change from outside, whoever noticed it; returns the way to stop. */
  subscribe(listener: (change: OutsideChange) => void): () => void;
  /** Full text search over all chats. */
  readonly search: ChatSearch;
}

/** What an open chat needs of the store. */
export type SessionStore = Pick<ChatStore, 'save' | 'refresh' | 'journal'>;

/** Word between the windows of one device: which chat was written. What there is of BroadcastChannel. */
export interface ChangeChannel {
  post(id: string): void;
  subscribe(listener: (id: string) => void): () => void;
}

export interface ChatStoreOptions {
  readonly storage: ChatStorage;
  readonly device: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: this is the device's only window. */
  readonly writers?: Writers;
  readonly channel?: ChangeChannel;
  /** Where the texts of search are kept; best outside the synced folder. Default: they are read anew after a start. */
  readonly cache?: ChatStorage;
  /** Keeps other windows out while a file is read and written; default: nobody is kept out. */
  readonly exclusive?: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

interface Known {
  readonly text: string;
  readonly session: Session;
}

/** Chats in FORMATS.md's files. Saves run one after another, so that an older one never lands on a newer one. */
export function createChatStore(options: ChatStoreOptions): ChatStore {
  return new StoredChats(options);
}

class StoredChats implements ChatStore {
  readonly search: ChatSearch;
  private readonly index: SessionIndex;
  private readonly options: ChatStoreOptions;
  private readonly storage: ChatStorage;
  private readonly writers: Writers;
  private readonly variables: VariableFiles;
  private readonly files: SessionFiles;
  private readonly trash: Trash;
  /** Each chat as its file stood when it was last read or written here; two equal texts are compared in no time, so no hash. */
  private readonly known = new Map<string, Known>();
  private readonly listeners = new Set<(change: OutsideChange) => void>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(options: ChatStoreOptions) {
    const { storage, device, now, channel, cache, writers = onlyWriter(device) } = options;
    this.options = options;
    this.storage = storage;
    this.writers = writers;
    this.variables = new VariableFiles(storage);
    this.files = new SessionFiles(storage, this.variables, now);
    this.index = new SessionIndex(storage);
    this.search = new ChatSearch({ storage, now, index: this.index, ...(cache ? { cache } : {}) });
    this.trash = new Trash(storage);
    channel?.subscribe((id) => this.announce([id]));
  }

  list(): Promise<readonly SessionSummary[]> {
    return this.index.list();
  }

  async load(id: string): Promise<LoadedSession | null> {
    if (!isSafeId(id)) return null;
    const file = await this.files.read(id);
    if (file.kind === 'newer') {
      if (!file.session) throw CANNOT_SHOW;
      return { session: file.session, readOnly: true, recovered: false, elsewhere: [], missingVariables: [] };
    }
    const saved = file.kind === 'ok' ? file.session : null;
    if (file.kind === 'ok') this.known.set(id, { text: file.text, session: file.session });
    const { events, elsewhere, files: entries } = await this.readJournal(id);
    let session = replayJournal(saved, events, { as: 'interrupted', now: this.options.now() });
    if (session && events.length > 0) {
      ({ session } = await this.save(session));
      await removeEntries(this.storage, id, new Set(entries));
    }
    const shown = replayJournal(session, elsewhere, { as: 'running' });
    if (!shown) return null;
    const missingVariables = file.kind === 'ok' ? file.missingVariables : [];
    return { session: shown, readOnly: false, recovered: events.length > 0, elsewhere: answersOf(elsewhere), missingVariables };
  }

  save(session: Session): Promise<SavedChat> {
    const { id } = session;
    if (!isSafeId(id)) throw new Error(`chat store: "${id}" cannot be a file name`);
    const { exclusive = (_name, work) => work() } = this.options;
    return this.inTurn(() => exclusive(`chat-${id}`, () => this.write(session)));
  }

  refresh(session: Session): Promise<LoadedSession | null> {
    return this.inTurn(async () => {
      const { elsewhere } = await this.readJournal(session.id);
      const mine = this.stamped(session);
      const theirs = await this.outside(session.id);
      if (!theirs && elsewhere.length === 0) return null;
      if (theirs) this.known.set(session.id, theirs);
      const merged = theirs ? mergeSessions(mine, theirs.session) : mine;
      const shown = replayJournal(merged, elsewhere, { as: 'running' }) ?? merged;
      return { session: shown, readOnly: false, recovered: false, elsewhere: answersOf(elsewhere), missingVariables: [] };
    });
  }

  remove(id: string): Promise<void> {
    return this.inTurn(async () => {
      if (!isSafeId(id)) return;
      const text = await this.storage.read(pathOf(id));
      const title = (await this.index.list()).find((summary) => summary.id === id)?.title ?? '';
      if (text !== null) await this.trash.put(id, { title, text, deleted: this.options.now() });
      for (const path of [pathOf(id), `journal/${id}`]) await this.storage.remove(path);
      this.index.drop(id);
      this.options.channel?.post(id);
    });
  }

  trashed(): Promise<readonly TrashedChat[]> {
    return this.trash.list();
  }

  restore(id: string): Promise<boolean> {
    return this.inTurn(async () => {
      const text = isSafeId(id) ? await this.trash.text(id) : null;
      if (text === null) return false;
      // A file that is there was written after the deletion, with what the trash holds: see `outside`.
      if ((await this.storage.read(pathOf(id))) === null) await this.storage.write(pathOf(id), text);
      await this.trash.drop(id);
      this.announce([id]);
      this.options.channel?.post(id);
      return true;
    });
  }

  purge(before: number): Promise<void> {
    return this.inTurn(async () => {
      for (const { id, deleted } of await this.trash.list()) {
        if (deleted >= before) continue;
        if ((await this.storage.read(pathOf(id))) === null) await this.storage.remove(`variables/${id}`);
        await this.trash.drop(id);
      }
    });
  }

  interrupted(): Promise<readonly string[]> {
    return journaledSessions(this.storage, this.options.device, this.writers);
  }

  journal(sessionId: string, onError: (error: EventError) => void): JournalWriter {
    const { now, channel } = this.options;
    const onWritten = (): void => channel?.post(sessionId);
    return createJournalWriter(this.storage, {
      ...{ sessionId, now, onError, onWritten },
      ...{ writer: this.writers.id, files: this.variables },
    });
  }

  changedOutside(ids?: readonly string[]): void {
    this.announce(ids ?? null);
  }

  subscribe(listener: (change: OutsideChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private announce(change: OutsideChange): void {
    if (change === null) this.index.distrust();
    else for (const id of change) this.index.forget(id);
    for (const listener of this.listeners) listener(change);
  }

  private async write(session: Session): Promise<SavedChat> {
    const { id } = session;
    const mine = this.stamped(session);
    const theirs = await this.outside(id);
    const merged = theirs ? mergeSessions(mine, theirs.session) : mine;
    this.known.set(id, { text: await this.files.write(merged), session: merged });
    // Deleted elsewhere and written here since: it lives on, with what was deleted.
    if (theirs) await this.trash.drop(id);
    await this.index.put(merged);
    this.options.channel?.post(id);
    return { session: merged, merged: theirs !== null };
  }

  /** What stands in the file, or in the trash where the chat was deleted meanwhile, if it is not what is known here. */
  private async outside(id: string): Promise<Known | null> {
    const known = this.known.get(id);
    const text = (await this.storage.read(pathOf(id))) ?? (known ? await this.trash.text(id) : null);
    if (text === null) return null;
    if (known?.text === text) return null;
    const file = await this.files.parse(id, text);
    if (file.kind === 'newer') throw CANNOT_SHOW;
    return file.kind === 'ok' ? { text, session: file.session } : null;
  }

  private stamped(session: Session): Session {
    const { now, device } = this.options;
    return stampChanges(this.known.get(session.id)?.session ?? null, session, { time: now(), device });
  }

  private readJournal(id: string): Promise<ReadJournal> {
    return readJournal(this.storage, this.variables, id, { device: this.options.device, writers: this.writers });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work, work);
    this.queue = result.catch(() => undefined);
    return result;
  }
}
