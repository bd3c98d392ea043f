import { ToolError } from '../../tools/contract/errors.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import { orAborted } from '../../tools/util/abort.ts';
import { listGuards } from '../access/readable-blocks.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { RunningTurns } from '../kernel/running-turns.ts';
import type { PushSource } from '../kernel/transaction-log.ts';

/** One request with several waiting callers. It is aborted when all of them have stopped waiting. */
class JoinedRequest<T> {
  readonly answer: Promise<T>;
  private readonly controller = new AbortController();
  private waiting = 0;
  private isOver = false;

  constructor(ask: (signal: AbortSignal) => Promise<T>) {
    this.answer = ask(this.controller.signal);
    const settle = (): void => {
      this.isOver = true;
    };
    this.answer.then(settle, settle);
  }

  get stopped(): boolean {
    return this.controller.signal.aborted;
  }

  /** Rejects like the request, or with `aborted`. */
  async wait(signal: AbortSignal): Promise<T> {
    this.waiting += 1;
    try {
      return await orAborted(this.answer, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0 && !this.isOver) this.controller.abort();
    }
  }
}

/** Milliseconds. A sync, or another program that writes files, may send no push. */
const MAX_AGE = 30_000;
/** The maximum number of characters remembered per route. */
const MAX_CHARS = 1_000_000;
const ID_CHARS = 40;

/** Pushes that change no document. All others, including unknown ones, may announce a change. */
const HARMLESS = new Set([
  ...['databaseIndexCommit', 'statusbar', 'backgroundtask', 'downloadProgress', 'cmsg', 'onboarding'],
  ...['setLocalStorageVal', 'setLocalStorageVals', 'removeLocalStorageVal', 'removeLocalStorageVals'],
]);

interface RememberedRead<T> {
  readonly request: JoinedRequest<T>;
  readonly asked: number;
  chars: number;
}

/** Answers of one route by request; the oldest are dropped if there are too many. Failures are not remembered. */
class Answers<T> {
  private readonly kept = new Map<string, RememberedRead<T>>();
  private chars = 0;
  private readonly now: () => number;
  private readonly charsOf: (answer: T) => number;

  constructor(now: () => number, charsOf: (answer: T) => number) {
    this.now = now;
    this.charsOf = charsOf;
  }

  get(asked: readonly unknown[], ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const key = JSON.stringify(asked);
    const known = this.kept.get(key);
    if (known && !known.request.stopped && this.now() - known.asked < MAX_AGE) return known.request.wait(signal);
    this.drop(key);
    const entry: RememberedRead<T> = { request: new JoinedRequest(ask), asked: this.now(), chars: 0 };
    this.kept.set(key, entry);
    const isKept = (): boolean => this.kept.get(key) === entry;
    entry.request.answer.then(
      (answer) => {
        if (isKept()) this.weigh(entry, key.length + this.charsOf(answer));
      },
      () => {
        if (isKept()) this.drop(key);
      },
    );
    return entry.request.wait(signal);
  }

  /** Running requests still answer their callers, but are not remembered. */
  clear(): void {
    this.kept.clear();
    this.chars = 0;
  }

  private weigh(entry: RememberedRead<T>, chars: number): void {
    entry.chars = chars;
    this.chars += chars;
    for (const key of this.kept.keys()) {
      if (this.chars <= MAX_CHARS) return;
      this.drop(key);
    }
  }

  private drop(key: string): void {
    this.chars -= this.kept.get(key)?.chars ?? 0;
    this.kept.delete(key);
  }
}

export interface RememberedReadsDeps {
  readonly clock: Clock;
  readonly turns: RunningTurns;
  /** Without pushes nothing is remembered. */
  readonly pushes: PushSource | undefined;
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((all, each) => all + each.length, 0);

type Answer<Name extends keyof KernelRoutes> = Awaited<ReturnType<KernelRoutes[Name]>>;

const answersBy = (now: () => number) => ({
  windows: new Answers<Answer<'documentWindow'>>(now, ({ content }) => content.length),
  outlines: new Answers<Answer<'outline'>>(now, lengthOf),
  children: new Answers<Answer<'children'>>(now, (all) => lengthOf(all.flatMap(({ id, content, markdown }) => [id, content, markdown]))),
  dom: new Answers<Answer<'dom'>>(now, (text) => text.length),
  doms: new Answers<Answer<'doms'>>(now, (all) => lengthOf(Object.values(all))),
  index: new Answers<Answer<'blockIndex'>>(now, () => 0),
  indexes: new Answers<Answer<'blockIndexes'>>(now, (all) => Object.keys(all).length * ID_CHARS),
});

/** Reads of documents in the calls of a turn, not fetched again while nobody changed anything. */
export class RememberedReads {
  private readonly deps: RememberedReadsDeps;
  private readonly answers: ReturnType<typeof answersBy>;
  /** The guards at the time of all remembered reads: some readings remove guarded blocks inside a block. */
  private guards = '';
  private writing = 0;
  private readonly stops: readonly (() => void)[];

  constructor(deps: RememberedReadsDeps) {
    this.deps = deps;
    this.answers = answersBy(() => deps.clock.now());
    const onCommand = (command: string): void => {
      if (!HARMLESS.has(command)) this.forget();
    };
    this.stops = [deps.turns.subscribe(() => this.forget()), deps.pushes?.onCommand?.(onCommand) ?? (() => undefined)];
  }

  /** The routes for one reading of a tool; plans, approvals, writing, Undo and reading back ask the kernel itself. */
  over(routes: KernelRoutes): KernelRoutes {
    const { windows, outlines, children, dom, doms, index, indexes } = this.answers;
    const through = async <T>(
      answers: Answers<T>,
      asked: readonly unknown[],
      ask: (signal: AbortSignal) => Promise<T>,
      signal: AbortSignal,
    ): Promise<T> => {
      if (this.writing > 0 || !this.deps.turns.any || !this.deps.pushes?.hears?.()) return ask(signal);
      await this.noteGuards(routes, signal);
      return answers.get(asked, ask, signal);
    };
    return {
      ...routes,
      documentWindow: (id, from, size, signal) =>
        through(windows, [id, from, size], (each) => routes.documentWindow(id, from, size, each), signal),
      outline: (id, signal) => through(outlines, [id], (each) => routes.outline(id, each), signal),
      children: (id, signal) => through(children, [id], (each) => routes.children(id, each), signal),
      dom: (id, signal) => through(dom, [id], (each) => routes.dom(id, each), signal),
      doms: (ids, signal) => through(doms, ids, (each) => routes.doms(ids, each), signal),
      blockIndex: (id, signal) => through(index, [id], (each) => routes.blockIndex(id, each), signal),
      blockIndexes: (ids, signal) => through(indexes, ids, (each) => routes.blockIndexes(ids, each), signal),
    };
  }

  /** Wraps one of our own writes: nothing is remembered while it runs, and everything remembered before is dropped. */
  async during<T>(write: () => Promise<T>): Promise<T> {
    this.writing += 1;
    this.forget();
    try {
      return await write();
    } finally {
      this.writing -= 1;
      this.forget();
    }
  }

  close(): void {
    for (const stop of this.stops) stop();
    this.forget();
  }

  private forget(): void {
    for (const answers of Object.values(this.answers)) answers.clear();
  }

  private async noteGuards(routes: KernelRoutes, signal: AbortSignal): Promise<void> {
    await routes.flushIndex(signal);
    const found = (await listGuards(routes, signal))
      .map(({ id }) => id)
      .sort()
      .join();
    if (found !== this.guards) this.forget();
    this.guards = found;
  }
}
