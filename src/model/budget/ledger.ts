import * as v from 'valibot';
import { ToolError } from '../../tools/contract/errors.ts';
import { type CopyStorage, keepBroken } from '../../tools/util/broken-copy.ts';
import { joined, Turns } from '../../tools/util/turns.ts';
import { type DamagedRecord, type DayUsages, NOTHING, plus, type Spent, type UsageReport, type Usages } from './usage.ts';

/** Usage on all devices. Each device writes its own files, one per month, so that a sync never has to merge two. */
export interface Ledger {
  /** What requests of this program take that is in no file yet: estimates of those that are allowed, and what ended. */
  readonly underway: Set<Spent>;
  /** `day`: YYYY-MM-DD, local. Rejects with `usage_unreadable` if a record of the month cannot be read, and otherwise like the storage. */
  spent(day: string): Promise<{ readonly day: Spent; readonly month: Spent }>;
  add(day: string, used: Usages): Promise<void>;
  report(): Promise<UsageReport>;
  /** Replaces an unreadable record by an empty one; its copy stays. A readable one is not changed. */
  startAnew(path: string): Promise<void>;
}

const FOLDER = 'usage';
const SCHEMA = 1;
/** Months for which usage is kept by chat. */
const DETAILED_MONTHS = 13;
/** Maximum entries of a day; further usage is counted without its chat. */
const MAX_ENTRIES = 200;

const usagesFormat = v.looseObject({
  sessionId: v.optional(v.string()),
  model: v.optional(v.string()),
  purpose: v.optional(v.string()),
  tokens: v.number(),
  dollars: v.number(),
  unpriced: v.number(),
});
const dayFormat = v.looseObject({ tokens: v.number(), dollars: v.number(), entries: v.optional(v.array(usagesFormat)) });
const fileFormat = v.looseObject({ schema: v.number(), days: v.record(v.string(), dayFormat) });
type Entry = v.InferOutput<typeof usagesFormat>;
type LedgerDay = v.InferOutput<typeof dayFormat>;
type LedgerFile = v.InferOutput<typeof fileFormat>;

function readFile(text: string): LedgerFile | null {
  try {
    const result = v.safeParse(fileFormat, JSON.parse(text));
    return result.success ? result.output : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const writeFile = (file: LedgerFile): string => `${JSON.stringify(file)}\n`;

const isSame = (one: Usages, other: Usages): boolean =>
  one.sessionId === other.sessionId && one.model === other.model && one.purpose === other.purpose;

/** Adds to the entry of its kind, which keeps unknown fields. */
function withEntry(entries: readonly Entry[], used: Entry): readonly Entry[] {
  const { sessionId: _left, ...without } = used;
  const known = entries.findIndex((entry) => isSame(entry, used));
  if (known < 0 && entries.length >= MAX_ENTRIES && used.sessionId !== undefined) return withEntry(entries, without);
  if (known < 0) return [...entries, used];
  return entries.map((entry, place) =>
    place === known ? { ...entry, ...plus(entry, used), unpriced: entry.unpriced + used.unpriced } : entry,
  );
}

const withoutChats = (entries: readonly Entry[]): readonly Entry[] =>
  entries.reduce<readonly Entry[]>((all, { sessionId: _left, ...entry }) => withEntry(all, entry), []);

interface DayUse {
  readonly day: string;
  readonly used: Usages;
}

function withUse(days: LedgerFile['days'], { day, used }: DayUse): LedgerFile['days'] {
  const before: LedgerDay = days[day] ?? { ...NOTHING };
  const entries = withEntry(before.entries ?? [], { ...used });
  return { ...days, [day]: { ...before, ...plus(before, used), entries: [...entries] } };
}

/** The part of a day's sum that its entries lack: used before they were kept, or added by a version without entries. */
function unexplained({ entries = [], ...day }: LedgerDay): readonly Usages[] {
  const itemized = entries.reduce<Spent>(plus, NOTHING);
  const tokens = day.tokens - itemized.tokens;
  // Sums of fractions are not exact. Whether all of it had a price is not known.
  return tokens > 0 ? [{ tokens, dollars: Math.max(0, day.dollars - itemized.dollars), unpriced: tokens }] : [];
}

const daysOf = ({ days }: LedgerFile): readonly DayUsages[] =>
  Object.entries(days).flatMap(([day, record]) => [...(record.entries ?? []), ...unexplained(record)].map((used) => ({ ...used, day })));

function monthsBefore(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 - count, 1)).toISOString().slice(0, 7);
}

export interface LedgerOptions {
  readonly storage: CopyStorage;
  readonly device: string;
  /** For a window that cannot exclude the device's others: it writes files of its own. */
  readonly window?: string;
  /** Runs the work while no other window of this device runs its own. Absent: there is no other, or `window` is set. */
  readonly exclusive?: <T>(work: () => Promise<T>) => Promise<T>;
  readonly now: () => number;
}

class FileLedger implements Ledger {
  readonly underway = new Set<Spent>();
  private readonly options: LedgerOptions;
  private readonly turns = new Turns(1);
  private pending: DayUse[] = [];
  /** Once for requests that end together. */
  private readonly writePending = joined(() => {
    const uses = this.pending.splice(0);
    return this.turns.take(() => this.alone(() => this.write(uses)));
  });

  constructor(options: LedgerOptions) {
    this.options = options;
  }

  add(day: string, used: Usages): Promise<void> {
    this.pending.push({ day, used });
    return this.writePending();
  }

  spent(day: string): Promise<{ readonly day: Spent; readonly month: Spent }> {
    return this.turns.take(async () => {
      const { days, damaged } = await this.read((name) => name.startsWith(`${day.slice(0, 7)}-`));
      const [broken] = damaged;
      if (broken) throw unreadable(broken);
      return { day: days.filter((used) => used.day === day).reduce<Spent>(plus, NOTHING), month: days.reduce<Spent>(plus, NOTHING) };
    });
  }

  report(): Promise<UsageReport> {
    return this.turns.take(() => this.read(() => true));
  }

  startAnew(path: string): Promise<void> {
    const { storage, now } = this.options;
    const work = async (): Promise<void> => {
      const text = await storage.read(path);
      if (text === null || readFile(text)) return;
      await keepBroken(storage, path, text, now());
      await storage.write(path, writeFile({ schema: SCHEMA, days: {} }));
    };
    return this.turns.take(() => this.alone(work));
  }

  private async write(uses: readonly DayUse[]): Promise<void> {
    const monthOf = ({ day }: DayUse): string => day.slice(0, 7);
    for (const month of new Set(uses.map(monthOf))) {
      const { path, file, isNew } = await this.place(month);
      const days = uses.filter((use) => monthOf(use) === month).reduce(withUse, file.days);
      await this.options.storage.write(path, writeFile({ ...file, schema: SCHEMA, days }));
      if (isNew) await this.fold(monthsBefore(month, DETAILED_MONTHS));
    }
  }

  /** The file for a month: the first of this device that is readable and was not written by a newer version, which might misread it. */
  private async place(month: string): Promise<{ readonly path: string; readonly file: LedgerFile; readonly isNew: boolean }> {
    const { storage, device, window, now } = this.options;
    const name = `${FOLDER}/${month}-${device}${window === undefined ? '' : `_${window}`}`;
    for (let part = 1; ; part += 1) {
      const path = `${name}${part === 1 ? '' : `_${part}`}.json`;
      const text = await storage.read(path);
      const file = text === null ? { schema: SCHEMA, days: {} } : readFile(text);
      if (file && file.schema <= SCHEMA) return { path, file, isNew: text === null };
      if (text !== null && !file) await keepBroken(storage, path, text, now());
    }
  }

  /** Removes the chats from this device's old files. */
  private async fold(before: string): Promise<void> {
    const { storage, device } = this.options;
    for (const name of await this.names()) {
      const isOwn = [`${device}.`, `${device}_`].some((own) => name.slice('YYYY-MM-'.length).startsWith(own));
      if (!isOwn || name.slice(0, before.length) >= before) continue;
      const path = `${FOLDER}/${name}`;
      const file = readFile((await storage.read(path)) ?? '');
      if (!file || file.schema > SCHEMA || daysOf(file).every(({ sessionId }) => sessionId === undefined)) continue;
      const days = Object.entries(file.days).map(([day, { entries, ...sums }]): [string, LedgerDay] => [
        day,
        entries ? { ...sums, entries: [...withoutChats(entries)] } : sums,
      ]);
      await storage.write(path, writeFile({ ...file, days: Object.fromEntries(days) }));
    }
  }

  private async read(isWanted: (name: string) => boolean): Promise<UsageReport> {
    const { storage, now } = this.options;
    const paths = (await this.names()).filter(isWanted).map((name) => `${FOLDER}/${name}`);
    const texts = await Promise.all(paths.map((path) => storage.read(path)));
    const days: DayUsages[] = [];
    const damaged: DamagedRecord[] = [];
    for (const [index, path] of paths.entries()) {
      const text = texts[index] ?? null;
      if (text === null) continue;
      const file = readFile(text);
      if (file) days.push(...daysOf(file));
      else damaged.push({ path, copy: await keepBroken(storage, path, text, now()) });
    }
    return { days, damaged };
  }

  private async names(): Promise<readonly string[]> {
    return (await this.options.storage.list(FOLDER)).filter((name) => /^\d{4}-\d{2}-.+\.json$/.test(name));
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    return this.options.exclusive ? this.options.exclusive(work) : work();
  }
}

function unreadable({ path, copy }: DamagedRecord): ToolError {
  return new ToolError(
    'usage_unreadable',
    `what was spent this month is not known: ${path} cannot be read (a copy is ${copy})`,
    'open Usage and start this record anew, or remove the budgets per day and month',
  );
}

export const createLedger = (options: LedgerOptions): Ledger => new FileLedger(options);
