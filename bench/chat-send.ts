import { createMemoryStorage } from '../src/chat/store/storage-port.ts';
import { createChatStore } from '../src/chat/store/store.ts';
import { ChatSession } from '../src/chat/turn/session.ts';
import type { LanguageModel } from '../src/model/language-model.ts';
import { toolExecutorFactory } from '../src/tools/index.ts';
import { makeTalk } from './chat-talk.ts';
import { type Figure, median } from './figures.ts';
import type { BenchSize } from './size.ts';

const WINDOW = 10;
const WORDS = 60;
const clock = { now: Date.now, today: () => '2026-01-01' };

interface Sent {
  /** Milliseconds from Send to the request. */
  readonly time: number;
  /** Bytes of the request's messages. */
  readonly bytes: number;
  /** Bytes that were stored until then. */
  readonly stored: number;
  /** Milliseconds from Send to the saved answer, with a model that answers at once. */
  readonly whole: number;
}

/** An open chat of so many messages; each call sends one question to it. */
function createSender(messages: number) {
  let count = 0;
  const files = createMemoryStorage();
  let stored = 0;
  const storage = {
    ...files,
    write(path: string, text: string) {
      stored += text.length;
      return files.write(path, text);
    },
  };
  const store = createChatStore({ storage, device: 'bench', now: Date.now });
  const session = new ChatSession(
    {
      executorFactory: ({ approvalAdapter }) => toolExecutorFactory({ approvalAdapter, clock, groups: [] }),
      settings: () => ({ systemPrompt: 'Be brief.', chatOption: {}, toolCallMaxRounds: 5, contextMessages: WINDOW }),
      ...{ store, clock, newId: () => `b${++count}`, device: 'bench', timeZone: 'UTC' },
    },
    { onChange: () => undefined, onNotice: ({ message }) => console.error(message) },
    makeTalk('talk', { messages, words: WORDS, seed: 1 }),
  );
  // As the panel does when it shows the chat.
  session.tree.thread();
  return async (): Promise<Sent> => {
    stored = 0;
    let sent: Omit<Sent, 'whole'> | undefined;
    const model: LanguageModel = {
      ...{ model: 'bench', label: 'bench' },
      async complete(request) {
        const time = performance.now() - start;
        // The journal's write, which goes beside the request, counts as well.
        await Promise.resolve();
        await Promise.resolve();
        sent = { time, bytes: new TextEncoder().encode(JSON.stringify(request.messages)).length, stored };
        return { content: 'Yes.', tool_calls: [], finishReason: 'stop' };
      },
    };
    const start = performance.now();
    await session.ask('What was planned for May?', { contexts: [] }, model);
    const whole = performance.now() - start;
    if (!sent) throw new Error('bench_failed: nothing was sent → mend the benchmark');
    return { ...sent, whole };
  };
}

/** Ratio 7: what a long chat costs to send from, against a short one with the same window. */
export async function measureChatSend({ sendRounds }: BenchSize): Promise<readonly Figure[]> {
  const senders = [createSender(WINDOW), createSender(10_000)] as const;
  const results = senders.map((): Sent[] => []);
  for (let round = 0; round < sendRounds; round++) {
    for (const [index, send] of senders.entries()) {
      const sent = await send();
      // The first rounds compile.
      if (round >= sendRounds / 3) results[index]?.push(sent);
    }
  }
  const [short = [], long = []] = results;
  const ratio = (pick: (sent: Sent) => number): number => median(long.map(pick)) / median(short.map(pick));
  return [
    { name: '7: bytes to send in a chat of 10,000 messages / of 10', value: ratio((sent) => sent.bytes), unit: '', limit: 1.2 },
    { name: '7: bytes stored before the request / the same', value: ratio((sent) => sent.stored), unit: '', limit: 1.2 },
    { name: '7: time to send / the same', value: ratio((sent) => sent.time), unit: '', limit: 1.2 },
    { name: 'time to send in a chat of 10,000 messages', value: median(long.map((sent) => sent.time)), unit: ' ms' },
    { name: 'time to send in a chat of 10 messages', value: median(short.map((sent) => sent.time)), unit: ' ms' },
    { name: 'send and save in a chat of 10,000 messages', value: median(long.map((sent) => sent.whole)), unit: ' ms' },
    { name: 'send and save in a chat of 10 messages', value: median(short.map((sent) => sent.whole)), unit: ' ms' },
  ];
}
