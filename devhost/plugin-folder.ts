import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const PLUGIN = 'siyuan-marginalia';

/** Does the folder hold this link and nothing else? */
function stands(folder: string, dist: string): boolean {
  if (!existsSync(folder)) return false;
  const link = join(folder, PLUGIN);
  return readdirSync(folder).join() === PLUGIN && existsSync(link) && realpathSync(link) === realpathSync(dist);
}

/**
 * Makes `folder` hold the built plugin and nothing else, as a link, and returns it: what the host takes as `plugins`.
 * A folder that is right already is left alone, since another host may be serving from it.
 */
export function linkPlugin(dist: string, folder: string): string {
  if (stands(folder, dist)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  symlinkSync(dist, join(folder, PLUGIN), 'junction');
  return folder;
}
