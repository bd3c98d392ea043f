import type { ChangedSource } from '../../tools/contract/saved-answers.ts';

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
  /** Nobody was asked before it was written. */
  readonly isUnasked: boolean;
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

/** Blocks in notes that models wrote. Rejects with ToolError. */
export interface WrittenPort {
  counts(scope: WrittenScope): Promise<WrittenCounts>;
  /** The number of those of which a source changed. */
  outdated(): Promise<number>;
  /** The last changed first. `before`: `next` of the page before. */
  list(kind: WrittenKind, scope: WrittenScope, before: string | null): Promise<WrittenPage>;
  /** Ids of the chats that wrote them, and the notebooks that hold them, by id with their names. */
  places(): Promise<{ readonly chats: readonly string[]; readonly notebooks: ReadonlyMap<string, string> }>;
  /** For each block; null where its chat does not say it any more. Chats are read for it: they may be long. */
  origins(blocks: readonly WrittenBlock[]): Promise<readonly (WrittenOrigin | null)[]>;
  /** What is known of these; blocks that no model wrote are left out. */
  of(ids: readonly string[]): Promise<readonly WrittenBlock[]>;
  /** They are not marked in the editor any more, until a model writes them again. */
  markRead(ids: readonly string[]): Promise<void>;
  /** What these cite is taken as it is now. */
  stillHolds(ids: readonly string[]): Promise<void>;
  /** Asks the model once what is to be changed, in a card at the block. */
  checkAgain(id: string): Promise<void>;
  /** Calls back whenever other blocks are out of date. Returns a function that stops it. */
  watch(listener: () => void): Promise<() => void>;
}

export const PROVENANCE: { readonly name: string; readonly type?: WrittenPort } = { name: 'provenance' };
