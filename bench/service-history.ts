// Ratio S2: pages of a long history, with ten times as much behind them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActivityRecord } from '../src/chat/activity/activity.ts';
import { writeSession } from '../src/chat/session/saved-format.ts';
import { TreeModel } from '../src/chat/session/tree-model.ts';
import { emptySession } from '../src/chat/store/turn-log.ts';
import { openRecords } from '../src/service/records/records.ts';
import { type ServiceBench, startServiceBench } from '../tests/service/support.ts';
import { type Figure, median } from './figures.ts';

const LIMIT = 1.3;
const SMALL = 10_000;
const LARGE = 100_000;
const REQUESTS = 150;

const PAGES = {
  'the newest calls': '/api/tools/conversations?limit=50',
  'the newest calls of a chat': '/api/tools/conversations?limit=50&session_id=chat-3',
  'the newest calls of a tool': '/api/tools/conversations?limit=50&tool_name=tool-3&offset=100',
  'the last messages': '/api/chat/sessions/long/messages?limit=50',
} as const;

function recordOf(index: number): ActivityRecord {
  return {
    ...{
      id: `r${index}`,
      sessionId: `chat-${index % 20}`,
      messageId: 'm',
      callId: `c${index}`,
      toolName: `tool-${index % 7}`,
      effect: 'read',
    },
    ...{ arguments: { id: 'x'.repeat(40) }, result: 'y'.repeat(1000), error: null, status: 'success', durationMs: 5 },
    ...{ timestamp: Date.now() - 1_000_000 + index, userMessage: 'What is it?', sources: [{ document: `d${index % 50}` }] },
  };
}

/** A chat of so many messages, as its file. */
function chatOf(messages: number): string {
  let now = Date.now();
  let id = 0;
  const tree = new TreeModel({ newId: () => `n${++id}`, now: () => ++now, device: 'bench' });
  for (let index = 0; index < messages; index++) {
    const role = index % 2 === 0 ? ('user' as const) : ('assistant' as const);
    const content = `Message ${index}: ${'some words '.repeat(8)}`;
    tree.append({
      role,
      payload: { id: `v${index}`, message: { role, content }, author: role === 'user' ? 'user' : 'm', created: ++now, status: 'done' },
    });
  }
  return writeSession({ ...emptySession({ id: 'long', title: 'Long', created: now }), ...tree.snapshot() });
}

async function filled(size: number): Promise<{ readonly bench: ServiceBench; close(): Promise<void> }> {
  const data = mkdtempSync(join(tmpdir(), 'marginalia-history-'));
  const records = openRecords({ folder: data, keepDays: 90, now: Date.now, log: console.error });
  for (let index = 0; index < size; index++) await records.finish(recordOf(index));
  records.close();
  const bench = await startServiceBench({ data });
  await bench.write('sessions/long.json', chatOf(size));
  return {
    bench,
    async close() {
      await bench.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function timeOf(bench: ServiceBench, path: string): Promise<number> {
  const begin = performance.now();
  const page = await bench.json<unknown[]>(path);
  if (page.length !== 50) throw new Error(`${path}: ${page.length} of 50`);
  return performance.now() - begin;
}

export async function benchHistory(): Promise<Figure[]> {
  const small = await filled(SMALL);
  const large = await filled(LARGE);
  const figures: Figure[] = [];
  try {
    for (const [name, path] of Object.entries(PAGES)) {
      const [few, many]: [number[], number[]] = [[], []];
      for (let request = 0; request < REQUESTS; request++) {
        few.push(await timeOf(small.bench, path));
        many.push(await timeOf(large.bench, path));
      }
      const value = median(many) / median(few);
      figures.push({ name: `S2: ${name}, ${LARGE} for each of ${SMALL}`, value, unit: '', limit: LIMIT });
      figures.push({ name: `   in time, at ${LARGE}`, value: median(many), unit: ' ms' });
    }
  } finally {
    await small.close();
    await large.close();
  }
  return figures;
}
