import { describe, expect, it } from 'vitest';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ActivityRecord } from './activity.ts';
import { type ActivityFilesOptions, createActivityFiles } from './activity-files.ts';

const NOON = Date.parse('2026-11-23T12:00:00Z');
const DAY = 86_400_000;

/** The workspace, and the browser's own storage of one device. */
function world(files: Record<string, string> = {}) {
  const notes = new Map<string, string>();
  const writes: string[] = [];
  const timers: (() => void)[] = [];
  const clock = { now: NOON };
  const storage = {
    read: async (path: string) => files[path] ?? null,
    async write(path: string, text: string) {
      writes.push(path);
      files[path] = text;
    },
    async remove(path: string) {
      for (const name of Object.keys(files)) if (name === path || name.startsWith(`${path}/`)) delete files[name];
    },
    list: async (folder: string) =>
      Object.keys(files).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [])),
  };
  const open = (writer: string, more: Partial<ActivityFilesOptions> = {}) =>
    createActivityFiles({
      ...{ storage, prefix: 'activity:', device: writer.split('_')[0] ?? '', writer, others: async () => new Set<string>() },
      notes: {
        keys: () => [...notes.keys()],
        get: (key) => notes.get(key) ?? null,
        set: (key, value) => void notes.set(key, value),
        remove: (key) => void notes.delete(key),
      },
      exclusive: (work) => work(),
      now: () => clock.now,
      days: () => 90,
      later: (_milliseconds, work) => void timers.push(work),
      ...more,
    });
  return { files, notes, writes, timers, clock, storage, open };
}

const call = (id: string, more: Partial<ActivityRecord> = {}): ActivityRecord => ({
  ...{ id, sessionId: 's', messageId: 'm', callId: `call-${id}`, toolName: 'read_doc', effect: 'read', arguments: { path: `/${id}` } },
  ...{ result: 'text', error: null, status: 'success', durationMs: 5, timestamp: NOON, userMessage: 'Q?', sources: [] },
  ...more,
});
const running = (id: string, more: Partial<ActivityRecord> = {}) =>
  call(id, { ...more, status: 'running', result: null, durationMs: null });
const ids = (records: readonly ActivityRecord[]): string => records.map(({ id }) => id).join(' ');

describe('the activity of a workspace in files', () => {
  it('writes calls that end within a moment together, and keeps what it does not know of a file', async () => {
    const newer = JSON.stringify({ schema: 2, id: 'later' });
    const { open, files, writes, timers, notes } = world({ 'activity/2026-11-23-a.jsonl': newer });
    const activity = open('a_1');
    for (const id of ['1', '2', '3']) {
      await activity.start(running(id));
      await activity.finish(call(id));
    }
    expect(writes).toEqual([]);
    expect(timers).toHaveLength(1);
    await activity.start(running('4'));
    timers.pop()?.();
    await activity.flush();
    expect(writes).toEqual(['activity/2026-11-23-a.jsonl']);
    const lines = files['activity/2026-11-23-a.jsonl']?.trimEnd().split('\n') ?? [];
    expect(lines[0]).toBe(newer);
    expect(lines.slice(1).map((line) => JSON.parse(line).id)).toEqual(['1', '2', '3']);
    expect([...notes.keys()]).toEqual(['activity:a_1:4']);
    expect(ids((await activity.read()).records)).toBe('4 3 2 1');
    expect((await activity.get('4'))?.status).toBe('running');
  });

  it('reads of a change that nobody was asked about it', async () => {
    const { open } = world();
    const written = { blockIds: ['b'], documentId: 'd', undoable: true, unasked: 'notebook' };
    const activity = open('a_1');
    await activity.finish(call('1', { effect: 'write', written }));
    await activity.flush();
    expect((await open('b_1').read()).records[0]?.written).toEqual(written);
  });

  it('finds after a crash what ended and what ran, but takes nothing from a window that is open', async () => {
    const { open, notes } = world();
    const crashed = open('a_1');
    await crashed.finish(call('ended'));
    await crashed.start(running('cut'));
    const alive = open('a_2');
    await alive.start(running('runs'));
    const next = open('a_3', { others: async () => new Set(['a_2']) });
    const { records } = await next.read();
    expect(records.map(({ id, status }) => [id, status])).toEqual([
      ['runs', 'running'],
      ['ended', 'success'],
      ['cut', 'interrupted'],
    ]);
    expect([...notes.keys()]).toEqual(['activity:a_2:runs']);
    expect((await next.get('cut'))?.error?.code).toBe('interrupted');
    await alive.finish(call('runs'));
    await alive.flush();
    expect((await next.read()).records.map(({ status }) => status)).toEqual(['success', 'success', 'interrupted']);
    await alive.start(running('lost'));
    await alive.cutOff('s');
    expect((await alive.get('lost'))?.status).toBe('interrupted');
  });

  it('reads a day at a time, of all devices in the order of time', async () => {
    const { open, files } = world();
    const [here, there] = [open('a_1'), open('b_1')];
    for (const [index, store] of [here, there, here, there].entries()) {
      await store.finish(call(`today${index}`, { timestamp: NOON + index }));
      await store.finish(call(`yesterday${index}`, { timestamp: NOON - DAY + index }));
    }
    for (const store of [here, there]) await store.flush();
    expect(Object.keys(files).sort()).toEqual(['22-a', '22-b', '23-a', '23-b'].map((name) => `activity/2026-11-${name}.jsonl`));
    const first = await here.read();
    expect(ids(first.records)).toBe('today3 today2 today1 today0');
    const second = await here.read(first.before ?? '');
    expect(ids(second.records)).toBe('yesterday3 yesterday2 yesterday1 yesterday0');
    expect(second.before).toBeNull();
    const page = await there.list({ from: NOON - DAY, to: NOON + 2, limit: 2, offset: 1 });
    expect([ids(page.records), page.total]).toEqual(['today0 yesterday3', 6]);
  });

  it('keeps a copy of what is damaged and says so, reads the rest, and writes beside it until it is taken out', async () => {
    const path = 'activity/2026-11-23-a.jsonl';
    const { open, files } = world();
    const activity = open('a_1');
    await activity.finish(call('1'));
    await activity.flush();
    files[path] = `${files[path]}{"schema":1,"id":"ha`;
    const torn = files[path];
    await activity.finish(call('2'));
    await activity.flush();
    const { records, damaged } = await activity.read();
    expect(ids(records)).toBe('2 1');
    expect(damaged).toEqual([{ path, copy: `${path}.broken-${NOON}` }]);
    expect([files[path], files[`${path}.broken-${NOON}`]]).toEqual([torn, torn]);
    expect(Object.keys(files)).toContain('activity/2026-11-23-a_2.jsonl');
    await activity.startAnew(path);
    expect((await activity.read()).damaged).toEqual([]);
    expect(files[`${path}.broken-${NOON}`]).toBe(torn);
    expect(ids((await activity.read()).records)).toBe('2 1');
  });

  it('forgets what is older than it shall be kept, a chat, or everything, copies too', async () => {
    const { open, files, clock } = world({ 'activity/2026-11-23-a.jsonl.broken-5': '?' });
    const activity = open('a_1');
    await activity.finish(call('old', { timestamp: NOON - 91 * DAY }));
    await activity.finish(call('kept', { timestamp: NOON - 89 * DAY }));
    await activity.finish(call('other', { sessionId: 'o' }));
    expect(ids((await activity.read()).records)).toBe('other');
    const isThere = (day: string): boolean => Object.keys(files).some((path) => path.includes(day));
    expect(isThere('2026-08-24')).toBe(false);
    files['activity/2026-08-24-b.jsonl'] = '';
    await activity.finish(call('other', { sessionId: 'o', timestamp: NOON - DAY }));
    await activity.flush();
    expect([isThere('2026-08-24'), isThere('2026-08-26')]).toEqual([false, true]);
    expect(await activity.remove({ sessionId: 'o' })).toBe(2);
    expect(ids((await activity.list({ limit: 9, offset: 0 })).records)).toBe('kept');
    await activity.start(running('runs'));
    expect(await activity.remove({})).toBe(1);
    expect(files).toEqual({});
    expect(ids((await activity.read()).records)).toBe('runs');
    clock.now += DAY;
    const off = open('a_2', { days: () => 0, others: async () => new Set(['a_1']) });
    await off.start(running('unseen'));
    await off.finish(call('unseen'));
    await off.flush();
    expect(files).toEqual({});
  });

  it('stays small: long texts are cut, blocks of a document are not listed, and a full file is followed by another', async () => {
    const { open, files } = world();
    const activity = open('a_1');
    const blocks = Array.from({ length: 300 }, (_, index) => `20260101000000-a${index}`);
    const long = call('0', {
      arguments: { markdown: 'x'.repeat(9000), id: 'b' },
      result: 'r'.repeat(9000),
      sources: [{ document: 'd', blocks }],
    });
    await activity.finish(long);
    const kept = await activity.get('0');
    expect(JSON.stringify(kept?.arguments).length).toBeLessThanOrEqual(2000);
    expect(kept?.arguments).toMatchObject({ markdown: expect.stringMatching(/^x{1000,}…$/), id: 'b' });
    expect(kept?.result).toHaveLength(500);
    expect(kept?.sources).toEqual([{ document: 'd' }]);
    for (let number = 1; number < 200; number += 1) await activity.finish({ ...long, id: String(number) });
    await activity.flush();
    for (const text of Object.values(files)) expect(text.length).toBeLessThan(400_000);
    expect(Object.keys(files).length).toBeGreaterThan(1);
    expect((await activity.list({ documentId: 'd', limit: 1, offset: 0 })).total).toBe(200);
  });

  it('keeps in the notes what cannot be written, and rejects with a ToolError', async () => {
    const { open, storage, notes } = world();
    const write = storage.write;
    storage.write = () => Promise.reject(new Error('disk full'));
    const activity = open('a_1');
    await activity.finish(call('1'));
    await expect(activity.flush()).rejects.toThrow(ToolError);
    expect(notes.size).toBe(1);
    storage.write = write;
    expect(ids((await activity.read()).records)).toBe('1');
    expect(notes.size).toBe(0);
  });
});
