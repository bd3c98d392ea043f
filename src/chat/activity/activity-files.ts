import { toToolError } from '../../tools/contract/errors.ts';
import { type CopyStorage, keepBroken } from '../../tools/util/broken-copy.ts';
import { Turns } from '../../tools/util/turns.ts';
import type { ActivityPage, ActivityQuery, ActivityRecord, ActivityStore } from './activity.ts';
import { activityLine, cutArguments, cutText, documentsOf, keptRecord, linesOf, readActivityLine } from './activity-lines.ts';
import { PendingCalls, type PendingNotes } from './pending-calls.ts';

export interface DamagedActivity {
  /** Relative to the plugin's storage, like the path of its copy. */
  readonly path: string;
  readonly copy: string;
}

interface ActivityPart {
  /** Newest first. */
  readonly records: readonly ActivityRecord[];
  readonly damaged: readonly DamagedActivity[];
  /** The `before` argument of `read` for the day before; null if there is none. */
  readonly before: string | null;
}

/** The records of a workspace in files, read back a day at a time. */
export interface ActivityFiles extends ActivityStore {
  read(before?: string): Promise<ActivityPart>;
  /** Removes unreadable lines from a damaged file; its copy stays. */
  startAnew(path: string): Promise<void>;
  flush(): Promise<void>;
}

export interface ActivityFilesOptions {
  readonly storage: CopyStorage & {
    remove(path: string): Promise<void>;
  };
  readonly notes: PendingNotes;
  /** Of the notes' names; a different one for each workspace. */
  readonly prefix: string;
  readonly device: string;
  readonly writer: string;
  /** The other windows that are open now: calls of closed windows were cut off. */
  readonly others: () => Promise<ReadonlySet<string>>;
  /** Runs the work while no other window of this device runs its own. Absent: each window writes its own files. */
  readonly exclusive?: <T>(work: () => Promise<T>) => Promise<T>;
  readonly now: () => number;
  /** Days that records are kept; 0: none are made. */
  readonly days: () => number;
  /** Ended calls are written at once when this many are pending. Default: 40. */
  readonly atOnce?: number;
  readonly later: (milliseconds: number, work: () => void) => void;
}

const FOLDER = 'activity';
const DAY_MS = 86_400_000;
/** How long an ended call waits for others to be written with it, in milliseconds. */
const WAIT_MS = 3000;
const MANY = 40;
/** Characters in a file: each write sends all of it again. */
const LARGEST = 300_000;
const LISTED = 200;

/** YYYY-MM-DD in UTC, so that a day's files contain newer records than those of the day before, wherever each device is. */
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const newestFirst = (one: ActivityRecord, other: ActivityRecord): number => other.timestamp - one.timestamp || (one.id < other.id ? 1 : -1);

/** Each call once: a window that closed may have written what another one considered left behind. */
const once = (records: readonly ActivityRecord[]): readonly ActivityRecord[] => [
  ...new Map(records.map((record) => [record.id, record])).values(),
];

function matches(record: ActivityRecord, query: ActivityQuery): boolean {
  const { sessionId, toolName, effect, documentId, from, to } = query;
  return (
    (sessionId === undefined || record.sessionId === sessionId) &&
    (toolName === undefined || record.toolName === toolName) &&
    (effect === undefined || record.effect === effect) &&
    (documentId === undefined || documentsOf(record).includes(documentId)) &&
    (from === undefined || record.timestamp >= from) &&
    (to === undefined || record.timestamp < to)
  );
}

const listed = (record: ActivityRecord): ActivityRecord => ({
  ...record,
  arguments: cutArguments(record.arguments, LISTED),
  result: record.result === null ? null : cutText(record.result, LISTED),
  userMessage: cutText(record.userMessage, LISTED),
});

class FiledActivity implements ActivityFiles {
  private readonly options: ActivityFilesOptions;
  private readonly pending: PendingCalls;
  private readonly turns = new Turns(1);
  private waiting = false;
  /** Whether leftovers of closed windows were adopted; repeated whenever the newest day is read. */
  private hasAdoptedLeftovers = false;
  /** The last day written to, and its file with room; the files before it are full. */
  private last = { name: '', part: 1 };

  constructor(options: ActivityFilesOptions) {
    this.options = options;
    this.pending = new PendingCalls(options);
  }

  async start(record: ActivityRecord): Promise<void> {
    if (this.options.days() > 0) this.pending.put(keptRecord(record));
  }

  async finish(record: ActivityRecord): Promise<void> {
    if (this.options.days() === 0) return this.pending.drop(record.id);
    this.pending.put(keptRecord(record));
    const { atOnce = MANY } = this.options;
    if (Number.isFinite(atOnce) && this.pending.ended().length >= atOnce) return this.flush();
    if (this.waiting) return;
    this.waiting = true;
    this.options.later(WAIT_MS, () => {
      this.waiting = false;
      // What cannot be written now stays in the notes, and is tried again with the next write.
      void this.flush().catch(() => undefined);
    });
  }

  /** Leftovers of other windows are adopted before anything is read or written. */
  async cutOff(sessionId: string): Promise<void> {
    this.pending.cutOff(sessionId);
  }

  flush(): Promise<void> {
    return this.inTurn(() => this.alone(() => this.write()));
  }

  read(before?: string): Promise<ActivityPart> {
    return this.inTurn(async () => {
      if (before === undefined) {
        this.hasAdoptedLeftovers = false;
        await this.alone(async () => {
          await this.write();
          await this.sweep();
        });
      }
      const days = await this.days();
      const place = before === undefined ? 0 : days.findIndex((day) => day < before);
      const day = place < 0 ? undefined : days[place];
      const { records, damaged } = day === undefined ? { records: [], damaged: [] } : await this.readDay(day);
      const all = before === undefined ? [...records, ...this.pending.all()] : records;
      return {
        records: [...once(all)].sort(newestFirst),
        damaged,
        before: day !== undefined && place < days.length - 1 ? day : null,
      };
    });
  }

  list(query: ActivityQuery): Promise<ActivityPage> {
    return this.inTurn(async () => {
      const found: ActivityRecord[] = [...this.pending.all()];
      for (const day of await this.days()) found.push(...(await this.readDay(day)).records);
      const wanted = [...once(found.filter((record) => matches(record, query)))].sort(newestFirst);
      return { records: wanted.slice(query.offset, query.offset + query.limit).map(listed), total: wanted.length };
    });
  }

  get(id: string): Promise<ActivityRecord | null> {
    return this.inTurn(async () => {
      const known = this.pending.all().find((record) => record.id === id);
      if (known) return known;
      for (const day of await this.days()) {
        const found = (await this.readDay(day)).records.find((record) => record.id === id);
        if (found) return found;
      }
      return null;
    });
  }

  remove(which: { readonly sessionId?: string; readonly before?: number }): Promise<number> {
    const { sessionId, before } = which;
    const goes = (record: ActivityRecord): boolean =>
      (sessionId === undefined || record.sessionId === sessionId) && (before === undefined || record.timestamp < before);
    const work = async (): Promise<number> => {
      await this.write();
      const all = sessionId === undefined && before === undefined;
      let removed = 0;
      for (const day of await this.days())
        for (const path of await this.pathsOf(day))
          removed += await this.rewrite(path, (line) => line.kind === 'record' && goes(line.record));
      // With the copies of damaged files: afterwards no trace of a call must remain.
      if (all) await this.options.storage.remove(FOLDER);
      return removed;
    };
    return this.inTurn(() => this.alone(work));
  }

  startAnew(path: string): Promise<void> {
    const work = async (): Promise<void> => {
      const text = await this.options.storage.read(path);
      if (text === null) return;
      await keepBroken(this.options.storage, path, text, this.options.now());
      await this.rewrite(path, ({ kind }) => kind === 'broken');
    };
    return this.inTurn(() => this.alone(work));
  }

  /** Removes lines from a file, and the file with its last line. Resolves with their number. */
  private async rewrite(path: string, goes: (line: ReturnType<typeof readActivityLine>) => boolean): Promise<number> {
    const { storage } = this.options;
    const lines = linesOf((await storage.read(path)) ?? '');
    const kept = lines.filter((line) => !goes(readActivityLine(line)));
    if (kept.length === 0) await storage.remove(path);
    else if (kept.length < lines.length) await storage.write(path, `${kept.join('\n')}\n`);
    return lines.length - kept.length;
  }

  /** Writes ended calls into files, with those that closed windows left behind. */
  private async write(): Promise<void> {
    if (!this.hasAdoptedLeftovers) {
      this.pending.takeLeft(await this.options.others());
      this.hasAdoptedLeftovers = true;
    }
    const ended = this.pending.ended();
    for (const day of new Set(ended.map(({ timestamp }) => dayOf(timestamp)))) {
      const ofDay = ended.filter(({ timestamp }) => dayOf(timestamp) === day);
      await this.append(day, ofDay.map(activityLine).join('\n'));
      for (const record of ofDay) this.pending.written(record);
    }
  }

  /** The first file of the day that has room, is not damaged, and belongs to this device. */
  private async append(day: string, lines: string): Promise<void> {
    const { storage, exclusive, device, writer } = this.options;
    const name = `${FOLDER}/${day}-${exclusive ? device : writer}`;
    for (let part = this.last.name === name ? this.last.part : 1; ; part += 1) {
      const path = `${name}${part === 1 ? '' : `_${part}`}.jsonl`;
      const text = await storage.read(path);
      const fits =
        text === null || (text.length + lines.length < LARGEST && linesOf(text).every((line) => readActivityLine(line).kind !== 'broken'));
      if (!fits) continue;
      this.last = { name, part };
      const before = text === null || text === '' || text.endsWith('\n') ? (text ?? '') : `${text}\n`;
      await storage.write(path, `${before}${lines}\n`);
      if (text === null) await this.sweep();
      return;
    }
  }

  private async sweep(): Promise<void> {
    const { storage, now, days } = this.options;
    const oldest = dayOf(now() - Math.max(1, days()) * DAY_MS);
    for (const name of await this.names()) if (name.slice(0, oldest.length) < oldest) await storage.remove(`${FOLDER}/${name}`);
  }

  private async readDay(day: string): Promise<Pick<ActivityPart, 'records' | 'damaged'>> {
    const { storage, now } = this.options;
    const records: ActivityRecord[] = [];
    const damaged: DamagedActivity[] = [];
    const paths = await this.pathsOf(day);
    const texts = await Promise.all(paths.map((path) => storage.read(path)));
    for (const [index, path] of paths.entries()) {
      const text = texts[index] ?? '';
      const lines = linesOf(text).map(readActivityLine);
      records.push(...lines.flatMap((line) => (line.kind === 'record' ? [line.record] : [])));
      const isBroken = lines.some(({ kind }) => kind === 'broken');
      if (isBroken) damaged.push({ path, copy: await keepBroken(storage, path, text, now()) });
    }
    return { records, damaged };
  }

  private async days(): Promise<readonly string[]> {
    const days = (await this.names()).filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, 'YYYY-MM-DD'.length));
    return [...new Set(days)].sort().reverse();
  }

  private async pathsOf(day: string): Promise<readonly string[]> {
    return (await this.names()).filter((name) => name.startsWith(`${day}-`) && name.endsWith('.jsonl')).map((name) => `${FOLDER}/${name}`);
  }

  private async names(): Promise<readonly string[]> {
    return (await this.options.storage.list(FOLDER)).filter((name) => /^\d{4}-\d{2}-\d{2}-/.test(name));
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    return this.options.exclusive ? this.options.exclusive(work) : work();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.turns.take(work).catch((error: unknown) => {
      throw toToolError(error, 'storage_failed');
    });
  }
}

/** A file per device and day, a line per ended call; calls wait a moment, in notes that outlive the page, to be written together. */
export const createActivityFiles = (options: ActivityFilesOptions): ActivityFiles => new FiledActivity(options);
