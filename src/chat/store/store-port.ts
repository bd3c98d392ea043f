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
  /** Something was replayed from the turn log. */
  readonly recovered: boolean;
  /** Its file was damaged, and was written again from the copy that this device keeps: what others wrote last may be missing. */
  readonly repaired: boolean;
  /** Answers that another window or program is writing now; such a chat is shown, not continued here. */
  readonly elsewhere: readonly string[];
  /** Variables whose files are gone. */
  readonly missingVariables: readonly string[];
}

/** An open chat as it stands after what others wrote was taken in. */
export interface RefreshedSession extends Pick<LoadedSession, 'session' | 'elsewhere'> {
  /** The file lacks messages that stand here: a sync put one over it that did not know them, or it is damaged. */
  readonly ahead: boolean;
}

export interface SavedChat {
  /** What was written: the chat, and what others had put into its file meanwhile. */
  readonly session: Session;
  readonly merged: boolean;
  /** The file could not be read, and was written over; a copy was put aside. */
  readonly repaired: boolean;
}

/** A chat was written by another window, or by a sync; null: any may have been. */
export type OutsideChange = readonly string[] | null;

/** The list of chats as far as it is known. */
export interface ChatListing {
  readonly chats: readonly SessionSummary[];
  /** Ids of those whose files cannot be read. */
  readonly unreadable: readonly string[];
  /** Chats that are not in it yet: their files are read in the background. */
  readonly unread: number;
}

export interface ChatStore {
  /** Newest first, pinned before. Files that cannot be read are left out. */
  list(): Promise<readonly SessionSummary[]>;
  /** The same without a long wait: if the index is lost, the newest `atOnce` chats (6); `watchLists` reports the others. */
  listSoon(atOnce?: number): Promise<ChatListing>;
  /** Title of a chat whose file cannot be read, as far as it is known; '' where it is not, null where there is no such file. */
  savedTitle(id: string): Promise<string | null>;
  /** Whether there is a file of this chat. */
  has(id: string): Promise<boolean>;
  /** Calls back when more chats, more deleted ones, or more of their messages are known than before; returns a function that stops it. */
  watchLists(listener: () => void): () => void;
  /** Ends the work in the background, and frees the memory of the search. */
  close(): void;
  /** null when there is no such chat. Rejects with ToolError `chat_broken` (of a file that is damaged, and not kept here either; a copy was put aside), `chat_newer`, or the storage's own. */
  load(id: string): Promise<LoadedSession | null>;
  /**
   * Writes the file, then the index. What others wrote into the file since it was read here is merged in, not overwritten. A
   * failing index is no failure: it is a cache. A file that cannot be read is copied aside and written over. Rejects with ToolError
   * `chat_newer`, or as the storage does.
   */
  save(session: Session): Promise<SavedChat>;
  /** The chat as it stands here with what others wrote; null when there is nothing to read. Writes nothing. */
  refresh(session: Session): Promise<RefreshedSession | null>;
  /** The chat is closed here: what is remembered of its file goes, and is read anew when the chat is opened. */
  forget(id: string): void;
  /**
   * Puts back what was written here and what a sync took out of chats by putting another device's file in their place. At start, as
   * syncs run without us too; `changedOutside` does it by itself. Rejects as the storage does.
   */
  restoreOverwritten(): Promise<void>;
  /**
   * Says, before the first request, what will be asked of a chat: if this page ends before it was done, the next one does it. To be
   * called back when it is done, or has failed before the user's eyes.
   */
  intend(id: string, intent: Intent): () => void;
  /** Into the trash; of a damaged file, the whole copy that is kept here. */
  remove(id: string): Promise<void>;
  /** As far as they are known; `watchLists` reports the others. */
  trashed(): Promise<readonly TrashedChat[]>;
  /**
   * Brings a deleted chat back; false when it is no longer in the trash. Rejects, and leaves it there, with ToolError `chat_newer` or
   * `chat_broken` where it cannot be merged with a file that another device wrote since.
   */
  restore(id: string): Promise<boolean>;
  /** Removes for good a chat that is in the trash; does nothing if it is not there. */
  discard(id: string): Promise<void>;
  /** Removes for good what is known to have been deleted before that time (milliseconds since the epoch); the rest goes the next time. */
  purge(before: number): Promise<void>;
  /** What the user typed and no chat has. */
  readonly typed: DraftStore;
  /** Chats of which windows that are gone left something behind; what was typed in them is taken over. */
  interrupted(): Promise<readonly string[]>;
  turnLog(sessionId: string, onError: (error: EventError) => void): TurnLogWriter;
  /** To be called when a sync (or anyone else) changed files; without ids any may have changed. */
  changedOutside(ids?: readonly string[]): void;
  /** Calls back for every change from outside, whoever noticed it; returns the way to stop. */
  subscribe(listener: (change: OutsideChange) => void): () => void;
  /** Tells other windows that something about the chat changed that is not in its file, as its changes of notes being undone. */
  announce(id: string): void;
  /** Full text search over all chats. */
  readonly search: ChatSearch;
}

/** What an open chat needs of the store. */
export type SessionStore = Pick<ChatStore, 'save' | 'refresh' | 'turnLog'>;

/** Word between windows: which chat was written. What there is of BroadcastChannel. */
export interface ChangeChannel {
  post(id: string): void;
  /** `null`: something was missed, and any chat may have been written. */
  subscribe(listener: (id: string | null) => void): () => void;
}

export interface ChatStoreOptions {
  readonly storage: ChatStorage;
  readonly device: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: this is the device's only window. */
  readonly writers?: WindowRegistry;
  readonly channel?: ChangeChannel;
  /** Outside the synced folder: texts of search, and chats as they were written here. Default: neither is kept. */
  readonly cache?: ChatStorage;
  /** What the user did and no file has yet: notes that outlive the page, below a prefix of the workspace's own. Default: none. */
  readonly unsaved?: Omit<RecoveryLogOptions, 'writer'>;
  /** See ChatSearchOptions. */
  readonly startSearchWorker?: () => WorkerPort;
  /** See FolderIndexOptions.later. */
  readonly indexLater?: FolderIndexOptions<unknown>['later'];
  /** Keeps other windows out while a file is read and written; default: nobody is kept out. */
  readonly exclusive?: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}
