import type { EventSchedule, NoteEvent, Order } from './order.ts';
import type { Happening, OrderRun, OrdersState } from './order-files.ts';

/** Of each note or row that is there, what changes with it: SiYuan's time of a note, the text of a row, its date. */
export type Marks = ReadonlyMap<string, string>;

export interface EventLook {
  /** By order; absent for one whose place is not there. */
  readonly marks: ReadonlyMap<string, Marks>;
  /** Milliseconds of the look before; 0: what is new now happened while no program looked. */
  readonly before: number;
}

type OrderState = OrdersState['orders'][string];
type Seen = Pick<Happening, 'id' | 'how'>;
type Written = NonNullable<OrderRun['proposals'][number]['written']>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Dates that passed longer ago are history. */
const LATE_DAYS = 31;
const MAX_WAITING = 1000;
/** Clocks of SiYuan and of this program. */
const SLACK_MS = 5000;
/** What one run gets: rows are answered one by one. */
const MOST_OF_A_RUN = { notes: 50, dates: 50, rows: 20 } as const;

/** SiYuan's time, YYYYMMDDHHmmss. */
export const stampOf = (milliseconds: number, timeZone: string): string =>
  new Date(milliseconds).toLocaleString('sv-SE', { timeZone }).replaceAll(/\D/gu, '').slice(0, 14);

/** The local day, YYYY-MM-DD. */
const dayOf = (milliseconds: number, timeZone: string): string => new Date(milliseconds).toLocaleDateString('sv-SE', { timeZone });

interface At {
  readonly now: number;
  readonly timeZone: string;
  readonly before: number;
  /** Of approved proposals. */
  readonly written: readonly Written[];
}

/** Whether it is an approved proposal's own work: orders must not start each other. */
function isOwn(id: string, mark: string, { seenAt = 0, marks = {} }: OrderState, event: EventSchedule, { written, timeZone }: At): boolean {
  const isNew = marks[id] === undefined;
  const isTimed = event.of === 'notes' && !isNew;
  const stamp = isTimed ? mark : id.slice(0, 14);
  return written.some(({ ids, from, to }) => {
    const wasThen = stampOf(from - SLACK_MS, timeZone) <= stamp && stamp <= stampOf(to + SLACK_MS, timeZone);
    if (isTimed) return wasThen && ids.includes(id);
    return to >= seenAt && (ids.includes(id) || (isNew && wasThen));
  });
}

/** What happened to one, if the order waits for it. A note that was not there may have been made or moved: then both are possible. */
function howOf(
  id: string,
  isNew: boolean,
  on: readonly NoteEvent[],
  { since }: OrderState,
  { before, timeZone }: At,
): NoteEvent | undefined {
  if (!isNew) return on.includes('changed') ? 'changed' : undefined;
  const made = id.slice(0, 14);
  const couldBeMoved = before === 0 || made < stampOf(before + SLACK_MS, timeZone);
  if (on.includes('made') && made >= stampOf(since - SLACK_MS, timeZone)) return 'made';
  return on.includes('moved') && couldBeMoved ? 'moved' : undefined;
}

function changesIn(state: OrderState, event: EventSchedule, marks: Marks, at: At): readonly Seen[] {
  const known = state.marks ?? {};
  return [...marks].flatMap(([id, mark]): readonly Seen[] => {
    if (known[id] === mark) return [];
    if (event.of === 'dates') return [{ id, how: 'date' }];
    const isNew = known[id] === undefined;
    // Rows are not moved: each that was not there is new.
    const how = event.of === 'rows' && isNew ? event.on.find((each) => each === 'made') : howOf(id, isNew, event.on, state, at);
    return how === undefined || isOwn(id, mark, state, event, at) ? [] : [{ id, how }];
  });
}

/** Rows whose date has come, each with it. */
function comeDates(event: EventSchedule, marks: Marks, { now, timeZone }: At): ReadonlyMap<string, string> {
  if (event.of !== 'dates') return marks;
  const clock = `${String(event.time.hour).padStart(2, '0')}${String(event.time.minute).padStart(2, '0')}00`;
  const current = stampOf(now, timeZone);
  const oldest = stampOf(now - LATE_DAYS * DAY_MS, timeZone);
  return new Map(
    [...marks].filter(([, date]) => {
      const day = new Date(Date.parse(date) - event.before * DAY_MS);
      const due = Number.isNaN(day.getTime()) ? '' : `${day.toISOString().slice(0, 10).replaceAll('-', '')}${clock}`;
      return due <= current && due > oldest;
    }),
  );
}

function withWaiting(waiting: readonly Happening[], more: readonly Seen[], at: number): Happening[] {
  const news = new Map(more.map(({ id, how }) => [id, how]));
  const again = waiting.filter(({ id }) => news.has(id)).map(({ id, how }) => [id, how] as const);
  const all = [...new Map([...news, ...again])].map(([id, how]) => ({ id, how, at }));
  return [...waiting.filter(({ id }) => !news.has(id)), ...all].slice(0, MAX_WAITING);
}

/** What no run has taken. `runs`: of the order. */
export const stillWaiting = ({ waiting = [] }: OrderState, runs: readonly OrderRun[]): readonly Happening[] =>
  waiting.filter(({ id, at }) => !runs.some(({ started, events }) => started >= at && events?.some((each) => each.id === id)));

/** The state of an order that waits for an event. `runs`: of the order. */
export function stateAfterEvents(
  base: OrderState,
  order: Pick<Order, 'schedule' | 'quiet'>,
  { marks, runs, allAt = 0, ...at }: At & { readonly marks: Marks; readonly runs: readonly OrderRun[]; readonly allAt: number | undefined },
): OrderState {
  const event = order.schedule;
  if (event?.kind !== 'event') return base;
  const come = comeDates(event, marks, at);
  const { now, before } = at;
  const known = base.marks;
  if (!known) return { ...base, marks: Object.fromEntries(come), seenAt: now, waiting: [], had: come.size };
  const isSame = come.size === Object.keys(known).length && [...come].every(([id, mark]) => known[id] === mark);
  const next = { ...base, ...(isSame ? {} : { marks: Object.fromEntries(come), seenAt: now }) };
  // While nobody looked, it has been quiet for long.
  const long = now - order.quiet * MINUTE_MS;
  // What is gone, or put off, is not waited with.
  const left = stillWaiting(base, runs).filter(({ id }) => come.has(id));
  if (allAt > (base.allAt ?? 0))
    return {
      ...next,
      allAt,
      had: 0,
      waiting: withWaiting(
        left,
        [...come].map(([id]) => ({ id, how: 'made' })),
        long,
      ),
    };
  return { ...next, waiting: withWaiting(left, changesIn(base, event, come, at), before === 0 ? long : now) };
}

/** Runs that events began on the day of `now`. */
export const runsToday = (runs: readonly OrderRun[], now: number, timeZone: string): number =>
  runs.filter(({ why, attempt, started }) => why === 'event' && attempt === 1 && dayOf(started, timeZone) === dayOf(now, timeZone)).length;

/** What the next run gets. */
export function eventsOfRun(event: EventSchedule, waiting: readonly Happening[]): Happening[] {
  return waiting.slice(0, MOST_OF_A_RUN[event.of]);
}

/** What an order is to run for now; undefined if it waits: for more, until it is quiet, or for the next day. */
export function eventsDue(
  { schedule, quiet, limit }: Order,
  { waiting = [] }: OrderState,
  runs: readonly OrderRun[],
  { now, timeZone }: Pick<At, 'now' | 'timeZone'>,
): Happening[] | undefined {
  if (schedule?.kind !== 'event' || waiting.length < (schedule.of === 'notes' ? schedule.count : 1)) return undefined;
  const last = Math.max(...waiting.map(({ at }) => at));
  if (last > now - quiet * MINUTE_MS && last <= now) return undefined;
  return runsToday(runs, now, timeZone) < limit ? eventsOfRun(schedule, waiting) : undefined;
}
