import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEVELOPMENT_ONLY } from './real-siyuan.ts';

const folder = join(import.meta.dirname, '../tests/e2e');

describe('the table of what only the development host can show', () => {
  it('is short: each row is a promise that nobody has tried on SiYuan itself', () => {
    expect(DEVELOPMENT_ONLY.length).toBeLessThanOrEqual(6);
  });

  it.each(DEVELOPMENT_ONLY)('names a file that is there, and its reason: $file', ({ file, reason }) => {
    expect(existsSync(join(folder, file))).toBe(true);
    expect(reason).not.toBe('');
  });

  it.each(DEVELOPMENT_ONLY.filter(({ tests }) => tests !== undefined))('names tests that are there: $file', ({ file, tests = '' }) => {
    const text = readFileSync(join(folder, file), 'utf8');
    // A name of a table of tests holds the value of its row.
    expect(text.includes(tests) || text.includes(tests.replace('3.8', '%s'))).toBe(true);
  });
});
