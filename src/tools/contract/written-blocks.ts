/** A block that a model wrote, or changed a part of, and what became of it since. */
export interface WrittenBlock {
  readonly id: string;
  readonly noteId: string;
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
}

export const WRITTEN_KINDS = ['unread', 'changed', 'all'] as const;
/** `changed`: by a person, since a model wrote them. */
export type WrittenKind = (typeof WRITTEN_KINDS)[number];

export interface WrittenPage {
  readonly blocks: readonly WrittenBlock[];
  /** Where the next page starts; null at the end. */
  readonly next: string | null;
}
