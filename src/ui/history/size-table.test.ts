import { describe, expect, it } from 'vitest';
import { SizeTable } from './size-table.ts';
import { visibleRows } from './visible-rows.ts';

const keys = (count: number, from = 0): string[] => Array.from({ length: count }, (_, index) => `m${index + from}`);

describe('SizeTable', () => {
  it('knows where a message stands and which one stands at a place', () => {
    const table = new SizeTable();
    table.set(keys(5), () => 100);
    expect([table.total, table.start(3), table.end(3)]).toEqual([500, 300, 400]);
    expect([-5, 0, 99, 100, 499, 500, 9999].map((y) => table.at(y))).toEqual([0, 0, 0, 1, 4, 4, 4]);
    expect([table.measure('m1', 250), table.measure('m1', 250), table.measure('other', 1)]).toEqual([true, false, false]);
    expect([table.start(1), table.start(2), table.total, table.at(349)]).toEqual([100, 350, 650, 1]);
  });

  it('keeps what was measured when older messages come in before, and forgets what left', () => {
    const table = new SizeTable();
    table.set(keys(3, 10), () => 100);
    table.measure('m10', 40);
    table.set([...keys(10), ...keys(3, 10)], () => 100);
    expect([table.indexOf('m10'), table.start(10), table.end(10)]).toEqual([10, 1000, 1040]);
    table.set(keys(2), () => 100);
    table.set(keys(12), () => 100);
    expect(table.total).toBe(1200);
  });

  it('is empty without messages', () => {
    const table = new SizeTable();
    expect([table.total, table.at(10), table.start(0), table.count]).toEqual([0, -1, 0, 0]);
    expect(visibleRows(table, { top: 0, height: 500, kept: [] }, [])).toEqual([]);
  });
});

describe('visibleRows', () => {
  const table = new SizeTable();
  table.set(keys(1000), () => 100);
  const sight = (top: number, kept: readonly number[] = []) => ({ top, height: 500, kept });
  const indices = (rows: ReturnType<typeof visibleRows>): number[] => rows.map((row) => row.index);

  it('are those in sight and a screen above and below, the rest a gap', () => {
    const rows = visibleRows(table, sight(50_000), []);
    expect([rows[0], rows.at(-1)]).toEqual([
      { key: 'm495', index: 495, gap: 49_500 },
      { key: 'm510', index: 510, gap: 0 },
    ]);
  });

  it('keep their objects, and a message that was there for a while longer', () => {
    const before = visibleRows(table, sight(50_000), []);
    const after = visibleRows(table, sight(50_300), before);
    expect(indices(after)[0]).toBe(495);
    expect(after[0]).toBe(before[0]);
    expect(indices(visibleRows(table, sight(60_000), after))[0]).toBe(595);
  });

  it('keep the message with the focus, wherever the reader is, in the order of the chat', () => {
    const rows = visibleRows(table, sight(50_000, [3, 900]), []);
    expect([rows[0], rows[1], rows.at(-1)]).toEqual([
      { key: 'm3', index: 3, gap: 300 },
      { key: 'm495', index: 495, gap: 49_100 },
      { key: 'm900', index: 900, gap: 38_900 },
    ]);
  });
});
