import type { WriteOrigin } from '../../../tools/contract/ports.ts';

/** A decoded text file: UTF-8, including a byte order mark. */
export interface FileText {
  /** As it is shown: relative to its allowed folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface FileEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size?: number;
}

export interface FileListing {
  readonly path: string;
  /** By path; folders before what is in them. */
  readonly entries: readonly FileEntry[];
  /** The number of entries that are not shown, because their names suggest secrets. */
  readonly hidden: number;
  /** The listing reached its limit: there may be more. */
  readonly cut: boolean;
}

export interface FileWrite {
  readonly path: string;
  readonly content: string;
  readonly mode: 'overwrite' | 'append';
}

export interface PlannedWrite {
  readonly path: string;
  /** The allowed folder, for people. */
  readonly folder: string;
  /** null: there is no such file yet. */
  readonly before: string | null;
  readonly after: string;
}

/** Files in allowed folders; relative paths are in the first one. Rejects with ToolError, `stale` and `raced` among them. */
export interface FilesPort {
  /** The allowed folder that contains a path, decided by its text alone. Throws `bad_path`, `outside_folders` or `secret_file`. */
  folderOf(path: string): string;
  read(path: string, signal: AbortSignal): Promise<FileText>;
  /** `depth` 1: only the folder itself. `pattern`: `*`, `?` and `**`, matched against the relative path or, without a slash, the name. */
  list(query: { readonly path: string; readonly depth: number; readonly pattern?: string }, signal: AbortSignal): Promise<FileListing>;
  plan(write: FileWrite, signal: AbortSignal): Promise<PlannedWrite>;
  /** Writes `after` if the file is still `before`, else rejects with `stale`. First saves the earlier text for Undo. */
  write(planned: PlannedWrite, origin: WriteOrigin, signal: AbortSignal): Promise<void>;
}
