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
import type { AttachedContext, Attachment, LeftOut, NodePosition, OwnSettings, Payload, PayloadTime } from '../session/types.ts';

/** One call as the panel draws it. `status` is also `data-status`. */
export interface ToolCallView {
  readonly callId: string;
  readonly tool: string;
  readonly args: ToolArguments;
  /** writing, or queued when it is written: it has not started, and its `callId` is not yet that of the call. */
  readonly status: 'writing' | 'queued' | 'running' | 'waiting' | ToolExecuteStatus;
  /** Of a call that was seen being written: tells its card apart from the beginning on. */
  readonly cardId?: string;
  /** The argument that was written at length, as far as it was seen: its end, while the call has not ended. */
  readonly draft?: string;
  readonly progress?: string;
  /** How much of the work is done, as last reported. */
  readonly counted?: ProgressCount | undefined;
  /** Without the time in which it waited for a person to decide. */
  readonly durationMs?: number;
  readonly preview?: string;
  readonly error?: EventError;
  /** Of a rejection: the user's own words. */
  readonly rejectReason?: string;
  /** Of a rejection: the person did not start it. */
  readonly skipped?: true;
  /** Since when it waits for a person, and for how long it had before; milliseconds. */
  readonly waitingSince?: number;
  readonly waitedMs?: number;
  /** Variable that holds the whole result; read by ChatController.variable. */
  readonly resultVariable?: string;
  readonly argsVariable?: string;
  /** Milliseconds since the epoch; a running card counts from it. */
  readonly started: number;
  /** Where it wrote. `title` is '' where it is not known. */
  readonly wrote?: {
    readonly documentId: string;
    readonly title: string;
    readonly blockIds: readonly string[];
    /** Changes of its plan that the person left out, all that it had, and what the first of those left out would have written. */
    readonly leftOut?: number;
    readonly planned?: number;
    readonly leftOutWords?: readonly string[];
  };
  /** What waited for an approval when the call was cut off: nothing of it was written. */
  readonly proposed?: ProposedChange;
  /** It waited for an approval when it was cut off. */
  readonly waited?: boolean;
  /** What a search found; absent in chats of older versions, which have its text alone. */
  readonly found?: FoundList;
  /** Of a call of a sub-agent: what it gave, cut where that is long; there is no variable of it. */
  readonly text?: string;
  /** What a sub-agent does or did in this call; absent before it begins. */
  readonly subAgent?: SubAgentView;
}

export interface SubAgentView {
  readonly segments: readonly AnswerSegment[];
  /** Blocks that its words cite and that it read; known at its end. */
  readonly citations: readonly string[];
  readonly status: 'running' | ChainStatus;
  readonly error?: EventError;
  readonly retry?: RetryWait;
  /** Of all its requests; known at its end. */
  readonly usage?: Usage;
}

/** An answer in the order in which it happened. */
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

/** A message as the panel draws it. Unchanged messages keep their object identity between two views. */
export interface MessageView {
  readonly nodeId: string;
  readonly role: 'user' | 'assistant' | 'separator';
  readonly segments: readonly AnswerSegment[];
  /** The folded system hint; empty when there is none. */
  readonly hint: string;
  readonly contexts: readonly AttachedContext[];
  readonly attachments: readonly Attachment[];
  readonly status: 'streaming' | 'done' | 'stopped' | 'error' | 'interrupted';
  readonly error?: EventError;
  /** The provider is busy or failed, and is retried. */
  readonly retry?: RetryWait;
  /** Tokens of the request, estimated: its server, at home, reads it and has not sent anything yet. */
  readonly reading?: number;
  readonly citations: readonly string[];
  /** Pictures or recordings that the model made. */
  readonly files?: readonly Attachment[];
  readonly usage?: Usage;
  /** Of its sub-agents, beside `usage`. */
  readonly agentsUsage?: Usage;
  readonly time?: PayloadTime;
  readonly leftOut?: LeftOut;
  /** See Payload. */
  readonly end?: Payload['end'];
  readonly author: string;
  readonly created: number;
  readonly undo?: UndoState;
  /** What came of the last Undo, or of the Redo after it; of an earlier one what it left open. */
  readonly undoReport?: UndoReport;
  readonly redoReport?: UndoReport;
  /** How far the Undo or Redo is that runs. */
  readonly undoCount?: ProgressCount;
  /** Shown, not sent to the model. */
  readonly hidden?: boolean;
  /** Always sent to the model. */
  readonly pinned?: boolean;
  /** Where it stands among its versions and branches; absent where there is one of each. */
  readonly position?: NodePosition;
}

export interface ModelStatus {
  readonly label: string;
  /** `missing`: no provider and no key: the first-run card is shown. */
  readonly kind: 'ready' | 'offline-demo' | 'missing';
  /** Absent where it is missing. */
  readonly ref?: ModelRef;
  readonly marks?: Pick<ModelMarks, 'type' | 'tools' | 'vision' | 'reasoning'>;
  /** The host forwards requests to it, since it refuses those of the page: answers arrive all at once. */
  readonly forwarded?: boolean;
  /** How it calls tools by the settings now, and whether its server refused native calls. */
  readonly calls?: { readonly written: 'native' | 'vcp' | 'json'; readonly isRefused: boolean };
  /** Whether the notes are searched before it is asked. */
  readonly searchFirst?: boolean;
  /** The model that was chosen for the chat and is no longer set up: this one answers instead. */
  readonly gone?: ModelRef;
}

export interface Allowance {
  readonly tool: string;
  /** Null: in every chat and everywhere, by the settings. */
  readonly scope: string | null;
  /** The scope in words; '' where it has none. */
  readonly scopeName: string;
}

/** A chat that is not shown, and whose answer is being written. */
export interface BackgroundChat {
  readonly id: string;
  /** For a person: an approval, or an answer to a question. */
  readonly waits: boolean;
}

/** Everything the panel shows of a chat; a new object for every change. */
export interface ChatView {
  /** The tools that went with the last question, where the model's window had no room for all of them. */
  readonly toolFit?: ToolFit | undefined;
  readonly sessionId: string;
  readonly title: string;
  readonly boundDocument?: string;
  /** The last thing written there was saved by hand, and can be undone. */
  readonly noteSaved?: boolean;
  /** Messages that were edited in the bound document, with their blocks there: the chat stays as it is. */
  readonly noteEdits?: Readonly<Record<string, string>>;
  readonly messages: readonly MessageView[];
  readonly running: boolean;
  /** `running` before a question goes: whether older messages have to be summarized is looked up, or they are. */
  readonly preparing?: 'checking' | 'summarizing';
  /** There are older messages that a summary could stand for. */
  readonly summarizable?: boolean;
  /** What the user typed while an answer ran: sent when it ends. */
  readonly queued: string | null;
  readonly approvals: readonly ApprovalRequest[];
  /** What the model asks the person (ask_user), oldest first. */
  readonly questions: readonly UserQuestion[];
  /** What is done without asking: allowed for this chat, or set so for the tool (`scope` null). */
  readonly allowances: readonly Allowance[];
  readonly notebooks: readonly NotebookInfo[];
  readonly model: ModelStatus;
  readonly own: OwnSettings;
  readonly contexts: readonly AttachedContext[];
  readonly attachments: readonly Attachment[];
  readonly tags?: readonly string[];
  /** Why nothing can be sent here: written by a newer version, or a turn runs in another window. */
  readonly blocked?: EventError;
  /** Absent where no other chat runs. */
  readonly background?: readonly BackgroundChat[];
  /** A failure outside any message: storage, loading. */
  readonly notice?: EventError;
}
