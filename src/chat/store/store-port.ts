import type { EventError } from '../../tools/contract/errors.ts';
import type { Session, SessionSummary } from '../session/types.ts';
import type { ChatSearch } from './chat-search.ts';
import type { DraftStore } from './draft-store.ts';
import type { FolderIndexOptions } from './folder-index.ts';
import type { Intent, RecoveryLogOptions } from './recovery-log.ts';
import type { WorkerPort } from './search/search-worker.ts';
import type { ChatStorage } from './storage-port.ts';
import type { TrashedChat } from './trash.ts';
import type { TurnLogWriter } from './turn-log-files.ts';
import type { WindowRegistry } from './window-registry.ts';

export interface LoadedSession {
  readonly session: Session;
  /** Written by a newer version: shown, never saved. */
  readonly readOnly: boolean;
  /** Entries of the turn log were replayed. */
  readonly recovered: boolean;
  /** Its file was damaged, and was rewritten from this device's copy: the latest changes by others may be missing. */
  readonly repaired: boolean;
  /** Answers that another window or program is writing now; such a chat is shown, but cannot be continued here. */
  readonly elsewhere: readonly string[];
  readonly missingVariables: readonly string[];
}

export interface RefreshedSession extends Pick<LoadedSession, 'session' | 'elsewhere'> {
  /** The file lacks messages that are here: a sync replaced it with an older state, or it is damaged. */
  readonly ahead: boolean;
}

export interface SavedChat {
  /** What was written: the chat, merged with what others had written into its file. */
  readonly session: Session;
  readonly merged: boolean;
  /** The file could not be read, and was overwritten; a copy was set aside. */
  readonly repaired: boolean;
}

/** Chats written by another window or a sync; null: any may have been. */
export type OutsideChange = readonly string[] | null;

export interface ChatListing {
  readonly chats: readonly SessionSummary[];
  readonly unreadable: readonly string[];
  /** The number of chats missing in it: their files are read in the background. */
  readonly unread: number;
}

export interface ChatStore {
  /** Pinned first, then the newest. Files that cannot be read are left out. */
  list(): Promise<readonly SessionSummary[]>;
  /** The same without a long wait: if the index is lost, the newest `atOnce` chats (default 6); `watchLists` reports the others. */
  listSoon(atOnce?: number): Promise<ChatListing>;
  /** Title of a chat whose file cannot be read; '' if it is not known, null if there is no such file. */
  savedTitle(id: string): Promise<string | null>;
  has(id: string): Promise<boolean>;
  /** Calls back when more chats, more deleted ones, or more of their messages are known; returns a function that stops it. */
  watchLists(listener: () => void): () => void;
  close(): void;
  /** null if there is no such chat. Rejects with ToolError `chat_broken` (damaged, no copy here), `chat_newer`, or like the storage. */
  load(id: string): Promise<LoadedSession | null>;
  /** Merges changes by others and writes; a failing index is no error, an unreadable file is copied aside. Rejects with `chat_newer`. */
  save(session: Session): Promise<SavedChat>;
  /** The chat merged with what others wrote; null if there is nothing to read. Writes nothing. */
  refresh(session: Session): Promise<RefreshedSession | null>;
  /** The chat is closed here: what is remembered of its file is dropped, and read again when the chat is opened. */
  forget(id: string): void;
  /** Restores what a sync removed by replacing files; call it at start, `changedOutside` does it later. Rejects like the storage. */
  restoreOverwritten(): Promise<void>;
  /** Records an operation before its first request, for the next page to complete. Call the result when it is done or failed. */
  intend(id: string, intent: Intent): () => void;
  /** Moves it to the trash; for a damaged file, the intact copy on this device. */
  remove(id: string): Promise<void>;
  /** As far as they are known; `watchLists` reports the others. */
  trashed(): Promise<readonly TrashedChat[]>;
  /** Restores a deleted chat; false if it is gone. Rejects with ToolError `chat_newer` or `chat_broken` if it cannot be merged. */
  restore(id: string): Promise<boolean>;
  /** Permanently removes a chat that is in the trash; does nothing otherwise. */
  discard(id: string): Promise<void>;
  purge(before: number): Promise<void>;
  readonly typed: DraftStore;
  /** Chats in which closed windows left something; their drafts are adopted. */
  interrupted(): Promise<readonly string[]>;
  turnLog(sessionId: string, onError: (error: EventError) => void): TurnLogWriter;
  /** To be called when a sync (or anyone else) changed files; without ids any may have changed. */
  changedOutside(ids?: readonly string[]): void;
  /** Calls back for every change from outside, whoever noticed it; returns a function that stops listening. */
  subscribe(listener: (change: OutsideChange) => void): () => void;
  /** Announces a change that is not in the file, such as an Undo of its writes. */
  announce(id: string): void;
  readonly search: ChatSearch;
}

export type SessionStore = Pick<ChatStore, 'save' | 'refresh' | 'turnLog'>;

/** Messages between windows: which chat was written. The part of BroadcastChannel that is used. */
export interface ChangeChannel {
  post(id: string): void;
  /** `null`: messages were missed, and any chat may have been written. */
  subscribe(listener: (id: string | null) => void): () => void;
}

export interface ChatStoreOptions {
  readonly storage: ChatStorage;
  readonly device: string;
  readonly now: () => number;
  /** Default: this is the device's only window. */
  readonly writers?: WindowRegistry;
  readonly channel?: ChangeChannel;
  /** Outside the synced folder: texts of the search, and backups of chats. Default: neither is saved. */
  readonly cache?: ChatStorage;
  /** Notes of unsaved work that outlive the page, under a prefix of the workspace. Default: none. */
  readonly unsaved?: Omit<RecoveryLogOptions, 'writer'>;
  readonly startSearchWorker?: () => WorkerPort;
  readonly indexLater?: FolderIndexOptions<unknown>['later'];
  /** Excludes other windows while a file is read and written; default: nobody is excluded. */
  readonly exclusive?: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}
