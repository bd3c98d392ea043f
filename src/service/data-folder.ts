import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from './contract/errors.ts';

/** SQLite's errors for a file that it may not write, has no room for, or cannot open. */
const SQLITE: Readonly<Record<number, string>> = { 8: 'EROFS', 10: 'EIO', 13: 'ENOSPC', 14: 'EACCES' };
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'nothing can be written there',
  EEXIST: 'it is a file or a link that leads nowhere, not a folder',
  ENOTDIR: 'a file is in its path',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full for this user',
  ENOENT: 'it cannot be made there',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EIO: 'its disk fails',
  ERR_INVALID_ARG_VALUE: 'its name has a character that no name may have',
};
/** All files that the service writes there. */
const FILES = ['device', 'service.pid', 'records.db', 'records.db-wal', 'records.db-shm'];
const MAX_NAME = 200;

function unusable(data: string, reason: string): UsageError {
  // One line, whatever characters the name contains.
  const name = data.replace(/[\p{Cc}\u2028\u2029]/gu, '�');
  const short = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  return new UsageError(`bad_data: ${short} cannot be used as the folder of the service: ${reason} → name another with --data`);
}

/** Prepares the service's folder before anything runs. Throws UsageError if the system refuses. */
export function inFolder<T>(data: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof UsageError) throw error;
    const fromSqlite = 'errcode' in error ? SQLITE[Number(error.errcode) & 0xff] : undefined;
    const code = fromSqlite ?? ('code' in error ? String(error.code) : '');
    throw unusable(data, `${REASONS[code] ?? error.message} (${code})`);
  }
}

const entryAt = (path: string) => statSync(path, { throwIfNoEntry: false });

/** Not `recursive`: if the system says “no such folder” for an existing folder, as under /proc, Node tries forever. */
function makeFolder(path: string): void {
  if (entryAt(path)?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path && !entryAt(parent)) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}

/** Creates the service's folder. Throws if that fails, or if opening one of its files would block forever, as for a pipe. */
export function requireFolder(data: string): void {
  makeFolder(data);
  const wrong = FILES.find((name) => entryAt(join(data, name))?.isFile() === false);
  if (wrong !== undefined) throw unusable(data, `“${wrong}” in it is not a file`);
}
