import { resolve } from 'node:path';
import { type ComputerTools, openComputerTools } from '../../desktop/computer-tools.ts';

export interface ComputerOptions {
  /** The service's own folder. */
  readonly data: string;
  /** Folders that the tools may use, relative paths in the first. Default: `files` in the service's own. */
  readonly folders?: readonly string[] | undefined;
  /** Folder of the person's own scripts. Default: `scripts` in the service's own. */
  readonly scripts?: string | undefined;
  /** Called when a script cannot be used. */
  readonly onProblem?: (problem: string) => void;
}

/** Groups of tools that need the machine itself. `siyuan`: its workspace, if it is on this machine. */
export function openComputer(
  { data, folders = [], scripts, onProblem }: ComputerOptions,
  siyuan: string | undefined,
  now: () => number,
): Pick<ComputerTools, 'groups' | 'withFiles'> {
  const own = resolve(data);
  const reserved = [{ folder: own, open: 'files' }, ...(siyuan === undefined ? [] : [{ folder: siyuan, open: 'marginalia' }])];
  return openComputerTools({ own, folders: () => folders, reserved, now, scripts, onProblem });
}
