import { describeThrown, isToolError, ToolError } from '../../tools/contract/errors.ts';
import type { BlockReading } from '../../tools/contract/note-readings.ts';
import { dueOrders, failuresOf, isAsked, type OrderWithRuns, pausedSince, stateAfterLook, withRuns } from './due-orders.ts';
import type { Lease } from './lease.ts';
import { nextRuns } from './next-run.ts';
import type { Order, OrderProblem } from './order.ts';
import { type Marks, runsToday, stillWaiting } from './order-events.ts';
import type { NewProposal, OrderFiles, OrderRun, Proposal, Wishes } from './order-files.ts';
import { readOrders, sectionsOf } from './read-orders.ts';
import { waitingIn } from './waiting-proposals.ts';

/** How a run ended; the chat has the rest. */
export interface RunEnd {
  readonly status: 'done' | 'budget' | 'failed';
  /** In words, if it is not done. */
  readonly reason?: string;
  /** No model was asked, since nothing waited that it may read. */
  readonly unasked?: true;
}

/** One run, for the program that asks the model. */
export interface RunRequest {
  readonly order: Order;
  readonly run: OrderRun;
  /** What the person declined for good, in short. */
  readonly declined: readonly string[];
  /** Keeps a proposal; resolves with its number. Rejects with ToolError if the run is over. */
  readonly keep: (proposal: NewProposal) => Promise<number>;
}

/** The note of orders, or why it has none. */
export type OrdersNote =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'read'; readonly id: string; readonly title: string; readonly blocks: readonly BlockReading[] };

export interface OrderRunnerDeps {
  readonly files: OrderFiles;
  readonly lease: Lease;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly timeZone: string;
  /** The chosen note, under the rights of now. */
  readonly readNote: (id: string, signal: AbortSignal) => Promise<OrdersNote>;
  /** What only the workspace can tell: notebooks and models that are not there. */
  readonly check: (orders: readonly Order[], signal: AbortSignal) => Promise<readonly Order[]>;
  /** Notes with the tag that the order may read; undefined while that is unknown. */
  readonly tagged: (tag: string, order: Order, signal: AbortSignal) => Promise<readonly string[] | undefined>;
  /** What is there of what orders wait for, by order. */
  readonly events: (orders: readonly Order[], signal: AbortSignal) => Promise<ReadonlyMap<string, Marks>>;
  /** Asks the model in a chat of the run's id. Rejects only if `signal` aborts. */
  readonly ask: (request: RunRequest, signal: AbortSignal) => Promise<RunEnd>;
  /** Whether what a person approved was undone since. */
  readonly isUndone: (run: OrderRun, proposal: Proposal) => Promise<boolean>;
  readonly onChange?: () => void;
}

export interface OrderView {
  readonly order: Order;
  /** Milliseconds; none if it is paused, has problems or waits for a tag. */
  readonly next: readonly number[];
  readonly last: OrderRun | undefined;
  /** Of its approved proposals, how many were undone since. */
  readonly undone: number;
  /** A person wants it to run now; it begins where a program runs the orders. */
  readonly isAsked: boolean;
  readonly failures: number;
  readonly paused: 'person' | 'failures' | null;
  /** For a tag or rows: how many had it, or were there, before. */
  readonly had: number;
  /** For an event: how much of it waits, and whether it waits for the next day. */
  readonly waiting: number;
  readonly isLimited: boolean;
}

export interface OrdersView {
  readonly note: Exclude<OrdersNote, { kind: 'read' }> | { readonly kind: 'read'; readonly id: string; readonly title: string };
  readonly orders: readonly OrderView[];
  /** The program that runs them; '' if none does. */
  readonly runsOn: string;
}

/** The orders of one workspace: which are due, and their runs, one after the other. */
export class OrderRunner {
  private readonly deps: OrderRunnerDeps;
  private readonly closing = new AbortController();
  private running: Promise<void> | null = null;
  private current = '';
  /** Of the last look. */
  private lastLook = 0;

  constructor(deps: OrderRunnerDeps) {
    this.deps = deps;
  }

  /**
   * Looks whether anything is due, if this program runs the orders; called again and again. Resolves when the look is over, while a run
   * goes on. Rejects like the storage and the notes.
   */
  async tick(): Promise<void> {
    const { lease } = this.deps;
    if (this.closing.signal.aborted || !(await lease.hold()) || this.running) return;
    const due = await this.look();
    if (due.length === 0) return;
    this.running = this.runAll(due).finally(() => {
      this.running = null;
    });
  }

  /** Resolves when nothing runs; what failed is in its run. */
  async settled(): Promise<void> {
    await this.running?.catch(() => undefined);
  }

  /** Ends a run, which counts as cut off: another program, or the next start, makes it again. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.settled();
    await this.release().catch(() => undefined);
  }

  /** Another program may run them from now on. Rejects like the storage. */
  release(): Promise<void> {
    return this.deps.lease.release();
  }

  async view(signal: AbortSignal): Promise<OrdersView> {
    const { files, lease, now, timeZone, isUndone } = this.deps;
    const [wishes, state, runs] = await Promise.all([files.wishes(), files.state(), files.runs()]);
    const { note, orders } = await this.orders(wishes, signal);
    const views = withRuns(orders, runs, wishes).map(async (each): Promise<OrderView> => {
      const paused = pausedSince(each);
      const { order } = each;
      const next = order.problems.length > 0 || paused || !order.schedule ? [] : nextRuns(order.schedule, now(), 3, timeZone);
      const known = state.orders[order.id];
      // Those that were there before are taken at the next look.
      const takesAll = (each.wish.allAt ?? 0) > (known?.allAt ?? 0);
      const [last] = each.runs;
      const approved = last?.proposals.filter(({ status }) => status === 'approved').map((proposal) => isUndone(last, proposal)) ?? [];
      const undone = (await Promise.all(approved)).filter(Boolean).length;
      const runs = { last, undone, isAsked: takesAll || isAsked(each, now()), failures: failuresOf(each) };
      const had = takesAll ? 0 : (known?.had ?? 0);
      const waiting = known ? stillWaiting(known, each.runs) : [];
      const isLimited = waiting.length > 0 && runsToday(each.runs, now(), timeZone) >= order.limit;
      return { order, next, ...runs, paused, had, waiting: waiting.length, isLimited };
    });
    const { blocks: _blocks, ...shown } = note.kind === 'read' ? note : { ...note, blocks: [] };
    return { note: shown, orders: await Promise.all(views), runsOn: await lease.holder() };
  }

  async isOrdersNote(id: string, signal: AbortSignal): Promise<boolean> {
    const note = await this.deps.readNote(id, signal);
    return note.kind === 'read' && readOrders(note.blocks, this.deps.now(), this.deps.timeZone).some(({ when }) => when !== '');
  }

  /** The blocks of an order, its heading first. Rejects with `not_found`. */
  async blocksOf(order: string, signal: AbortSignal): Promise<readonly BlockReading[]> {
    const note = await this.deps.readNote((await this.deps.files.wishes()).note, signal);
    const found = note.kind === 'read' ? sectionsOf(note.blocks).find(({ heading }) => heading.id === order) : undefined;
    if (!found) throw new ToolError('not_found', 'the order is not in its note any more', 'look at the list again');
    return [found.heading, ...found.section];
  }

  /** Why an order of these lines could not run here. */
  async problemsOf(lines: readonly string[], signal: AbortSignal): Promise<readonly OrderProblem[]> {
    const { now, timeZone, check } = this.deps;
    const block = { id: '', subtype: 'h2', hash: '', markdown: 'Order' };
    const items = lines.map((markdown) => ({ id: '', hash: '', depth: 0, markdown }));
    const blocks = [
      { ...block, type: 'h' },
      { ...block, type: 'l', items },
      { ...block, type: 'p' },
    ];
    return (await check(readOrders(blocks, now(), timeZone), signal)).flatMap(({ problems }) => problems);
  }

  choose(note: string): Promise<void> {
    return this.wish(() => ({ note }));
  }

  /** Runs it at the next look, even if it is paused. `note`: for a tag, the note that it runs for; by default that of its last run. */
  runNow(order: string, note?: string): Promise<void> {
    return this.wishFor(order, { runAt: this.deps.now(), runNote: note });
  }

  pause(order: string): Promise<void> {
    return this.wishFor(order, { pausedAt: this.deps.now() });
  }

  /** Also after three failures. */
  resume(order: string): Promise<void> {
    return this.wishFor(order, { resumedAt: this.deps.now() });
  }

  /** For a tag: also for the notes that had it before. */
  runForAll(order: string): Promise<void> {
    return this.wishFor(order, { allAt: this.deps.now() });
  }

  private wishFor(order: string, change: Wishes['orders'][string]): Promise<void> {
    return this.wish(({ orders }) => ({ orders: { ...orders, [order]: { ...orders[order], ...change } } }));
  }

  private async wish(change: (wishes: Wishes) => Partial<Wishes>): Promise<void> {
    await this.deps.files.changeWishes(change);
    this.deps.onChange?.();
  }

  private async orders(wishes: Wishes, signal: AbortSignal) {
    const { now, timeZone, readNote, check } = this.deps;
    const note: OrdersNote = wishes.note === '' ? { kind: 'none' } : await readNote(wishes.note, signal);
    const orders = note.kind === 'read' ? await check(readOrders(note.blocks, now(), timeZone), signal) : [];
    return { note, orders };
  }

  /** What is to run now, each as a run that is not begun. */
  private async look(): Promise<readonly { readonly order: Order; readonly run: OrderRun; readonly declined: readonly string[] }[]> {
    const { files, now, timeZone, tagged } = this.deps;
    const { signal } = this.closing;
    const [wishes, state] = await Promise.all([files.wishes(), files.state()]);
    if (wishes.note === '') return [];
    const runs = await this.cutOff(await files.runs());
    const { orders, note } = await this.orders(wishes, signal);
    // It may be back, or readable again: nothing is forgotten meanwhile.
    if (note.kind !== 'read') return [];
    const all = withRuns(orders, runs, wishes);
    const tags = new Map<string, readonly string[]>();
    for (const { order } of all) {
      const isOfTag = order.schedule?.kind === 'tag' && order.problems.length === 0;
      const found = isOfTag ? await tagged(order.schedule.tag, order, signal) : undefined;
      if (found) tags.set(order.id, found);
    }
    const events = { marks: await this.deps.events(orders, signal), before: this.lastLook };
    const look = { tags, events, now: now(), timeZone };
    this.lastLook = look.now;
    const next = stateAfterLook(state, all, look);
    if (JSON.stringify(next.orders) !== JSON.stringify(state.orders)) await files.writeState(next);
    const due = dueOrders(all, next, look);
    return due.map(({ run, of }) => ({ order: of.order, run, declined: declinedOf(of) }));
  }

  /** The runs, with those that a crash cut off ended: their proposals go, since the run is made again. */
  private async cutOff(runs: readonly OrderRun[]): Promise<readonly OrderRun[]> {
    const { files, now } = this.deps;
    const ended: OrderRun[] = [];
    for (const run of runs) {
      const isCut = run.status === 'running' && run.id !== this.current;
      const proposals = run.proposals.map((each) => ({ ...each, status: 'dropped' as const }));
      const known: OrderRun = isCut ? { ...run, status: 'cut_off', ended: now(), proposals } : run;
      if (isCut) await files.writeRun(known);
      ended.push(known);
    }
    return ended;
  }

  private async runAll(due: Awaited<ReturnType<OrderRunner['look']>>): Promise<void> {
    for (const each of due) {
      if (this.closing.signal.aborted) return;
      await this.run(each);
    }
  }

  private async run({ order, run, declined }: Awaited<ReturnType<OrderRunner['look']>>[number]): Promise<void> {
    const { files, ask, now, onChange } = this.deps;
    const { signal } = this.closing;
    const open = new OpenRun(files, run);
    this.current = run.id;
    try {
      // Before anything is asked: after a crash it is known to have begun.
      await files.writeRun(run);
      onChange?.();
      const request: RunRequest = { order, run, declined, keep: (proposal) => open.keep(proposal) };
      const isIdle = order.schedule?.kind === 'event' && !run.events?.length;
      const end = await (isIdle ? NOTHING_WAITS : ask(request, signal).catch(failed));
      if (!signal.aborted) await open.end({ ...end, ended: now() });
    } finally {
      this.current = '';
      onChange?.();
    }
    const runs = (await files.runs()).filter((each) => each.order === order.id);
    await files.prune(runs, new Set(waitingIn(runs).map((each) => each.run.id)));
  }
}

/** The end of a run for nothing. */
export const NOTHING_WAITS: RunEnd = { status: 'done', unasked: true };

const failed = (error: unknown): RunEnd => ({
  status: 'failed',
  reason: isToolError(error) ? `${error.message} → ${error.next}` : describeThrown(error),
});

const declinedOf = ({ runs }: OrderWithRuns): readonly string[] =>
  runs.flatMap(({ proposals }) => proposals.flatMap(({ status, words }) => (status === 'declined' ? [words] : []))).slice(0, 20);

/** The file of a run while it is written here. */
class OpenRun {
  private readonly files: OrderFiles;
  private readonly id: string;
  private last: Promise<unknown> = Promise.resolve();

  constructor(files: OrderFiles, { id }: OrderRun) {
    this.files = files;
    this.id = id;
  }

  keep(proposal: NewProposal): Promise<number> {
    return this.change((run) => ({ ...run, proposals: [...run.proposals, { ...proposal, status: 'pending' }] })).then(
      ({ proposals }) => proposals.length,
    );
  }

  end(end: RunEnd & { readonly ended: number }): Promise<unknown> {
    return this.change((run) => ({ ...run, ...end }));
  }

  /** One after the other. Another program may have declared it cut off meanwhile: then this one is over. */
  private change(change: (run: OrderRun) => OrderRun): Promise<OrderRun> {
    const work = this.last.then(async () => {
      const now = await this.files.run(this.id);
      if (now?.status !== 'running') throw new RunOver();
      const next = change(now);
      await this.files.writeRun(next);
      return next;
    });
    this.last = work.catch(() => undefined);
    return work;
  }
}

class RunOver extends Error {
  constructor() {
    super('this run was ended elsewhere, and is made again there');
  }
}
