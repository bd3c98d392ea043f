import { startPanelBrowser } from '../src/ui/testing/browser-page.ts';
import type { BenchReport } from './figures.ts';
import { measureFrames, measureOpening } from './render-chat.ts';
import { type Bench, KILOBYTE, runOf, streamOnce } from './render-page.ts';
import { measureGrowth, measureStream, SAMPLE } from './render-stream.ts';
import type { BenchSize } from './size.ts';

/** What rendering costs, in the real browser: ratios 3, 4 and 5, and the frames of a long chat. */
export async function measureRendering(size: BenchSize): Promise<BenchReport> {
  const browser = await startPanelBrowser('bench-page.ts');
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
      ...(await measureStream(bench, size)),
      ...(await measureGrowth(bench, size)),
      ...(await measureOpening(bench, size)),
      ...(await measureFrames(bench, size)),
    ];
    const [failure] = browser.failures;
    if (failure) throw failure;
    return {
      notes: [
        `Chromium ${browser.browser.version()}, one piece of 25 characters every 4 ms, or two (growth)`,
        `ratio 3: the naive way shows every ${SAMPLE}th piece, and its work counts ${SAMPLE} times${size.thorough ? '; 20 KB are checked with every piece' : ''}`,
      ],
      figures,
    };
  } finally {
    await browser.close();
  }
}
