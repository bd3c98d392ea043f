import { ToolError } from '../tools/errors.ts';
import type { EventError } from '../tools/events.ts';
import { createJournalWriter, type JournalWriter, journaledSessions, readJournal, removeEntries, replayJournal } from './journal.ts';
import { readSession, writeSession } from './saved-format.ts';
import { SessionIndex } from './session-index.ts';
import type { ChatStorage } from './storage-port.ts';
import type { Session, SessionSummary } from './types.ts';

interface LoadedSession {
  readonly session: Session;
  /** Written by a newer version: shown, never saved. */
  readonly readOnly: boolean;
  /** Something was replayed from the crash journal. */
  readonly recovered: boolean;
}

export interface ChatStore {
  /** Newest first, pinned before. Files that cannot be read are left out. */
  list(): Promise<readonly SessionSummary[]>;
  /** null when there is no such chat. Rejects with ToolError `chat_broken` (a copy was put aside), `chat_newer`, or the storage's own. */
  load(id: string): Promise<LoadedSession | null>;
  /** Writes the file, then the index. A failing index is no failure: it is a cache. */
  save(session: Session): Promise<void>;
  remove(id: string): Promise<void>;
  /** Chats of which a crash left this device's journal behind. */
  interrupted(): Promise<readonly string[]>;
  journal(sessionId: string, onError: (error: EventError) => void): JournalWriter;
}

export interface ChatStoreOptions {
  readonly storage: ChatStorage;
  readonly device: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const pathOf = (id: string): string => `sessions/${id}.json`;
/** Ids become file names: nothing that leaves the folder. */
const SAFE_ID = /^[\w-]{1,80}$/;

/** Chats in FORMATS.md's files. Saves run one after another, so that an older one never lands on a newer one. */
export function createChatStore({ storage, device, now }: ChatStoreOptions): ChatStore {
  const index = new SessionIndex(storage);
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work, work);
    queue = result.catch(() => undefined);
    return result;
  };

  async function load(id: string): Promise<LoadedSession | null> {
    if (!SAFE_ID.test(id)) return null;
    const text = await storage.read(pathOf(id));
    const read = text === null ? null : readSession(text);
    if (text !== null && read?.kind === 'broken') return reportBroken(storage, id, text, { reason: read.reason, now: now() });
    if (read?.kind === 'newer') {
      if (read.session) return { session: read.session, readOnly: true, recovered: false };
      throw new ToolError('chat_newer', 'this chat was written by a newer version', 'update the plugin on this device');
    }
    const saved = read?.kind === 'ok' ? read.session : null;
    const journal = await readJournal(storage, id, device);
    const session = replayJournal(saved, journal.events, now());
    if (!session) return null;
    if (journal.events.length > 0) {
      await save(session);
      await removeEntries(storage, id, new Set(journal.files));
    }
    return { session, readOnly: false, recovered: journal.events.length > 0 };
  }

  function save(session: Session): Promise<void> {
    if (!SAFE_ID.test(session.id)) throw new Error(`chat store: "${session.id}" cannot be a file name`);
    return inTurn(async () => {
      await storage.write(pathOf(session.id), writeSession(session));
      await index.put(session);
    });
  }

  return {
    list: () => index.list(),
    load,
    save,
    remove: (id) =>
      inTurn(async () => {
        if (!SAFE_ID.test(id)) return;
        for (const path of [pathOf(id), `journal/${id}`, `variables/${id}`]) await storage.remove(path);
        await index.drop(id);
      }),
    interrupted: () => journaledSessions(storage, device),
    journal: (sessionId, onError) => createJournalWriter(storage, { sessionId, device, now, onError }),
  };
}

/** Copied aside once, and left where it is: the user may repair it by hand. */
async function reportBroken(
  storage: ChatStorage,
  id: string,
  text: string,
  found: { readonly reason: string; readonly now: number },
): Promise<never> {
  const names = await storage.list('sessions');
  if (!names.some((name) => name.startsWith(`${id}.json.broken-`))) await storage.write(`${pathOf(id)}.broken-${found.now}`, text);
  throw new ToolError(
    'chat_broken',
    `the file of this chat cannot be read (${found.reason})`,
    'a copy was put beside it; open another chat, or restore the file from a snapshot',
  );
}
