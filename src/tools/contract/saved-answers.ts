/** A source of a saved answer whose text has changed since. */
export interface ChangedSource {
  readonly id: string;
  /** The text then, or the beginning of it with `…`; '' where something in it may not be read now. */
  readonly before: string;
  /** The text now, as much of it as of `before`; null if it is gone. */
  readonly now: string | null;
}

/** Answers in notes with the blocks that they cite. Nothing is shown of sources that may not be read; no model is asked. */
export interface SavedAnswers {
  /** Ids of the blocks of which a source changed or is gone, as far as it was looked up. */
  outdated(): ReadonlySet<string>;
  /** Looks all of them up, and from then on what changes. */
  open(signal: AbortSignal): Promise<void>;
  /** Called whenever `outdated` has changed. Returns a function that stops it. */
  subscribe(listener: () => void): () => void;
  changes(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly ChangedSource[]>>;
  /** Takes what these blocks cite as it is now; a cited block that is gone is not cited any more. */
  renew(ids: readonly string[], signal: AbortSignal): Promise<void>;
}
