import type { NotePlanner } from './note-planner.ts';
import type { NoteQueries } from './note-queries.ts';
import type { ApprovedPlan, ChangePlan, UndoKind } from './plans.ts';

/** none hides the notebook altogether (TOOLS.md). */
export type NotebookRight = 'none' | 'read' | 'write' | 'delete';

export interface NotebookInfo {
  readonly id: string;
  readonly name: string;
  readonly open: boolean;
  readonly right: NotebookRight;
}

export interface DocumentNode {
  readonly id: string;
  readonly title: string;
  /** Path in words, "/Projects/Apollo". */
  readonly path: string;
  readonly depth: number;
  /** Documents below it that the listing did not open. */
  readonly moreChildren: number;
}

export interface DocumentListing {
  readonly notebook: { readonly id: string; readonly name: string };
  readonly documents: readonly DocumentNode[];
  readonly total: number;
  readonly nextPage: number | null;
  /** Documents kept back by `custom-ai-access`; said, not silently missing. Absent when none. */
  readonly hidden?: number;
}

/** A block as the model reads it: Markdown without ids, ZWSP or attribute lists. */
export interface BlockReading {
  readonly id: string;
  /** SiYuan's type letters: h, p, l, i, c, t, m, b, s, … */
  readonly type: string;
  readonly subtype: string;
  readonly markdown: string;
  /** First 8 characters of the block's hash: what edit_block takes as expectHash. */
  readonly hash: string;
  /**
   * Only for lists (type `l`): every item in document order, so that each can be cited and edited by its own id. `depth` is
   * 0 for the list's own items; `markdown` is the item's own first line, without its marker.
   */
  readonly items?: readonly { readonly id: string; readonly hash: string; readonly depth: number; readonly markdown: string }[];
}

export interface DocumentReading {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly notebook: { readonly id: string; readonly name: string };
  readonly outline: readonly { readonly id: string; readonly level: number; readonly text: string }[];
  /** Top-level blocks in document order, from `start`. */
  readonly blocks: readonly BlockReading[];
  readonly start: number;
  readonly totalBlocks: number;
  /** Blocks kept back by `custom-ai-access`; said, not silently missing. */
  readonly hidden: number;
}

export interface SearchHit {
  readonly id: string;
  readonly documentId: string;
  readonly documentTitle: string;
  readonly path: string;
  /** The notebook's id. */
  readonly notebook: string;
  readonly type: string;
  /** Plain text around the hit, ≤ 240 characters. */
  readonly snippet: string;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  readonly total: number;
  readonly nextPage: number | null;
  /** Hits kept back by rights. */
  readonly hidden: number;
}

export interface SearchQuery {
  readonly query: string;
  /** `semantic` only where the host has embeddings: see NotesPort.canSearchByMeaning. */
  readonly mode: 'keyword' | 'syntax' | 'regex' | 'semantic';
  readonly notebooks?: readonly string[];
  readonly types?: readonly string[];
  /** Only blocks that carry all these tags themselves or in their document. */
  readonly tags?: readonly string[];
  /** Days, YYYY-MM-DD, inclusive: when the block was last changed. */
  readonly updatedFrom?: string;
  readonly updatedTo?: string;
  readonly page: number;
  readonly pageSize: number;
}

export interface ReadRange {
  readonly start: number;
  /** Top-level blocks at most. */
  readonly blocks: number;
}

export type DocumentAddress = { readonly id: string } | { readonly notebook?: string; readonly path: string };

export interface DailyNote {
  readonly id: string;
  readonly notebook: { readonly id: string; readonly name: string };
  readonly date: string;
  readonly path: string;
}

/** Who writes: becomes `custom-marginalia-source` and the journal's key. */
export interface WriteOrigin {
  readonly sessionId: string;
  readonly nodeId: string;
  readonly callId: string;
}

export interface WriteReport {
  readonly documentId: string;
  readonly blockIds: readonly string[];
  readonly undo: UndoKind;
  /** New hashes of the blocks that were written, for the next edit. */
  readonly hashes: Readonly<Record<string, string>>;
}

export type InsertPosition = 'before' | 'after' | 'prepend' | 'append';

/**
 * The second door (ARCHITECTURE.md): every read and write of notes passes it, and it checks the rights of notebook,
 * document and block. All methods reject with ToolError; codes: `not_found`, `bad_id`, `closed_notebook`,
 * `encrypted_notebook`, `no_right`, `read_only`, `path_exists`, `ambiguous_path`, `empty_text`, `too_large`, `stale`,
 * `no_match`, `many_matches`, `not_markdown_safe`, `unsafe_markdown`, `kernel_unreachable`, `kernel_refused`, `raced`,
 * `outcome_unknown`, `not_approved`, `aborted`. Plans write nothing.
 */
export interface NotesPort extends NoteQueries, NotePlanner {
  /** Whether the host has embeddings, so that `semantic` finds anything. */
  canSearchByMeaning(signal: AbortSignal): Promise<boolean>;
  notebooks(signal: AbortSignal): Promise<readonly NotebookInfo[]>;
  /** `parent`: a notebook's or a document's id. */
  documents(query: { parent: string; depth: number; page: number; pageSize: number }, signal: AbortSignal): Promise<DocumentListing>;
  document(address: DocumentAddress, range: ReadRange, signal: AbortSignal): Promise<DocumentReading>;
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage>;
  /** Daily notes that exist between two days (YYYY-MM-DD, inclusive), newest first. */
  dailyNotes(query: { from: string; to: string; notebook?: string }, signal: AbortSignal): Promise<readonly DailyNote[]>;
  planCreateDocument(request: { notebook: string; path: string; markdown: string }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  planInsert(
    request: { anchor: string; position: InsertPosition; markdown: string },
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan>;
  planEdit(
    request: { id: string; expectHash: string } & ({ edits: readonly { old: string; new: string }[] } | { markdown: string }),
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan>;
  /** Appends to the day's note, creating it by the notebook's own template when it is missing. */
  planDailyAppend(request: { date: string; notebook?: string; markdown: string }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  apply(approved: ApprovedPlan, origin: WriteOrigin, signal: AbortSignal): Promise<WriteReport>;
}

/** Undo of what a message wrote, from the write journal; survives restarts. */
export interface WriteHistory {
  /** Writes of a message that can be (or were) taken back. */
  state(sessionId: string, nodeId: string): Promise<UndoState>;
  /** Takes back everything the message wrote. Blocks that the user changed since are left alone and reported. */
  undo(sessionId: string, nodeId: string, signal: AbortSignal): Promise<UndoReport>;
  /**
   * What to do with a block that `undo` left alone. `take-back` puts it back as it was before the message, over what the
   * user wrote since (which the journal keeps, so that a second `take-back` can be taken back by the editor's own history);
   * `keep` lets it stand and settles the conflict for good.
   */
  resolve(sessionId: string, nodeId: string, blockId: string, choice: 'take-back' | 'keep', signal: AbortSignal): Promise<UndoReport>;
}

export interface UndoState {
  readonly blocks: number;
  readonly kind: UndoKind;
  readonly undone: boolean;
  /** Blocks that the user chose to keep as they stand; absent when none. */
  readonly kept?: number;
}

export interface UndoReport {
  readonly restored: readonly string[];
  /** Blocks changed by the user since; they stand as they are. */
  readonly conflicts: readonly UndoConflict[];
}

export interface UndoConflict {
  /** '' where the conflict is not about one block. */
  readonly blockId: string;
  readonly reason: string;
  /** Markdown as it stands now, and as taking back would make it; null for gone. Absent where nothing can be chosen. */
  readonly now?: string | null;
  readonly before?: string | null;
}

/** The user is typing: asked by the write path before it touches blocks (HOST.md, "The user types at the same time"). */
export interface EditingProbe {
  /** Ids of the block that holds the caret of a focused editor and of its parents, innermost first; empty when none. */
  caretBlocks(): readonly string[];
  /** Resolves once the caret has left these blocks; rejects on abort. */
  whenLeft(blockIds: readonly string[], signal: AbortSignal): Promise<void>;
  /** Asks whether to write although the caret is there. `wait` = not yet, keep waiting for blur. */
  ask(blockIds: readonly string[], signal: AbortSignal): Promise<'write' | 'cancel'>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Local calendar day, YYYY-MM-DD. */
  today(): string;
}

/** Where exports go. Only called with what the user has seen and approved. */
export interface ExportFiles {
  /** `name` is a plain file name, `Apollo.md`; an existing file is not overwritten but gets a neighbour. `path`: where it is, in words. */
  write(name: string, markdown: string): Promise<{ readonly path: string }>;
}

/** A question of the model to the person in front of the chat. */
export interface UserQuestion {
  readonly callId: string;
  readonly question: string;
  /** Answers to offer; the user may always write another. Empty for a free question. */
  readonly options: readonly string[];
}

export interface AskUser {
  /**
   * Resolves with the user's words, or null when the question was closed unanswered; rejects with ToolError `aborted`
   * when `signal` fires. No time limit. Several may wait at once.
   */
  ask(question: UserQuestion, signal: AbortSignal): Promise<string | null>;
}
