import * as v from 'valibot';
import { changesFormat } from '../session/saved-format.ts';
import type { Node, Session } from '../session/types.ts';
import { type JournalEvent, type JournalStep, parseEntry } from './journal.ts';
import type { KeyValueStore } from './window-registry.ts';

/** Fields of a chat that are set without opening it. */
export type ChatFields = Partial<Pick<Session, 'title' | 'tags' | 'pinned' | 'archived'>>;

/** What is asked of a whole chat, and takes several requests. */
export type Intent = { readonly kind: 'remove' | 'restore' } | { readonly kind: 'set'; readonly fields: ChatFields };

/**
 * `changes`: what a chat has that its file lacks, as a session; `whole`: there is no file yet, and this is all of it. `turn` and
 * `round`: a question that was sent, and how far its answer is, as the journal has them.
 */
type Unsaved =
  | { readonly kind: 'changes'; readonly whole: boolean; readonly session: Session }
  | { readonly kind: 'turn' | 'round'; readonly events: readonly JournalEvent[] }
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

/** Characters of one note: the host keeps things of its own there, and there is room for some millions. */
const LARGEST = 1_000_000;

/** In the order in which they are put onto a chat. */
const KINDS = ['changes', 'turn', 'round', 'intent'] as const;
type Kind = (typeof KINDS)[number];

/** A note that cannot be read says nothing. */
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

/** What `now` has and the file (`saved`) lacks. Versions never change, so those that the file has are left out. */
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

export interface RecoveryLogOptions {
  /** Written at once, and still there when the page is gone. */
  readonly notes: KeyValueStore;
  /** Of the notes' names; another one for each workspace. */
  readonly prefix: string;
  /** This window. */
  readonly writer: string;
}

/**
 * What the user did and no file has yet. A save takes several requests, and a page may be reloaded or closed between two of them:
 * so each change is first noted where writing takes no time, and the note goes when the file is written.
 */
export class RecoveryLog {
  private readonly options: RecoveryLogOptions;
  /** Grows with each note of a chat: a save takes away only what stood there when it began. */
  private readonly counts = new Map<string, number>();

  constructor(options: RecoveryLogOptions) {
    this.options = options;
  }

  /**
   * To be called before a save; what it gives takes the notes away again, unless more was noted since. `saved`: the file;
   * null: there is none.
   */
  changes(saved: Session | null, session: Session): () => void {
    const kept = { schema: 1, whole: saved === null, session: changesSince(saved, session) };
    return this.note(session.id, 'changes', JSON.stringify(kept));
  }

  /** Goes with the next save of the chat. Of the rounds the last one has all that was done before. */
  step(id: string, event: JournalStep): void {
    this.note(id, event.type, JSON.stringify({ schema: 1, event }));
  }

  /** What it gives takes the note away again: to be called when what was asked for is done, or has failed before the user's eyes. */
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

  /** All that any window left of a chat. */
  of(id: string): readonly RecoveryEntry[] {
    const names = this.names().sort((left, right) => KINDS.indexOf(left.kind) - KINDS.indexOf(right.kind));
    return names.flatMap(({ key, writer, session, kind }) => {
      const text = session === id ? this.options.notes.get(key) : null;
      const what = text === null ? null : readNote(kind, text);
      return what ? [{ key, writer, ...what }] : [];
    });
  }

  /** The chats that notes were left of, with who left them. */
  chats(): readonly { readonly writer: string; readonly session: string }[] {
    return this.names();
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

  /** Where there is no room the save alone has to do. An older note stays: what it holds is not saved either. */
  private set(key: string, text: string): void {
    if (text.length > LARGEST) return;
    try {
      this.options.notes.set(key, text);
    } catch {
      return;
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
