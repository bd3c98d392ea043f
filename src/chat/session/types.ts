import type { ModelRef } from '../../model/providers.ts';
import type { AnswerEnd } from '../../tools/chain/answer-end.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ChainStatus } from '../../tools/contract/events.ts';
import type { FoundList } from '../../tools/contract/found-notes.ts';
import type { AssistantMessage, Message, Usage, UserMessage } from '../../tools/contract/messages.ts';
import type { ProposedChange } from '../../tools/contract/plans.ts';
import type { NoteSource } from '../../tools/contract/provenance.ts';
import type { ToolProtocol } from '../../tools/contract/tool-call-config.ts';
import type { ToolArguments, ToolExecuteResult } from '../../tools/contract/types.ts';

/** One file a chat (docs/formats.md). `schema` grows by one with each migration. */
export const SESSION_SCHEMA = 1;

export interface SavedVariable {
  readonly name: string;
  readonly type: 'ToolCallResult' | 'ToolCallArgs' | 'RULE' | 'LLMAdd' | 'UserAdd';
  readonly value: string;
  readonly desc?: string;
  readonly created: number;
  readonly notebooks?: readonly string[];
  readonly sources?: readonly NoteSource[];
  readonly node?: string;
  readonly isPrivate?: boolean;
  readonly pinned?: boolean;
  /** On disk only, for a long value: its file in `variables/<session>/`; `value` is then empty. */
  readonly file?: string;
}

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
  readonly proposed?: ProposedChange;
  readonly waited?: boolean;
  readonly waitedMs?: number;
  /** For a call with a sub-agent: everything that it did. */
  readonly subAgent?: SavedSubAgent;
}

/** A sub-agent's work, saved with the call that started it: it is shown, merged, exported and deleted with the message. */
export interface SavedSubAgent {
  /** Its calls have no variables in the chat. */
  readonly chain: SavedToolChain;
  /** The results of its calls by id, cut if they are long. */
  readonly texts: Readonly<Record<string, string>>;
  readonly usage?: Usage;
}

interface ChainStats {
  readonly totalRounds: number;
  readonly totalCalls: number;
  readonly totalTime: number;
  readonly startTime: number;
  readonly endTime: number;
}

/** The calls of an answer. `rounds` keep thoughts and words before the calls, so that the panel never parses text back. */
export interface SavedToolChain {
  readonly toolCallHistory: readonly ToolCallRecord[];
  readonly rounds: readonly { readonly reasoning?: string; readonly text: string; readonly callIds: readonly string[] }[];
  readonly stats: ChainStats;
  readonly status: ChainStatus;
  readonly error?: EventError;
}

interface PayloadTime {
  readonly firstToken: number;
  readonly total: number;
}

type LaterKind = string & Record<never, never>;

/** An attached block, document or list. `open`: the note in the editor, named and not read. `found`: passages searched before asking. */
export interface ChatContext {
  readonly kind: 'block' | 'document' | 'selection' | 'open' | 'notebook' | 'tag' | 'search' | 'found' | LaterKind;
  readonly id: string;
  readonly title: string;
  /** Markdown for the model, already read through NotesPort. */
  readonly text: string;
  readonly sources?: readonly NoteSource[];
  /** For `found`: a list of the text's passages, for people. */
  readonly found?: FoundList;
  /** Its name in the question's text, with the sign: "@Travel". Absent: it is not named there. */
  readonly mention?: string;
}

/** A context of a message; its id is unique in the message. */
export interface AttachedContext extends ChatContext {
  readonly contextId: string;
}

/** A file that is sent with a question. Its bytes are an asset of the workspace, never part of the chat. */
export interface Attachment {
  readonly id: string;
  readonly kind: 'image' | 'audio' | 'text' | 'pdf' | LaterKind;
  readonly name: string;
  readonly mime: string;
  readonly size: number;
  readonly asset: string;
  readonly text?: string;
}

export interface Attached {
  readonly contexts: readonly AttachedContext[];
  readonly attachments: readonly Attachment[];
}

/** Parts of the conversation without which an answer was written. */
export interface LeftOut {
  /** The number of older messages that did not fit into a request. */
  readonly messages: number;
  /** The number of results of tools of which only the beginning fitted into a request. */
  readonly results?: number;
  /** Why there is no summary of them: it is based on notes that may not be read now, it failed, or the budget did not allow it. */
  readonly summary?: 'withheld' | 'failed' | 'budget';
}

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
  /** Cited block ids that were really read. */
  readonly citations?: readonly string[];
  readonly writes?: readonly string[];
  /** Fingerprints of sources above it that were withheld from every request of its turn: it contains nothing of them. */
  readonly withheld?: readonly string[];
  readonly leftOut?: LeftOut;
  /** How its text ended, if not normally. */
  readonly end?: AnswerEnd | LaterKind;
  /** The model had been given private text when the message was finished. Absent in older versions (see givenPrivate). */
  readonly isPrivate?: boolean;
  /** An agent that reads elsewhere by itself had answered in the chat when the message was finished. */
  readonly fromElsewhere?: boolean;
  readonly status: 'done' | 'stopped' | 'error' | 'interrupted';
  readonly error?: EventError;
}

/** The time and device of the last change, which decides where two devices differ. */
export interface Stamp {
  readonly time: number;
  readonly device: string;
}

/** A sentence of an answer beside the blocks that it cites; `words` of these, which say it or say otherwise. */
export interface CheckedClaim {
  readonly sentence: string;
  readonly verdict: 'supported' | 'otherwise' | 'unsaid' | 'unclear' | LaterKind;
  readonly words: string;
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
  /** The number of undone deletions: it wins over earlier deletions and loses to later ones. */
  readonly restored?: number;
  readonly context?: readonly AttachedContext[];
  readonly attachments?: readonly Attachment[];
  /** Sources of earlier messages, or versions, that were dropped when the chat was copied; for a summary, those it was made from. */
  readonly sources?: readonly NoteSource[];
  /** For a separator with text, a summary: the last message that it covers. Absent: everything above it. */
  readonly covers?: string;
  /** Messages above that one that the summary does not cover: they were hidden, pinned or deleted when it was made. */
  readonly uncovered?: readonly string[];
  /** What a model said of its sentences, on a press. */
  readonly checked?: readonly CheckedClaim[];
  readonly changed: Stamp;
}

/** The position of a message among its versions and branches, counted from 1. */
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
  /** It began as a suggestion at a block; absent if it began in the panel. */
  readonly origin?: 'suggestion';
  /** The note of the project that it keeps to, set when the chat begins. */
  readonly project?: string;
  /** Chosen for this chat. Kept if its provider is removed; meanwhile the model of the settings answers. */
  readonly model?: ModelRef;
  readonly systemPrompt?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly contextMessages?: number;
  readonly toolProtocol?: ToolProtocol;
  /** Writes wait until a list of them is accepted. */
  readonly planFirst?: true;
  /** The prompt came with a file. */
  readonly fromElsewhere?: true;
  readonly nodes: Readonly<Record<string, Node>>;
  readonly rootId: string | null;
  readonly leafId: string | null;
  /** The branch shown last, by the message that it follows (`""`: none). */
  readonly choices?: Readonly<Record<string, string>>;
  /** The stamp of each field of the chat, by name: between two devices the later value wins. */
  readonly changed?: Readonly<Record<string, Stamp>>;
  readonly variables: readonly SavedVariable[];
  readonly approvals: readonly { readonly tool: string; readonly scope: string }[];
  readonly boundDocument?: string;
  /** Other notebooks whose text the user allowed in that document. */
  readonly noteNotebooks?: readonly string[];
  /** The call id, in the write journal, of the last save by hand, as long as it can be undone. */
  readonly savedNote?: string;
}

export type OwnSettings = Pick<Session, 'model' | 'systemPrompt' | 'options' | 'contextMessages' | 'toolProtocol' | 'planFirst'>;

/** What a new chat of a project begins with. */
export type NewChat = Partial<Pick<Session, 'project' | 'model' | 'tags'>>;

export type OwnSettingsPatch = { readonly [Name in keyof OwnSettings]?: OwnSettings[Name] | undefined };

export interface SessionSummary extends Pick<Session, 'id' | 'title' | 'updated' | 'pinned' | 'boundDocument' | 'archived' | 'project'> {
  readonly messages: number;
  readonly tags?: readonly string[];
  /** A suggestion at a block that nobody continued. */
  readonly suggestion?: boolean;
}

/** The stored part of a session that TreeModel owns. Immutable: a change creates a new one that shares the unchanged nodes. */
export type TreeSnapshot = Pick<Session, 'nodes' | 'rootId' | 'leafId' | 'choices'>;
