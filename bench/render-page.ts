import type { CDPSession, Page } from 'playwright-core';
import type { BenchWay, Streamed, StreamRun } from '../src/ui/testing/bench-page.ts';
import { cutText, makeText, type TextKind } from './render-texts.ts';

export const KILOBYTE = 1000;

export interface Bench {
  readonly page: Page;
  readonly cdp: CDPSession;
}

/** Milliseconds that the main thread worked so far, in all. */
async function worked({ cdp }: Bench): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const found = metrics.find(({ name }) => name === 'TaskDuration');
  if (!found) throw new Error('bench_failed: the browser does not say how long its main thread worked → use Chromium');
  return found.value * 1000;
}

export async function streamOnce(bench: Bench, run: StreamRun): Promise<Streamed & { readonly work: number }> {
  const before = await worked(bench);
  const streamed = await bench.page.evaluate((wanted) => window.runStream(wanted), run);
  const total = run.chunks.join('').length;
  if (streamed.shown < total * 0.5)
    throw new Error(`bench_failed: only ${streamed.shown} of ${total} characters are shown → mend the benchmark`);
  return { ...streamed, work: (await worked(bench)) - before };
}

/** Text arrives at one speed, so that a longer one has more pieces. */
export const runOf = (kind: TextKind, length: number, way: BenchWay, perTick = 1): StreamRun => ({
  chunks: cutText(makeText(kind, length), length / 25),
  way,
  perTick,
  before: 0,
});
