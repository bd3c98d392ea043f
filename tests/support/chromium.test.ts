import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { findChromium } from './chromium.ts';

afterEach(() => vi.unstubAllEnvs());

const program = (folder: string, name: string): string => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), '', { mode: 0o755 });
  return join(folder, name);
};

it('the browser is the one that is named, else a headless shell, else another on the path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'browsers-'));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  vi.stubEnv('PATH', [first, second].join(delimiter));
  vi.stubEnv('MARGINALIA_CHROMIUM', undefined);
  const chromium = program(first, 'chromium');
  expect(findChromium()).toBe(chromium);
  const shell = program(second, 'chromium-headless-shell');
  expect(findChromium()).toBe(shell);
  vi.stubEnv('MARGINALIA_CHROMIUM', chromium);
  expect(findChromium()).toBe(chromium);
});
