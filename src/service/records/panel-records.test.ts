import { describe, expect, it } from 'vitest';
import type { ActivityRecord } from '../../chat/activity/activity.ts';
import { createPanelRecords } from './panel-records.ts';

const record = (id: string, more: Partial<ActivityRecord> = {}): ActivityRecord => ({
  ...{ id, sessionId: 's', messageId: 'm', callId: id, toolName: 'read_doc', effect: 'read', arguments: {}, result: null, error: null },
  ...{ status: 'running', durationMs: null, timestamp: Date.UTC(2026, 10, 23), userMessage: '', sources: [] },
  ...more,
});

function bench(days = 90) {
  const files = new Map<string, string>();
  const notes = new Map<string, string>();
  const own: string[] = [];
  const keep = async ({ id, status }: ActivityRecord): Promise<void> => void own.push(`${id} ${status}`);
  const open = (run: string) =>
    createPanelRecords({
      records: {
        ...{ start: keep, finish: keep, list: async () => ({ records: [], total: 0 }), get: async () => null, remove: async () => 0 },
        cutOff: async () => undefined,
      },
      storage: {
        read: async (path) => files.get(path) ?? null,
        write: async (path, text) => void files.set(path, text),
        remove: async (path) => void files.delete(path),
        list: async (folder) => [...files.keys()].map((path) => path.slice(folder.length + 1)),
      },
      notes: {
        keys: () => [...notes.keys()],
        get: (key) => notes.get(key) ?? null,
        set: (key, line) => void notes.set(key, line),
        remove: (key) => void notes.delete(key),
      },
      ...{ device: 'service1', run, most: 2, days: () => days, now: () => Date.UTC(2026, 10, 23), log: () => undefined },
    });
  const lines = (): readonly string[] =>
    [...files].flatMap(([path, text]) =>
      text
        .trim()
        .split('\n')
        .map((line) => `${path} ${JSON.parse(line).id} ${JSON.parse(line).status}`),
    );
  return { open, own, lines, notes };
}

describe('records that the panel lists', () => {
  it('are limited in number per day, while the service keeps all of its own', async () => {
    const { open, own, lines } = bench();
    const { store, flush } = open('a');
    for (const id of ['1', '2', '3']) {
      await store.start(record(id));
      await store.finish(record(id, { status: 'success' }));
    }
    await flush();
    expect(lines()).toEqual(['activity/2026-11-23-service1.jsonl 1 success', 'activity/2026-11-23-service1.jsonl 2 success']);
    expect(own).toHaveLength(6);
  });

  it('show after a crash what was cut off, and what had ended but had not been written', async () => {
    const { open, lines, notes } = bench();
    const { store } = open('a');
    await store.start(record('1'));
    await store.start(record('2'));
    await store.finish(record('2', { status: 'success' }));
    await open('b').flush();
    expect(lines().map((line) => line.split(' ').slice(1).join(' '))).toEqual(['1 interrupted', '2 success']);
    expect(notes.size).toBe(0);
  });

  it('are not written when the panel keeps none', async () => {
    const { open, lines, own } = bench(0);
    const { store, flush } = open('a');
    await store.start(record('1'));
    await store.finish(record('1', { status: 'success' }));
    await flush();
    expect([lines(), own]).toEqual([[], ['1 running', '1 success']]);
  });
});
