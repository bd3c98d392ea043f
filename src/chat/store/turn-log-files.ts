import { type EventError, toToolError } from '../../tools/contract/errors.ts';
import { keepBroken } from '../../tools/util/broken-copy.ts';
import type { ChatStorage } from './storage-port.ts';
import { parseEntry, type ReadEntry, type TurnLogEvent, type TurnLogStep, type TurnLogStream } from './turn-log.ts';
import type { VariableFiles } from './variable-files.ts';
import { isOfDevice, type WindowRegistry } from './window-registry.ts';

export interface SavedTurnLog {
  /** File names that were read and that nobody writes any more; exactly these are removed after the save. */
  readonly files: readonly string[];
  /** Of this window, and of closed windows of this device: what a crash cut off. */
  readonly events: readonly TurnLogEvent[];
  /** Of other open windows, and of programs of other devices that answer: turns running there. */
  readonly elsewhere: readonly TurnLogEvent[];
  readonly writers: readonly string[];
}

const folder = (sessionId: string): string => `journal/${sessionId}`;
const PAD = 14;
const STREAM = 'stream';

interface EntryName {
  readonly name: string;
  readonly writer: string;
  /** Infinity for the stream, which comes after the steps. */
  readonly seq: number;
}

function readName(name: string): readonly EntryName[] {
  const [, writer, tail] = /^(.+)-(\d+|stream)\.json$/.exec(name) ?? [];
  if (writer === undefined || tail === undefined) return [];
  return [{ name, writer, seq: tail === STREAM ? Number.POSITIVE_INFINITY : Number(tail) }];
}

async function entriesOf(storage: ChatStorage, sessionId: string): Promise<readonly EntryName[]> {
  const names = (await storage.list(folder(sessionId))).flatMap(readName);
  return names.sort((left, right) => (left.seq === right.seq ? 0 : left.seq - right.seq));
}

export async function readTurnLog(
  storage: ChatStorage,
  files: VariableFiles,
  sessionId: string,
  by: { readonly device: string; readonly writers: WindowRegistry; readonly now: () => number },
): Promise<SavedTurnLog> {
  const names = await entriesOf(storage, sessionId);
  if (names.length === 0) return { files: [], events: [], elsewhere: [], writers: [] };
  const others = await by.writers.others([...new Set(names.map(({ writer }) => writer))]);
  const read = async ({ name }: EntryName): Promise<NamedEntry> => {
    const text = await storage.read(`${folder(sessionId)}/${name}`);
    const entry = text === null ? null : parseEntry(text);
    return { name, text, entry: entry?.kind === 'ok' ? { ...entry, event: await withVariables(files, sessionId, entry.event) } : entry };
  };
  // Entries of another device that does not answer were synced during a turn, or wait until it starts again.
  const own = names.filter(({ writer }) => isOfDevice(writer, by.device));
  const ended = await Promise.all(own.filter(({ writer }) => !others.has(writer)).map(read));
  const running = names.filter(({ writer }) => others.has(writer));
  for (const { name, text, entry } of ended) {
    if (entry?.kind === 'broken' && text !== null) await setAside(storage, `${folder(sessionId)}/${name}`, text, by.now());
  }
  return {
    files: ended.filter(({ entry }) => entry?.kind === 'ok').map(({ name }) => name),
    events: ended.flatMap(eventsOf),
    elsewhere: (await Promise.all(running.map(read))).flatMap(eventsOf),
    writers: [...new Set(running.map(({ writer }) => writer))],
  };
}

interface NamedEntry {
  readonly name: string;
  readonly text: string | null;
  readonly entry: ReadEntry | null;
}

const eventsOf = ({ entry }: NamedEntry): readonly TurnLogEvent[] => (entry?.kind === 'ok' ? [entry.event] : []);

/** Nothing can be recovered from it, so it must not look like a crash at each start; its copy stays. */
async function setAside(storage: ChatStorage, path: string, text: string, now: number): Promise<void> {
  await keepBroken(storage, path, text, now);
  await storage.remove(path);
}

async function withVariables(files: VariableFiles, sessionId: string, event: TurnLogEvent): Promise<TurnLogEvent> {
  if (event.type !== 'round') return event;
  return { ...event, variables: (await files.fill(sessionId, event.variables)).variables };
}

/** Removes entries by name, and the folder if it becomes empty: an empty one would look like a crash. */
export async function removeEntries(storage: ChatStorage, sessionId: string, names: ReadonlySet<string>): Promise<void> {
  if (names.size === 0) return;
  const present = await storage.list(folder(sessionId));
  if (present.every((name) => names.has(name))) return storage.remove(folder(sessionId));
  for (const name of present) if (names.has(name)) await storage.remove(`${folder(sessionId)}/${name}`);
}

export async function loggedSessions(storage: ChatStorage, device: string, writers: WindowRegistry): Promise<readonly string[]> {
  const ids = await storage.list('journal');
  if (ids.length === 0) return [];
  const others = await writers.others();
  const entries = await Promise.all(ids.map((id) => entriesOf(storage, id)));
  return ids.filter((_id, index) => entries[index]?.some(({ writer }) => isOfDevice(writer, device) && !others.has(writer)));
}

/** One file, rewritten with each event; of several pending events only the last is written. Never rejects, like `add`. */
export type TurnLogSink = (event: TurnLogStep) => Promise<void>;

export interface TurnLogWriter {
  /** Never rejects: a log that cannot be written must not stop the chat; the failure is passed to `onError`. */
  add(event: TurnLogStep): Promise<void>;
  /** A file for what changes for a while: see TurnLogSink. It comes after everything added before. */
  place(): TurnLogSink;
  /** Replaces what was streamed so far. Never rejects, like `add`. */
  stream(event: TurnLogStream): Promise<void>;
  /** To be called before the session is written: the returned function removes the events up to now, and no later ones. */
  covered(): () => Promise<void>;
}

interface TurnLogWriterOptions {
  readonly sessionId: string;
  readonly writer: string;
  /** Names must sort after those of an earlier run. */
  readonly now: () => number;
  readonly files: VariableFiles;
  /** Called with each step synchronously, before it is written. */
  readonly onStep: (event: TurnLogStep) => void;
  readonly onError: (error: EventError) => void;
  /** Something was written or removed that other windows show. */
  readonly onWritten: () => void;
}

export function createTurnLogWriter(storage: ChatStorage, options: TurnLogWriterOptions): TurnLogWriter {
  return new FiledTurnLog(storage, options);
}

class FiledTurnLog implements TurnLogWriter {
  private readonly storage: ChatStorage;
  private readonly options: TurnLogWriterOptions;
  private seq: number;
  private written: readonly { readonly name: string; readonly seq: number }[] = [];
  private queue: Promise<void> = Promise.resolve();

  constructor(storage: ChatStorage, options: TurnLogWriterOptions) {
    this.storage = storage;
    this.options = options;
    this.seq = options.now();
  }

  add(event: TurnLogStep): Promise<void> {
    this.options.onStep(event);
    const own = ++this.seq;
    return this.enqueue(() => this.write(event, own, this.numbered(own)));
  }

  place(): TurnLogSink {
    const name = this.numbered(++this.seq);
    let waiting: { readonly event: TurnLogStep; readonly own: number } | null = null;
    return (event) => {
      this.options.onStep(event);
      const asked = waiting !== null;
      waiting = { event, own: ++this.seq };
      if (asked) return this.queue;
      return this.enqueue(async () => {
        const latest = waiting;
        waiting = null;
        if (latest) await this.write(latest.event, latest.own, name);
      });
    };
  }

  stream(event: TurnLogStream): Promise<void> {
    const own = ++this.seq;
    return this.enqueue(() => this.write(event, own, `${this.options.writer}-${STREAM}.json`));
  }

  covered(): () => Promise<void> {
    const last = this.seq;
    return () =>
      this.enqueue(async () => {
        const covered = new Set(this.written.filter((entry) => entry.seq <= last).map((entry) => entry.name));
        await removeEntries(this.storage, this.options.sessionId, covered);
        this.written = this.written.filter((entry) => entry.seq > last);
        if (covered.size > 0) this.options.onWritten();
      });
  }

  private async write(event: TurnLogEvent, seq: number, name: string): Promise<void> {
    const { sessionId, files, onWritten } = this.options;
    const saved = event.type === 'round' ? { ...event, variables: await files.put(sessionId, event.variables) } : event;
    await this.storage.write(`${folder(sessionId)}/${name}`, JSON.stringify({ schema: 1, event: saved }));
    this.written = [...this.written.filter((entry) => entry.name !== name), { name, seq }];
    onWritten();
  }

  private numbered(seq: number): string {
    return `${this.options.writer}-${String(seq).padStart(PAD, '0')}.json`;
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(work).catch((error: unknown) => {
      const { code, message, next } = toToolError(error, 'storage_failed');
      this.options.onError({ code, message, next });
    });
    return this.queue;
  }
}
