import { mkdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { ToolError } from '../../tools/contract/errors.ts';
import { checkPathText, isInside, isSecret, outsideError, secretError } from './file-rules.ts';

export interface FolderOptions {
  /** Absolute, asked for each call; relative paths are in the first, which is made when it is not there. */
  readonly folders: () => readonly string[];
  /** SiYuan's workspace, where it is on this machine: of it only what is in `marginalia` may be touched. */
  readonly workspace?: () => string | undefined;
}

/** A path in an allowed folder, by its words. */
export interface PlaceInFolder {
  readonly folder: string;
  readonly realFolder: string;
  readonly path: string;
  /** Relative to its folder, with slashes; '.' for the folder itself; absolute in another than the first. */
  readonly shown: string;
  /** Whether a real path is in the part of SiYuan's workspace that is not for files. */
  readonly isClosed: (real: string) => boolean;
}

/** The folders that a person allowed. Everything that tools do with files passes `place` and then safe-open.ts. */
export class AllowedFolders {
  private readonly options: FolderOptions;

  constructor(options: FolderOptions) {
    this.options = options;
  }

  list(): readonly string[] {
    return this.options
      .folders()
      .filter(isAbsolute)
      .map((folder) => resolve(folder));
  }

  /** The folder of a path by its words alone; undefined where it lies in none. */
  folderOf(path: string): string | undefined {
    const folders = this.list();
    const full = resolve(folders[0] ?? sep, path);
    return folders.filter((folder) => isInside(folder, full)).sort((left, right) => right.length - left.length)[0];
  }

  /** Rejects with `bad_path`, `outside_folders`, `secret_file` or `not_found`. */
  async place(path: string): Promise<PlaceInFolder> {
    checkPathText(path);
    const folders = this.list();
    const [first] = folders;
    if (first === undefined) throw outsideError(path, []);
    const full = resolve(first, normalize(path));
    const folder = this.folderOf(full);
    if (folder === undefined) throw outsideError(path, folders);
    const way = relative(folder, full);
    if (isSecret(way)) throw secretError(path);
    const shown = folder === first ? way.split(sep).join('/') || '.' : full;
    const realFolder = await this.realFolder(folder, folder === first);
    const workspace = await this.workspace();
    if (workspace !== undefined && realFolder !== workspace && isClosed(workspace, realFolder)) throw secretError(path);
    return { folder, realFolder, path: full, shown, isClosed: (real) => workspace !== undefined && isClosed(workspace, real) };
  }

  private async realFolder(folder: string, make: boolean): Promise<string> {
    try {
      if (make) await mkdir(folder, { recursive: true });
      return await realpath(folder);
    } catch (error) {
      const detail = error instanceof Error ? error.message : '';
      throw new ToolError('not_found', `the allowed folder ${folder} is not there`, 'tell the user', detail);
    }
  }

  private async workspace(): Promise<string | undefined> {
    const folder = this.options.workspace?.();
    return folder === undefined ? undefined : realpath(folder).catch(() => undefined);
  }
}

/** Notes, tokens and history are in the workspace; what is ours to give is below `marginalia`. */
function isClosed(workspace: string, real: string): boolean {
  return isInside(workspace, real) && real !== workspace && !isInside(join(workspace, 'marginalia'), real);
}
