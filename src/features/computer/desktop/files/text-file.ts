// The bytes of a text file: read within limits, replaced atomically.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../../../tools/contract/errors.ts';
import type { FolderPath } from './allowed-folders.ts';
import { isMissing, nearestFolder } from './nearest-folder.ts';
import { checkReal, fileError, type HeldFolder, holdFolder, notAFile, openToRead, targetOf } from './safe-open.ts';

/** The maximum size of a file that is read. */
export const MAX_FILE = 5 * 1024 * 1024;

const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;

/** A file may grow while it is read: at most the limit plus one byte is read. */
async function readBytes(handle: FileHandle, shown: string, signal: AbortSignal): Promise<Uint8Array> {
  const { size } = await handle.stat();
  const tooLarge = (): ToolError =>
    new ToolError(
      'too_large',
      `${shown} has ${size} bytes, at most ${MAX_FILE}`,
      'use a smaller file, or ask the user for the part that matters',
    );
  if (size > MAX_FILE) throw tooLarge();
  const parts: Uint8Array[] = [];
  for (let total = 0; ; ) {
    if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
    const { bytesRead, buffer } = await handle.read(new Uint8Array(64 * 1024), 0, 64 * 1024, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    total += bytesRead;
    if (total > MAX_FILE) throw tooLarge();
    parts.push(buffer.subarray(0, bytesRead));
  }
}

function decode(bytes: Uint8Array, shown: string): string {
  const notText = (): ToolError => new ToolError('not_text', `${shown} is not text in UTF-8`, 'use a text file, or tell the user');
  if (bytes.includes(0)) throw notText();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notText();
  }
}

export async function readText(place: FolderPath, signal: AbortSignal): Promise<string> {
  const handle = await openToRead(place);
  try {
    return decode(await readBytes(handle, place.shown, signal), place.shown);
  } finally {
    await handle.close();
  }
}

/** null: there is no such file. */
export async function readTextOrNone(place: FolderPath, signal: AbortSignal): Promise<string | null> {
  const { folder, name } = await targetOf(place);
  try {
    return await readText({ ...place, path: join(folder, name) }, signal);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'not_found') throw error;
    // Its future folder must be a writable one.
    const { folder: nearest, missing } = await nearestFolder(folder).catch((problem: unknown) => {
      throw fileError(problem, place.shown);
    });
    checkReal(join(nearest, ...missing, name), place);
    await (await holdFolder(place, nearest)).close();
    return null;
  }
}

/** The current entry in an open folder: not through a link, which was followed before. */
async function currentText(base: string, name: string, place: FolderPath, signal: AbortSignal) {
  let handle: FileHandle;
  try {
    const found = await lstat(join(base, name));
    if (!found.isFile()) throw new ToolError('stale', `${place.shown} is not what it was`, 'read it again; nothing was written');
    handle = await open(join(base, name), constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return { text: null, mode: 0o644 };
    throw fileError(error, place.shown);
  }
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw notAFile(place.shown);
    return { text: decode(await readBytes(handle, place.shown, signal), place.shown), mode: found.mode & 0o777 };
  } finally {
    await handle.close();
  }
}

interface Change {
  /** null: there must be no such file. */
  readonly before: string | null;
  /** null: it is removed. */
  readonly after: string | null;
}

async function heldFor(place: FolderPath): Promise<{ readonly held: HeldFolder; readonly name: string }> {
  const { folder, name } = await targetOf(place);
  const { folder: nearest, missing } = await nearestFolder(folder);
  await (await holdFolder(place, nearest)).close();
  const made = join(nearest, ...missing);
  // What does not exist yet can be reserved as well.
  checkReal(join(made, name), place);
  if (missing.length > 0) await mkdir(made, { recursive: true });
  return { held: await holdFolder(place, made), name };
}

function stale(place: FolderPath): ToolError {
  return new ToolError('stale', `${place.shown} was changed since it was shown`, 'read it again; nothing was written');
}

/**
 * Replaces a text atomically: a draft next to it is renamed. Rejects with `stale` if the file is not as
 * `before` says; `beforehand` runs when that is known and nothing is written yet.
 */
export async function replaceText(
  place: FolderPath,
  { before, after }: Change,
  signal: AbortSignal,
  beforehand: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { held, name } = await heldFor(place).catch((error: unknown) => {
    throw fileError(error, place.shown);
  });
  try {
    const current = await currentText(held.base, name, place, signal);
    if (current.text !== before) throw stale(place);
    await beforehand();
    if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
    if (after === null) await unlink(join(held.base, name));
    else await putInPlace(held, name, { text: after, mode: current.mode, isNew: before === null }, place);
  } catch (error) {
    throw fileError(error, place.shown);
  } finally {
    await held.close();
  }
}

async function putInPlace(
  held: HeldFolder,
  name: string,
  { text, mode, isNew }: { readonly text: string; readonly mode: number; readonly isNew: boolean },
  place: FolderPath,
): Promise<void> {
  const draft = join(held.base, `.marginalia-${randomBytes(6).toString('hex')}.tmp`);
  const handle = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW, mode);
  try {
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await held.check();
    if (isNew) await placeNew(draft, join(held.base, name), place);
    else await rename(draft, join(held.base, name));
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

/** A name that was taken meanwhile is not overwritten: a link fails where a rename would not. */
async function placeNew(draft: string, target: string, place: FolderPath): Promise<void> {
  try {
    await link(draft, target);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EEXIST') throw stale(place);
    // File systems without links.
    await rename(draft, target);
    return;
  }
  await unlink(draft);
}
