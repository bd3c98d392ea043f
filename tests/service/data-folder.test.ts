// The service's own folder: where it cannot be used, and what happens when its disk is full.
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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
  'with a device in the place of records.db': (path: string) => {
    mkdirSync(path);
    symlinkSync('/dev/null', join(path, 'records.db'));
  },
  'of a name that is too long': (path: string) => `${path}${'x'.repeat(300)}`,
  'of a path that is too long': (path: string) => `${path}${'/x'.repeat(5000)}`,
  'with a NUL in its name': (path: string) => `${path}\0x`,
  'with a line break in the name of a file': (path: string) => {
    writeFileSync(`${path}\nx`, '');
    return `${path}\nx`;
  },
  'a link that leads nowhere': (path: string) => symlinkSync(join(path, '..', 'nowhere'), path),
  'below a link that leads nowhere': (path: string) => {
    symlinkSync(join(path, '..', 'nowhere'), path);
    return join(path, 'data');
  },
  'a link to itself': (path: string) => symlinkSync(path, path),
} as const;

it.each(Object.keys(made) as (keyof typeof made)[])('that cannot be used is one sentence: %s', async (which) => {
  const path = join(folder, which.replaceAll(' ', '-'));
  const data = made[which](path) ?? path;
  const said = await start(data);
  expect(said).toMatch(/^bad_data: \S{1,201} cannot be used as the folder of the service: [^\n]+ → name another with --data$/);
  // In our words, not in the system's.
  expect(said).not.toMatch(/[Nn]o such|statSync|mkdir|errno|must be|too many/);
  // Nothing is held: the next start says the same.
  expect(await start(data)).toBe(said);
});

it('is made with the folders above it, for nobody else to read', async () => {
  const data = join(folder, 'made', 'below', 'data');
  // Past the folder: there is no kernel.
  expect(await start(data)).toMatch(/kernel_unreachable|kernel/);
  expect(statSync(data).mode & 0o777).toBe(0o700);
});
