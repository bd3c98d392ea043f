import { build } from 'esbuild';
import { chromium, type Page } from 'playwright-core';
import { bundleSearchWorker } from '../esbuild.config.mjs';
import { CHROMIUM_FLAGS, findChromium } from '../tests/support/chromium.ts';
import { type BenchReport, type Figure, median } from './figures.ts';
import type { SearchRun, SearchWay } from './search-page.ts';
import type { BenchSize } from './size.ts';

const MESSAGES = 10;
const WORDS = 60;
const ROUNDS = 5;
const QUERIES = ['budget', 'launch may', '笔记 预算', 'nothing of this kind', 'zyzzyva', 'the plan of the garden'];

async function openPage(): Promise<Page> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chrome or Chromium: install one, or name it in MARGINALIA_CHROMIUM');
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/search-page.ts`],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    define: { SEARCH_WORKER: JSON.stringify(await bundleSearchWorker()) },
  });
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  return page;
}

interface Searched {
  /** Nothing is kept yet: all chats are read. */
  readonly cold: SearchRun | undefined;
  /** The first one after a start. */
  readonly first: SearchRun;
  readonly warm: readonly SearchRun[];
}

const search = (page: Page, query: string): Promise<SearchRun> => page.evaluate((words) => window.searchChats(words), query);

async function measure(page: Page, way: SearchWay, isCold: boolean): Promise<Searched> {
  const open = (): Promise<void> => page.evaluate((wanted) => window.openStore(wanted), way);
  await open();
  const cold = isCold ? await search(page, 'budget') : undefined;
  if (isCold) await page.waitForFunction(() => window.isIndexKept());
  await open();
  const first = await search(page, 'budget');
  const warm: SearchRun[] = [];
  for (let round = 0; round < ROUNDS; round++) for (const query of QUERIES) warm.push(await search(page, query));
  return { cold, first, warm };
}

const workerWas = (page: Page): boolean => page.workers().length > 0;

/** Full text search over all chats as the panel does it, and as it does where no worker can start. */
export async function measureChatSearch({ chats }: BenchSize): Promise<BenchReport> {
  const page = await openPage();
  try {
    const characters = await page.evaluate(([count, messages, words]) => window.fillChats(count, messages, words), [
      chats,
      MESSAGES,
      WORDS,
    ] as const);
    const worker = await measure(page, 'worker', true);
    if (!workerWas(page)) throw new Error('bench_failed: no worker ran → mend the benchmark');
    const inPage = await measure(page, 'page', false);
    const found = (runs: Searched): string => runs.warm.map(({ matches }) => matches).join();
    if (found(worker) !== found(inPage)) throw new Error('bench_failed: worker and page find different chats → mend the search');
    return {
      notes: [`${chats} chats, ${Math.round(characters / 1e6)} MB of files; their index made in ${Math.round(worker.cold?.took ?? 0)} ms`],
      figures: figuresOf(chats, worker, inPage),
    };
  } finally {
    await page.context().browser()?.close();
  }
}

function figuresOf(chats: number, worker: Searched, inPage: Searched): Figure[] {
  const took = ({ warm }: Searched): number[] => warm.map((run) => run.took);
  const held = ({ warm }: Searched): number => Math.max(...warm.map((run) => run.held));
  return [
    { name: `full text search over ${chats} chats, warm, in the worker, median`, value: median(took(worker)), unit: ' ms', limit: 150 },
    { name: '   the same, slowest query', value: Math.max(...took(worker)), unit: ' ms' },
    { name: '   the same, the page is held up for at most', value: held(worker), unit: ' ms' },
    { name: '   the first search after a start', value: worker.first.took, unit: ' ms' },
    { name: '   the same, the page is held up for at most', value: worker.first.held, unit: ' ms' },
    { name: '   while the index is made, the page is held up for at most', value: worker.cold?.held ?? Number.NaN, unit: ' ms' },
    { name: 'the same search in the page, where no worker can start, median', value: median(took(inPage)), unit: ' ms' },
    { name: '   the same, the page is held up for at most', value: held(inPage), unit: ' ms' },
    { name: '   the first search after a start', value: inPage.first.took, unit: ' ms' },
    { name: '   the same, the page is held up for at most', value: inPage.first.held, unit: ' ms' },
  ];
}
