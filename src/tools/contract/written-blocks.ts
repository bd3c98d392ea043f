/** A source of a saved answer that does not say any more what it said when the answer was saved. */
export interface ChangedSource {
  readonly id: string;
  /** What it said then, or the beginning of it with `…`; '' where something in it may not be read now. */
  readonly before: string;
  /** What it says now, as much of it as of `before`; null if it is gone. */
  readonly now: string | null;
}

/**
 * Answers in notes, with the blocks that they cite. A source that may not be read is as if it had not changed: nothing is said of it. All
 * of it asks the kernel only, never a model.
 */
export interface SavedAnswers {
  /** Ids of the blocks of which a source changed or is gone, as far as it was looked up. */
  outdated(): ReadonlySet<string>;
  /** Looks all of them up, and from then on what changes. */
  open(signal: AbortSignal): Promise<void>;
  /** Called whenever `outdated` has changed. Returns a function that stops it. */
  subscribe(listener: () => void): () => void;
  /** What changed of what these blocks cite. */
  changes(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly ChangedSource[]>>;
  /** What these blocks cite is taken as it is now; what is gone is not cited any more. */
  renew(ids: readonly string[], signal: AbortSignal): Promise<void>;
}

/** A block that a model wrote, or changed a part of, and what became of it since. */
export interface WrittenBlock {
  readonly id: string;
  readonly noteId: string;
  readonly notebookId: string;
  /** The names of its notes, from the notebook's down to its own: `/Projects/Apollo`. */
  readonly path: string;
  /** The beginning of its text. */
  readonly text: string;
  /** The call that wrote it, in its chat. */
  readonly call: { readonly sessionId: string; readonly messageId: string; readonly callId: string };
  /** Somebody has marked it as read since. */
  readonly isRead: boolean;
  /** Null where no record of the write is left, for example once its chat was deleted, and for a copy of the block. */
  readonly write: { readonly time: number; readonly isNew: boolean; readonly isChanged: boolean } | null;
  /** What changed of the blocks that it cites; absent where nothing did, or nothing may be said of it. */
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

/** Ids of all chats that wrote some of them, and of the notebooks that hold them. */
export interface WrittenPlaces {
  readonly chats: readonly string[];
  readonly notebooks: readonly string[];
}

/** What its chat still says of a block that a model wrote. */
export interface WrittenOrigin {
  /** The name of the model, or of the program that used the tools. */
  readonly by: string;
  /** The beginning of the person's question; '' where nobody asked one. */
  readonly question: string;
  /** The title of the run, if a run of an order wrote it; '' otherwise. */
  readonly order: string;
}

/** How many there are, and of those how many nobody has marked as read. */
export interface WrittenCounts {
  readonly all: number;
  readonly unread: number;
}

export interface WrittenPage {
  readonly blocks: readonly WrittenBlock[];
  /** Where the next page starts; null at the end. */
  readonly next: string | null;
}
