import * as v from 'valibot';
import { isToolError } from '../../tools/contract/errors.ts';
import { mergeSessions, stampChanges } from '../session/merge-sessions.ts';
import { changesFormat } from '../session/saved-format.ts';
import type { Node, Session } from '../session/types.ts';
import { markInterrupted, parseEntry, replayTurnLog, type TurnLogEvent, type TurnLogStep } from './turn-log.ts';
import type { KeyValueStore, WindowRegistry } from './window-registry.ts';

/** Fields of a chat that are set without opening it. */
export type ChatFields = Partial<Pick<Session, 'title' | 'tags' | 'pinned' | 'archived'>>;

/** An operation on a whole chat that takes several requests. */
export type Intent = { readonly kind: 'remove' | 'restore' } | { readonly kind: 'set'; readonly fields: ChatFields };

/** `changes`: parts of a chat that its file lacks; `whole`: the chat without a file; `turn`, `round`: as in the turn log. */
type Unsaved =
  | { readonly kind: 'changes'; readonly whole: boolean; readonly session: Session }
  | { readonly kind: 'turn' | 'round'; readonly events: readonly TurnLogEvent[] }
  | { readonly kind: 'intent'; readonly intent: Intent };

interface LeftNote {
  readonly key: string;
  readonly writer: string;
}
export type RecoveryEntry = LeftNote & Unsaved;

const keptChanges = v.object({ schema: v.literal(1), whole: v.boolean(), session: changesFormat });
const fields = {
  title: v.optional(v.string()),
  tags: v.optional(v.array(v.string())),
  pinned: v.optional(v.boolean()),
  archived: v.optional(v.boolean()),
};
const keptIntent = v.object({
  schema: v.literal(1),
  intent: v.variant('kind', [
    v.object({ kind: v.picklist(['remove', 'restore']) }),
    v.object({ kind: v.literal('set'), fields: v.object(fields) }),
  ]),
});

/** Characters of one note in a browser: the host uses the same storage, which has room for a few million. */
const LARGEST = 1_000_000;

/** In the order in which they are applied to a chat. */
const KINDS = ['changes', 'turn', 'round', 'intent'] as const;
type Kind = (typeof KINDS)[number];

function readNote(kind: Kind, text: string): Unsaved | null {
  if (kind === 'turn' || kind === 'round') {
    const entry = parseEntry(text);
    return entry.kind === 'ok' ? { kind, events: [entry.event] } : null;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (kind === 'intent') {
    const read = v.safeParse(keptIntent, value);
    return read.success ? { kind, intent: read.output.intent } : null;
  }
  const read = v.safeParse(keptChanges, value);
  return read.success ? { kind, whole: read.output.whole, session: read.output.session } : null;
}

/** Fields and messages of `now` that the file (`saved`) lacks. Versions never change, so those in the file are left out. */
function changesSince(saved: Session | null, now: Session): Session {
  if (!saved) return now;
  const nodes: Record<string, Node> = {};
  for (const [id, node] of Object.entries(now.nodes)) {
    const before = saved.nodes[id];
    if (before === node) continue;
    const news = Object.entries(node.versions).filter(([version, payload]) => before?.versions[version] !== payload);
    nodes[id] = { ...node, versions: Object.fromEntries(news) };
  }
  return { ...now, nodes, variables: [] };
}

/** Changes without their file are not a chat: it was deleted. */
function withChanges(saved: Session | null, { whole, session }: Extract<RecoveryEntry, { kind: 'changes' }>): Session | null {
  if (!saved) return whole ? markInterrupted(session, Object.keys(session.nodes)) : null;
  const merged = mergeSessions(saved, { ...session, variables: whole ? session.variables : saved.variables });
  // A sync may have reset the file to a time before the messages that were changed here: such a change cannot be applied.
  const nodes: Record<string, Node> = {};
  for (const [id, node] of Object.entries(merged.nodes)) {
    const sound = node.versions[node.currentVersionId] && (node.parent === null || nodes[node.parent]) ? node : saved.nodes[id];
    if (sound) nodes[id] = sound;
  }
  const leafId = merged.leafId === null || nodes[merged.leafId] ? merged.leafId : saved.leafId;
  return markInterrupted({ ...merged, nodes, leafId }, Object.keys(session.nodes));
}

export function withEntries(
  file: Session | null,
  entries: readonly RecoveryEntry[],
  { now, device }: { readonly now: () => number; readonly device: string },
): Session | null {
  let session = file;
  for (const entry of entries) {
    if (entry.kind === 'changes') session = withChanges(session, entry);
    if (entry.kind === 'turn' || entry.kind === 'round') session = replayTurnLog(session, entry.events, { as: 'interrupted', now: now() });
    if (entry.kind === 'intent' && entry.intent.kind === 'set' && session) {
      session = stampChanges(session, { ...session, ...entry.intent.fields }, { time: now(), device });
    }
  }
  return session;
}

interface WholeChats {
  remove(id: string): Promise<void>;
  restore(id: string): Promise<boolean>;
}

export interface RecoveryLogOptions {
  /** Written synchronously, and still there when the page is gone. */
  readonly notes: KeyValueStore;
  /** Of the notes' names; a different one for each workspace. */
  readonly prefix: string;
  readonly writer: string;
  /** The maximum number of characters in one note. Default: what a browser has room for. */
  readonly largest?: number;
  /** A note could not be written; then only the save protects the change. */
  readonly onProblem?: ((error: unknown) => void) | undefined;
}

export const NO_NOTES: KeyValueStore = { keys: () => [], get: () => null, set: () => undefined, remove: () => undefined };

/** Notes each change in synchronous storage until a file has it: a save takes several requests, and a page may end between two. */
export class RecoveryLog {
  private readonly options: RecoveryLogOptions;
  private readonly writers: WindowRegistry;
  /** Grows with each note of a chat: a save removes only the notes that existed when it began. */
  private readonly counts = new Map<string, number>();

  constructor(options: RecoveryLogOptions, writers: WindowRegistry) {
    this.options = options;
    this.writers = writers;
  }

  /** Call before a save; the returned function removes the notes, unless more was noted. `saved`: the file; null: none. */
  changes(saved: Session | null, session: Session): () => void {
    const kept = { schema: 1, whole: saved === null, session: changesSince(saved, session) };
    return this.note(session.id, 'changes', JSON.stringify(kept));
  }

  /** Removed with the next save of the chat. The last round contains everything before it. */
  step(id: string, event: TurnLogStep): void {
    this.note(id, event.type, JSON.stringify({ schema: 1, event }));
  }

  /** The returned function removes the note: call it when the operation is done, or its failure was shown to the user. */
  intend(id: string, asked: Intent): () => void {
    const key = this.key(id, 'intent');
    const before = readNote('intent', this.options.notes.get(key) ?? '');
    const pending = before?.kind === 'intent' && before.intent.kind === 'set' ? before.intent.fields : {};
    const intent = asked.kind === 'set' ? { ...asked, fields: { ...pending, ...asked.fields } } : asked;
    const text = JSON.stringify({ schema: 1, intent });
    this.set(key, text);
    return () => {
      if (this.options.notes.get(key) === text) this.options.notes.remove(key);
    };
  }

  /** The entries of a chat: from this window, and from closed windows. Read them before the chat's file: removed entries are in it. */
  async of(id: string): Promise<{ readonly own: readonly RecoveryEntry[]; readonly left: readonly RecoveryEntry[] }> {
    const entries = this.entries(id);
    const own = entries.filter(({ writer, kind }) => writer === this.writers.id && kind === 'changes');
    return { own, left: await this.leftByOthers(entries) };
  }

  async chats(): Promise<readonly string[]> {
    return (await this.leftByOthers(this.names())).map(({ session }) => session);
  }

  private async leftByOthers<T extends { readonly writer: string }>(entries: readonly T[]): Promise<readonly T[]> {
    if (entries.length === 0) return [];
    const others = await this.writers.others();
    return entries.filter(({ writer }) => writer !== this.writers.id && !others.has(writer));
  }

  private entries(id: string): readonly RecoveryEntry[] {
    const names = this.names().sort((left, right) => KINDS.indexOf(left.kind) - KINDS.indexOf(right.kind));
    return names.flatMap(({ key, writer, session, kind }) => {
      const text = session === id ? this.options.notes.get(key) : null;
      const what = text === null ? null : readNote(kind, text);
      return what ? [{ key, writer, ...what }] : [];
    });
  }

  /** Deletes or restores a chat for a window that ended before it could; true if there was such an operation. */
  async carryOut(id: string, left: readonly RecoveryEntry[], chats: WholeChats): Promise<boolean> {
    const asked = left.find((entry) => entry.kind === 'intent' && entry.intent.kind !== 'set');
    if (asked?.kind !== 'intent') return false;
    const done = this.intend(id, asked.intent);
    this.forget(left.filter(({ kind }) => kind === 'intent'));
    try {
      await (asked.intent.kind === 'remove' ? chats.remove(id) : chats.restore(id));
    } catch (error) {
      // A chat that cannot be restored stays in the trash; trying again at each start would not help.
      const isLost = asked.intent.kind === 'restore' && isToolError(error) && (error.code === 'chat_newer' || error.code === 'chat_broken');
      if (!isLost) throw error;
    }
    done();
    return true;
  }

  forget(notes: readonly LeftNote[]): void {
    for (const { key } of notes) this.options.notes.remove(key);
  }

  private note(id: string, kind: Kind, text: string): () => void {
    const count = (this.counts.get(id) ?? 0) + 1;
    this.counts.set(id, count);
    this.set(this.key(id, kind), text);
    return () => {
      if (this.counts.get(id) !== count) return;
      for (const one of ['changes', 'turn', 'round'] as const) this.options.notes.remove(this.key(id, one));
    };
  }

  /** Without room, only the save protects the change. An older note stays: its content is not saved either. */
  private set(key: string, text: string): void {
    if (text.length > (this.options.largest ?? LARGEST)) return;
    try {
      this.options.notes.set(key, text);
    } catch (error) {
      this.options.onProblem?.(error);
    }
  }

  private key(id: string, kind: Kind): string {
    const { prefix, writer } = this.options;
    return `${prefix}${writer}:${id}:${kind}`;
  }

  private names() {
    const { notes, prefix } = this.options;
    return notes.keys().flatMap((key) => {
      if (!key.startsWith(prefix)) return [];
      const [writer, session, last] = key.slice(prefix.length).split(':');
      const kind = KINDS.find((one) => one === last);
      return writer && session && kind ? [{ key, writer, session, kind }] : [];
    });
  }
}
