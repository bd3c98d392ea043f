import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';

/** The nearest folder above that is there, with the names that are missing below it. */
export async function nearestFolder(path: string): Promise<{ readonly folder: string; readonly missing: readonly string[] }> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return { folder: await realpath(at), missing };
    } catch (error) {
      if (!isMissing(error) || dirname(at) === at) throw error;
      // A link that leads nowhere is there, though what it leads to is not.
      if (await lstat(at).catch(() => undefined)) throw error;
      missing.unshift(basename(at));
    }
  }
}
