import type { ToolError } from './errors.ts';
import type { NotePlanner } from './note-planner.ts';
import type { NoteQueries } from './note-queries.ts';
import type {
  DailyNote,
  DocumentAddress,
  DocumentListing,
  DocumentReading,
  ReadItem,
  ReadRange,
  SearchPage,
  SearchQuery,
} from './note-readings.ts';
import type { ApprovedPlan, ChangePlan, PlanOperation, Progress, UndoKind } from './plans.ts';
import type { UndoReason } from './undo-reasons.ts';

/** none hides the notebook altogether. */
export type NotebookRight = 'none' | 'read' | 'write' | 'delete';

export interface NotebookInfo {
  readonly id: string;
  readonly name: string;
  readonly open: boolean;
  readonly right: NotebookRight;
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
 * The second check (docs/architecture.md, "Two checks"): every read and write of notes passes it. It checks the rights of notebook,
 * document and block. All methods reject with ToolError; codes: `not_found`, `bad_id`, `closed_notebook`,
 * `encrypted_notebook`, `no_right`, `read_only`, `path_exists`, `ambiguous_path`, `empty_text`, `too_large`, `stale`,
 * `no_match`, `many_matches`, `not_markdown_safe`, `unsafe_markdown`, `kernel_unreachable`, `kernel_refused`, `raced`,
 * `outcome_unknown`, `not_approved`, `aborted`. Plans write nothing.
 */
export interface NotesPort extends NoteQueries, NotePlanner {
  /** The address of who computes the host's embeddings: the text of a search by meaning goes there. None where there are no embeddings. */
  meaningServer(signal: AbortSignal): Promise<string | undefined>;
  notebooks(signal: AbortSignal): Promise<readonly NotebookInfo[]>;
  /** `parent`: a notebook's or a document's id. */
  documents(query: { parent: string; depth: number; page: number; pageSize: number }, signal: AbortSignal): Promise<DocumentListing>;
  document(address: DocumentAddress, range: ReadRange, signal: AbortSignal): Promise<DocumentReading>;
  /** Several documents at once, in order and without outlines; one that cannot be read is the reason why. Rejects with `aborted` or `kernel_unreachable`. */
  readings(items: readonly ReadItem[], signal: AbortSignal): Promise<readonly (DocumentReading | ToolError)[]>;
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
  /** Stopped between two notes, what was written until then stands, and can be undone: `aborted`. */
  apply(approved: ApprovedPlan, origin: WriteOrigin, signal: AbortSignal, progress?: Progress): Promise<WriteReport>;
}

/** Undo of what a message wrote, from the write journal; survives restarts. */
export interface WriteHistory {
  /** Writes of a message, or of one call of it, that can be (or were) undone. */
  state(sessionId: string, nodeId: string, callId?: string): Promise<UndoState>;
  /**
   * Undoes everything the message wrote, or only what one call of it did. Blocks that the user changed since are left alone and
   * reported. `progress` counts what was written.
   */
  undo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string, progress?: Progress): Promise<UndoReport>;
  /**
   * Writes again, as it was written, what was undone of the message or of one call of it. What the user changed since the Undo is
   * left alone and reported.
   */
  redo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string, progress?: Progress): Promise<UndoReport>;
  /** What one call of a message did to blocks, for a look at it later; none where it wrote none. */
  changes(sessionId: string, nodeId: string, callId: string): Promise<readonly PlanOperation[]>;
  /**
   * What to do with a block that `undo` left alone. The choice `undo` puts it back as it was before the message, over what the
   * user wrote since (which the journal keeps, so that a second one can be undone by the editor's own history);
   * `keep` lets it stand and settles the conflict for good. `shown`: `now` of the conflict that the user chose by; absent: as the
   * journal has it. Where something else stands by then nothing is written, and the answer is the conflict as it is now.
   */
  resolve(
    sessionId: string,
    nodeId: string,
    blockId: string,
    choice: 'undo' | 'keep',
    signal: AbortSignal,
    shown?: string | null,
  ): Promise<UndoReport>;
}

export interface UndoState {
  /** What was written, counted: blocks, documents, notebooks, files. */
  readonly blocks: number;
  readonly kind: UndoKind;
  readonly undone: boolean;
  /** How many of its blocks were undone and can be written again; absent if none. */
  readonly redo?: number;
  /** Files among them; absent when none. */
  readonly files?: number;
  /** Blocks that the user chose to keep as they stand; absent when none. */
  readonly kept?: number;
  /** What came of the last Undo, while what it left alone waits for a choice; absent when nothing does. */
  readonly report?: UndoReport;
}

/** The outcome of an Undo or Redo. */
export interface UndoReport {
  /** Ids of what was restored to what it was, or written again. */
  readonly restored: readonly string[];
  /** Blocks changed by the user since; they stand as they are. */
  readonly conflicts: readonly UndoConflict[];
}

export interface UndoConflict {
  /** '' where the conflict is not about one block. */
  readonly blockId: string;
  /** Of a document that was deleted with others there may be several. */
  readonly reasons: readonly UndoReason[];
  /** Markdown as it stands now, and as undoing would make it; null for gone. Absent where nothing can be chosen. */
  readonly now?: string | null;
  readonly before?: string | null;
  /** These are words of a place or of attributes: no Markdown to be drawn. */
  readonly isWords?: true;
}

/** The user is typing: asked by the write path before it touches blocks, since a write to the block that holds the caret loses letters. */
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
