import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';

/** The nearest existing folder above, with the missing names below it. */
export async function nearestFolder(path: string): Promise<{ readonly folder: string; readonly missing: readonly string[] }> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return { folder: await realpath(at), missing };
    } catch (error) {
      if (!isMissing(error) || dirname(at) === at) throw error;
      // A dangling link exists, though its target does not.
      if (await lstat(at).catch(() => undefined)) throw error;
      missing.unshift(basename(at));
    }
  }
}
