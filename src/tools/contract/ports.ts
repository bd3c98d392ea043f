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
import type { NotebookRight } from './notebook-right.ts';
import type { ApprovedPlan, ChangePlan, PlanOperation, Progress, UndoKind } from './plans.ts';
import type { UndoReason } from './undo-reasons.ts';

export interface NotebookInfo {
  readonly id: string;
  readonly name: string;
  readonly open: boolean;
  readonly right: NotebookRight;
  /** SiYuan keeps it encrypted: its right is `none`, and the model gets no more than its name, or where the user set `none`, not even that. */
  readonly encrypted?: 'named' | 'hidden' | undefined;
}

/** Becomes `custom-marginalia-source` and the journal's key. */
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

/** The second check of every read and write (docs/architecture.md, "Two checks"): rights of notebook, document and block. */
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
  /** Undoes what the message, or one call, wrote; leaves alone and reports blocks changed since. `progress` counts what was written. */
  undo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string, progress?: Progress): Promise<UndoReport>;
  /** Writes again what was undone; leaves alone and reports what changed since. */
  redo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string, progress?: Progress): Promise<UndoReport>;
  /** The changes of one call to blocks, for later display; empty if it wrote none. */
  changes(sessionId: string, nodeId: string, callId: string): Promise<readonly PlanOperation[]>;
  /** `undo` restores a block that Undo left alone, `keep` settles it. `shown`: the `now` the user saw; a new conflict if it changed. */
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
  /** Counted: blocks, documents, notebooks, files. */
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

/** Checked before blocks are changed, since a write to the block with the caret loses letters. */
export interface EditingProbe {
  /** Ids of the block with the caret of a focused editor and of its parents, innermost first; empty if there is none. */
  caretBlocks(): readonly string[];
  /** Resolves once the caret has left these blocks; rejects on abort. */
  whenLeft(blockIds: readonly string[], signal: AbortSignal): Promise<void>;
  /** Asks whether to write although the caret is there. `wait` = not yet, keep waiting for blur. */
  ask(blockIds: readonly string[], signal: AbortSignal): Promise<'write' | 'cancel'>;
}

export interface Clock {
  now(): number;
  /** Local calendar day, YYYY-MM-DD. */
  today(): string;
}

/** Called only with text that the user has seen and approved. */
export interface ExportFiles {
  /** `name` is a plain file name, `Apollo.md`; if it exists, another name is used. `path`: where it was written, for people. */
  write(name: string, markdown: string): Promise<{ readonly path: string }>;
}

export interface UserQuestion {
  readonly callId: string;
  readonly question: string;
  /** Offered answers; the user may always write another. Empty for a free question. */
  readonly options: readonly string[];
}

export interface AskUser {
  /** Resolves with the answer, null if the question was closed; rejects with `aborted`. No time limit; several may wait. */
  ask(question: UserQuestion, signal: AbortSignal): Promise<string | null>;
}
