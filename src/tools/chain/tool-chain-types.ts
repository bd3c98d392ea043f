import type { EventError } from '../contract/errors.ts';
import type { ChainStatus, ErrorPhase, ToolChainEvent } from '../contract/events.ts';
import type { ChatOption, Message, Usage } from '../contract/messages.ts';
import type { Clock } from '../contract/ports.ts';
import type { ToolArguments, ToolExecuteResult } from '../contract/types.ts';
import type { AnswerEnd } from './answer-end.ts';
import type { ChainHistory, ToolCallHistoryEntry } from './chain-history.ts';
import type { EventEmitter } from './event-stream.ts';
import type { Conversation, ModelRequestsOptions, RequestWindow } from './model-requests.ts';

/** Options of a chain. Every I/O is one of them. */
export interface ToolChainOptions
  extends Pick<ModelRequestsOptions, 'complete' | 'systemPrompt' | 'toolProtocol' | 'onWithheld' | 'onRoom'> {
  /** Everything before the first response, without the system prompt where `systemPrompt` is given. */
  readonly contextMessages: readonly Message[] | Conversation;
  readonly sessionId: string;
  readonly turnId: string;
  /** Message node that the turn belongs to. */
  readonly nodeId: string;
  readonly clock: Clock;
  /** Rounds of tool calls, default 10. */
  readonly maxRounds?: number;
  /** Asked before each round; a clause why no more calls are run (`it has used its tokens`): then the model is asked for its answer. */
  readonly enough?: () => string | undefined;
  /** Ends the chain: with the status `timeout` if its reason is a TimeoutError. */
  readonly signal?: AbortSignal;
  /** For callers who hold a controller; `signal` goes first. */
  readonly abortController?: AbortController;
  readonly chatOption?: ChatOption;
  /** false skips every result approval. Default true: the tools' policies decide. */
  readonly checkToolResults?: boolean;
  /** Tokens that a request may have; older tool messages are compressed before it is passed. Default: no limit. */
  readonly contextTokens?: number | undefined;
  /** The model's own limit. */
  readonly window?: RequestWindow | undefined;
  /** Ids of calls that are not in `contextMessages`: records, variables and Undo tell calls apart by them. */
  readonly takenCallIds?: () => Iterable<string>;
  /** The turn's stream, so that `seq` goes on from the first response; else one is made over `onEvent`. */
  readonly emitter?: EventEmitter;
  /** Of a caller who hands it the events of `emitter`. */
  readonly history?: ChainHistory;
  readonly onEvent?: (event: ToolChainEvent) => void;
  readonly callbacks?: ToolChainCallbacks;
}

export interface ToolChainCallbacks {
  readonly onToolCallStart?: (name: string, args: ToolArguments, callId: string) => void;
  readonly onToolCallComplete?: (result: ToolExecuteResult, callId: string) => void;
  /** The answer of this round so far. */
  readonly onLLMResponseUpdate?: (content: string) => void;
  /** May answer with another list, which is sent instead. */
  readonly onBeforeSendToLLM?: (messages: readonly Message[]) => readonly Message[] | undefined | Promise<readonly Message[] | undefined>;
  readonly onError?: (error: EventError, phase: ErrorPhase) => void;
}

/** What a chain gives. */
export interface ToolChainResult {
  /** Natural flow: the rounds' texts, a log block for each call, the final text. */
  readonly responseContent: string;
  /** The system hint; the stored content is `toolChainContent + responseContent`. */
  readonly toolChainContent: string;
  /** What the model said last, alone; partial after an abort or error. */
  readonly finalContent: string;
  /** How that ended, where it is not simply whole. */
  readonly end?: AnswerEnd;
  /** Sum over all answers, the first one included. */
  readonly usage?: Usage;
  /** Milliseconds to the first token of the first answer, and to the end of all rounds; absent where the first answer does not tell. */
  readonly time?: { readonly firstToken: number; readonly total: number };
  readonly messages: {
    readonly context: readonly Message[];
    /** What the chain added: valid for the API whatever happened. */
    readonly toolChain: readonly Message[];
    readonly complete: readonly Message[];
  };
  readonly toolCallHistory: readonly ToolCallHistoryEntry[];
  /** For each round what was said before its calls, and the calls. The final text is not among them. */
  readonly rounds: readonly { readonly text: string; readonly callIds: readonly string[] }[];
  readonly status: ChainStatus;
  readonly error?: EventError;
  readonly stats: {
    readonly totalRounds: number;
    readonly totalCalls: number;
    /** Milliseconds. */
    readonly totalTime: number;
    readonly startTime: number;
    readonly endTime: number;
  };
}
