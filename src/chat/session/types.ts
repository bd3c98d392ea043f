import type { ModelRef } from '../../model/providers.ts';
import type { AnswerEnd } from '../../tools/chain/answer-end.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ChainStatus } from '../../tools/contract/events.ts';
import type { FoundList } from '../../tools/contract/found-notes.ts';
import type { AssistantMessage, Message, Usage, UserMessage } from '../../tools/contract/messages.ts';
import type { ProposedChange } from '../../tools/contract/plans.ts';
import type { NoteSource } from '../../tools/contract/provenance.ts';
import type { ToolProtocol } from '../../tools/contract/tool-protocol.ts';
import type { ToolArguments, ToolExecuteResult } from '../../tools/contract/types.ts';

/** One file a chat (docs/formats.md). `schema` grows by one with each migration. */
export const SESSION_SCHEMA = 1;

export interface SavedVariable {
  readonly name: string;
  readonly type: 'ToolCallResult' | 'ToolCallArgs' | 'RULE' | 'LLMAdd' | 'UserAdd';
  readonly value: string;
  readonly desc?: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly notebooks?: readonly string[];
  readonly sources?: readonly NoteSource[];
  /** The message in which the model wrote it. */
  readonly node?: string;
  readonly isPrivate?: boolean;
  readonly pinned?: boolean;
  /** On disk only, for a long value: its file in `variables/<session>/`; `value` is empty then. */
  readonly file?: string;
}

/** One call as it is kept: the result's texts are in variables, not here. */
export interface ToolCallRecord {
  readonly callId: string;
  readonly toolName: string;
  readonly args: ToolArguments;
  readonly result: Omit<ToolExecuteResult, 'data' | 'formattedText' | 'finalText'> & { readonly preview: string };
  readonly startTime: number;
  readonly endTime: number;
  readonly roundIndex: number;
  readonly llmUsage?: Usage;
  readonly resultRejected?: boolean;
  readonly resultRejectReason?: string;
  /** See ToolCallHistoryEntry. */
  readonly proposed?: ProposedChange;
  readonly waited?: boolean;
  readonly waitedMs?: number;
  /** Of a call in which a sub-agent worked: all that it did. */
  readonly subAgent?: SavedSubAgent;
}

/** What a sub-agent did, kept with the call that started it: with its message it is shown, merged, exported and deleted. */
export interface SavedSubAgent {
  /** Its calls have no variables in the chat. */
  readonly chain: SavedToolChain;
  /** What its calls gave, by their ids, cut where that is long. */
  readonly texts: Readonly<Record<string, string>>;
  /** Of all its requests; absent where it did not get to its end. */
  readonly usage?: Usage;
}

interface ChainStats {
  readonly totalRounds: number;
  readonly totalCalls: number;
  readonly totalTime: number;
  readonly startTime: number;
  readonly endTime: number;
}

/**
 * What an answer holds. `rounds` keep what the assistant thought and said before its calls, so that the panel never parses text
 * back; the final text is the last one.
 */
export interface SavedToolChain {
  readonly toolCallHistory: readonly ToolCallRecord[];
  readonly rounds: readonly { readonly reasoning?: string; readonly text: string; readonly callIds: readonly string[] }[];
  readonly stats: ChainStats;
  readonly status: ChainStatus;
  readonly error?: EventError;
}

export interface PayloadTime {
  readonly firstToken: number;
  readonly total: number;
}

/** A kind that a later version wrote. */
type LaterKind = string & Record<never, never>;

/**
 * What a chat was about: a block or document that the user attached, or a list of documents. `open`: the note in the editor, named and
 * not read. `found`: passages that were searched for the question before it was asked.
 */
export interface ChatContext {
  readonly kind: 'block' | 'document' | 'selection' | 'open' | 'notebook' | 'tag' | 'search' | 'found' | LaterKind;
  /** Of the block, document or notebook; for a tag its words, for a saved search its name. */
  readonly id: string;
  readonly title: string;
  /** Markdown that goes to the model, already read through NotesPort. */
  readonly text: string;
  /** Where it was read. */
  readonly sources?: readonly NoteSource[];
  /** Of `found`: what the text holds, for people. */
  readonly found?: FoundList;
  /** How the question's text names it, with the sign: "@Travel". Absent: it only goes along. */
  readonly mention?: string;
}

/** One that goes with a message; its own id is unique among those of the message. */
export interface AttachedContext extends ChatContext {
  readonly contextId: string;
}

/** A file that is sent with a question. Its bytes are an asset of the workspace, never part of the chat. */
export interface Attachment {
  /** Unique among those of the message. */
  readonly id: string;
  readonly kind: 'image' | 'audio' | 'text' | 'pdf' | LaterKind;
  readonly name: string;
  readonly mime: string;
  /** Bytes. */
  readonly size: number;
  /** `assets/…`. */
  readonly asset: string;
  /** For text files and PDFs: what is sent to the model. */
  readonly text?: string;
}

/** What is sent with a question besides its words. */
export interface Attached {
  readonly contexts: readonly AttachedContext[];
  readonly attachments: readonly Attachment[];
}

/** What of the conversation before an answer was in none of its requests, though it would have been sent. */
export interface LeftOut {
  /** Older messages, since the chat is longer than a request may be. */
  readonly messages: number;
  /** Why there is no summary of them: it draws on notes that may not be read now, it failed, or the budget did not allow it. */
  readonly summary?: 'withheld' | 'failed' | 'budget';
}

/** An immutable version of a message. */
export interface Payload {
  readonly id: string;
  readonly message: UserMessage | AssistantMessage;
  /** Model name for answers, "user" for questions. */
  readonly author: string;
  readonly created: number;
  readonly usage?: Usage;
  readonly time?: PayloadTime;
  readonly token?: number;
  /** `[hint length, content length]` in UTF-16 units. */
  readonly userPromptSlice?: readonly [number, number];
  readonly toolChainResult?: SavedToolChain;
  readonly toolChainMessages?: readonly Message[];
  /** Pictures or recordings that a model made; the answer's text links to them. */
  readonly files?: readonly Attachment[];
  /** Block ids that the answer cites and that were really read. */
  readonly citations?: readonly string[];
  readonly writes?: readonly string[];
  /** Fingerprints of sources above it that were withheld from every request of its turn: what they hold is not in it. */
  readonly withheld?: readonly string[];
  readonly leftOut?: LeftOut;
  /** How its text ended, where it is not simply whole. */
  readonly end?: AnswerEnd | LaterKind;
  /**
   * Whether the model had been given private text in this chat when the message was finished. Absent: an older version wrote it
   * (see givenPrivate).
   */
  readonly isPrivate?: boolean;
  readonly status: 'done' | 'stopped' | 'error' | 'interrupted';
  readonly error?: EventError;
}

/** When and by which device something was last changed: what decides where two devices differ. */
export interface Stamp {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly device: string;
}

export interface Node {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'separator';
  readonly parent: string | null;
  readonly versions: Readonly<Record<string, Payload>>;
  readonly currentVersionId: string;
  readonly hidden?: boolean;
  readonly pinned?: boolean;
  readonly deleted?: boolean;
  /** How often a deletion was undone: it wins over the deletions before it and loses to those after it. */
  readonly restored?: number;
  readonly context?: readonly AttachedContext[];
  readonly attachments?: readonly Attachment[];
  /** Of earlier messages, or versions of it, that were left behind when the chat was copied; of a summary, those that it was made from. */
  readonly sources?: readonly NoteSource[];
  /** Of a separator with a text, the summary: the last message that it stands for. Absent: all that is above it. */
  readonly covers?: string;
  /** Messages above that one which are not in the summary: they were hidden, pinned or deleted when it was made. */
  readonly uncovered?: readonly string[];
  readonly changed: Stamp;
}

/** Where a message stands among its versions and branches, counted from 1. */
export interface NodePosition {
  readonly versions: number;
  readonly version: number;
  readonly branches: number;
  readonly branch: number;
}

export interface Session {
  readonly schema: typeof SESSION_SCHEMA;
  readonly id: string;
  readonly title: string;
  readonly created: number;
  readonly updated: number;
  readonly tags: readonly string[];
  readonly pinned: boolean;
  readonly archived?: boolean;
  /** It began as a suggestion at a block; absent where it began in the panel. */
  readonly origin?: 'suggestion';
  /** Chosen for this chat. Kept where its provider is gone; meanwhile that of the settings answers. */
  readonly model?: ModelRef;
  readonly systemPrompt?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Earlier messages that go with a question. */
  readonly contextMessages?: number;
  /** How tools are described to the model. */
  readonly toolProtocol?: ToolProtocol;
  readonly nodes: Readonly<Record<string, Node>>;
  readonly rootId: string | null;
  readonly leafId: string | null;
  /** The branch that was shown last, by the message that it follows (`""`: none). */
  readonly choices?: Readonly<Record<string, string>>;
  /** When each field of the chat itself was set, by its name: of two devices the later one counts. */
  readonly changed?: Readonly<Record<string, Stamp>>;
  readonly variables: readonly SavedVariable[];
  readonly approvals: readonly { readonly tool: string; readonly scope: string }[];
  readonly boundDocument?: string;
  /** Other notebooks whose text the user let into that document. */
  readonly noteNotebooks?: readonly string[];
  /** Call id, in the write journal, of what was last saved there by hand, as long as that can be undone. */
  readonly savedNote?: string;
}

/** What a chat has of its own; what is absent comes from the settings. */
export type OwnSettings = Pick<Session, 'model' | 'systemPrompt' | 'options' | 'contextMessages' | 'toolProtocol'>;

/** Undefined: from the settings again. */
export type OwnSettingsPatch = { readonly [Name in keyof OwnSettings]?: OwnSettings[Name] | undefined };

export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly updated: number;
  readonly pinned: boolean;
  readonly messages: number;
  readonly boundDocument?: string;
  /** Absent when there are none. */
  readonly tags?: readonly string[];
  readonly archived?: boolean;
  /** A suggestion at a block that nobody went on talking about. */
  readonly suggestion?: boolean;
}

/** The part of a session that TreeModel owns, as it is stored. Immutable: a change makes another one, which shares the untouched nodes. */
export interface TreeSnapshot {
  readonly nodes: Readonly<Record<string, Node>>;
  readonly rootId: string | null;
  readonly leafId: string | null;
  /** See Session. */
  readonly choices?: Readonly<Record<string, string>>;
}
