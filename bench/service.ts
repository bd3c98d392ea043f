// The service: what it adds to each chunk of the model, and what a long history costs.

import type { BenchReport } from './figures.ts';
import { benchPipe } from './service-delay.ts';
import { benchHistory } from './service-history.ts';
import { benchMemory } from './service-memory.ts';
import type { BenchSize } from './size.ts';

export async function benchService({ runs }: BenchSize): Promise<BenchReport> {
  const figures = [...(await benchPipe(runs)), ...(await benchHistory()), ...(await benchMemory())];
  return {
    notes: [
      'S1: milliseconds from the moment when the model writes a chunk to its event at the client, in 1, 10 and 50 chats at one time;',
      '    beside it a server that hands the same stream on as it comes. Each is a process of its own; each round is compared with',
      '    the one before it, by its median (p50) and its slowest twentieth (p95).',
      'S2: the time of a page over HTTP, with ten times as much behind it.',
      'S3: the heap after a collection: closed chats leave nothing.',
    ],
    figures,
  };
}
