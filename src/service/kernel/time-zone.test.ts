import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTimeZone, zoneWith } from './time-zone.ts';

const DAY = 24 * 60 * 60 * 1000;
const TIMES = Array.from({ length: 24 }, (_, index) => Date.UTC(2026, 0, 1) + index * 15 * DAY);
const root = join(import.meta.dirname, '../../..');

/** What a process in `TZ=UTC` prints, with modules of ours. */
const printed = (code: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', code], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  }).trim();

describe('the zone of SiYuan', () => {
  it('is named by its offsets through a year', () => {
    const offsets = (summer: string, winter: string) =>
      TIMES.map((time) => (time > Date.UTC(2026, 2, 29) && time < Date.UTC(2026, 9, 25) ? summer : winter));
    expect(zoneWith(offsets('+0800', '+0800'), TIMES)).toBe('Asia/Shanghai');
    expect(zoneWith(offsets('+0200', '+0100'), TIMES)).toBe('Europe/Berlin');
    expect(zoneWith(offsets('+0545', '+0545'), TIMES)).toMatch(/Kath?mandu/u);
    expect(zoneWith(offsets('+0317', '+0317'), TIMES)).toBeUndefined();
  });

  it('is a name that the system knows', () => {
    expect(['Asia/Shanghai', 'UTC', 'Nowhere/City', ''].map(isTimeZone)).toEqual([true, true, false, false]);
  });

  it('once set, is that of days in cells, read and written, and of daily notes', () => {
    const code = `
      const { settleTimeZone } = await import('./src/service/kernel/time-zone.ts');
      const { cellText } = await import('./src/host/databases/cell-text.ts');
      const { cellField } = await import('./src/host/databases/cell-values.ts');
      const { showDailyPath } = await import('./src/host/documents/daily-path.ts');
      const stored = Date.parse('2026-01-30T16:00:00Z');
      await settleTimeZone({ given: 'Asia/Shanghai', client: {}, now: 0 }, new AbortController().signal);
      const date = { content: stored, isNotEmpty: true, isNotTime: true, hasEndDate: false, content2: 0, isNotEmpty2: false };
      const field = cellField({ id: 'k', name: 'Due', type: 'date' }, '2026-01-31');
      console.log(cellText({ type: 'date', date }), field.date.content === stored, showDailyPath('{{now | date "2006-01-02"}}', stored));`;
    expect(printed(code)).toBe('2026-01-31 true 2026-01-31');
  });

  it('is asked of SiYuan only where TZ says nothing', () => {
    const code = (tz: string) => `
      ${tz}
      const { settleTimeZone } = await import('./src/service/kernel/time-zone.ts');
      const seconds = (template) => template.match(/\\d{10}/gu).map(() => '+0900');
      const client = { call: async (_path, { template }, parse) => parse(seconds(template).join(',') + ',') };
      await settleTimeZone({ given: undefined, client, now: Date.parse('2026-01-01') }, new AbortController().signal);
      console.log(new Intl.DateTimeFormat().resolvedOptions().timeZone);`;
    expect(printed(code(''))).toBe('UTC');
    expect(printed(code('delete process.env.TZ;'))).toBe('Asia/Tokyo');
  });
});
