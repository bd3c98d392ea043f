import type { ChatModel } from '../../chat/controller/controller-deps.ts';
import type { KeptBack, WhyKeptBack } from '../../chat/ports/kept-back.ts';
import type { ReadBlock } from '../../chat/ports/read-block.ts';
import type { CustomPrompt } from '../../chat/prompts/custom-prompts.ts';
import type { EditorAction } from '../../chat/prompts/editor-actions.ts';
import type { ChatStore, SessionStore } from '../../chat/store/store-port.ts';
import type { SessionDeps } from '../../chat/turn/session.ts';
import type { ModelStatus } from '../../chat/view/view.ts';
import type { ModelUse } from '../../model/budget/usage.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { NotesPort, UndoReport, WriteHistory } from '../../tools/contract/ports.ts';
import type { NoteRights } from '../../tools/contract/provenance.ts';
import type { ChangedSource } from '../../tools/contract/saved-answers.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../tools/contract/types.ts';

export type EditorTarget =
  /** Blocks in document order. `around` are the containers of the last one, innermost first. */
  | { readonly kind: 'block'; readonly ids: readonly string[]; readonly around: readonly string[] }
  | { readonly kind: 'selection'; readonly ids: readonly [string]; readonly around: readonly string[]; readonly text: string }
  | { readonly kind: 'document'; readonly id: string };

export interface EditorTaskRequest {
  readonly action: EditorAction | CustomPrompt;
  readonly target: EditorTarget;
  /** Typed as a slash command: then some of them mean the whole document (`wholeNote`). */
  readonly typed: boolean;
  /** Changed sources of the block, read together with it. */
  readonly sources?: readonly ChangedSource[];
  /** The question for which the block was written; '' or absent: the task asks in its own words. */
  readonly question?: string;
}

interface EditorTaskWords {
  title(action: EditorAction | CustomPrompt, about: string): string;
  question(action: EditorAction | CustomPrompt, language: string): string;
  /** The Chinese that a model is asked for: "Chinese", "Traditional Chinese". */
  readonly chinese: string;
}

export interface EditorTaskDeps extends SessionDeps {
  readonly store: SessionStore & Pick<ChatStore, 'remove'>;
  readonly model: (use: ModelUse) => ChatModel;
  readonly notes: Pick<NotesPort, 'document'>;
  readonly readBlock: ReadBlock;
  /** For the card, if what it is about may not be read. */
  readonly whyKeptBack?: WhyKeptBack;
  /** Over what is read for a task; absent if there are no rights. */
  readonly rights?: NoteRights;
  readonly history: WriteHistory;
  readonly words: EditorTaskWords;
  /** Language to translate into; absent or empty: Chinese for what is not Chinese, else English. */
  readonly translateTo: () => string | undefined;
}

/** `data-status` of the card. `done` is a finished write, or one whose Undo was tried. */
type EditorTaskStatus = 'working' | 'proposal' | 'done' | 'error';

export interface EditorTaskView {
  readonly status: EditorTaskStatus;
  readonly phase: 'reading' | 'answering' | 'planning' | 'writing' | 'undoing' | 'redoing';
  /** The answer so far, in the form in which it is proposed once it is complete. */
  readonly text: string;
  /** One for each block that would change; empty for an answer that is not inserted automatically. */
  readonly approvals: readonly ApprovalRequest[];
  readonly note?: 'below-unsafe' | 'document-cut' | 'unchanged';
  readonly error?: EventError;
  /** Why the text is hidden from the model, if that is the error. */
  readonly keptBack?: KeptBack;
  readonly undoable: boolean;
  readonly undone?: UndoReport;
  readonly redoable: boolean;
  readonly redone?: UndoReport;
  readonly model: ModelStatus;
}

/** One action on one place: from reading to the change that the user accepts. Nothing rejects; failures are in the view. */
export interface EditorTask {
  readonly sessionId: string;
  view(): EditorTaskView;
  /** Calls back after every change; returns a function that stops listening. */
  subscribe(listener: () => void): () => void;
  /** Reads, asks and plans; resolves with a proposal or a failure in the view. */
  run(): Promise<void>;
  /** Tries again, as a new version, with the current text. */
  again(): Promise<void>;
  /** Asks for another answer with the person's instruction, after the one that is shown. */
  adjust(instruction: string): Promise<void>;
  /** Writes what is approved: decisions by approval, one that is not named is rejected; all as they are by default. Resolves when it is done. */
  accept(decisions?: ReadonlyMap<string, ApprovalDecision>): Promise<void>;
  /** Inserts the answer as new blocks below instead. Asks for approval again if there is something new to show, or with `ask`. */
  insertBelow(options?: { readonly ask?: boolean }): Promise<void>;
  undo(): Promise<void>;
  redo(): Promise<void>;
  /** Ends without a trace: stops what runs, and saves no chat unless something was written. */
  reject(): Promise<void>;
  /** Ends and saves the chat; its id is `sessionId`. */
  keep(): Promise<void>;
}
