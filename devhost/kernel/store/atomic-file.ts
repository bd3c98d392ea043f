import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

let counter = 0;

/** Is this the name of a half-written file that a killed process left? */
export const isTemporary = (name: string): boolean => /^\..+\.tmp$/.test(name);

/** Writes a file so that a reader, or the next start after `kill -9`, sees the old or the new content and nothing between. */
export function writeFileAtomic(path: string, content: string | Uint8Array): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  counter += 1;
  const temporary = join(folder, `.${basename(path)}.${process.pid}.${counter}.tmp`);
  const file = openSync(temporary, 'w');
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    let written = 0;
    while (written < bytes.length) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/** A JSON file's value, or `fallback` when there is no such file. A file that is not JSON throws with its path. */
export function readJson<T>(path: string, fallback: T): T {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return fallback;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new Error(`bad_json: ${path}: ${error instanceof Error ? error.message : String(error)} → repair or remove the file`);
  }
}
