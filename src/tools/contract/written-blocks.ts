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

/** A block that a model wrote, or changed a part of, and its state since. */
export interface WrittenBlock {
  readonly id: string;
  readonly noteId: string;
  readonly notebookId: string;
  /** The names of its notes, from the notebook's down to its own: `/Projects/Apollo`. */
  readonly path: string;
  readonly text: string;
  readonly call: { readonly sessionId: string; readonly messageId: string; readonly callId: string };
  readonly isRead: boolean;
  /** Null where no record of the write is left, for example once its chat was deleted, and for a copy of the block. */
  readonly write: { readonly time: number; readonly isNew: boolean; readonly isChanged: boolean } | null;
  /** The changes of cited blocks; absent where there are none, or nothing may be shown. */
  readonly sources?: readonly ChangedSource[] | undefined;
}

export const WRITTEN_KINDS = ['unread', 'changed', 'outdated', 'all'] as const;
/** `changed`: by a person, since a model wrote them; `outdated`: what they cite changed. */
export type WrittenKind = (typeof WRITTEN_KINDS)[number];

/** Those of one chat, of one notebook, or both; '' for any. */
export interface WrittenScope {
  readonly chat: string;
  readonly notebook: string;
}

export interface WrittenPlaces {
  readonly chats: readonly string[];
  readonly notebooks: readonly string[];
}

/** The chat's record of a block that a model wrote. */
export interface WrittenOrigin {
  /** The name of the model, or of the program that used the tools. */
  readonly by: string;
  /** The beginning of the person's question; '' where nobody asked one. */
  readonly question: string;
  /** The title of the run, if a run of an order wrote it; '' otherwise. */
  readonly order: string;
}

/** The number of all, and of those that nobody has marked as read. */
export interface WrittenCounts {
  readonly all: number;
  readonly unread: number;
}

export interface WrittenPage {
  readonly blocks: readonly WrittenBlock[];
  readonly next: string | null;
}
