import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { buildPlugin } from '../esbuild.config.mjs';
import { startApp } from '../tests/support/app.ts';
import { type Figure, median } from './figures.ts';

const LIMIT = 0.1;
const RUNS = 5;
/** Milliseconds until a quick model says its first word. */
const FIRST_WORD_MS = 600;
const WORD = 'Zephyr';

/** A model that thinks for a while and then says one word. */
async function startModel(): Promise<{ readonly server: Server; readonly baseURL: string }> {
  const head = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-allow-methods': '*' };
  const piece = (choice: object): string => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [choice] })}\n\n`;
  const server = createServer((request, response) => {
    request.resume();
    if (request.method !== 'POST') {
      response.writeHead(204, head).end();
      return;
    }
    setTimeout(() => {
      response.writeHead(200, { ...head, 'content-type': 'text/event-stream' });
      response.write(piece({ index: 0, delta: { role: 'assistant', content: `${WORD} ` }, finish_reason: null }));
      setTimeout(() => response.end(`${piece({ index: 0, delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`), 150);
    }, FIRST_WORD_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, baseURL: `http://127.0.0.1:${port}/v1` };
}

/** Milliseconds from the request to its first bytes. */
const bareFetch = (page: Page, url: string): Promise<number> =>
  page.evaluate(async (to) => {
    const started = performance.now();
    const headers = { 'content-type': 'application/json', authorization: 'Bearer x' };
    const response = await fetch(to, { method: 'POST', headers, body: '{"stream":true}' });
    await response.body?.getReader().read();
    return performance.now() - started;
  }, `${url}/chat/completions`);

/** Milliseconds from the press of Send to the frame in which the word stands. */
async function send(page: Page, run: number): Promise<number> {
  const panel = page.getByRole('region', { name: 'Marginalia' });
  const answers = panel.locator('article[data-role="assistant"]');
  await panel.getByRole('textbox', { name: 'Message' }).fill(`Question ${run}`);
  const took = await page.evaluate(
    ([word, count]) =>
      new Promise<number>((resolve) => {
        const seen = (): boolean => {
          const all = document.querySelectorAll('article[data-role="assistant"]');
          return all.length > count && (all[all.length - 1]?.textContent ?? '').includes(word);
        };
        const button = document.querySelector<HTMLElement>('.mg-send');
        const started = performance.now();
        const look = (): void => {
          if (!seen()) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - started));
        };
        button?.click();
        look();
      }),
    [WORD, await answers.count()] as const,
  );
  await panel.getByRole('button', { name: 'Send', exact: true }).waitFor();
  return took;
}

/** Ratio 6: what the product adds to the time until the first word is on the screen. */
export async function measureFirstToken(): Promise<Figure[]> {
  await buildPlugin();
  const { server, baseURL } = await startModel();
  const app = await startApp({ settings: { model: { source: 'custom', baseURL, apiKey: 'test-key', model: 'scripted' } } });
  try {
    const { page } = app;
    await page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await send(page, 0);
    const ratios: number[] = [];
    const added: number[] = [];
    for (let run = 1; run <= RUNS; run += 1) {
      const bare = await bareFetch(page, baseURL);
      const ours = await send(page, run);
      ratios.push((ours - bare) / bare);
      added.push(ours - bare);
    }
    return [
      { name: `6: overhead to the first painted word, model of ${FIRST_WORD_MS} ms`, value: median(ratios), unit: '', limit: LIMIT },
      { name: '   the same in time', value: median(added), unit: ' ms' },
    ];
  } finally {
    await app.close();
    server.close();
  }
}
