import { type Figure, median } from './figures.ts';
import { type Bench, KILOBYTE, runOf, streamOnce } from './render-page.ts';
import { TEXT_KINDS } from './render-texts.ts';
import type { BenchSize } from './size.ts';

/** Pieces of which the naive way shows one: all of them would take a minute and a half a run. */
export const SAMPLE = 10;
/** Short enough to show every piece in the naive way too. */
const CHECKED = 20 * KILOBYTE;
const LIMITS = { stream: 0.05, growth: 2.5 };

export async function measureStream(bench: Bench, size: BenchSize): Promise<Figure[]> {
  const ratios: number[] = [];
  const works: number[] = [];
  const text = 50 * KILOBYTE;
  for (let run = 0; run < size.runs; run += 1) {
    const ours = await streamOnce(bench, runOf('mixed', text, 'ours'));
    const naive = await streamOnce(bench, { ...runOf('mixed', text, 'naive'), sample: SAMPLE });
    ratios.push(ours.work / (naive.work * SAMPLE));
    works.push(ours.work);
  }
  return [
    { name: '3: 50 KB in 2,000 pieces, main-thread work, ours / naive', value: median(ratios), unit: '', limit: LIMITS.stream },
    { name: '   the same, ours', value: median(works), unit: ' ms' },
    ...(size.thorough ? await checkSampling(bench) : []),
  ];
}

/** Whether one piece in ten, counted ten times, is a fair measure of the naive way. */
async function checkSampling(bench: Bench): Promise<Figure[]> {
  const whole = await streamOnce(bench, runOf('mixed', CHECKED, 'naive'));
  const sampled = await streamOnce(bench, { ...runOf('mixed', CHECKED, 'naive'), sample: SAMPLE });
  const least = await streamOnce(bench, runOf('mixed', CHECKED, 'ours'));
  return [
    { name: '   20 KB: naive, one piece in ten × 10 / every piece', value: (sampled.work * SAMPLE) / whole.work, unit: '' },
    { name: '   20 KB: ours / naive with every piece', value: least.work / whole.work, unit: '' },
  ];
}

export async function measureGrowth(bench: Bench, size: BenchSize): Promise<Figure[]> {
  const [shorter, longer] = [size.growth / KILOBYTE, (2 * size.growth) / KILOBYTE];
  const figures: Figure[] = [];
  for (const kind of TEXT_KINDS) {
    const ratios: number[] = [];
    const works: number[] = [];
    for (let run = 0; run < size.runs; run += 1) {
      const half = await streamOnce(bench, runOf(kind, size.growth, 'ours', 2));
      const whole = await streamOnce(bench, runOf(kind, 2 * size.growth, 'ours', 2));
      ratios.push(whole.work / half.work);
      works.push(whole.work);
    }
    figures.push({
      name: `4: main-thread work, ${longer} KB / ${shorter} KB, ${kind}`,
      value: median(ratios),
      unit: '',
      limit: LIMITS.growth,
    });
    figures.push({ name: `   ${longer} KB, ${kind}`, value: median(works), unit: ' ms' });
  }
  return figures;
}
