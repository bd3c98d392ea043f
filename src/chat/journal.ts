import * as v from 'valibot';
import { toToolError } from '../tools/errors.ts';
import type { EventError } from '../tools/events.ts';
import { nodeFormat, variableFormat } from './saved-format.ts';
import type { ChatStorage } from './storage-port.ts';
import { EMPTY_TREE } from './tree-model.ts';
import { type Node, type Payload, type SavedVariable, SESSION_SCHEMA, type Session } from './types.ts';

/** What has to be known to make the session anew when its file was never written. */
export interface JournalHead {
  readonly id: string;
  readonly title: string;
  readonly created: number;
}

/**
 * One small file an event, because the kernel cannot append (FORMATS.md, Storage). `turn`: the user's message, and the node
 * of the answer that was begun; `round`: the answer as it stood after a finished round, and the variables so far new.
 */
export type JournalEvent =
  | { readonly type: 'turn'; readonly head: JournalHead; readonly nodes: readonly Node[]; readonly leafId: string }
  | { readonly type: 'round'; readonly head: JournalHead; readonly answer: Node; readonly variables: readonly SavedVariable[] };

const headFormat = v.object({ id: v.string(), title: v.string(), created: v.number() });
const entryFormat: v.GenericSchema<unknown, { schema: 1; event: JournalEvent }> = v.object({
  schema: v.literal(1),
  event: v.variant('type', [
    v.object({ type: v.literal('turn'), head: headFormat, nodes: v.array(nodeFormat), leafId: v.string() }),
    v.object({ type: v.literal('round'), head: headFormat, answer: nodeFormat, variables: v.array(variableFormat) }),
  ]),
});

export interface ReadJournal {
  /** File names that were read, so that exactly these are removed after the save. */
  readonly files: readonly string[];
  readonly events: readonly JournalEvent[];
}

const folder = (sessionId: string): string => `journal/${sessionId}`;
const PAD = 14;
const isOwn = (name: string, device: string): boolean => name.startsWith(`${device}-`) && /^\d+\.json$/.test(name.slice(device.length + 1));

/**
 * This device's events, in their order. Those of another device were synced while it runs a turn, or wait for it to start
 * again: they are its own to replay.
 */
export async function readJournal(storage: ChatStorage, sessionId: string, device: string): Promise<ReadJournal> {
  const files = (await storage.list(folder(sessionId))).filter((name) => isOwn(name, device)).sort();
  const texts = await Promise.all(files.map((name) => storage.read(`${folder(sessionId)}/${name}`)));
  return { files, events: texts.flatMap((text) => parseEntry(text)) };
}

/** Removes entries by name, with the folder where nothing else is in it: an empty one would look like a crash. */
export async function removeEntries(storage: ChatStorage, sessionId: string, names: ReadonlySet<string>): Promise<void> {
  if (names.size === 0) return;
  const present = await storage.list(folder(sessionId));
  if (present.every((name) => names.has(name))) return storage.remove(folder(sessionId));
  for (const name of present) if (names.has(name)) await storage.remove(`${folder(sessionId)}/${name}`);
}

/** Chats for which this device has entries. */
export async function journaledSessions(storage: ChatStorage, device: string): Promise<readonly string[]> {
  const ids = await storage.list('journal');
  const names = await Promise.all(ids.map((id) => storage.list(folder(id))));
  return ids.filter((_id, index) => names[index]?.some((name) => isOwn(name, device)));
}

/** An entry that was cut while it was written says nothing: the one before it stands. */
function parseEntry(text: string | null): readonly JournalEvent[] {
  if (text === null) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const parsed = v.safeParse(entryFormat, value);
  return parsed.success ? [parsed.output.event] : [];
}

const interrupted = (payload: Payload): Payload => ({
  ...payload,
  status: 'interrupted',
  error: {
    code: 'interrupted',
    message: 'this answer was cut off when the program ended; what it had done stands here',
    next: 'ask again, or go on from here',
  },
});

/** Puts journaled events onto the session that was last saved (null: none was). Nodes that were saved since stay as they are. */
export function replayJournal(saved: Session | null, events: readonly JournalEvent[], now: number): Session | null {
  const first = events[0];
  if (!first) return saved;
  let session = saved ?? emptySession(first.head);
  for (const event of events) session = event.type === 'turn' ? withTurn(session, event) : withRound(session, event);
  return session === saved ? saved : { ...session, updated: now };
}

function withTurn(session: Session, event: Extract<JournalEvent, { type: 'turn' }>): Session {
  const fresh = event.nodes.filter((node) => isNews(session, node));
  if (fresh.length === 0) return session;
  const rootId = session.rootId ?? event.nodes[0]?.id ?? null;
  return { ...fresh.reduce(withNode, session), rootId, leafId: event.leafId, title: session.title || event.head.title };
}

function withRound(session: Session, event: Extract<JournalEvent, { type: 'round' }>): Session {
  if (!isNews(session, event.answer)) return session;
  const known = new Set(session.variables.map((variable) => variable.name));
  const variables = [...session.variables, ...event.variables.filter((variable) => !known.has(variable.name))];
  return { ...withNode(session, event.answer), variables };
}

/** A journaled answer is never finished: the finished one is in the session file, and its node is newer. */
function isNews(session: Session, node: Node): boolean {
  const existing = session.nodes[node.id];
  return existing === undefined || existing.changed.time < node.changed.time;
}

function withNode(session: Session, node: Node): Session {
  const payload = node.versions[node.currentVersionId];
  const marked =
    node.role === 'assistant' && payload ? { ...node, versions: { ...node.versions, [payload.id]: interrupted(payload) } } : node;
  return { ...session, nodes: { ...session.nodes, [node.id]: marked } };
}

export function emptySession(head: JournalHead): Session {
  const { id, title, created } = head;
  return {
    schema: SESSION_SCHEMA,
    id,
    title,
    created,
    updated: created,
    tags: [],
    pinned: false,
    ...EMPTY_TREE,
    variables: [],
    approvals: [],
  };
}

export interface JournalWriter {
  /** Never rejects: a journal that cannot be written must not stop the talk; the failure is handed to `onError`. */
  add(event: JournalEvent): Promise<void>;
  /** Taken before the session is written: calling it after that removes the events which that file holds, and no later ones. */
  covered(): () => Promise<void>;
}

/** Writes one session's events, in order. `now` makes names that sort after those of an earlier run. */
export function createJournalWriter(
  storage: ChatStorage,
  options: {
    readonly sessionId: string;
    readonly device: string;
    readonly now: () => number;
    readonly onError: (error: EventError) => void;
  },
): JournalWriter {
  let seq = options.now();
  let written: readonly { readonly name: string; readonly seq: number }[] = [];
  let queue: Promise<void> = Promise.resolve();
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    queue = queue.then(work).catch((error: unknown) => {
      const { code, message, next } = toToolError(error, 'storage_failed');
      options.onError({ code, message, next });
    });
    return queue;
  };
  return {
    add(event) {
      const own = ++seq;
      const name = `${options.device}-${String(own).padStart(PAD, '0')}.json`;
      return enqueue(async () => {
        await storage.write(`${folder(options.sessionId)}/${name}`, JSON.stringify({ schema: 1, event }));
        written = [...written, { name, seq: own }];
      });
    },
    covered() {
      const last = seq;
      return () =>
        enqueue(async () => {
          const covered = new Set(written.filter((entry) => entry.seq <= last).map((entry) => entry.name));
          await removeEntries(storage, options.sessionId, covered);
          written = written.filter((entry) => entry.seq > last);
        });
    },
  };
}
