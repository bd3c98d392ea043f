// Opens files and folders so that what was checked is what is used, even if others change the path meanwhile.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { ToolError } from '../../../../tools/contract/errors.ts';
import { preview } from '../../../../tools/util/graphemes.ts';
import type { FolderPath } from './allowed-folders.ts';
import { isInside, isSecret, outsideError, secretError } from './file-rules.ts';
import { codeOf, isMissing } from './nearest-folder.ts';

/** Not on Windows, which opens blocking files in another way. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0, O_DIRECTORY = 0, O_NOCTTY = 0 } = constants as Partial<typeof constants>;

/** The system's error as a ToolError. */
export function fileError(error: unknown, path: string): unknown {
  if (isMissing(error)) return new ToolError('not_found', `there is no ${preview(path, 120)}`, 'call list_files to see what is there');
  if (codeOf(error) === 'ELOOP') return new ToolError('raced', `${preview(path, 120)} was replaced by a link`, 'tell the user');
  if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM')
    return new ToolError('not_a_file', `the system does not allow access to ${preview(path, 120)}`, 'use another file, or tell the user');
  if (codeOf(error) === 'EISDIR' || codeOf(error) === 'ENXIO' || codeOf(error) === 'EOPNOTSUPP') return notAFile(path);
  return error;
}

export function notAFile(path: string): ToolError {
  return new ToolError('not_a_file', `${preview(path, 120)} is not a text file`, 'call list_files to see what is there');
}

/** Throws unless a real path is where the place says, below its folder, and not secret. */
export function checkReal(real: string, place: FolderPath): void {
  if (!isInside(place.realFolder, real)) throw outsideError(`${place.shown} (a link that leads out of its folder)`, [place.folder]);
  const way = relative(place.realFolder, real);
  if (isSecret(way) || place.isClosed(real)) throw secretError(place.shown);
}

/** Whether an open handle is what is at a real path now: one that was replaced in between is not. */
async function isAt(handle: FileHandle, real: string): Promise<boolean> {
  const [opened, there] = await Promise.all([handle.stat({ bigint: true }), stat(real, { bigint: true })]);
  return opened.ino === there.ino && opened.dev === there.dev;
}

async function checkHandle(handle: FileHandle, path: string, place: FolderPath): Promise<string> {
  const real = await realpath(path);
  checkReal(real, place);
  if (!(await isAt(handle, real))) throw new ToolError('raced', `${place.shown} was replaced while it was being opened`, 'try again');
  return real;
}

/**
 * Opens a regular file for reading: first checked (a device is never opened), then opened without blocking (a pipe), then checked
 * again by the open handle. The caller closes it.
 */
export async function openToRead(place: FolderPath): Promise<FileHandle> {
  try {
    checkReal(await realpath(place.path), place);
    if (!(await stat(place.path)).isFile()) throw notAFile(place.shown);
    const handle = await open(place.path, constants.O_RDONLY | O_NONBLOCK | O_NOCTTY);
    try {
      if (!(await handle.stat()).isFile()) throw notAFile(place.shown);
      await checkHandle(handle, place.path, place);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw fileError(error, place.shown);
  }
}

/** An open folder: on Linux `base` leads to the folder itself, wherever its path leads by now. */
export interface HeldFolder {
  readonly base: string;
  readonly real: string;
  /** Rejects if the path no longer leads to it. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export async function holdFolder(place: FolderPath, path = place.path): Promise<HeldFolder> {
  const real = await realpath(path);
  checkReal(real, place);
  // Windows opens no folders; there the path is checked before and after.
  if (process.platform === 'win32') {
    const check = async (): Promise<void> => checkReal(await realpath(path), place);
    return { base: real, real, check, close: async () => undefined };
  }
  const handle = await open(real, constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    await checkHandle(handle, real, place);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    base: process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : real,
    real,
    check: async () => void (await checkHandle(handle, real, place)),
    close: () => handle.close(),
  };
}

/** The folder and name for a write: a link in the folder is followed to its target. */
export async function targetOf(place: FolderPath): Promise<{ readonly folder: string; readonly name: string }> {
  const found = await lstat(place.path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw fileError(error, place.shown);
  });
  if (found === undefined) return { folder: dirname(place.path), name: basename(place.path) };
  const real = await realpath(place.path).catch((error: unknown) => {
    throw isMissing(error) ? outsideError(`${place.shown} (a link that leads nowhere)`, [place.folder]) : fileError(error, place.shown);
  });
  checkReal(real, place);
  return { folder: dirname(real), name: basename(real) };
}
