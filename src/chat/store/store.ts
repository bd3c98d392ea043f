import type { EventError, ToolError } from '../../tools/contract/errors.ts';
import { brokenCopies } from '../../tools/util/broken-copy.ts';
import { inBackground, Listeners } from '../../tools/util/notify.ts';
import { Turns } from '../../tools/util/turns.ts';
import { mergeNews, mergeSessions, stampChanges } from '../session/merge-sessions.ts';
import { readSession } from '../session/saved-format.ts';
import type { Session, SessionSummary } from '../session/types.ts';
import { ChatSearch } from './chat-search.ts';
import { DraftStore } from './draft-store.ts';
import { LocalBackups } from './local-backups.ts';
import { type Intent, NO_NOTES, RecoveryLog, withEntries } from './recovery-log.ts';
import { CANNOT_SHOW, isSafeId, pathOf, SessionFiles, type SoundFile } from './session-files.ts';
import { openSessionIndex, type SessionIndex, sortSummaries, summarizeSession } from './session-index.ts';
import type { ChatStorage } from './storage-port.ts';
import type { ChatListing, ChatStore, ChatStoreOptions, LoadedSession, OutsideChange, RefreshedSession, SavedChat } from './store-port.ts';
import { Trash, type TrashedChat } from './trash.ts';
import { answersOf, replayTurnLog } from './turn-log.ts';
import {
  createTurnLogWriter,
  loggedSessions,
  readTurnLog,
  removeEntries,
  type SavedTurnLog,
  type TurnLogWriter,
} from './turn-log-files.ts';
import { dropUnusedValues } from './unused-values.ts';
import { VariableFiles } from './variable-files.ts';
import { onlyWriter, type WindowRegistry } from './window-registry.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const AT_A_START = 20;

interface Known {
  readonly text: string;
  readonly session: Session;
}

/** A chat's file after changes by others: `broken` if it cannot be read. */
interface Outside {
  readonly theirs: Known | null;
  readonly deleted: boolean;
  readonly broken: boolean;
}

/** Chats in the files of docs/formats.md. Saves are serialized, and an unsaved change survives the page (see RecoveryLog). */
export function createChatStore(options: ChatStoreOptions): ChatStore {
  return new StoredChats(options);
}

class StoredChats implements ChatStore {
  readonly typed: DraftStore;
  readonly search: ChatSearch;
  private readonly index: SessionIndex;
  private readonly options: ChatStoreOptions;
  private readonly storage: ChatStorage;
  private readonly writers: WindowRegistry;
  private readonly variables: VariableFiles;
  private readonly files: SessionFiles;
  private readonly trash: Trash;
  private readonly copies: LocalBackups;
  private readonly recovery: RecoveryLog;
  /** Each chat's file as last read or written here. The text itself and no hash: comparing equal texts takes no time. */
  private readonly known = new Map<string, Known>();
  private readonly listeners = new Listeners<[change: OutsideChange]>();
  /** Chats whose damaged files were rewritten from backups, and which got no message since. */
  private readonly repaired = new Set<string>();
  /** Chats that wait for the end of another window, by its writer. */
  private readonly awaited = new Map<string, Set<string>>();
  private readonly turns = new Turns(1);

  constructor(options: ChatStoreOptions) {
    const { storage, device, now, channel, cache, startSearchWorker: startWorker, writers = onlyWriter(device) } = options;
    this.options = options;
    this.storage = storage;
    this.writers = writers;
    this.variables = new VariableFiles(storage);
    this.files = new SessionFiles(storage, this.variables, now);
    this.index = openSessionIndex(storage, options.indexLater);
    this.search = new ChatSearch({ storage, now, index: this.index, cache, startWorker });
    this.trash = new Trash(storage);
    this.copies = new LocalBackups(storage, cache);
    const noted = { notes: NO_NOTES, prefix: '', ...options.unsaved, writer: writers.id };
    this.recovery = new RecoveryLog(noted, writers);
    this.typed = new DraftStore(noted);
    channel?.subscribe((id) => this.reportChange(id === null ? null : [id]));
  }

  async list(): Promise<readonly SessionSummary[]> {
    return summariesIn(await this.index.entries());
  }

  async listSoon(atOnce?: number): Promise<ChatListing> {
    const { entries, unread } = await this.index.soon(atOnce);
    const unreadable = [...entries].filter(([, { summary }]) => summary === null).map(([id]) => id);
    return { chats: summariesIn(entries), unreadable, unread };
  }

  async savedTitle(id: string): Promise<string | null> {
    const text = isSafeId(id) ? await this.storage.read(pathOf(id)) : null;
    return text === null ? null : titleIn(text) || titleIn((await this.copies.read(id)) ?? '');
  }

  async has(id: string): Promise<boolean> {
    return isSafeId(id) && (await this.storage.read(pathOf(id))) !== null;
  }

  watchLists(listener: () => void): () => void {
    const stops = [this.index.watch(listener), this.trash.index.watch(listener), this.search.watch(listener)];
    return () => stops.forEach((stop) => void stop());
  }

  close(): void {
    this.index.stop();
    this.trash.index.stop();
    this.search.release();
  }

  async load(id: string): Promise<LoadedSession | null> {
    const { own, left } = await this.recovery.of(id);
    if (await this.recovery.carryOut(id, left, this)) return this.load(id);
    const loaded = await this.loadFile(id);
    if (loaded?.readOnly) return loaded;
    const session = withEntries(loaded?.session ?? null, [...own, ...left], this.options);
    if (session && left.length > 0) await this.save(session);
    this.recovery.forget(left);
    if (!session) return null;
    const found = loaded ?? { readOnly: false, recovered: false, repaired: false, elsewhere: [], missingVariables: [] };
    return { ...found, session, recovered: found.recovered || left.some(({ kind }) => kind === 'turn' || kind === 'round') };
  }

  private async loadFile(id: string): Promise<LoadedSession | null> {
    if (!isSafeId(id)) return null;
    const file = await this.files.read(id);
    if (file.kind === 'newer') {
      if (!file.session) throw CANNOT_SHOW;
      return { session: file.session, readOnly: true, recovered: false, repaired: false, elsewhere: [], missingVariables: [] };
    }
    const found = file.kind === 'broken' ? await this.ownCopy(id, file.error) : file;
    const sound = found.kind === 'ok' ? found : null;
    if (sound) this.known.set(id, { text: sound.text, session: sound.session });
    const { events, elsewhere, files: entries } = await this.readTurnLog(id);
    const whole = sound && (await this.withOwn(sound, await this.copies.read(id)));
    let session = replayTurnLog(whole ?? sound?.session ?? null, events, { as: 'interrupted', now: this.options.now() });
    if (session && (whole || events.length > 0 || file.kind === 'broken')) {
      const recovered = session;
      ({ session } = await this.writeInTurn(recovered));
      await removeEntries(this.storage, id, new Set(entries));
    }
    if (file.kind === 'broken') this.repaired.add(id);
    const shown = replayTurnLog(session, elsewhere, { as: 'running' });
    if (!shown) return null;
    const { missingVariables = [] } = sound ?? {};
    const loadReport = { recovered: events.length > 0, repaired: this.repaired.has(id), missingVariables };
    return { session: shown, readOnly: false, elsewhere: answersOf(elsewhere), ...loadReport };
  }

  save(session: Session): Promise<SavedChat> {
    const { id } = session;
    if (!isSafeId(id)) throw new Error(`chat store: "${id}" cannot be a file name`);
    const forget = this.recovery.changes(this.known.get(id)?.session ?? null, this.stamped(session));
    return this.writeInTurn(session, forget);
  }

  refresh(session: Session): Promise<RefreshedSession | null> {
    return this.turns.take(async () => {
      const { elsewhere } = await this.readTurnLog(session.id);
      const mine = this.stamped(session);
      const { theirs, broken } = await this.outside(session.id);
      if (!theirs && !broken && elsewhere.length === 0) return null;
      if (theirs) this.known.set(session.id, theirs);
      const merged = theirs ? mergeSessions(mine, theirs.session) : mine;
      const shown = replayTurnLog(merged, elsewhere, { as: 'running' }) ?? merged;
      const ahead = broken || (theirs !== null && mergeSessions(theirs.session, mine).nodes !== theirs.session.nodes);
      return { session: shown, elsewhere: answersOf(elsewhere), ahead };
    });
  }

  forget(id: string): void {
    this.known.delete(id);
  }

  async restoreOverwritten(): Promise<void> {
    await this.copies.visitChanged((id) => this.alone(id, () => this.restoreOverwrittenChat(id)));
  }

  async remove(id: string): Promise<void> {
    if (!isSafeId(id)) return;
    const { events, files } = await this.readTurnLog(id);
    // Entries that are only in the turn log are moved to the trash too. A chat that cannot be read is moved unchanged.
    if (events.length > 0) await this.loadFile(id).catch(() => null);
    await this.alone(id, async () => {
      const text = await this.storage.read(pathOf(id));
      if (text !== null) await this.putIntoTrash(id, text);
      await this.storage.remove(pathOf(id));
      await this.copies.drop(id);
      // Entries of other windows stay: a turn running there restores the chat when it is saved.
      await removeEntries(this.storage, id, new Set(files));
      this.index.drop(id);
      this.options.channel?.post(id);
    });
  }

  trashed(): Promise<readonly TrashedChat[]> {
    return this.trash.list();
  }

  restore(id: string): Promise<boolean> {
    return this.alone(id, async () => {
      const text = isSafeId(id) ? await this.trash.text(id) : null;
      if (text === null) return false;
      await this.putBack(id, text);
      await this.trash.drop(id);
      this.announceEverywhere(id);
      return true;
    });
  }

  async purge(before: number): Promise<void> {
    const old = (await this.trash.list()).filter(({ deleted }) => deleted < before);
    // It may have been restored and deleted again since the list was made.
    for (const { id } of old) await this.removeForGood(id, before);
    await this.dropUnused(before);
  }

  /** Some chats at each start, the next ones another time: each requires reading its files. */
  private async dropUnused(before: number): Promise<void> {
    const ids = (await this.storage.list('variables')).filter(isSafeId);
    const now = this.options.now();
    const first = ids.length <= AT_A_START ? 0 : (Math.floor(now / DAY_MS) * AT_A_START) % ids.length;
    for (const id of [...ids, ...ids].slice(first, first + Math.min(AT_A_START, ids.length)))
      await this.alone(id, async () => {
        const texts = [await this.trash.text(id), await this.copies.read(id)];
        await dropUnusedValues(this.storage, id, { texts, before, now });
      });
  }

  async discard(id: string): Promise<void> {
    if (isSafeId(id)) await this.removeForGood(id, Number.POSITIVE_INFINITY);
  }

  private removeForGood(id: string, before: number): Promise<void> {
    return this.alone(id, async () => {
      const deleted = await this.trash.deletedAt(id);
      if (deleted === null || deleted >= before) return;
      if ((await this.storage.read(pathOf(id))) === null) {
        for (const path of [`variables/${id}`, ...(await brokenCopies(this.storage, pathOf(id)))]) await this.storage.remove(path);
      }
      await this.trash.drop(id);
    });
  }

  intend(id: string, intent: Intent): () => void {
    return this.recovery.intend(id, intent);
  }

  async interrupted(): Promise<readonly string[]> {
    await this.typed.adoptDrafts(this.writers);
    const left = await this.recovery.chats();
    return [...new Set([...left, ...(await loggedSessions(this.storage, this.options.device, this.writers))])];
  }

  turnLog(sessionId: string, onError: (error: EventError) => void): TurnLogWriter {
    const { now, channel } = this.options;
    const onWritten = (): void => channel?.post(sessionId);
    return createTurnLogWriter(this.storage, {
      ...{ sessionId, now, onError, onWritten, writer: this.writers.id, files: this.variables },
      onStep: (event) => this.recovery.step(sessionId, event),
    });
  }

  changedOutside(ids?: readonly string[]): void {
    this.reportChange(ids ?? null);
    // A failed restore is tried again at the next sync, or when the chat is opened.
    if (!ids) void this.restoreOverwritten().catch(() => undefined);
  }

  subscribe(listener: (change: OutsideChange) => void): () => void {
    return this.listeners.add(listener);
  }

  announce(id: string): void {
    this.options.channel?.post(id);
  }

  private reportChange(change: OutsideChange): void {
    if (change === null) this.index.distrust();
    else for (const id of change) this.index.drop(id);
    this.listeners.call(change);
  }

  /** The next chat does not wait for the index file, which is written once for chats that are saved together. */
  private async writeInTurn(session: Session, onWritten = (): void => undefined): Promise<SavedChat> {
    const { saved, listed } = await this.alone(session.id, async () => {
      const written = await this.write(session);
      onWritten();
      return written;
    });
    await listed;
    return saved;
  }

  private async write(session: Session): Promise<{ readonly saved: SavedChat; readonly listed: Promise<void> }> {
    const { id } = session;
    this.repaired.delete(id);
    const mine = this.stamped(session);
    const { theirs, deleted, broken } = await this.outside(id);
    const merged = theirs ? mergeSessions(mine, theirs.session) : mine;
    const text = await this.files.write(merged);
    this.known.set(id, { text, session: merged });
    await this.copies.put(id, text);
    // Deleted elsewhere and written here since: it stays, merged with the deleted version.
    if (deleted) await this.trash.drop(id);
    const listed = this.index.put(id, summarizeSession(merged));
    this.options.channel?.post(id);
    return { saved: { session: merged, merged: theirs !== null, repaired: broken }, listed };
  }

  /** The content of the file (or of the trash, if the chat was deleted meanwhile), unless it is what is known here. */
  private async outside(id: string): Promise<Outside> {
    const present = await this.storage.read(pathOf(id));
    const text = present ?? (await this.trash.text(id));
    const deleted = present === null && text !== null;
    if (text === null || this.known.get(id)?.text === text) return { theirs: null, deleted, broken: false };
    const file = await this.files.parse(id, text);
    if (file.kind === 'newer') throw CANNOT_SHOW;
    // A damaged text contains nothing that could be merged, and a copy of it was set aside.
    return { theirs: file.kind === 'ok' ? { text, session: file.session } : null, deleted, broken: file.kind === 'broken' };
  }

  /** For a damaged file, which is set aside: puts the intact copy of this device or the trash into the trash. */
  private async putIntoTrash(id: string, file: string): Promise<void> {
    let text = file;
    if (isBroken(file)) {
      const kept = [await this.copies.read(id), await this.trash.text(id)].find((each) => each !== null && !isBroken(each));
      if (kept) await this.files.parse(id, file);
      text = kept ?? file;
    }
    await this.trash.put(id, { title: titleIn(text), text, deleted: this.options.now() });
  }

  /** Keeps and merges a file written after the deletion, unless it is damaged; rejects with `chat_newer` or `chat_broken`. */
  private async putBack(id: string, text: string): Promise<void> {
    const present = await this.files.read(id);
    if (present.kind === 'missing' || (present.kind === 'broken' && !isBroken(text))) return this.storage.write(pathOf(id), text);
    const deleted = await this.files.parse(id, text);
    for (const file of [present, deleted]) if (file.kind === 'broken') throw file.error;
    if (present.kind !== 'ok' || deleted.kind !== 'ok') throw CANNOT_SHOW;
    await this.files.write(mergeSessions(present.session, deleted.session));
  }

  private async ownCopy(id: string, error: ToolError): Promise<SoundFile> {
    const copy = await this.copies.read(id);
    const file = copy === null || isBroken(copy) ? null : await this.files.parse(id, copy);
    if (file?.kind === 'ok') return file;
    // The index may have an older entry.
    this.index.drop(id);
    throw error;
  }

  /** For a chat whose damage need not be reported. */
  private async whole(id: string, text: string): Promise<Session | null> {
    const read = readSession(text);
    if (read.kind !== 'ok') return null;
    const { variables } = await this.variables.fill(id, read.session.variables);
    return { ...read.session, id, variables };
  }

  /** The file's chat merged with what was written here and is missing in it; null if nothing is missing. */
  private async withOwn(file: Known, copy: string | null): Promise<Session | null> {
    const own = copy === null || copy === file.text ? null : await this.whole(file.session.id, copy);
    return own && mergeNews(file.session, own);
  }

  /** `known` is not changed: for a chat that is open in this window, this is a change from outside. */
  private async restoreOverwrittenChat(id: string): Promise<void> {
    const [file, copy] = [await this.files.read(id), await this.copies.read(id)];
    if (file.kind === 'broken') return this.repair(id, file.error);
    if (file.kind !== 'ok' || copy === file.text) return;
    const merged = await this.withOwn(file, copy);
    const text = merged ? await this.files.write(merged) : file.text;
    await this.copies.put(id, text);
    if (merged) this.announceEverywhere(id);
  }

  /** Rejects if there is nothing to repair it from: it is tried again the next time. */
  private async repair(id: string, error: ToolError): Promise<void> {
    const { text } = await this.ownCopy(id, error);
    await this.storage.write(pathOf(id), text);
    this.repaired.add(id);
    this.announceEverywhere(id);
  }

  private announceEverywhere(id: string): void {
    this.options.channel?.post(id);
    this.reportChange([id]);
  }

  private stamped(session: Session): Session {
    const { now, device } = this.options;
    return stampChanges(this.known.get(session.id)?.session ?? null, session, { time: now(), device });
  }

  private async readTurnLog(id: string): Promise<SavedTurnLog> {
    const { device, now } = this.options;
    const log = await readTurnLog(this.storage, this.variables, id, { device, writers: this.writers, now });
    for (const writer of log.writers) this.awaitEnd(writer, id);
    return log;
  }

  /** A window that is closed during an answer announces nothing; those who wait for the answer must know. */
  private awaitEnd(writer: string, id: string): void {
    const waiting = this.awaited.get(writer);
    if (waiting) return void waiting.add(id);
    const ids = new Set([id]);
    this.awaited.set(writer, ids);
    const gone = (): void => {
      this.awaited.delete(writer);
      this.reportChange([...ids]);
    };
    inBackground(this.writers.gone(writer).then(gone));
  }

  /** Serialized with all other work here, and while no other window writes this chat. */
  private alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const { exclusive = (_name, run) => run() } = this.options;
    return this.turns.take(() => exclusive(`chat-${id}`, work));
  }
}

const summariesIn = (entries: Awaited<ReturnType<SessionIndex['entries']>>): readonly SessionSummary[] =>
  sortSummaries([...entries.values()].flatMap(({ summary }) => summary ?? []));

const isBroken = (text: string): boolean => readSession(text).kind === 'broken';

/** The chat's title in an unreadable text, since it is written before the messages; '' if there is none. */
function titleIn(text: string): string {
  const read = readSession(text);
  const session = read.kind === 'broken' ? null : read.session;
  return session?.title ?? /"title":"([^"\\]*)"/.exec(text)?.[1] ?? '';
}
