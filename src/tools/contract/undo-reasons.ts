/** Why Undo left something alone, or put it back otherwise than it was; the panel words each. */
export const UNDO_REASONS = [
  'changed',
  'removed',
  'moved',
  /** A later write of the chat stands, which has to be undone first. */
  'newer-first',
  /** A deleted block is there again, but different from before. */
  'otherwise',
  /** Part of it is elsewhere by now: put back, it would appear twice. */
  'elsewhere',
  /** The document or block that it was in is gone. */
  'homeless',
  /** It refers to a block that SiYuan cannot find now: put back, it would lose the reference for good. */
  'reference-lost',
  /** Put back as near as possible: what it was beside is gone. */
  'nearby',
  'refused',
  /** Chosen to be put back, and cannot be any more. */
  'lost',
  /** A document that was made holds more by now. */
  'document-kept',
  /** Whether the document `title` was made is not known. */
  'document-unknown',
  /** The document that it was under is gone. */
  'parent-gone',
  /** The notebook that it was in is closed or gone. */
  'notebook-gone',
  /** The user has kept its document or notebook from the assistant since. */
  'no-right',
  /** SiYuan's history has no copy of the document `title`. */
  'no-copy',
  /** SiYuan could not restore its copy, and says why in `detail`. */
  'copy-refused',
  /** The document `title` did not come back. */
  'not-restored',
  /** The document `title` came back in another place. */
  'restored-elsewhere',
  'notebook-removed',
  /** A notebook that was made is closed: whether it is empty is not known. */
  'notebook-closed',
  'notebook-filled',
  'notebook-page',
  /** Another document has taken the path `title`. */
  'path-taken',
  'file-changed',
  /** The file `title` cannot be written now, for the reason in `detail`. */
  'file-refused',
  /** Of a newer version. */
  'other',
] as const;

export interface UndoReason {
  readonly code: (typeof UNDO_REASONS)[number];
  readonly title?: string;
  readonly detail?: string;
}

/** What Undo would not bring back as it was, shown before consent; the panel words each. */
export type UndoNote =
  /** From SiYuan's history, at the top of the list that it was in. */
  | 'history'
  | 'rows'
  /** Rows of databases and flashcards that belong to the blocks. */
  | 'rows-and-cards'
  /** References that lead to what SiYuan cannot find. */
  | 'references'
  /** A database in it comes back as it was. */
  | 'database'
  /** SiYuan keeps a copy of the notebook for the user. */
  | 'notebook';
