import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActivityRecord } from '../../chat/activity/activity.ts';
import { openRecords, type Records, type RecordsOptions } from './records.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 23, 12);

let folder = '';
let open: Records[] = [];
const logged: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marginalia-records-'));
  open = [];
});
afterEach(() => {
  for (const records of open) records.close();
  rmSync(folder, { recursive: true, force: true });
});

function opened(more: Partial<RecordsOptions> = {}): Records {
  const records = openRecords({ folder, keepDays: 90, now: () => NOW, log: (line) => void logged.push(line), ...more });
  open.push(records);
  return records;
}

function close(records: Records): void {
  open = open.filter((one) => one !== records);
  records.close();
}

const record = (id: string, more: Partial<ActivityRecord> = {}): ActivityRecord => ({
  ...{
    id,
    sessionId: 's1',
    messageId: 'm',
    callId: `call-${id}`,
    toolName: 'read_doc',
    effect: 'read',
    arguments: { id: 'x'.repeat(300) },
  },
  ...{ result: 'y'.repeat(300), error: null, status: 'success', durationMs: 10, timestamp: NOW, userMessage: 'q', sources: [] },
  ...more,
});

const ids = async (records: Records, query: object = {}) => {
  const page = await records.list({ limit: 50, offset: 0, ...query });
  return [page.records.map(({ id }) => id).join(''), page.total];
};

describe('records of calls', () => {
  it('are listed newest first, by chat, tool, effect, document and time, in pages with their total; in short, and whole by id', async () => {
    const records = opened();
    const written = { blockIds: ['b'], documentId: 'd2', undoable: true };
    await records.finish(record('a', { timestamp: NOW - 3, sources: [{ notebook: 'n', document: 'd1' }, { document: 'd1' }] }));
    await records.finish(record('b', { timestamp: NOW - 1, toolName: 'edit_block', effect: 'write', written }));
    await records.finish(record('c', { timestamp: NOW - 2, sessionId: 's2' }));
    await records.finish(record('d', { timestamp: NOW - 1, sessionId: 's2', callId: 'call-a' }));
    expect(await ids(records)).toEqual(['dbca', 4]);
    expect(await ids(records, { limit: 2, offset: 1 })).toEqual(['bc', 4]);
    expect(await ids(records, { sessionId: 's1' })).toEqual(['ba', 2]);
    expect(await ids(records, { toolName: 'read_doc' })).toEqual(['dca', 3]);
    expect(await ids(records, { sessionId: 's2', toolName: 'edit_block' })).toEqual(['', 0]);
    expect(await ids(records, { effect: 'write' })).toEqual(['b', 1]);
    expect(await ids(records, { documentId: 'd1' })).toEqual(['a', 1]);
    expect(await ids(records, { documentId: 'd2' })).toEqual(['b', 1]);
    expect(await ids(records, { from: NOW - 2, to: NOW - 1 })).toEqual(['c', 1]);
    const [short] = (await records.list({ sessionId: 's1', limit: 1, offset: 1 })).records;
    expect([short?.result?.length, String(short?.arguments.id).length]).toEqual([200, 200]);
    expect(await records.get('a')).toEqual(
      record('a', { timestamp: NOW - 3, sources: [{ notebook: 'n', document: 'd1' }, { document: 'd1' }] }),
    );
    expect(await records.get('nowhere')).toBeNull();
    expect([(await records.ofCall('call-a'))?.id, (await records.ofCall('call-a', 's1'))?.id]).toEqual(['d', 'a']);
  });

  it('are counted by status, tool and day', async () => {
    const records = opened();
    await records.finish(record('a', { durationMs: 30 }));
    await records.finish(record('b', { status: 'error', durationMs: 10, timestamp: NOW - DAY_MS }));
    await records.start(record('c', { status: 'running', durationMs: null, toolName: 'grep_notes', sessionId: 's2' }));
    expect(await records.statistics()).toEqual({
      ...{ total: 3, by_status: { error: 1, running: 1, success: 1 } },
      by_tool: [
        { tool_name: 'read_doc', calls: 2, failed: 1, duration_ms: { average: 20, longest: 30 } },
        { tool_name: 'grep_notes', calls: 1, failed: 0, duration_ms: null },
      ],
      by_day: [
        { day: '2026-11-23', calls: 2, failed: 0 },
        { day: '2026-11-22', calls: 1, failed: 1 },
      ],
    });
    expect(await records.statistics('s2')).toMatchObject({ total: 1, by_tool: [{ tool_name: 'grep_notes' }] });
  });

  it('are removed by chat and time, with what they were found by', async () => {
    const records = opened();
    for (const [id, sessionId] of ['as1', 'bs1', 'cs2'].map(([one, ...rest]) => [one ?? '', rest.join('')] as const))
      await records.finish(record(id, { sessionId, sources: [{ document: 'd' }], timestamp: id === 'a' ? NOW - DAY_MS : NOW }));
    expect(await records.remove({ sessionId: 's1', before: NOW })).toBe(1);
    expect(await ids(records)).toEqual(['cb', 2]);
    expect(await ids(records, { sessionId: 's1' })).toEqual(['b', 1]);
    expect(await ids(records, { documentId: 'd' })).toEqual(['cb', 2]);
    expect(await records.get('a')).toBeNull();
    expect(await records.remove({})).toBe(2);
    expect(await ids(records, { sessionId: 's2' })).toEqual(['', 0]);
  });

  it('are kept for their days, and the newest of too many', async () => {
    let now = NOW;
    const records = opened({ maxRecords: 3, now: () => now });
    for (let index = 0; index < 6; index++)
      await records.finish(record(String(index), { timestamp: NOW + index * DAY_MS, status: index === 5 ? 'running' : 'success' }));
    close(records);
    expect(await ids(opened({ maxRecords: 3, now: () => now }))).toEqual(['543', 3]);
    now = NOW + 94 * DAY_MS;
    close(open[0]!);
    expect(await ids(opened({ now: () => now }))).toEqual(['54', 2]);
  });

  it('that a crash left running are interrupted when they are opened again; one chat’s, when it is opened', async () => {
    const first = opened();
    await first.start(record('a', { status: 'running', durationMs: null, result: null }));
    await first.start(record('b', { status: 'running', durationMs: null, result: null, sessionId: 's2' }));
    await first.cutOff('s2');
    expect([(await first.get('a'))?.status, (await first.get('b'))?.status]).toEqual(['running', 'interrupted']);
    close(first);
    const again = opened();
    expect(await again.get('a')).toMatchObject({ status: 'interrupted', error: { code: 'interrupted' }, durationMs: null });
    expect((await again.list({ limit: 9, offset: 0 })).records.map(({ status }) => status)).toEqual(['interrupted', 'interrupted']);
  });
});

describe('the file of the records', () => {
  it('is one service’s alone, which is named to the other, and given back with its end; only its user reads it', async () => {
    const first = opened();
    expect(() => opened()).toThrow(`data_in_use: process ${process.pid} has ${folder} open`);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
    close(first);
    // As a crash leaves it: the number of a process that is gone, or of one that has it now for something else.
    writeFileSync(join(folder, 'service.pid'), '1\n');
    expect(await ids(opened())).toEqual(['', 0]);
  });

  it('that is damaged is put aside; of a newer version, left alone', () => {
    writeFileSync(join(folder, 'records.db'), 'no database at all'.repeat(100));
    close(opened());
    expect(readdirSync(folder).some((name) => name.startsWith('records.db.damaged-'))).toBe(true);
    expect(logged.at(-1)).toContain('damaged');
    const database = new DatabaseSync(join(folder, 'records.db'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    expect(() => opened()).toThrow('bad_data');
  });

  it('that fails says so as an expected failure', async () => {
    const records = opened();
    close(records);
    await expect(records.start(record('a'))).rejects.toMatchObject({ code: 'storage_failed' });
    expect(() => records.requireRoom(10)).toThrow('the question was not taken');
  });

  it('tells a page without looking at the records that are not on it', () => {
    close(opened());
    const database = new DatabaseSync(join(folder, 'records.db'));
    const plan = (where: string) =>
      database
        .prepare(`EXPLAIN QUERY PLAN SELECT short FROM records ${where} ORDER BY timestamp DESC, seq DESC LIMIT 50 OFFSET 0`)
        .all()
        .map(({ detail }) => String(detail))
        .join('; ');
    for (const where of ['', "WHERE session_id = 's'", "WHERE tool_name = 't'", "WHERE session_id = 's' AND tool_name = 't'"]) {
      expect(plan(where)).toContain('USING INDEX');
      expect(plan(where)).not.toContain('TEMP B-TREE');
    }
    database.close();
  });
});
