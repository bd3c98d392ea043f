import type { KernelDocument } from './node.ts';

/**
 * The SQL side of the kernel: tables `blocks`, `spans`, `attributes`, `refs`, … over the documents that it was given.
 * The kernel owns the queue: a write reaches the index after the index delay, or at `/api/sqlite/flushTransaction`.
 */
export interface BlockIndex {
  /**
   * Replaces everything that is known of this document (by its root id). `losesOwnTags`: a block of it was updated, after which the rows of its
   * own tags have no notebook (tests/contract/recorded/own-tags.json).
   */
  put(document: KernelDocument, options?: { readonly losesOwnTags?: boolean }): void;
  removeDocument(rootId: string): void;
  /** Removes the notebook's own row and all its documents. */
  removeNotebook(notebook: string): void;
  /** In 3.7.3 a notebook is a `d` row of its own id (tests/contract/recorded/index-rows.json). */
  putNotebook(notebook: { readonly id: string; readonly name: string }): void;
  clear(): void;
  /** Throws ApiError with SQLite's message for a statement that fails. */
  query(sql: string, options: { readonly readonly: boolean }): Record<string, unknown>[];
  close(): void;
}
