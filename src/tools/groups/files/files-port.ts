import type { WriteOrigin } from '../../contract/ports.ts';

/** A text file, decoded: UTF-8, a byte order mark kept. */
export interface FileText {
  /** As it is shown: relative to its allowed folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface FileEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes, of files. */
  readonly size?: number;
}

export interface FileListing {
  readonly path: string;
  /** By path; folders before what is in them. */
  readonly entries: readonly FileEntry[];
  /** Entries that are not shown, since their names say that they hold secrets. */
  readonly hidden: number;
  /** The walk ended at its limit: there may be more. */
  readonly cut: boolean;
}

export interface FileWrite {
  readonly path: string;
  readonly content: string;
  readonly mode: 'overwrite' | 'append';
}

/** A write before consent. */
export interface PlannedWrite {
  readonly path: string;
  /** The allowed folder, in words. */
  readonly folder: string;
  /** null: there is no such file yet. */
  readonly before: string | null;
  readonly after: string;
}

/**
 * Files in the folders that the person allowed; relative paths are in the first. Methods reject with ToolError: `bad_path`,
 * `outside_folders`, `secret_file`, `not_found`, `not_a_file`, `not_text`, `too_large`, `stale`, `raced`, `aborted`.
 */
export interface FilesPort {
  /** The allowed folder that a path is in, judged by its text alone. Throws `bad_path`, `outside_folders` or `secret_file`. */
  folderOf(path: string): string;
  read(path: string, signal: AbortSignal): Promise<FileText>;
  /** `depth` 1: what is in the folder itself. `pattern`: `*`, `?` and `**`, of the path below the listed folder or, without a slash, of the name. */
  list(query: { readonly path: string; readonly depth: number; readonly pattern?: string }, signal: AbortSignal): Promise<FileListing>;
  /** Writes nothing. */
  plan(write: FileWrite, signal: AbortSignal): Promise<PlannedWrite>;
  /** Writes `after` where the file still is `before`, else `stale`. The earlier text is kept for Undo first. */
  write(planned: PlannedWrite, origin: WriteOrigin, signal: AbortSignal): Promise<void>;
}
