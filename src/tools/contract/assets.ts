import type { DocumentRef, NotebookRef } from './note-readings.ts';

export interface AssetPlace {
  readonly id: string;
  readonly document: DocumentRef;
  readonly notebook: NotebookRef;
}

export interface AssetReading {
  readonly path: string;
  /** Bytes; null if there is no such file. */
  readonly size: number | null;
  /** Those that may be read, at least one. */
  readonly places: readonly AssetPlace[];
}

export interface AssetPage {
  readonly items: readonly AssetReading[];
  readonly total: number;
  readonly nextPage: number | null;
}

/** Files that no note uses, in the order of their last change. */
export interface UnusedAssets {
  /** `path`: below the folder of data, also in a notebook's own folder. */
  readonly items: readonly { readonly path: string; readonly size: number | null }[];
  readonly total: number;
  /** SiYuan names no more than so many. */
  readonly isCut: boolean;
  readonly nextPage: number | null;
}

export interface AssetFile extends AssetReading {
  readonly bytes: Uint8Array;
}

/** Reads of files that notes use. A file belongs to the notes that use it: what no readable block uses is `not_found`, like no file at all. */
export interface AssetQueries {
  /** `in`: of a notebook, a document, or a block with the blocks in it. */
  assets(query: { readonly in?: string | undefined; page: number; pageSize: number }, signal: AbortSignal): Promise<AssetPage>;
  /** Rejects with `no_right` while anything is hidden: only whoever sees all notes may know what none of them uses. */
  unusedAssets(query: { page: number; pageSize: number }, signal: AbortSignal): Promise<UnusedAssets>;
  /** Rejects with `bad_path`, `not_found`, or `too_large` above 25 MB. */
  assetFile(path: string, signal: AbortSignal): Promise<AssetFile>;
}
