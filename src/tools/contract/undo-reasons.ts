/** Reasons why Undo left something alone, or restored it differently; the panel has a text for each. */
export const UNDO_REASONS = [
  'changed',
  'removed',
  'moved',
  /** A later write of the chat, not undone, must be undone first. */
  'newer-first',
  /** A later write of the chat deleted it, and its Undo would bring it back. */
  'deleted-later',
  /** A deleted block exists again, but differs from before. */
  'otherwise',
  /** Part of it is elsewhere by now: restored, it would appear twice. */
  'elsewhere',
  /** The document or block that contained it is gone. */
  'homeless',
  /** It refers to a block that SiYuan cannot find now: restored, it would lose the reference for good. */
  'reference-lost',
  /** Restored as near as possible: its old neighbour is gone. */
  'nearby',
  'refused',
  /** Chosen to be restored, but cannot be any more. */
  'lost',
  /** A created document contains more by now. */
  'document-kept',
  /** It is not known whether the document `title` was created. */
  'document-unknown',
  'parent-gone',
  'notebook-gone',
  /** The user has since hidden its document or notebook from the assistant. */
  'no-right',
  /** SiYuan's history has no copy of the document `title`. */
  'no-copy',
  /** SiYuan could not restore its copy, for the reason in `detail`. */
  'copy-refused',
  'not-restored',
  /** The document `title` was restored in another place. */
  'restored-elsewhere',
  'notebook-removed',
  /** A created notebook is closed: it is not known whether it is empty. */
  'notebook-closed',
  'notebook-filled',
  'notebook-page',
  /** Another document has taken the path `title`. */
  'path-taken',
  'file-changed',
  /** The file `title` cannot be written now, for the reason in `detail`. */
  'file-refused',
  /** A reason of a newer version. */
  'other',
] as const;

export interface UndoReason {
  readonly code: (typeof UNDO_REASONS)[number];
  readonly title?: string;
  readonly detail?: string;
}

/** Losses of an Undo, shown before consent; the panel has a text for each. */
export type UndoNote =
  /** Restored from SiYuan's history, at the top of its list. */
  | 'history'
  | 'rows'
  /** Database rows and flashcards of the blocks. */
  | 'rows-and-cards'
  /** A flashcard comes back as a new one: its review history is lost. */
  | 'card-progress'
  /** Other views of a database may show it differently: its place, width and groups. */
  | 'database-views'
  /** A view that is sorted by a cell may place its row elsewhere, if the cell was never filled. */
  | 'database-order'
  /** References to blocks that SiYuan cannot find. */
  | 'references'
  /** A database in it is restored as it was. */
  | 'database'
  /** SiYuan keeps a copy of the notebook for the user. */
  | 'notebook';
