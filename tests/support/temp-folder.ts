// Vitest's global setup: what the tests of a run write lies in one folder, which goes with the run, whatever became of its workers.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In memory: workspaces are written to disk by every call, and nobody needs them after a power failure. */
const MEMORY = '/dev/shm';
const ENOUGH = 4e9;

/** Variable of the environment with the run's folder. */
export const RUN_FOLDER = 'MARGINALIA_RUN_FOLDER';

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ENOUGH;
  } catch {
    return false; // No such folder: not Linux.
  }
}

export default function setup(): () => void {
  // A run after another over the same host and notes has what that one made (scripts/mutations.ts).
  const given = process.env[RUN_FOLDER];
  const folder = given ?? mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'marginalia-run-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP', RUN_FOLDER]) process.env[name] = folder;
  return () => {
    if (given === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
