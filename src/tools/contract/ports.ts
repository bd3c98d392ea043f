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

/** none hides the whole notebook. */
export type NotebookRight = 'none' | 'read' | 'write' | 'delete';

export interface NotebookInfo {
  readonly id: string;
  readonly name: string;
  readonly open: boolean;
  readonly right: NotebookRight;
  /** SiYuan keeps it encrypted: its right is `none`, and the model gets no more than its name, or where the user set `none`, not even that. */
  readonly encrypted?: 'named' | 'hidden' | undefined;
}

/** The origin of a write: becomes `custom-marginalia-source` and the journal's key. */
export interface WriteOrigin {
  readonly sessionId: string;
  readonly nodeId: string;
  readonly callId: string;
  /** A person wrote it, though a tool carries it out: it is not marked as a model's. */
  readonly byPerson?: boolean | undefined;
}

export interface WriteReport {
  readonly documentId: string;
  readonly blockIds: readonly string[];
  readonly undo: UndoKind;
  /** New hashes of the written blocks, for the next edit. */
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
  /** The address of the host's embedding service, which gets the text of a search by meaning. Undefined if it has none. */
  meaningServer(signal: AbortSignal): Promise<string | undefined>;
  notebooks(signal: AbortSignal): Promise<readonly NotebookInfo[]>;
  /** `parent`: id of a notebook or document. */
  documents(query: { parent: string; depth: number; page: number; pageSize: number }, signal: AbortSignal): Promise<DocumentListing>;
  document(address: DocumentAddress, range: ReadRange, signal: AbortSignal): Promise<DocumentReading>;
  /** Several documents in order, without outlines; an error for each unreadable one. Rejects with `aborted` or `kernel_unreachable`. */
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
  /** Appends to the daily note, creating it from the notebook's own template if it is missing. */
  planDailyAppend(request: { date: string; notebook?: string; markdown: string }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  /** If it is stopped between two notes, what was written so far stays and can be undone: `aborted`. */
  apply(approved: ApprovedPlan, origin: WriteOrigin, signal: AbortSignal, progress?: Progress): Promise<WriteReport>;
}

/** Undo of what a message wrote, from the write journal; survives restarts. */
export interface WriteHistory {
  /** Writes of a message, or of one call in it, that can be (or were) undone. */
  state(sessionId: string, nodeId: string, callId?: string): Promise<UndoState>;
  /**
   * Undoes everything the message wrote, or only what one call did. Blocks that the user has changed since are left alone and
   * reported. `progress` counts what was written.
   */
  undo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string, progress?: Progress): Promise<UndoReport>;
  /**
   * Writes again what was undone of the message or of one call. What the user has changed since the Undo is
   * left alone and reported.
   */
  redo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string, progress?: Progress): Promise<UndoReport>;
  /** What one call of a message did to blocks, for later display; empty if it wrote none. */
  changes(sessionId: string, nodeId: string, callId: string): Promise<readonly PlanOperation[]>;
  /**
   * Decides about a block that `undo` left alone. `undo` restores it as it was before the message, over what the
   * user has written since (which the journal saves); `keep` leaves it unchanged and settles the conflict permanently.
   * `shown`: the `now` that the user was shown; absent: the journal's. If the block has changed again by then, nothing is
   * written, and the answer is the new conflict.
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
  /** The number of files among them; absent if none. */
  readonly files?: number;
  /** The number of blocks that the user chose to keep; absent if none. */
  readonly kept?: number;
  /** The result of the last Undo, while conflicts are undecided; absent otherwise. */
  readonly report?: UndoReport;
}

/** The outcome of an Undo or Redo. */
export interface UndoReport {
  /** Ids of what was restored, or written again. */
  readonly restored: readonly string[];
  /** Blocks that the user has changed since; they are unchanged. */
  readonly conflicts: readonly UndoConflict[];
}

export interface UndoConflict {
  /** '' if the conflict is not about one block. */
  readonly blockId: string;
  /** There may be several if a document was deleted with others. */
  readonly reasons: readonly UndoReason[];
  /** The current Markdown, and the Markdown after undoing; null for gone. Absent if there is nothing to choose. */
  readonly now?: string | null;
  readonly before?: string | null;
  /** First words of the block, where nothing can be chosen: they say which one it is. */
  readonly words?: string;
  /** The texts describe a position or attributes: not Markdown to be rendered. */
  readonly isWords?: true;
}

/** Whether the user is typing: checked before blocks are changed, since a write to the block with the caret loses letters. */
export interface EditingProbe {
  /** Ids of the block with the caret of a focused editor and of its parents, innermost first; empty if there is none. */
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

/** Where exports are written. Only called with what the user has seen and approved. */
export interface ExportFiles {
  /** `name` is a plain file name, `Apollo.md`; if it exists, another name is used. `path`: where it was written, for people. */
  write(name: string, markdown: string): Promise<{ readonly path: string }>;
}

/** A question of the model to the person. */
export interface UserQuestion {
  readonly callId: string;
  readonly question: string;
  /** Offered answers; the user may always write another. Empty for a free question. */
  readonly options: readonly string[];
}

export interface AskUser {
  /**
   * Resolves with the user's answer, or null if the question was closed; rejects with ToolError `aborted`
   * if `signal` aborts. No time limit. Several may wait at once.
   */
  ask(question: UserQuestion, signal: AbortSignal): Promise<string | null>;
}
