import type { StreamRun } from '../src/ui/testing/bench-page.ts';
import { type Figure, median } from './figures.ts';
import { type Bench, KILOBYTE, runOf, streamOnce } from './render-page.ts';
import type { BenchSize } from './size.ts';
import { traceWork } from './trace-work.ts';

const LIMITS = { open: 0.03, nodes: 0.01 };
const FRAME_MS = 1000 / 60;

export async function measureOpening({ page }: Bench, size: BenchSize): Promise<Figure[]> {
  const times: number[] = [];
  const nodes: number[] = [];
  const ours: number[] = [];
  for (let run = 0; run < size.runs; run += 1) {
    const window = await page.evaluate(() => globalThis.window.openChat(10_000, 'ours'));
    const naive = await page.evaluate(() => globalThis.window.openChat(10_000, 'naive'));
    times.push(window.ms / naive.ms);
    nodes.push(window.nodes / naive.nodes);
    ours.push(window.ms);
  }
  return [
    { name: '5: open 10,000 messages, time until painted, ours / naive', value: median(times), unit: '', limit: LIMITS.open },
    { name: '5: elements in the document, ours / naive', value: median(nodes), unit: '', limit: LIMITS.nodes },
    { name: '   open 10,000 messages, ours', value: median(ours), unit: ' ms' },
  ];
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
}

/**
 * Frames while an answer arrives in a long chat. The time between two frames holds what else the machine does, and is 16.7 ms
 * at best; the work in a frame is our own: processor time of the main thread.
 */
export async function measureFrames(bench: Bench, size: BenchSize): Promise<Figure[]> {
  const run = { ...runOf('mixed', 50 * KILOBYTE, 'ours'), before: 5000 };
  const runs: (readonly number[])[] = [];
  for (let count = 0; count < size.runs; count += 1) runs.push((await streamOnce(bench, run)).frames);
  const late = runs.flat().filter((each) => each > 1.5 * FRAME_MS);
  const name = '50 KB into 5,000 messages';
  return [
    { name: `${name}: time between frames, 95th percentile`, value: median(runs.map((frames) => percentile(frames, 0.95))), unit: ' ms' },
    { name: '   the same, median', value: median(runs.map((frames) => percentile(frames, 0.5))), unit: ' ms' },
    { name: '   frames later than one and a half, of 100', value: (100 * late.length) / runs.flat().length, unit: '' },
    ...(size.thorough ? await measureFrameWork(bench, run) : []),
  ];
}

async function measureFrameWork(bench: Bench, run: StreamRun): Promise<Figure[]> {
  const { frames } = await traceWork(bench.cdp, () => streamOnce(bench, run));
  return [
    { name: '   main-thread work in a frame, 95th percentile (target 16 ms)', value: percentile(frames, 0.95), unit: ' ms' },
    { name: '   the same, median', value: percentile(frames, 0.5), unit: ' ms' },
    { name: '   the same, most: the end of the answer', value: Math.max(...frames), unit: ' ms' },
  ];
}
