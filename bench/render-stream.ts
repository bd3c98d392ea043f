import type { CDPSession, Page } from 'playwright-core';
import type { BenchWay, StreamRun } from '../src/ui/testing/bench-page.ts';
import { type PanelBrowser, startPanelBrowser } from '../src/ui/testing/browser-page.ts';
import { type BenchReport, type Figure, median } from './figures.ts';
import { cutText, makeText, TEXT_KINDS, type TextKind } from './render-texts.ts';

const KILOBYTE = 1000;
const RUNS = 5;
const GROWTH_RUNS = 3;
/** Pieces of which the naive way shows one. */
const SAMPLE = 10;
/** LIBRARIES.md, ratios 3, 4 and 5. */
const LIMITS = { stream: 0.05, growth: 2.5, open: 0.03, nodes: 0.01 };
const FRAME_MS = 16;

interface Bench {
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

async function streamOnce(bench: Bench, run: StreamRun): Promise<{ readonly work: number; readonly frames: readonly number[] }> {
  const before = await worked(bench);
  const { frames, shown } = await bench.page.evaluate((wanted) => window.runStream(wanted), run);
  const total = run.chunks.join('').length;
  if (shown < total * 0.5) throw new Error(`bench_failed: only ${shown} of ${total} characters are shown → mend the benchmark`);
  return { work: (await worked(bench)) - before, frames };
}

/** Text arrives at one speed, so that a longer one has more pieces. */
const runOf = (kind: TextKind, length: number, way: BenchWay, perTick = 1): StreamRun => ({
  chunks: cutText(makeText(kind, length), length / 25),
  way,
  perTick,
  before: 0,
});

async function measureStream(bench: Bench): Promise<Figure[]> {
  const ratios: number[] = [];
  const works: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const ours = await streamOnce(bench, runOf('mixed', 50 * KILOBYTE, 'ours'));
    const naive = await streamOnce(bench, { ...runOf('mixed', 50 * KILOBYTE, 'naive'), sample: SAMPLE });
    ratios.push(ours.work / (naive.work * SAMPLE));
    works.push(ours.work);
  }
  return [
    { name: '3: 50 KB in 2,000 pieces, main-thread work, ours / naive', value: median(ratios), unit: '', limit: LIMITS.stream },
    { name: '   the same, ours', value: median(works), unit: ' ms' },
  ];
}

async function measureGrowth(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const kind of TEXT_KINDS) {
    const ratios: number[] = [];
    const works: number[] = [];
    for (let run = 0; run < GROWTH_RUNS; run += 1) {
      const half = await streamOnce(bench, runOf(kind, 50 * KILOBYTE, 'ours', 2));
      const whole = await streamOnce(bench, runOf(kind, 100 * KILOBYTE, 'ours', 2));
      ratios.push(whole.work / half.work);
      works.push(whole.work);
    }
    figures.push({ name: `4: main-thread work, 100 KB / 50 KB, ${kind}`, value: median(ratios), unit: '', limit: LIMITS.growth });
    figures.push({ name: `   100 KB, ${kind}`, value: median(works), unit: ' ms' });
  }
  return figures;
}

async function measureOpening({ page }: Bench): Promise<Figure[]> {
  const times: number[] = [];
  const nodes: number[] = [];
  const ours: number[] = [];
  for (let run = 0; run < GROWTH_RUNS; run += 1) {
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

/** Frames while an answer arrives in a long chat; a browser shows one every 16.7 ms at best. */
async function measureFrames(bench: Bench): Promise<Figure[]> {
  const frames: number[] = [];
  let work = 0;
  for (let run = 0; run < 3; run += 1) {
    const streamed = await streamOnce(bench, { ...runOf('mixed', 50 * KILOBYTE, 'ours'), before: 5000 });
    frames.push(...streamed.frames);
    work += streamed.work;
  }
  frames.sort((one, other) => one - other);
  const all = frames.reduce((sum, each) => sum + each, 0);
  return [
    {
      name: '50 KB into 5,000 messages: frame at the 95th percentile',
      value: frames[Math.floor(frames.length * 0.95)] ?? Number.NaN,
      unit: ' ms',
    },
    { name: '   frames later than 20 ms, of 100', value: (100 * frames.filter((each) => each > 20).length) / frames.length, unit: '' },
    { name: `   main-thread work a frame of ${FRAME_MS} ms, on average`, value: (work / all) * FRAME_MS, unit: ' ms' },
  ];
}

/** What rendering costs, in the real browser: ratios 3, 4 and 5, and the frames of a long chat. */
export async function measureRendering(): Promise<BenchReport> {
  const browser: PanelBrowser = await startPanelBrowser('bench-page.ts');
  try {
    const page = await browser.open();
    page.setDefaultTimeout(0);
    const cdp = await page.context().newCDPSession(page);
    // Time of the thread itself: what else the machine does is not counted.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const bench: Bench = { page, cdp };
    // The first run compiles everything.
    await streamOnce(bench, runOf('mixed', 5 * KILOBYTE, 'ours'));
    const figures = [
      ...(await measureStream(bench)),
      ...(await measureGrowth(bench)),
      ...(await measureOpening(bench)),
      ...(await measureFrames(bench)),
    ];
    const [failure] = browser.failures;
    if (failure) throw failure;
    return {
      notes: [
        `Chromium ${browser.browser.version()}, one piece of 25 characters every 4 ms, or two (growth); naive: every ${SAMPLE}th piece, times ${SAMPLE}`,
      ],
      figures,
    };
  } finally {
    await browser.close();
  }
}
