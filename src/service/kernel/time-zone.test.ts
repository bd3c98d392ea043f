import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTimeZone } from './time-zone.ts';

const root = join(import.meta.dirname, '../../..');

/** What a process in `TZ=UTC` prints, with modules of ours. */
const printed = (code: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', code], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  }).trim();

describe('a time zone', () => {
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
      settleTimeZone('Asia/Shanghai');
      const date = { content: stored, isNotEmpty: true, isNotTime: true, hasEndDate: false, content2: 0, isNotEmpty2: false };
      const field = cellField({ id: 'k', name: 'Due', type: 'date' }, '2026-01-31');
      console.log(cellText({ type: 'date', date }), field.date.content === stored, showDailyPath('{{now | date "2006-01-02"}}', stored));`;
    expect(printed(code)).toBe('2026-01-31 true 2026-01-31');
  });
});
