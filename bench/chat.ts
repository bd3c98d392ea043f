import { loadavg } from 'node:os';
import { measureChatEnd } from './chat-end.ts';
import { measureChatList } from './chat-list.ts';
import { measureLongAnswer } from './chat-long-answer.ts';
import { measureChatSearch } from './chat-search.ts';
import { measureChatSend } from './chat-send.ts';
import type { BenchReport, Figure } from './figures.ts';
import { measureFirstToken } from './first-token.ts';
import { measurePhoneOpening } from './phone-opening.ts';
import { measureRendering } from './rendering.ts';
import type { BenchSize } from './size.ts';

const load = (): string =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');

type Measure = (size: BenchSize) => Promise<BenchReport>;

const only =
  (measure: (size: BenchSize) => Promise<readonly Figure[]>): Measure =>
  async (size) => ({ notes: [], figures: await measure(size) });

const PARTS: Readonly<Record<string, Measure>> = {
  rendering: measureRendering,
  'the first opening': only(measurePhoneOpening),
  'the first word': only(measureFirstToken),
  'the end of an answer': only(measureChatEnd),
  'an answer of 1 MB': only(measureLongAnswer),
  'sending in long chats': only(measureChatSend),
  search: measureChatSearch,
  'the list of chats': only(measureChatList),
};

/** `npm run bench -- chat`: what long chats and many chats cost. About ten minutes, most of them at the pace of a stream. */
export async function benchChat(size: BenchSize): Promise<BenchReport> {
  const notes: string[] = [`load of the machine before: ${load()}`];
  const figures: Figure[] = [];
  const started = performance.now();
  for (const [name, measure] of Object.entries(PARTS)) {
    console.error(`measuring ${name} …`);
    const report = await measure(size);
    notes.push(...report.notes);
    figures.push(...report.figures);
  }
  notes.push(`load after: ${load()}; took ${Math.round((performance.now() - started) / 1000)} s`);
  return { notes, figures };
}
