import type { CDPSession } from 'playwright-core';

/** What of a trace event is read here; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread. */
  readonly tdur?: number;
}

/** Left by the page where the measured stretch begins, and where it ends. */
export const MARKS = { begin: 'bench-stream', end: 'bench-stream-end' };
const TASK = 'ThreadControllerImpl::RunTask';
const FRAME = 'FireAnimationFrame';
const SCRIPT = 'v8.callFunction';
const CATEGORIES = ['toplevel', 'devtools.timeline', 'blink.user_timing', 'v8'];

/** Processor time of a page's main thread between the marks, in ms. */
export interface TracedWork {
  readonly frames: readonly number[];
  /**
   * The longest task with a script in it. What has none is mostly the browser's own tools, which keep every answer of the network as
   * long as they drive the page.
   */
  readonly longest: number;
}

/** Runs a page's work under the browser's trace. */
export async function traceWork(cdp: CDPSession, work: () => Promise<unknown>): Promise<TracedWork> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: readonly object[] }): void => {
    events.push(...(value as TraceEvent[]));
  };
  cdp.on('Tracing.dataCollected', collect);
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: CATEGORIES } });
  await work();
  const complete = new Promise<void>((resolve) => cdp.once('Tracing.tracingComplete', () => resolve()));
  await cdp.send('Tracing.end');
  await complete;
  cdp.off('Tracing.dataCollected', collect);
  return workOf(events);
}

function workOf(events: readonly TraceEvent[]): TracedWork {
  const mark = events.findLast(({ name }) => name === MARKS.begin);
  const last = events.findLast(({ name }) => name === MARKS.end);
  if (!mark || !last) throw new Error('bench_failed: the stream left no marks in the trace → mend the benchmark');
  const mine = events.filter(({ pid, tid, ts }) => pid === mark.pid && tid === mark.tid && ts >= mark.ts && ts <= last.ts);
  const tasks = mine
    .filter(({ name, ph, tdur }) => name === TASK && ph === 'X' && tdur !== undefined)
    .sort((one, other) => one.ts - other.ts);
  const scripts = mine.filter(({ name }) => name === SCRIPT).map(({ ts }) => ts);
  const ours = tasks.filter(({ ts, dur = 0 }) => scripts.some((at) => at >= ts && at <= ts + dur));
  const longest = Math.max(0, ...ours.map(({ tdur = 0 }) => tdur / 1000));
  return { frames: workByFrame(mine, tasks), longest };
}

function workByFrame(mine: readonly TraceEvent[], tasks: readonly TraceEvent[]): readonly number[] {
  const frames = mine.filter(({ name }) => name === FRAME).map(({ ts }) => ts);
  frames.sort((one, other) => one - other);
  const works: number[] = [];
  let at = 0;
  let end = 0;
  for (const [index, task] of tasks.entries()) {
    // A frame ends with the task that draws it: what comes up to the next task's beginning is inside of this one.
    const next = tasks[index + 1]?.ts ?? Number.POSITIVE_INFINITY;
    works[end] = (works[end] ?? 0) + (task.tdur ?? 0) / 1000;
    const before = at;
    while (at < frames.length && (frames[at] ?? 0) < next) at += 1;
    if (at > before) end += 1;
  }
  return works;
}
