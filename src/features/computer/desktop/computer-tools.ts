import { join, resolve } from 'node:path';
import type { WriteHistory } from '../../../tools/contract/ports.ts';
import type { ToolGroup } from '../../../tools/contract/types.ts';
import { createFilesGroup } from '../files/files.ts';
import { createCustomScriptGroups } from '../script/custom-scripts.ts';
import { createScriptGroup } from '../script/script.ts';
import type { ReservedFolder } from './files/allowed-folders.ts';
import { joinHistories } from './files/joined-history.ts';
import { LocalFiles } from './files/local-files.ts';
import { LocalPrograms } from './local-programs.ts';
import { LocalScripts } from './local-scripts.ts';

export interface ComputerDeps {
  /** Where files are stored unless another folder is named, and the data about them. */
  readonly own: string;
  /** Folders that the person named; the first is the working folder. */
  readonly folders: () => readonly string[];
  /** What may not be touched even in a named folder; always includes the file log. */
  readonly reserved: readonly ReservedFolder[];
  readonly now: () => number;
  /** Folder of the person's own scripts; default: `scripts` in `own`. */
  readonly scripts?: string | undefined;
  /** Called with the reason when a script cannot be used. */
  readonly onProblem?: (problem: string) => void;
}

/** The tools that need a computer. */
export interface ComputerTools {
  readonly groups: () => readonly ToolGroup[];
  /** Undo of notes, combined with that of files. */
  readonly withFiles: (notes: WriteHistory) => WriteHistory;
  readonly filesFolder: string;
}

/** Files that are really the machine: its processes with their environments, which contain tokens. */
const SYSTEM: readonly ReservedFolder[] = process.platform === 'win32' ? [] : ['/proc', '/sys'].map((folder) => ({ folder }));

export function openComputerTools({ own, folders, reserved, now, scripts = join(own, 'scripts'), onProblem }: ComputerDeps): ComputerTools {
  const [filesFolder, log] = [join(own, 'files'), join(own, 'file-journal')];
  const allowed = (): readonly string[] => (folders().length > 0 ? folders().map((folder) => resolve(folder)) : [filesFolder]);
  const approvals = join(own, 'script-approvals.json');
  const closed = [...reserved, { folder: log }, { folder: scripts }, { folder: approvals }, ...SYSTEM];
  const files = new LocalFiles({ folders: allowed, reserved: () => closed, log, now });
  const groups = [createFilesGroup(files), createScriptGroup(new LocalPrograms(files.folders))];
  const custom = new LocalScripts({ folder: scripts, approvals, folders: files.folders, onProblem });
  return { groups: () => [...groups, ...createCustomScriptGroups(custom)], withFiles: (notes) => joinHistories(notes, files), filesFolder };
}
