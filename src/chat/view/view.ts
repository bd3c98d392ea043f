import type { ModelMarks } from '../../model/model-marks.ts';
import type { ModelRef } from '../../model/providers.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ChainStatus } from '../../tools/contract/events.ts';
import type { FoundList } from '../../tools/contract/found-notes.ts';
import type { Usage } from '../../tools/contract/messages.ts';
import type { ProposedChange } from '../../tools/contract/plans.ts';
import type { NotebookInfo, UndoReport, UndoState, UserQuestion } from '../../tools/contract/ports.ts';
import type { ApprovalRequest, ProgressCount, ToolArguments, ToolExecuteStatus } from '../../tools/contract/types.ts';
import type { ToolFit } from '../../tools/executor/fit-tools.ts';
import type { AttachedContext, Attachment, NodePosition, OwnSettings, Payload } from '../session/types.ts';

/** One call as the panel shows it. `status` is also `data-status`. */
export interface ToolCallView {
  readonly callId: string;
  readonly tool: string;
  readonly args: ToolArguments;
  /** writing, or queued when it is written: it has not started, and `callId` is not yet the id of the call. */
  readonly status: 'writing' | 'queued' | 'running' | 'waiting' | ToolExecuteStatus;
  /** For a call that was seen being written: identifies its card from the start. */
  readonly cardId?: string;
  /** The long argument being written, as far as it was seen: its end, while the call has not ended. */
  readonly draft?: string;
  readonly progress?: string;
  /** How much of the work is done, as last reported. */
  readonly counted?: ProgressCount | undefined;
  /** Without the time in which it waited for a person's decision. */
  readonly durationMs?: number;
  readonly preview?: string;
  readonly error?: EventError;
  /** For a rejection: the user's own words. */
  readonly rejectReason?: string;
  /** For a rejection: the person did not start it. */
  readonly skipped?: true;
  /** Since when it waits for a person, and how long it waited before; milliseconds. */
  readonly waitingSince?: number;
  readonly waitedMs?: number;
  /** Variable with the whole result; read by ChatController.variable. */
  readonly resultVariable?: string;
  readonly argsVariable?: string;
  /** Milliseconds since the epoch; a running card counts from it. */
  readonly started: number;
  /** The place where it wrote. `title` is '' if it is not known. */
  readonly wrote?: {
    readonly documentId: string;
    readonly title: string;
    readonly blockIds: readonly string[];
    /** The notebook in which it wrote without a question. */
    readonly unasked?: string;
    /** Changes of its plan that the person left out, all that it had, and the text of the first one left out. */
    readonly leftOut?: number;
    readonly planned?: number;
    readonly leftOutWords?: readonly string[];
  };
  /** The change that waited for approval when the call was cut off: nothing of it was written. */
  readonly proposed?: ProposedChange;
  /** It waited for an approval when it was cut off. */
  readonly waited?: boolean;
  /** Hits of a search; absent in chats of older versions, which have its text alone. */
  readonly found?: FoundList;
  /** For a sub-agent's call: its result, cut if it is long; it has no variable. */
  readonly text?: string;
  /** A sub-agent's work in this call; absent before it begins. */
  readonly subAgent?: SubAgentView;
}

export interface SubAgentView {
  readonly segments: readonly AnswerSegment[];
  readonly citations: readonly string[];
  readonly status: 'running' | ChainStatus;
  readonly error?: EventError;
  readonly retry?: RetryWait;
  readonly usage?: Usage;
}

export type AnswerSegment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCallView };

/** `at`: milliseconds since the epoch. */
export interface RetryWait {
  readonly attempt: number;
  readonly at: number;
  readonly error: EventError;
}

export interface MessageExtras {
  readonly undo?: UndoState;
  /** The result of the last Undo, or of the Redo after it; for an earlier one, what it left open. */
  readonly undoReport?: UndoReport;
  readonly redoReport?: UndoReport;
  readonly undoCount?: ProgressCount;
}

/** A message as the panel shows it. Unchanged messages keep their object identity between two views. */
export interface MessageView
  extends MessageExtras,
    Pick<Payload, 'error' | 'files' | 'usage' | 'time' | 'leftOut' | 'end' | 'author' | 'created'> {
  readonly nodeId: string;
  readonly role: 'user' | 'assistant' | 'separator';
  readonly segments: readonly AnswerSegment[];
  readonly hint: string;
  readonly contexts: readonly AttachedContext[];
  readonly attachments: readonly Attachment[];
  readonly status: 'streaming' | Payload['status'];
  /** The provider is busy or failed, and is retried. */
  readonly retry?: RetryWait;
  /** Estimated tokens of the request: its local server is reading it and has not sent anything yet. */
  readonly reading?: number;
  readonly citations: readonly string[];
  readonly agentsUsage?: Usage;
  readonly hidden?: boolean;
  readonly pinned?: boolean;
  /** Its position among its versions and branches; absent if there is one of each. */
  readonly position?: NodePosition;
}

export interface ModelStatus {
  readonly label: string;
  /** `missing`: no provider and no key, so the first-run card is shown. */
  readonly kind: 'ready' | 'offline-demo' | 'missing';
  readonly ref?: ModelRef;
  readonly marks?: Pick<ModelMarks, 'type' | 'tools' | 'vision' | 'reasoning'>;
  /** The host forwards requests to it, since it refuses those of the page: answers arrive in one piece. */
  readonly forwarded?: boolean;
  /** How it calls tools with the current settings, and whether its server refused native calls. */
  readonly calls?: { readonly written: 'native' | 'vcp' | 'json'; readonly isRefused: boolean };
  readonly searchFirst?: boolean;
  /** The model chosen for the chat, if it is no longer set up: this one answers instead. */
  readonly gone?: ModelRef;
}

export interface Allowance {
  readonly tool: string;
  /** Null: in every chat and everywhere, by the settings. */
  readonly scope: string | null;
  readonly scopeName: string;
}

export interface BackgroundChat {
  readonly id: string;
  /** It waits for a person: an approval, or an answer to a question. */
  readonly waits: boolean;
}

export interface ChatView {
  /** The tools sent with the last question, if not all of them fit into the model's window. */
  readonly toolFit?: ToolFit | undefined;
  readonly sessionId: string;
  readonly title: string;
  readonly boundDocument?: string;
  /** The note of the project that it keeps to. */
  readonly project?: string | undefined;
  /** The last write there was a save by hand, which can be undone. */
  readonly noteSaved?: boolean;
  /** Messages that were edited in the bound document, with their blocks there: the chat is not changed. */
  readonly noteEdits?: Readonly<Record<string, string>>;
  readonly messages: readonly MessageView[];
  readonly running: boolean;
  /** `running` before a question is sent: older messages are checked for length, or summarized. */
  readonly preparing?: 'checking' | 'summarizing';
  /** There are older messages that a summary could replace. */
  readonly summarizable?: boolean;
  /** What the user typed during an answer: sent when it ends. */
  readonly queued: string | null;
  readonly approvals: readonly ApprovalRequest[];
  /** Questions of the model to the person (ask_user), oldest first. */
  readonly questions: readonly UserQuestion[];
  /** Allowances for this chat, or set for the tool (`scope` null). */
  readonly allowances: readonly Allowance[];
  readonly notebooks: readonly NotebookInfo[];
  /** Of a chat of a project, what it may use of them. */
  readonly scope?: readonly NotebookInfo[] | undefined;
  readonly model: ModelStatus;
  readonly own: OwnSettings;
  readonly contexts: readonly AttachedContext[];
  readonly attachments: readonly Attachment[];
  readonly tags?: readonly string[];
  /** Why nothing can be sent here: written by a newer version, or a turn runs in another window. */
  readonly blocked?: EventError;
  readonly background?: readonly BackgroundChat[];
  readonly notice?: EventError;
}
