import { resolve } from 'node:path';
import { LocalFiles } from '../../desktop/files/local-files.ts';
import { LocalPrograms } from '../../desktop/processes/local-programs.ts';
import { createFilesGroup } from '../../tools/groups/files/files.ts';
import { createScriptGroup } from '../../tools/groups/script/script.ts';
import type { ToolGroup } from '../../tools/index.ts';

export interface ComputerOptions {
  /** The service's own folder. */
  readonly data: string;
  /** Folders whose files the tools may use, relative paths in the first. Default: `files` in the service's own. */
  readonly folders?: readonly string[] | undefined;
}

/** Groups of tools that need the machine itself. `workspace`: SiYuan's, where it is on this machine. */
export function openComputer(
  { data, folders }: ComputerOptions,
  workspace: () => string | undefined,
  now: () => number,
): readonly ToolGroup[] {
  const allowed = folders && folders.length > 0 ? folders.map((folder) => resolve(folder)) : [resolve(data, 'files')];
  const files = new LocalFiles({ folders: () => allowed, workspace, journal: resolve(data, 'file-journal'), now });
  return [createFilesGroup(files), createScriptGroup(new LocalPrograms(files.folders))];
}
