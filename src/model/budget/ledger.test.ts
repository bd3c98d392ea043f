import { describe, expect, it } from 'vitest';
import type { CopyStorage } from '../../tools/util/broken-copy.ts';
import { createLedger, type LedgerOptions } from './ledger.ts';
import type { Usages } from './usage.ts';

type Files = Record<string, string>;

/** A storage that answers later, so that what is not held apart meets. */
function place(files: Files = {}): CopyStorage & { readonly files: Files } {
  const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(() => resolve(value)));
  return {
    files,
    read: (path) => later(files[path] ?? null),
    write: async (path, text) => {
      await later(undefined);
      files[path] = text;
    },
    list: (folder) => later(Object.keys(files).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []))),
  };
}

const open = (storage: CopyStorage, more: Partial<LedgerOptions> = {}) => createLedger({ storage, device: 'a', now: () => 7, ...more });
const used = (tokens: number, more: Partial<Usages> = {}): Usages => ({
  ...{ tokens, dollars: tokens / 1000, unpriced: 0, sessionId: 'one', model: 'm', purpose: 'answer' },
  ...more,
});
const file = (days: object, more: object = {}): string => JSON.stringify({ schema: 1, days, ...more });
const daysIn = (storage: { readonly files: Files }, path: string) => JSON.parse(storage.files[path] ?? '{}').days;

describe('the ledger', () => {
  it('counts what ends together in few writes, each use once', async () => {
    const storage = place();
    let writes = 0;
    const write = async (path: string, text: string): Promise<void> => {
      writes += 1;
      await storage.write(path, text);
    };
    const ledger = open({ ...storage, write });
    await Promise.all(Array.from({ length: 50 }, (_, index) => ledger.add(index < 49 ? '2026-11-30' : '2026-12-01', used(2))));
    expect((await ledger.spent('2026-11-30')).day.tokens).toBe(98);
    expect((await ledger.spent('2026-12-01')).day.tokens).toBe(2);
    // The first at once, then the others by their months.
    expect(writes).toBe(3);
  });

  it('says to each that it could not be counted', async () => {
    const storage = place();
    const write = () => Promise.reject(new Error('full'));
    const ledger = open({ ...storage, write });
    const ends = await Promise.allSettled(Array.from({ length: 3 }, () => ledger.add('2026-11-30', used(2))));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('sums by day, chat, model and purpose, over the end of a month', async () => {
    const storage = place();
    const ledger = open(storage);
    const title = { model: 'small', purpose: 'title' };
    await ledger.add('2026-11-30', used(10));
    await ledger.add('2026-11-30', used(5));
    await ledger.add('2026-11-30', used(1, title));
    // A day of its own for whoever travelled west meanwhile: the day is what the clock of the place said.
    await ledger.add('2026-11-29', used(7));
    await ledger.add('2026-12-01', used(3, { sessionId: 'two', dollars: 0, unpriced: 3 }));
    const { days } = await ledger.report();
    expect(days).toEqual([
      { ...used(15), day: '2026-11-30' },
      { ...used(1, title), day: '2026-11-30' },
      { ...used(7), day: '2026-11-29' },
      { ...used(3, { sessionId: 'two', dollars: 0, unpriced: 3 }), day: '2026-12-01' },
    ]);
    expect((await ledger.spent('2026-11-30')).day.tokens).toBe(16);
    expect((await ledger.spent('2026-11-30')).month.tokens).toBe(23);
    expect(await ledger.spent('2026-12-01')).toEqual({ day: { tokens: 3, dollars: 0 }, month: { tokens: 3, dollars: 0 } });
    expect(Object.keys(storage.files)).toEqual(['usage/2026-11-a.json', 'usage/2026-12-a.json']);
  });

  it('reads files that have sums alone, and says of what an older version added that it belongs to no chat', async () => {
    const storage = place({ 'usage/2026-11-a.json': file({ '2026-11-01': { tokens: 100, dollars: 2 } }) });
    const ledger = open(storage);
    await ledger.add('2026-11-01', used(10));
    // An older version adds to the day's sums, and leaves the rest as it is.
    const days = daysIn(storage, 'usage/2026-11-a.json');
    days['2026-11-01'].tokens += 5;
    storage.files['usage/2026-11-a.json'] = file(days);
    const report = await ledger.report();
    expect(report.days).toEqual([
      { ...used(10), day: '2026-11-01' },
      { tokens: 105, dollars: expect.closeTo(2), unpriced: 105, day: '2026-11-01' },
    ]);
    expect((await ledger.spent('2026-11-01')).month).toEqual({ tokens: 115, dollars: 2.01 });
  });

  it('keeps what it does not know, and does not write into the file of a newer version, but beside it', async () => {
    const entry = { ...used(1), color: 'red' };
    const known = file({ '2026-11-23': { tokens: 1, dollars: 0.001, note: 'x', entries: [entry] } }, { mine: true });
    const newer = file({ '2026-10-01': { tokens: 9, dollars: 0 } }, { schema: 2 });
    const storage = place({ 'usage/2026-11-a.json': known, 'usage/2026-10-a.json': newer });
    const ledger = open(storage);
    for (const day of ['2026-11-23', '2026-10-01']) await ledger.add(day, used(5));
    const written = JSON.parse(storage.files['usage/2026-11-a.json'] ?? '');
    const day = { tokens: 6, dollars: 0.006, note: 'x', entries: [{ ...entry, tokens: 6, dollars: 0.006 }] };
    expect(written).toEqual({ schema: 1, mine: true, days: { '2026-11-23': day } });
    expect(storage.files['usage/2026-10-a.json']).toBe(newer);
    expect((await ledger.spent('2026-10-01')).month.tokens).toBe(14);
  });

  it('loses nothing where two windows of a device write at once', async () => {
    let before: Promise<unknown> = Promise.resolve();
    const exclusive = <T>(work: () => Promise<T>): Promise<T> => {
      const result = before.then(work);
      before = result;
      return result;
    };
    const ofWindows: readonly (readonly [Partial<LedgerOptions>, Partial<LedgerOptions>, number])[] = [
      [{ exclusive }, { exclusive }, 1],
      [{ window: 'w1' }, { window: 'w2' }, 2],
    ];
    for (const [one, other, files] of ofWindows) {
      const storage = place();
      const windows = [open(storage, one), open(storage, other)];
      await Promise.all(windows.flatMap((ledger) => [1, 2, 3].map(() => ledger.add('2026-11-23', used(10)))));
      expect((await open(storage).spent('2026-11-23')).month.tokens).toBe(60);
      expect(Object.keys(storage.files)).toHaveLength(files);
    }
  });

  it('does not say what was spent where a file of the month cannot be read, leaves it, and counts on beside it', async () => {
    const [path, broken] = ['usage/2026-11-a.json', '{"days"'];
    const storage = place({ [path]: broken });
    const ledger = open(storage);
    await ledger.add('2026-11-23', used(5));
    const problem = { code: 'usage_unreadable', message: expect.stringContaining(path), next: expect.stringContaining('Usage') };
    await expect(ledger.spent('2026-11-23')).rejects.toMatchObject(problem);
    expect(await ledger.spent('2026-12-01')).toMatchObject({ month: { tokens: 0 } });
    expect(storage.files[path]).toBe(broken);
    expect(storage.files[`${path}.broken-7`]).toBe(broken);
    const { damaged, days } = await ledger.report();
    expect(damaged).toEqual([{ path, copy: `${path}.broken-7` }]);
    expect(days).toEqual([{ ...used(5), day: '2026-11-23' }]);
    await ledger.startAnew(path);
    await ledger.startAnew('usage/2026-11-a_2.json');
    expect((await ledger.spent('2026-11-23')).month.tokens).toBe(5);
    expect(Object.keys(storage.files)).toEqual([path, `${path}.broken-7`, 'usage/2026-11-a_2.json'].sort());
  });

  it('stays small: of a busy day, and of months long ago, it keeps the sums and not the chats', async () => {
    const storage = place();
    const ledger = open(storage);
    for (let chat = 0; chat < 205; chat += 1) await ledger.add('2025-09-30', used(1, { sessionId: `chat-${chat}` }));
    const { entries } = daysIn(storage, 'usage/2025-09-a.json')['2025-09-30'];
    expect(entries).toHaveLength(201);
    expect(entries.at(-1)).toMatchObject({ tokens: 5, model: 'm' });
    storage.files['usage/2025-09-b.json'] = storage.files['usage/2025-09-a.json'] ?? '';
    await ledger.add('2026-10-31', used(1));
    expect(daysIn(storage, 'usage/2025-09-a.json')['2025-09-30'].entries).toHaveLength(201);
    await ledger.add('2026-11-01', used(1));
    const { sessionId: _left, ...sum } = used(205);
    expect(daysIn(storage, 'usage/2025-09-a.json')['2025-09-30']).toEqual({
      ...{ tokens: 205, dollars: expect.closeTo(0.205) },
      entries: [{ ...sum, dollars: expect.closeTo(0.205) }],
    });
    // Another device's files are its own.
    expect(daysIn(storage, 'usage/2025-09-b.json')['2025-09-30'].entries).toHaveLength(201);
  });
});
