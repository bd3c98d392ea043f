import type { EventError } from '../contract/errors.ts';
import type { ChainStatus, ErrorPhase, ToolChainEvent } from '../contract/events.ts';
import type { ChatOption, Complete, Message, Usage } from '../contract/messages.ts';
import type { ProposedChange } from '../contract/plans.ts';
import type { Clock } from '../contract/ports.ts';
import type { ToolArguments, ToolExecuteResult } from '../contract/types.ts';
import type { EventEmitter } from './event-stream.ts';

/** Options of a chain. Every I/O is one of them. */
export interface ToolChainOptions {
  /** Everything before the first response, without the system prompt where `systemPrompt` is given. */
  readonly contextMessages: readonly Message[];
  /** The model, bound to its settings. */
  readonly complete: Complete;
  readonly sessionId: string;
  readonly turnId: string;
  /** Message node that the turn belongs to. */
  readonly nodeId: string;
  readonly clock: Clock;
  /** Rounds of tool calls, default 10. */
  readonly maxRounds?: number;
  /** Asked before each round; a clause why no more calls are run (`it has used its tokens`): then the model is asked for its answer. */
  readonly enough?: () => string | undefined;
  readonly signal?: AbortSignal;
  /** For callers who hold a controller; `signal` goes first. */
  readonly abortController?: AbortController;
  readonly systemPrompt?: string;
  readonly chatOption?: ChatOption;
  /** false skips every result approval. Default true: the tools' policies decide. */
  readonly checkToolResults?: boolean;
  /** Tokens that a request may have; older tool messages are compressed before it is passed. Default: no limit. */
  readonly contextTokens?: number;
  /** Milliseconds for the whole chain; default none. */
  readonly timeoutMs?: number;
  /** The turn's stream, so that `seq` goes on from the first response; else one is made over `onEvent`. */
  readonly emitter?: EventEmitter;
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

export interface ToolCallHistoryEntry {
  readonly callId: string;
  readonly toolName: string;
  /** As the tool got them (each text up to 50,000 characters); {} where they could not be read. */
  readonly args: ToolArguments;
  /** Without `data` and `formattedText`: the whole result is in its variable. */
  readonly result: ToolExecuteResult;
  /** ≤ 200 characters for cards and logs; nothing of a rejected result. */
  readonly preview: string;
  /** ≤ 200 characters: `compressArgs` of the tool, or JSON. */
  readonly argsPreview: string;
  /** The change that waited for its approval when the call was cut off: nothing of it was written. */
  readonly proposed?: ProposedChange;
  /** It waited for an approval when it was cut off; while another program writes the answer, it still does. */
  readonly waited?: boolean;
  /** Milliseconds between its start and its end in which it waited for a person to decide. */
  readonly waitedMs?: number;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly endTime: number;
  /** From 1. */
  readonly roundIndex: number;
  /** Usage of the answer that asked for the call. */
  readonly llmUsage?: Usage;
  readonly resultRejected?: boolean;
  readonly resultRejectReason?: string;
}

/** What a chain gives. */
export interface ToolChainResult {
  /** Natural flow: the rounds' texts, a log block for each call, the final text. */
  readonly responseContent: string;
  /** The system hint; the stored content is `toolChainContent + responseContent`. */
  readonly toolChainContent: string;
  /** What the model said last, alone; partial after an abort or error. */
  readonly finalContent: string;
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
