import type { EventError } from '../contract/errors.ts';
import type { ChainStatus, ErrorPhase, ToolChainEvent } from '../contract/events.ts';
import type { ChatOption, Message, Usage } from '../contract/messages.ts';
import type { Clock } from '../contract/ports.ts';
import type { ToolArguments, ToolExecuteResult } from '../contract/types.ts';
import type { AnswerEnd } from './answer-end.ts';
import type { ChainHistory, ToolCallHistoryEntry } from './chain-history.ts';
import type { Conversation, ModelRequestsOptions, RequestWindow } from './chain-requests.ts';
import type { EventEmitter } from './event-stream.ts';

export interface ToolChainOptions
  extends Pick<ModelRequestsOptions, 'complete' | 'systemPrompt' | 'toolProtocol' | 'onWithheld' | 'onRoom'> {
  /** Everything before the first response, without the system prompt if `systemPrompt` is given. */
  readonly contextMessages: readonly Message[] | Conversation;
  readonly sessionId: string;
  readonly turnId: string;
  readonly nodeId: string;
  readonly clock: Clock;
  /** The maximum number of rounds of tool calls, default 10. */
  readonly maxRounds?: number;
  /** Called before each round; a clause that ends the calls (`it has used its tokens`): the model is then asked for its answer. */
  readonly enough?: () => string | undefined;
  /** Ends the chain: with the status `timeout` if its reason is a TimeoutError. */
  readonly signal?: AbortSignal;
  /** For callers with a controller; `signal` has precedence. */
  readonly abortController?: AbortController;
  readonly chatOption?: ChatOption;
  /** false skips every result approval. Default true: the tools' policies decide. */
  readonly checkToolResults?: boolean;
  /** The maximum number of tokens in a request; older tool messages are compressed before it is exceeded. Default: no limit. */
  readonly contextTokens?: number | undefined;
  readonly window?: RequestWindow | undefined;
  /** Ids of calls that are not in `contextMessages`: records, variables and Undo need unique ids. */
  readonly takenCallIds?: () => Iterable<string>;
  /** The turn's stream, so that `seq` continues from the first response; by default one is created over `onEvent`. */
  readonly emitter?: EventEmitter;
  /** Of a caller who passes it the events of `emitter`. */
  readonly history?: ChainHistory;
  readonly onEvent?: (event: ToolChainEvent) => void;
  readonly callbacks?: ToolChainCallbacks;
}

export interface ToolChainCallbacks {
  readonly onToolCallStart?: (name: string, args: ToolArguments, callId: string) => void;
  readonly onToolCallComplete?: (result: ToolExecuteResult, callId: string) => void;
  readonly onLLMResponseUpdate?: (content: string) => void;
  /** May return another list, which is sent instead. */
  readonly onBeforeSendToLLM?: (messages: readonly Message[]) => readonly Message[] | undefined | Promise<readonly Message[] | undefined>;
  readonly onError?: (error: EventError, phase: ErrorPhase) => void;
}

export interface ToolChainResult {
  /** Natural flow: the rounds' texts, a log block for each call, the final text. */
  readonly responseContent: string;
  /** The system hint; the stored content is `toolChainContent + responseContent`. */
  readonly toolChainContent: string;
  /** The model's last text alone; partial after an abort or error. */
  readonly finalContent: string;
  readonly end?: AnswerEnd;
  /** The sum over all answers, including the first. */
  readonly usage?: Usage;
  /** Milliseconds to the first token of the first answer, and to the end of all rounds; absent if the first answer has no times. */
  readonly time?: { readonly firstToken: number; readonly total: number };
  readonly messages: {
    readonly context: readonly Message[];
    /** The messages that the chain added: valid for the API whatever happened. */
    readonly toolChain: readonly Message[];
    readonly complete: readonly Message[];
  };
  readonly toolCallHistory: readonly ToolCallHistoryEntry[];
  /** For each round, the text before its calls, and the calls. The final text is not included. */
  readonly rounds: readonly { readonly text: string; readonly callIds: readonly string[] }[];
  readonly status: ChainStatus;
  readonly error?: EventError;
  readonly stats: {
    readonly totalRounds: number;
    readonly totalCalls: number;
    readonly totalTime: number;
    readonly startTime: number;
    readonly endTime: number;
  };
}
