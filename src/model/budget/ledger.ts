import * as v from 'valibot';
import { type CopyPlace, keepBroken } from '../../tools/util/broken-copy.ts';

/** What requests used. */
export interface Spent {
  readonly tokens: number;
  /** US dollars; requests without a known price count as 0. */
  readonly dollars: number;
}

export const NOTHING: Spent = { tokens: 0, dollars: 0 };
export const plus = (one: Spent, other: Spent): Spent => ({ tokens: one.tokens + other.tokens, dollars: one.dollars + other.dollars });

/** What was spent on all devices; each device writes its own file per month, so that a sync never has to merge two. */
export interface Ledger {
  /** `day`: YYYY-MM-DD, local. Rejects where the storage does. */
  spent(day: string): Promise<{ readonly day: Spent; readonly month: Spent }>;
  add(day: string, spent: Spent): Promise<void>;
}

const FOLDER = 'usage';
const SCHEMA = 1;

const dayFormat = v.looseObject({ tokens: v.number(), dollars: v.number() });
const fileFormat = v.looseObject({ schema: v.number(), days: v.record(v.string(), dayFormat) });
type LedgerFile = v.InferOutput<typeof fileFormat>;

/** null for a text that is not such a file. */
function readFile(text: string): LedgerFile | null {
  try {
    const result = v.safeParse(fileFormat, JSON.parse(text));
    return result.success ? result.output : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export interface LedgerOptions {
  readonly storage: CopyPlace;
  readonly device: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function createLedger({ storage, device, now }: LedgerOptions): Ledger {
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work, work);
    queue = result.catch(() => undefined);
    return result;
  };
  const add = async (day: string, spent: Spent): Promise<void> => {
    const path = `${FOLDER}/${day.slice(0, 7)}-${device}.json`;
    const text = await storage.read(path);
    const file = text === null ? undefined : readFile(text);
    if (text !== null && file === null) await keepBroken(storage, path, text, now());
    // A newer version wrote it, and might read it wrongly afterwards.
    if (file && file.schema > SCHEMA) return;
    const before = file?.days[day];
    const days = { ...file?.days, [day]: { ...before, ...plus(before ?? NOTHING, spent) } };
    await storage.write(path, `${JSON.stringify({ ...file, schema: SCHEMA, days })}\n`);
  };
  const spent = async (day: string): Promise<{ readonly day: Spent; readonly month: Spent }> => {
    const month = day.slice(0, 7);
    const names = (await storage.list(FOLDER)).filter((name) => name.startsWith(`${month}-`) && name.endsWith('.json'));
    const files = await Promise.all(names.map((name) => storage.read(`${FOLDER}/${name}`)));
    const known = files.map((text) => (text === null ? {} : (readFile(text)?.days ?? {})));
    return {
      day: known.map((days) => days[day] ?? NOTHING).reduce(plus, NOTHING),
      month: known.flatMap((days) => Object.values(days)).reduce(plus, NOTHING),
    };
  };
  return { add: (day, amount) => inTurn(() => add(day, amount)), spent: (day) => inTurn(() => spent(day)) };
}
