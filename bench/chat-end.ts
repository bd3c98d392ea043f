import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import { buildPlugin } from '../esbuild.config.mjs';
import { writeSession } from '../src/chat/session/saved-format.ts';
import { startApp, type TestApp } from '../tests/support/app.ts';
import { drive } from '../tests/support/panel.ts';
import { makeTalk } from './chat-talk.ts';
import { type Figure, median } from './figures.ts';
import { makeText } from './render-texts.ts';
import type { BenchSize } from './size.ts';
import { MARKS, traceWork } from './trace-work.ts';

export const SESSIONS = 'data/storage/petal/siyuan-marginalia/sessions';
const LONG = 5000;
const SHORT = 10;
/** As long as messages are with the records of their tool calls. */
const WORDS = 300;
const TEXT = 50_000;
/** A single pause of the garbage collection counts in the longest task. */
const LIMIT = 3;

function writeTalks(workspace: string): void {
  mkdirSync(join(workspace, SESSIONS), { recursive: true });
  for (const messages of [SHORT, LONG]) {
    const talk = makeTalk(`talk${messages}`, { messages, words: WORDS, seed: messages });
    writeFileSync(join(workspace, SESSIONS, `${talk.id}.json`), writeSession({ ...talk, contextMessages: 1 }));
  }
}

async function openTalk(app: TestApp, messages: number): Promise<void> {
  const panel = drive(app.page);
  await app.reload();
  await panel.open();
  await panel.region.getByRole('button', { name: 'Chats', exact: true }).click();
  const list = panel.region.getByRole('group', { name: 'Chats', exact: true });
  await list
    .getByRole('button', { name: `Talk talk${messages}` })
    .first()
    .click();
  await list.waitFor({ state: 'detached' });
  await panel.region.locator('article').last().waitFor();
}

/** Sends a question; the marks stand around its answer, from the first words until a while after it was saved. */
const ask = (app: TestApp): Promise<void> =>
  app.page.evaluate(async (marks) => {
    const until = async (is: () => boolean): Promise<void> => {
      while (!is()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const answers = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('article[data-role="assistant"]')];
    const before = answers().at(-1);
    document.querySelector<HTMLElement>('.mg-send')?.click();
    await until(() => answers().at(-1) !== before && answers().at(-1)?.querySelector('.mg-md') !== null);
    performance.mark(marks.begin);
    await until(() => answers().at(-1)?.dataset.status !== 'streaming');
    const { status } = answers().at(-1)?.dataset ?? {};
    if (status !== 'done') throw new Error(`bench_failed: the answer ended as "${status}" → mend the benchmark`);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    performance.mark(marks.end);
  }, MARKS);

async function longestTask(app: TestApp, cdp: CDPSession, messages: number, runs: number): Promise<number> {
  const panel = drive(app.page);
  await openTalk(app, messages);
  const found: number[] = [];
  // The first run compiles.
  for (let run = 0; run <= runs; run += 1) {
    app.model.push({ text: makeText('mixed', TEXT, run), piece: 25 });
    await panel.message.fill(`Go on ${run}`);
    const { longest } = await traceWork(cdp, () => ask(app));
    if (run > 0) found.push(longest);
  }
  return median(found);
}

/** How long the window is held up at most while an answer ends and its chat is saved, in the built panel. */
export async function measureChatEnd({ runs }: BenchSize): Promise<readonly Figure[]> {
  await buildPlugin();
  const app = await startApp();
  try {
    writeTalks(app.workspace);
    const cdp = await app.page.context().newCDPSession(app.page);
    const short = await longestTask(app, cdp, SHORT, runs + 1);
    const long = await longestTask(app, cdp, LONG, runs + 1);
    return [
      { name: `longest task while 50 KB arrive and are saved, ${LONG} messages / ${SHORT}`, value: long / short, unit: '', limit: LIMIT },
      { name: `   the same in a chat of ${LONG} messages (target 50 ms)`, value: long, unit: ' ms' },
      { name: `   the same in a chat of ${SHORT}`, value: short, unit: ' ms' },
    ];
  } finally {
    await app.close();
  }
}
