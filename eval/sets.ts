import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalOptions } from './part.ts';

/** The folder of a fetched set. Throws `set_missing: …`, which `eval/main.ts` prints; `how` says how to get the set. */
export function setFolder({ sets }: EvalOptions, name: string, how: string): string {
  const folder = join(sets ?? '', name);
  if (sets !== undefined && existsSync(folder)) return folder;
  throw new Error(
    `set_missing: ${sets === undefined ? 'no folder of sets is given' : `${folder} is not there`} → ${how}, and give --sets FOLDER`,
  );
}
