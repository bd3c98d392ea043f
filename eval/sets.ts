import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalOptions } from './part.ts';

export interface OpenSet {
  readonly folder: string;
  /** Of its repository, or `sample`. */
  readonly version: string;
}

/** The folder of a fetched set. Throws `set_missing: …`, which `eval/main.ts` prints; `how` says how to get the set. */
export function setFolder({ sets }: EvalOptions, name: string, how: string): string {
  const folder = join(sets ?? '', name);
  if (sets !== undefined && existsSync(folder)) return folder;
  throw new Error(
    `set_missing: ${sets === undefined ? 'no folder of sets is given' : `${folder} is not there`} → ${how}, and give --sets FOLDER`,
  );
}

/** A set that is exported from a repository of GitHub, or the sample of it beside the part. */
export function openSet(options: EvalOptions, part: string, name: string, repository: string): OpenSet {
  if (!options.full) return { folder: join(import.meta.dirname, part, 'sample', name), version: 'sample' };
  const folder = setFolder(options, name, `export ${repository} from GitHub into it`);
  const version = join(folder, 'VERSION');
  return { folder, version: existsSync(version) ? readFileSync(version, 'utf8').slice(0, 8) : 'unknown' };
}
