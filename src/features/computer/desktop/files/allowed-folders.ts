import { mkdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { ToolError } from '../../../../tools/contract/errors.ts';
import { checkPathText, isInside, isSecret, outsideError, secretError } from './file-rules.ts';
import { nearestFolder } from './nearest-folder.ts';

export interface FolderOptions {
  /** Absolute, read for each call; relative paths are in the first, which is created if it does not exist. */
  readonly folders: () => readonly string[];
  /** What may not be touched even in an allowed folder: SiYuan's workspace, data about chats. */
  readonly reserved?: () => readonly ReservedFolder[];
}

/** `open`: the one folder in it that is not reserved. */
export interface ReservedFolder {
  readonly folder: string;
  readonly open?: string;
}

/** A path in an allowed folder, by its text. */
export interface FolderPath {
  readonly folder: string;
  readonly realFolder: string;
  readonly path: string;
  /** Relative to its folder, with slashes; '.' for the folder itself; absolute if it is not in the first folder. */
  readonly shown: string;
  /** Whether a real path is reserved. */
  readonly isClosed: (real: string) => boolean;
}

/** The folders that a person allowed. Every file access of tools passes `place` and then safe-open.ts. */
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

  /** The folder of a path by its text alone. Throws `bad_path`, `outside_folders` or `secret_file`. */
  folderOf(path: string): string {
    return this.inWords(path).folder;
  }

  private inWords(path: string): { readonly folder: string; readonly full: string; readonly way: string } {
    checkPathText(path);
    const folders = this.list();
    const full = resolve(folders[0] ?? sep, normalize(path));
    const folder = folders.filter((each) => isInside(each, full)).sort((left, right) => right.length - left.length)[0];
    if (folder === undefined) throw outsideError(path, folders);
    const way = relative(folder, full);
    if (isSecret(way)) throw secretError(path);
    return { folder, full, way };
  }

  /** Rejects with `bad_path`, `outside_folders`, `secret_file` or `not_found`. */
  async place(path: string): Promise<FolderPath> {
    const { folder, full, way } = this.inWords(path);
    const [first] = this.list();
    const shown = folder === first ? way.split(sep).join('/') || '.' : full;
    const realFolder = await this.realFolder(folder, folder === first);
    const reserved = await this.reserved();
    const closed = (real: string): boolean => reserved.some((each) => isReserved(each, real));
    if (closed(realFolder)) throw secretError(path);
    return { folder, realFolder, path: full, shown, isClosed: closed };
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

  private async reserved(): Promise<readonly ReservedFolder[]> {
    // One that does not exist yet is reserved where it would be created.
    const real = async (folder: string): Promise<string> => {
      const nearest = await nearestFolder(resolve(folder)).catch(() => undefined);
      return nearest ? join(nearest.folder, ...nearest.missing) : resolve(folder);
    };
    return Promise.all((this.options.reserved?.() ?? []).map(async (each) => ({ ...each, folder: await real(each.folder) })));
  }
}

/** The folder itself may contain the open one. */
function isReserved({ folder, open }: ReservedFolder, real: string): boolean {
  if (!isInside(folder, real)) return false;
  return open === undefined || (real !== folder && !isInside(join(folder, open), real));
}
