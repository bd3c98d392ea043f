import { type Figure, median } from './figures.ts';
import { type Bench, KILOBYTE, RUNS, runOf, streamOnce } from './render-page.ts';
import { TEXT_KINDS } from './render-texts.ts';

/** Pieces of which the naive way shows one: all of them would take a minute and a half a run. */
export const SAMPLE = 10;
/** Short enough to show every piece in the naive way too. */
const CHECKED = 20 * KILOBYTE;
/** LIBRARIES.md, ratios 3 and 4. */
const LIMITS = { stream: 0.05, growth: 2.5 };

export async function measureStream(bench: Bench): Promise<Figure[]> {
  const ratios: number[] = [];
  const works: number[] = [];
  const text = 50 * KILOBYTE;
  for (let run = 0; run < RUNS; run += 1) {
    const ours = await streamOnce(bench, runOf('mixed', text, 'ours'));
    const naive = await streamOnce(bench, { ...runOf('mixed', text, 'naive'), sample: SAMPLE });
    ratios.push(ours.work / (naive.work * SAMPLE));
    works.push(ours.work);
  }
  const whole = await streamOnce(bench, runOf('mixed', CHECKED, 'naive'));
  const sampled = await streamOnce(bench, { ...runOf('mixed', CHECKED, 'naive'), sample: SAMPLE });
  const least = await streamOnce(bench, runOf('mixed', CHECKED, 'ours'));
  return [
    { name: '3: 50 KB in 2,000 pieces, main-thread work, ours / naive', value: median(ratios), unit: '', limit: LIMITS.stream },
    { name: '   the same, ours', value: median(works), unit: ' ms' },
    { name: '   20 KB: naive, one piece in ten × 10 / every piece', value: (sampled.work * SAMPLE) / whole.work, unit: '' },
    { name: '   20 KB: ours / naive with every piece', value: least.work / whole.work, unit: '' },
  ];
}

export async function measureGrowth(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const kind of TEXT_KINDS) {
    const ratios: number[] = [];
    const works: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
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
