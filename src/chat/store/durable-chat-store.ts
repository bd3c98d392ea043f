import { type EventError, isToolError } from '../../tools/contract/errors.ts';
import { mergeSessions, stampChanges } from '../session/merge-sessions.ts';
import type { Node, Session, SessionSummary } from '../session/types.ts';
import { DraftStore } from './draft-store.ts';
import { markInterrupted, replayJournal } from './journal.ts';
import type { JournalWriter } from './journal-files.ts';
import { type Intent, type RecoveryEntry, RecoveryLog } from './recovery-log.ts';
import type { ChatListing, ChatStore, ChatStoreOptions, LoadedSession, OutsideChange, RefreshedSession, SavedChat } from './store-port.ts';
import type { TrashedChat } from './trash.ts';
import { onlyWriter, type WindowRegistry } from './window-registry.ts';

/** The chats in their files. */
export type FiledChats = Omit<ChatStore, 'intend' | 'typed'>;

type Changes = Extract<RecoveryEntry, { kind: 'changes' }>;

/** Chats in files, which lose nothing when the page ends between a change and its save: see RecoveryLog. */
export class DurableChatStore implements ChatStore {
  readonly typed: DraftStore;
  private readonly files: FiledChats;
  private readonly options: ChatStoreOptions;
  private readonly writers: WindowRegistry;
  private readonly unsaved: RecoveryLog;
  /** Each chat as its file was last read or written here. */
  private readonly saved = new Map<string, Session>();

  constructor(files: FiledChats, options: ChatStoreOptions) {
    const { device, writers = onlyWriter(device), unsaved = { notes: noNotes, prefix: '' } } = options;
    this.files = files;
    this.options = options;
    this.writers = writers;
    this.unsaved = new RecoveryLog({ ...unsaved, writer: writers.id });
    this.typed = new DraftStore({ ...unsaved, writer: writers.id });
  }

  get search(): ChatStore['search'] {
    return this.files.search;
  }

  list(): Promise<readonly SessionSummary[]> {
    return this.files.list();
  }

  listSoon(atOnce?: number): Promise<ChatListing> {
    return this.files.listSoon(atOnce);
  }

  savedTitle(id: string): Promise<string | null> {
    return this.files.savedTitle(id);
  }

  has(id: string): Promise<boolean> {
    return this.files.has(id);
  }

  watchLists(listener: () => void): () => void {
    return this.files.watchLists(listener);
  }

  close(): void {
    this.files.close();
  }

  async load(id: string): Promise<LoadedSession | null> {
    // Before the file is read: what is not noted any more is in it.
    const notes = this.unsaved.of(id);
    const left = await this.leftByOthers(notes);
    if (await this.carryOut(id, left)) return this.load(id);
    const loaded = await this.files.load(id);
    if (loaded?.readOnly) return loaded;
    if (loaded) this.saved.set(id, loaded.session);
    const mine = notes.filter(({ writer, kind }) => writer === this.writers.id && kind === 'changes');
    const session = this.withNotes(loaded?.session ?? null, [...mine, ...left]);
    if (session && left.length > 0) await this.save(session);
    this.unsaved.forget(left);
    if (!session) return null;
    const found = loaded ?? { readOnly: false, recovered: false, repaired: false, elsewhere: [], missingVariables: [] };
    return { ...found, session, recovered: found.recovered || left.some(({ kind }) => kind === 'turn' || kind === 'round') };
  }

  save(session: Session): Promise<SavedChat> {
    const saved = this.saved.get(session.id) ?? null;
    const { now, device } = this.options;
    const forget = this.unsaved.changes(saved, stampChanges(saved, session, { time: now(), device }));
    return this.files.save(session).then((chat) => {
      this.saved.set(session.id, chat.session);
      forget();
      return chat;
    });
  }

  refresh(session: Session): Promise<RefreshedSession | null> {
    return this.files.refresh(session);
  }

  forget(id: string): void {
    this.saved.delete(id);
    this.files.forget(id);
  }

  regain(): Promise<void> {
    return this.files.regain();
  }

  intend(id: string, intent: Intent): () => void {
    return this.unsaved.intend(id, intent);
  }

  remove(id: string): Promise<void> {
    return this.files.remove(id);
  }

  trashed(): Promise<readonly TrashedChat[]> {
    return this.files.trashed();
  }

  restore(id: string): Promise<boolean> {
    return this.files.restore(id);
  }

  discard(id: string): Promise<void> {
    return this.files.discard(id);
  }

  purge(before: number): Promise<void> {
    return this.files.purge(before);
  }

  async interrupted(): Promise<readonly string[]> {
    await this.typed.adoptDrafts(this.writers);
    const left = (await this.leftByOthers(this.unsaved.chats())).map(({ session }) => session);
    return [...new Set([...left, ...(await this.files.interrupted())])];
  }

  journal(sessionId: string, onError: (error: EventError) => void): JournalWriter {
    const { unsaved } = this;
    const writer = this.files.journal(sessionId, onError);
    return {
      add(event) {
        unsaved.step(sessionId, event);
        return writer.add(event);
      },
      place() {
        const write = writer.place();
        return (event) => {
          unsaved.step(sessionId, event);
          return write(event);
        };
      },
      stream: (event) => writer.stream(event),
      covered: () => writer.covered(),
    };
  }

  changedOutside(ids?: readonly string[]): void {
    this.files.changedOutside(ids);
  }

  subscribe(listener: (change: OutsideChange) => void): () => void {
    return this.files.subscribe(listener);
  }

  tell(id: string): void {
    this.files.tell(id);
  }

  /** Those of windows that are gone. */
  private async leftByOthers<T extends { readonly writer: string }>(notes: readonly T[]): Promise<readonly T[]> {
    if (notes.length === 0) return [];
    const others = await this.writers.others();
    return notes.filter(({ writer }) => writer !== this.writers.id && !others.has(writer));
  }

  /** Deletes or brings back a chat for a window that ended before it had; true where there was one to do it for. */
  private async carryOut(id: string, left: readonly RecoveryEntry[]): Promise<boolean> {
    const intents = left.filter((note) => note.kind === 'intent');
    for (const { intent } of intents) {
      if (intent.kind === 'set') continue;
      const done = this.unsaved.intend(id, intent);
      this.unsaved.forget(intents);
      await (intent.kind === 'remove' ? this.files.remove(id) : this.restoreIfPossible(id));
      done();
      return true;
    }
    return false;
  }

  /** What cannot be brought back stays in the trash, and trying again at each start would not help. */
  private async restoreIfPossible(id: string): Promise<void> {
    try {
      await this.files.restore(id);
    } catch (error) {
      if (!isToolError(error) || (error.code !== 'chat_newer' && error.code !== 'chat_broken')) throw error;
    }
  }

  private withNotes(file: Session | null, notes: readonly RecoveryEntry[]): Session | null {
    const { now, device } = this.options;
    let session = file;
    for (const note of notes) {
      if (note.kind === 'changes') session = withChanges(session, note);
      if (note.kind === 'turn' || note.kind === 'round') session = replayJournal(session, note.events, { as: 'interrupted', now: now() });
      if (note.kind === 'intent' && note.intent.kind === 'set' && session) {
        session = stampChanges(session, { ...session, ...note.intent.fields }, { time: now(), device });
      }
    }
    return session;
  }
}

const noNotes = { keys: () => [], get: () => null, set: () => undefined, remove: () => undefined };

/** A part of a chat whose file is gone is no chat: it was deleted. */
function withChanges(saved: Session | null, { whole, session }: Changes): Session | null {
  if (!saved) return whole ? markInterrupted(session, Object.keys(session.nodes)) : null;
  const merged = mergeSessions(saved, { ...session, variables: whole ? session.variables : saved.variables });
  // A sync may have taken the file back to a time before what was changed here: such a change has nothing to stand on.
  const nodes: Record<string, Node> = {};
  for (const [id, node] of Object.entries(merged.nodes)) {
    const sound = node.versions[node.currentVersionId] && (node.parent === null || nodes[node.parent]) ? node : saved.nodes[id];
    if (sound) nodes[id] = sound;
  }
  const leafId = merged.leafId === null || nodes[merged.leafId] ? merged.leafId : saved.leafId;
  return markInterrupted({ ...merged, nodes, leafId }, Object.keys(session.nodes));
}
