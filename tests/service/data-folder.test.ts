// The service's own folder: where it cannot be used, and what happens when its disk is full.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { UsageError } from '../../src/service/contract/errors.ts';
import { startService } from '../../src/service/service.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marginalia-data-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (data: string) =>
  startService({
    ...{ kernel: 'http://127.0.0.1:1', token: 't', port: 0, host: '127.0.0.1', hosts: [], origins: [] },
    ...{ data, log: () => undefined },
  }).then(
    () => 'started',
    (error: unknown) => (error instanceof UsageError ? error.message : `not for the user: ${error}`),
  );

const made = {
  'a file': (path: string) => writeFileSync(path, ''),
  'below a file': (path: string) => {
    writeFileSync(path, '');
    return join(path, 'data');
  },
  'with a folder in the place of records.db': (path: string) => mkdirSync(join(path, 'records.db'), { recursive: true }),
  'with a folder in the place of service.pid': (path: string) => mkdirSync(join(path, 'service.pid'), { recursive: true }),
  'with a folder in the place of device': (path: string) => mkdirSync(join(path, 'device'), { recursive: true }),
  'of a name that is too long': (path: string) => `${path}${'x'.repeat(300)}`,
} as const;

it.each(Object.keys(made) as (keyof typeof made)[])('that cannot be used is one sentence: %s', async (which) => {
  const path = join(folder, which.replaceAll(' ', '-'));
  const data = made[which](path) ?? path;
  const said = await start(data);
  expect(said).toMatch(/^bad_data: \S+ cannot be used as the folder of the service: [^\n]+ \([A-Z]+\) → name another with --data$/);
  // Nothing is held: the next start says the same.
  expect(await start(data)).toBe(said);
});
