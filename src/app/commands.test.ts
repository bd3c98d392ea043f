import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import english from '../../i18n/en_US.json';
import chinese from '../../i18n/zh_CN.json';
import { COMMANDS, DEFAULT_KEYS } from './commands.ts';

/** Keys with Alt and Ctrl (or Command), and with Alt alone, that SiYuan 3.7.3 gives to commands of its own (`app/src/constants.ts`). */
const SIYUAN_KEYS = [
  ...['A', 'B', 'F', 'L', 'M', 'R', 'T', 'X', '.', '↑', '0', '1', '2', '3', '4', '5', '6', '7', '9'].map((key) => `⌥⌘${key}`),
  ...[',', '.', 'A', 'B', 'C', 'D', 'F', 'G', 'H', 'L', 'M', 'N', 'O', 'P', 'R', 'X', 'Y', '[', '\\', '←', '→', '↩'].map(
    (key) => `⌥${key}`,
  ),
];

describe('the host’s commands', () => {
  it('have words in both languages, each once', () => {
    for (const words of [english, chinese] as const) {
      const names = COMMANDS.map((name) => words[name]);
      expect(names.filter((name) => !name)).toEqual([]);
      expect(new Set(names).size).toBe(COMMANDS.length);
    }
  });

  it('take no key that SiYuan uses', () => {
    const start = readFileSync(join(import.meta.dirname, '../index.ts'), 'utf8');
    const dock = Array.from(start.matchAll(/hotkey: '([^']*)'/g), (found) => found[1] ?? '');
    const keys = [...dock, ...Object.values(DEFAULT_KEYS)];
    expect(keys).toEqual(['⌥⌘J', '⌥J']);
    expect(keys.filter((key) => SIYUAN_KEYS.includes(key))).toEqual([]);
  });
});
