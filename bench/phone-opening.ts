import { buildPlugin } from '../esbuild.config.mjs';
import { startApp } from '../tests/support/app.ts';
import { type Figure, median } from './figures.ts';

/** How much slower than this machine's processor a phone's is taken to be. */
const SLOWER = 6;
const RUNS = 5;

/** Milliseconds from the press on the dock's button to a frame with the composer in it, with nothing cached of the panel. */
async function openOnce(): Promise<number> {
  // With a script of its own the app gets a browser profile of its own, in which nothing is compiled, and which stays slow for nobody else.
  const app = await startApp({ viewport: { width: 390, height: 844 }, init: '0' });
  try {
    const { page } = app;
    await page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').waitFor();
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    return await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const started = performance.now();
          document.querySelector<HTMLElement>('.dock__item[data-type="siyuan-marginaliapanel"]')?.click();
          const look = (): void => {
            const composer = document.querySelector('[aria-label="Message"]');
            if (!composer) requestAnimationFrame(look);
            else requestAnimationFrame(() => resolve(performance.now() - started));
          };
          look();
        }),
    );
  } finally {
    await app.close();
  }
}

/** What a person with a slow phone waits for: from the first press to a box that can be typed into. */
export async function measurePhoneOpening(): Promise<Figure[]> {
  await buildPlugin();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await openOnce());
  return [{ name: `first opening to the composer, processor ${SLOWER} times slower, median`, value: median(times), unit: ' ms' }];
}
