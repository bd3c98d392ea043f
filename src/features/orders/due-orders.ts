import { CHAT_OF_ORDER } from '../../tools/contract/saved-names.ts';
import { nextRuns } from './next-run.ts';
import type { Order } from './order.ts';
import { type EventLook, eventsDue, eventsOfRun, stateAfterEvents } from './order-events.ts';
import type { OrderRun, OrdersState, Wishes } from './order-files.ts';

/** Failures in a row after which an order waits for a person. */
const MAX_FAILURES = 3;
/** A time so far ahead is of a clock that was wrong. */
const WRONG_CLOCK_MS = 24 * 60 * 60_000;
/** Notes with a tag for which an order runs at one look. */
const MAX_NOTES_AT_ONCE = 10;
/** Notes with a tag that are remembered. */
const MAX_SEEN = 5000;

export interface OrderWithRuns {
  readonly order: Order;
  /** Newest first. */
  readonly runs: readonly OrderRun[];
  readonly wish: Wishes['orders'][string];
}

export const withRuns = (orders: readonly Order[], runs: readonly OrderRun[], wishes: Wishes): readonly OrderWithRuns[] =>
  orders.map((order) => ({ order, runs: runs.filter((run) => run.order === order.id), wish: wishes.orders[order.id] ?? {} }));

/** Failed runs in a row since a person last started it again. One that was cut off and is made again does not count yet. */
export function failuresOf({ runs, wish }: OrderWithRuns): number {
  const since = runs.filter(({ started, status }) => started > (wish.resumedAt ?? 0) && status !== 'running');
  const counted = since.filter(({ status, attempt }) => status !== 'cut_off' || attempt > 1);
  const good = counted.findIndex(({ status }) => status !== 'failed' && status !== 'cut_off');
  return good < 0 ? counted.length : good;
}

export function pausedSince(of: OrderWithRuns): 'person' | 'failures' | null {
  const { pausedAt = 0, resumedAt = 0 } = of.wish;
  if (pausedAt > resumedAt) return 'person';
  return failuresOf(of) >= MAX_FAILURES ? 'failures' : null;
}

type OrderState = OrdersState['orders'][string];

/** What a look found: the notes with the tag of an order, by order; what events are of. */
export interface Look {
  readonly tags: ReadonlyMap<string, readonly string[]>;
  readonly events: EventLook;
  readonly now: number;
  readonly timeZone: string;
}

/** The state of an order at this look: new, with another schedule, or under a clock that was wrong, it has missed nothing. */
function nextState(known: OrderState | undefined, of: OrderWithRuns, { tags, now, ...look }: Look & Written): OrderState {
  const { order, runs, wish } = of;
  const isSame = known?.when === order.when && known.since <= now + WRONG_CLOCK_MS;
  const base = isSame ? known : { when: order.when, since: now, allAt: wish.allAt };
  const marks = look.events.marks.get(order.id);
  if (marks) return stateAfterEvents(base, order, { ...look, ...{ now, marks, runs, allAt: wish.allAt, before: look.events.before } });
  const tagged = tags.get(order.id);
  if (!tagged) return base;
  const { seen, seenAt = 0 } = base;
  if (!seen) return { ...base, seen: tagged.slice(0, MAX_SEEN), had: tagged.length, seenAt: now };
  const ran = new Set(runs.filter(({ started }) => started >= seenAt).map(({ note }) => note));
  // Those that had it before are as if they got it now, but for those that it ran for.
  if ((wish.allAt ?? 0) > (base.allAt ?? 0)) {
    const done = new Set(runs.map(({ note }) => note));
    return { ...base, seen: tagged.filter((id) => done.has(id)), had: 0, seenAt: now, allAt: wish.allAt };
  }
  // Those that lost it may get it again; those it ran for have been seen.
  const still = tagged.filter((id) => seen.includes(id) || ran.has(id));
  return still.length === seen.length && ran.size === 0 ? base : { ...base, seen: still, seenAt: now };
}

interface Written {
  readonly written: readonly NonNullable<OrderRun['proposals'][number]['written']>[];
}

/** `orders`: all of them, since none takes what another wrote for an event. */
export function stateAfterLook(state: OrdersState, orders: readonly OrderWithRuns[], look: Look): OrdersState {
  const runnable = orders.filter(({ order }) => order.schedule !== null);
  const written = orders.flatMap(({ runs }) => runs.flatMap(({ proposals }) => proposals.flatMap((each) => each.written ?? [])));
  return {
    ...state,
    orders: Object.fromEntries(runnable.map((of) => [of.order.id, nextState(state.orders[of.order.id], of, { ...look, written })])),
  };
}

interface DueRun {
  readonly of: OrderWithRuns;
  readonly run: OrderRun;
}

/** Until when an order's times are done. */
function doneUntil({ runs }: OrderWithRuns, { since }: OrderState, now: number): number {
  const real = runs.filter(({ started, why }) => why === 'time' && started <= now + WRONG_CLOCK_MS);
  return Math.max(since, ...real.map(({ started }) => started));
}

function notesToRun({ seen = [], seenAt = 0 }: OrderState, { runs }: OrderWithRuns, tagged: readonly string[]): readonly string[] {
  const ran = runs.filter(({ started }) => started >= seenAt).map(({ note }) => note);
  return tagged.filter((id) => !seen.includes(id) && !ran.includes(id)).slice(0, MAX_NOTES_AT_ONCE);
}

const newRun = ({ order }: OrderWithRuns, now: number, more: Partial<OrderRun> & Pick<OrderRun, 'why'>, place = 0): OrderRun => {
  const attempt = more.attempt ?? 1;
  const id = `${CHAT_OF_ORDER}${order.id}-${now.toString(36)}${place > 0 ? `-${place}` : ''}`;
  return { schema: 1, id, order: order.id, name: order.name, started: now, attempt, status: 'running', proposals: [], ...more };
};

/** A run that a crash cut off, and that was not made again yet. `runs`: newest first. */
const cutOff = (runs: readonly OrderRun[]): OrderRun | undefined =>
  runs.find(
    ({ status, attempt, note }, place) =>
      status === 'cut_off' && attempt === 1 && !runs.slice(0, place).some((later) => later.note === note),
  );

/** Whether a person wants it to run now, and it has not begun since. */
export const isAsked = ({ wish, runs }: OrderWithRuns, now: number): boolean =>
  (wish.runAt ?? 0) > Math.max(0, ...runs.filter(({ started }) => started <= now).map(({ started }) => started));

/** What one order has to do now. However many times were missed, it runs once. */
function runsOf(of: OrderWithRuns, state: OrderState | undefined, { tags, now, timeZone }: Look): readonly OrderRun[] {
  const { order, wish, runs } = of;
  const { schedule } = order;
  if (order.problems.length > 0 || !schedule || !state || runs.some(({ status }) => status === 'running')) return [];
  const note = schedule.kind === 'tag' ? (wish.runNote ?? runs.find((run) => run.note !== undefined)?.note) : undefined;
  const last = runs.find(({ events = [] }) => events.length > 0)?.events;
  const given =
    schedule.kind === 'event' ? { events: state.waiting?.length ? eventsOfRun(schedule, state.waiting) : (last ?? []) } : { note };
  if (isAsked(of, now) && (schedule.kind !== 'tag' || note !== undefined)) return [newRun(of, now, { why: 'asked', ...given })];
  if (pausedSince(of)) return [];
  const broken = cutOff(runs);
  if (broken) return [newRun(of, now, { why: broken.why, note: broken.note, events: broken.events, attempt: 2 })];
  if (schedule.kind === 'tag')
    return notesToRun(state, of, tags.get(order.id) ?? []).map((note, place) => newRun(of, now, { why: 'tag', note }, place));
  if (schedule.kind === 'event') {
    const events = eventsDue(order, state, runs, { now, timeZone });
    return events ? [newRun(of, now, { why: 'event', events })] : [];
  }
  const [first = Number.POSITIVE_INFINITY] = nextRuns(schedule, doneUntil(of, state, now), 1, timeZone);
  return first <= now ? [newRun(of, now, { why: 'time' })] : [];
}

/** All that is due, in the order of the note. */
export function dueOrders(orders: readonly OrderWithRuns[], state: OrdersState, look: Look): readonly DueRun[] {
  return orders.flatMap((of) => runsOf(of, state.orders[of.order.id], look).map((run) => ({ of, run })));
}
