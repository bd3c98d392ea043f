import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { buildPlugin } from '../esbuild.config.mjs';
import { writeSession } from '../src/chat/session/saved-format.ts';
import { startApp } from '../tests/support/app.ts';
import { drive } from '../tests/support/panel.ts';
import { SESSIONS } from './chat-end.ts';
import { makeTalk } from './chat-talk.ts';
import type { Figure } from './figures.ts';
import { MARKS, traceWork } from './trace-work.ts';

/** Paragraphs of 60 characters: 1 MB. */
const COUNT = 16_000;
/** Milliseconds: longer is felt as a page that hangs. */
const LIMIT = 200;
const [TALK, OTHER] = ['talklong', 'talkother'];

/** An answer of nothing but short paragraphs: as many blocks as a text can have. */
const shortParagraphs = (): string =>
  Array.from({ length: COUNT }, (_, index) => `Paragraph ${index} has **few** words, about a roof and a tree.`.padEnd(60, '.')).join(
    '\n\n',
  );

/** Presses, and waits until the last paragraph is drawn; the marks stand around it, to a while after it. */
const untilDrawn = (press: Locator): Promise<void> =>
  press.evaluate(
    async (button, { marks, last }) => {
      performance.mark(marks.begin);
      if (button instanceof HTMLElement) button.click();
      const drawn = (): boolean =>
        [...document.querySelectorAll<HTMLElement>('article[data-role="assistant"]')].some(
          ({ dataset, textContent }) => dataset.status === 'done' && textContent?.includes(last),
        );
      while (!drawn()) await new Promise((resolve) => setTimeout(resolve, 100));
      await new Promise((resolve) => setTimeout(resolve, 2000));
      performance.mark(marks.end);
    },
    { marks: MARKS, last: `Paragraph ${COUNT - 1} ` },
  );

function writeTalks(workspace: string, text: string): void {
  mkdirSync(join(workspace, SESSIONS), { recursive: true });
  const other = makeTalk(OTHER, { messages: 2, words: 20, seed: 2 });
  writeFileSync(join(workspace, SESSIONS, `${other.id}.json`), writeSession(other));
  const talk = makeTalk(TALK, { messages: 2, words: 20, seed: 1 });
  const node = talk.nodes[talk.leafId ?? ''];
  const [version] = Object.values(node?.versions ?? {});
  if (!node || !version) throw new Error('bench_failed: the chat has no answer → mend the benchmark');
  const versions = { [version.id]: { ...version, message: { role: 'assistant' as const, content: text } } };
  const nodes = { ...talk.nodes, [node.id]: { ...node, versions } };
  writeFileSync(join(workspace, SESSIONS, `${talk.id}.json`), writeSession({ ...talk, nodes }));
}

/** How long the window is held up at most by 1 MB of short paragraphs: as they arrive, and when their chat is opened. */
export async function measureLongAnswer(): Promise<readonly Figure[]> {
  await buildPlugin();
  const app = await startApp();
  try {
    const text = shortParagraphs();
    writeTalks(app.workspace, text);
    app.page.setDefaultTimeout(120_000);
    const cdp = await app.page.context().newCDPSession(app.page);
    const panel = drive(app.page);
    await app.reload();
    await panel.open();
    const chats = panel.region.getByRole('group', { name: 'Chats', exact: true });
    const row = (id: string): Locator => chats.getByRole('button', { name: `Talk ${id}` }).first();
    const list = (): Promise<void> => panel.region.getByRole('button', { name: 'Chats', exact: true }).click();
    await list();
    await row(OTHER).click();
    await chats.waitFor({ state: 'detached' });
    await list();
    await row(TALK).waitFor();
    const opened = await traceWork(cdp, () => untilDrawn(row(TALK)));
    await panel.newChat();
    app.model.push({ text, piece: 100 });
    await panel.message.fill('Go on');
    const arrived = await traceWork(cdp, () => untilDrawn(panel.region.getByRole('button', { name: 'Send' })));
    return [
      { name: 'longest task while a chat with 1 MB of short paragraphs opens', value: opened.longest, unit: ' ms', limit: LIMIT },
      { name: 'longest task while 1 MB of short paragraphs arrive and are saved', value: arrived.longest, unit: ' ms', limit: LIMIT },
    ];
  } finally {
    await app.close();
  }
}
