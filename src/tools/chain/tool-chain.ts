import { type EventError, errorText, type ToolError, toToolError } from '../contract/errors.ts';
import type { ChainListener, ChainStatus, ErrorPhase } from '../contract/events.ts';
import type { AssistantMessage, ChatOption, CompletionResult, Message, ToolCall, Usage } from '../contract/messages.ts';
import type { ToolExecuteResult } from '../contract/types.ts';
import type { ToolExecutor } from '../executor/executor.ts';
import { legalCall, type ReadCall, readCall } from '../executor/legal-calls.ts';
import { NEVER, orAborted } from '../util/abort.ts';
import { lazyPart } from '../util/lazy.ts';
import { escapeStructure } from '../util/markers.ts';
import { addUsage } from './add-usage.ts';
import type { AnswerEnd } from './answer-end.ts';
import { callIdsIn, freeCallId } from './call-ids.ts';
import { ChainHistory, resultOf, type ToolCallHistoryEntry } from './chain-history.ts';
import { fixedConversation, ModelRequests, requestWindow } from './chain-requests.ts';
import { createEventEmitter, type EventEmitter } from './event-stream.ts';
import { MessageFlowFormatter } from './message-flow.ts';
import { checkAnswer, emptyAnswer } from './model-answer.ts';
import { RepeatedFailures } from './repeated-failures.ts';
import type { ToolChainCallbacks, ToolChainOptions, ToolChainResult } from './tool-chain-types.ts';
import { runRound } from './tool-round.ts';

/** Callbacks as a listener of the event stream; the chain itself handles `onBeforeSendToLLM`, which changes what is sent. */
function callbackListener(callbacks: ToolChainCallbacks): ChainListener {
  let answer = '';
  return (event, detail) => {
    switch (event.type) {
      case 'tool-start':
        return callbacks.onToolCallStart?.(event.tool, event.arguments, event.callId);
      case 'tool-end':
        return callbacks.onToolCallComplete?.(resultOf(event, detail), event.callId);
      case 'round-end':
        answer = '';
        return undefined;
      case 'text-end':
        if (event.wasReasoning !== true) return undefined;
        answer = '';
        return callbacks.onLLMResponseUpdate?.(answer);
      case 'text-delta':
        answer += event.text;
        return callbacks.onLLMResponseUpdate?.(answer);
      case 'error':
        return callbacks.onError?.({ code: event.code, message: event.message, next: event.next }, event.phase);
      default:
        return undefined;
    }
  };
}

export type { ToolCallHistoryEntry } from './chain-history.ts';
export type { ToolChainOptions, ToolChainResult } from './tool-chain-types.ts';

const DEFAULT_MAX_ROUNDS = 10;
const CLOSING_PROMPT =
  '[SYSTEM] No further tool calls are possible in this turn. Answer the user now with what you have; say what is missing.';

/** Loads the code that determines how an answer ended. Rejects with `not_loaded`. */
export const loadAnswerEnd = lazyPart(async () => (await import('./answer-end.ts')).answerEnd);

interface Chain {
  readonly executor: ToolExecutor;
  readonly options: ToolChainOptions;
  readonly emitter: EventEmitter;
  readonly signal: AbortSignal;
  readonly requests: ModelRequests;
  readonly added: Message[];
  readonly history: ChainHistory;
  readonly stopListening: () => void;
  readonly rounds: { readonly text: string; readonly callIds: readonly string[] }[];
  readonly failures: RepeatedFailures;
  /** Ids of all calls of the chat: collected when the first answer is there, which may be long after the conversation. */
  usedIds: Set<string> | undefined;
  startTime: number;
  time: CompletionResult['time'];
  usage: Usage | undefined;
  final: string;
  end: AnswerEnd | undefined;
  status: ChainStatus;
  error: EventError | undefined;
}

/** Asks, runs the calls and asks again, until an answer has none. Never rejects; each call is answered and each event ended once. */
export async function executeToolChain(
  toolExecutor: ToolExecutor,
  firstResponse: CompletionResult | undefined,
  options: ToolChainOptions,
): Promise<ToolChainResult> {
  const chain = createChain(toolExecutor, options);
  const { emitter, rounds } = chain;
  try {
    const first = firstResponse ?? (await askModel(chain, options.chatOption));
    if (first !== undefined) chain.startTime = options.clock.now();
    let response = addAnswer(chain, first);
    let limit: string | undefined;
    while (response !== undefined && response.calls.length > 0) {
      limit = limitOf(chain);
      if (limit !== undefined) break;
      const round = rounds.length + 1;
      emitter.emit({ type: 'round-start', round, ...usageOf(response) });
      await answerCalls(chain, response);
      const next = await askModel(chain, options.chatOption);
      emitter.emit({ type: 'round-end', round, ...usageOf(next) });
      response = addAnswer(chain, next);
    }
    if (response !== undefined) await endWithText(chain, response, limit, firstResponse === undefined && rounds.length === 0);
  } catch (error) {
    // A callback of the caller threw: what was done is kept, what is open is closed.
    fail(chain, toToolError(error), 'context');
  } finally {
    emitter.closeAll();
    chain.stopListening();
  }
  return createResult(chain);
}

const usageOf = (answer: { readonly usage?: Usage | undefined } | undefined): { readonly usage?: Usage } =>
  answer?.usage === undefined ? {} : { usage: answer.usage };

/** The reason why no more calls run; undefined while they may. */
function limitOf({ options, rounds }: Chain): string | undefined {
  const { maxRounds = DEFAULT_MAX_ROUNDS, enough } = options;
  return rounds.length < maxRounds ? enough?.() : `this turn has used its ${rounds.length} rounds of tool calls`;
}

async function answerCalls(chain: Chain, { content, calls }: Answer): Promise<void> {
  const { executor, options, signal, emitter, failures } = chain;
  chain.rounds.push({ text: content, callIds: calls.map(({ call }) => call.id) });
  const results = await runRound(calls, { executor, options, signal, emitter, failures });
  emitter.closeWriting();
  const records = new Map(chain.history.entries().map((entry) => [entry.callId, entry]));
  for (const [index, { call }] of calls.entries()) {
    chain.added.push(toolMessage(call, results[index], records.get(call.id)));
  }
}

/** A tool's reading is text of the notes; anything else may repeat what the model wrote. */
function toolMessage(
  { id, warnings = [] }: ToolCall,
  result: ToolExecuteResult | undefined,
  record: ToolCallHistoryEntry | undefined,
): Message {
  const { finalText = '', sources = [], written } = result ?? {};
  const repeats = sources.length === 0 || written !== undefined || result?.repeats === true || warnings.length > 0;
  const notes = warnings.map((warning) => `Note on how this call was read: ${escapeStructure(warning)}`);
  return {
    role: 'tool',
    tool_call_id: id,
    content: [finalText, ...notes].join('\n'),
    ...(sources.length === 0 ? {} : { sources }),
    ...(repeats ? { repeats } : {}),
    ...(record ? { outcome: outcomeOf(record) } : {}),
  };
}

const outcomeOf = ({ result, startTime, endTime }: ToolCallHistoryEntry) =>
  ({ status: result.status === 'success' ? 'success' : 'error', durationMs: endTime - startTime }) as const;

/** If the last answer has calls that will not run, or no text: one closing request without tools; further calls are dropped. */
async function endWithText(
  chain: Chain,
  { calls, content, finishReason }: Answer,
  limit: string | undefined,
  isFirst: boolean,
): Promise<void> {
  if (calls.length === 0 && content.trim() !== '') return takeEnd(chain, { content, finishReason });
  if (calls.length === 0 && isFirst) return fail(chain, emptyAnswer(finishReason), 'model');
  if (limit !== undefined) refuseCalls(chain, calls, limit);
  if (chain.signal.aborted) return stop(chain);
  chain.added.push({ role: 'user', content: CLOSING_PROMPT });
  const closing = await askModel(chain, { ...chain.options.chatOption, tool_choice: 'none' });
  const last = addAnswer(chain, closing && { ...closing, tool_calls: [] });
  if (last === undefined) return;
  if (last.content.trim() === '') return fail(chain, emptyAnswer(last.finishReason), 'model');
  await takeEnd(chain, last);
}

/** The answer is complete: if its end cannot be determined, or the turn was aborted, only the end is missing. */
async function takeEnd(chain: Chain, answer: Pick<Answer, 'content' | 'finishReason'>): Promise<void> {
  const names = chain.executor.getEnabledToolDefinitions().map(({ function: { name } }) => name);
  const answerEnd = await orAborted(loadAnswerEnd(), chain.signal).catch(() => undefined);
  chain.end = answerEnd?.(answer, names);
}

/** A call without a result would make the next request invalid. */
function refuseCalls({ emitter, added }: Chain, calls: readonly ReadCall[], reason: string): void {
  emitter.closeWriting();
  const content = errorText({ code: 'round_limit', message: `not run, ${reason}`, next: 'answer with what you have' });
  for (const { call } of calls) added.push({ role: 'tool', tool_call_id: call.id, content, outcome: { status: 'error', durationMs: 0 } });
}

/** The next answer; undefined after an abort or error, which is then recorded in the chain. */
async function askModel(chain: Chain, chatOption: ChatOption | undefined): Promise<CompletionResult | undefined> {
  if (chain.signal.aborted) return stop(chain);
  const before = chain.options.callbacks?.onBeforeSendToLLM;
  const tail = { added: chain.added, history: chain.history.entries(), chatOption, ...(before === undefined ? {} : { before }) };
  const outcome = await chain.requests.requestNext(tail);
  if (outcome.kind === 'answer') return outcome.answer;
  keepPartial(chain, outcome.text);
  return outcome.kind === 'aborted' ? stop(chain) : fail(chain, outcome.error, 'model');
}

interface Answer {
  readonly content: string;
  readonly finishReason: string;
  readonly calls: readonly ReadCall[];
  readonly usage: Usage | undefined;
}

/** Adds an answer with unique call ids, which some providers omit or repeat; what is sent back to the model is what runs. */
function addAnswer(chain: Chain, given: CompletionResult | undefined): Answer | undefined {
  if (given === undefined) return undefined;
  const { content, reasoning, tool_calls, usage, time, finishReason } = checkAnswer(given);
  const calls = tool_calls.map((call) => readCall(withUniqueId(chain.executor.meantCall(call), usedIdsOf(chain))));
  const message: AssistantMessage = {
    role: 'assistant',
    content,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(legalCall) }),
    ...withheldFrom(chain),
  };
  if (calls.length === 0) chain.emitter.closeWriting();
  chain.added.push(message);
  chain.usage = addUsage(chain.usage, usage);
  chain.time ??= time;
  chain.final = calls.length === 0 ? content : '';
  return { content, finishReason, calls, usage };
}

function usedIdsOf(chain: Chain): Set<string> {
  const { options, requests } = chain;
  chain.usedIds ??= new Set([...requests.context.flatMap(callIdsIn), ...(options.takenCallIds?.() ?? [])]);
  return chain.usedIds;
}

function withUniqueId(call: ToolCall, usedIds: Set<string>): ToolCall {
  const id = freeCallId(call.id, (one) => usedIds.has(one));
  usedIds.add(id);
  return id === call.id ? call : { ...call, id };
}

function withheldFrom({ requests }: Chain): Pick<AssistantMessage, 'withheld'> {
  return requests.withheld.length === 0 ? {} : { withheld: requests.withheld };
}

function keepPartial(chain: Chain, text: string): void {
  if (text === '') return;
  chain.added.push({ role: 'assistant', content: text, ...withheldFrom(chain) });
  chain.final = text;
}

function stop(chain: Chain): undefined {
  const { reason } = chain.signal;
  chain.status = reason instanceof DOMException && reason.name === 'TimeoutError' ? 'timeout' : 'aborted';
}

function fail(chain: Chain, error: ToolError, phase: ErrorPhase): undefined {
  const { code, message, next } = error;
  chain.status = 'error';
  chain.error = { code, message, next };
  chain.emitter.emit({ type: 'error', phase, code, message, next });
}

function createChain(executor: ToolExecutor, options: ToolChainOptions): Chain {
  const { sessionId, turnId, clock, contextMessages, contextTokens, history = new ChainHistory() } = options;
  const emitter = options.emitter ?? createEventEmitter({ sessionId, turnId, clock, onEvent: (event) => options.onEvent?.(event) });
  const signal = options.signal ?? options.abortController?.signal ?? NEVER;
  const stops = [
    options.history === undefined ? emitter.subscribe((event, detail) => history.take(event, detail)) : undefined,
    emitter.subscribe(callbackListener(options.callbacks ?? {})),
  ];
  const requests = new ModelRequests({
    ...options,
    ...{ signal, emitter, rights: executor.rights, tools: () => executor.getEnabledToolDefinitions() },
    isLean: executor.toolFit?.isLean,
    conversation: 'messages' in contextMessages ? contextMessages : fixedConversation(contextMessages),
    window: requestWindow(contextTokens, options.window),
  });
  return {
    ...{ executor, options, signal, emitter, requests, history },
    added: [],
    stopListening() {
      for (const stop of stops) stop?.();
    },
    rounds: [],
    failures: new RepeatedFailures(),
    usedIds: undefined,
    startTime: clock.now(),
    time: undefined,
    usage: undefined,
    final: '',
    end: undefined,
    status: 'completed',
    error: undefined,
  };
}

function createResult(chain: Chain): ToolChainResult {
  const { startTime, options, time, rounds, requests } = chain;
  const endTime = options.clock.now();
  const history = chain.history.entries();
  const totalTime = endTime - startTime;
  return {
    responseContent: MessageFlowFormatter.convertMessagesToNaturalFlow(chain.added, history),
    toolChainContent: MessageFlowFormatter.generateSystemHint(history),
    finalContent: chain.final,
    ...(chain.end === undefined || chain.status !== 'completed' ? {} : { end: chain.end }),
    ...(chain.usage === undefined ? {} : { usage: chain.usage }),
    ...(time === undefined ? {} : { time: { firstToken: time.firstToken, total: time.total + (rounds.length === 0 ? 0 : totalTime) } }),
    messages: {
      toolChain: chain.added,
      // Computed only on access: for a long chat it is large.
      get context() {
        return requests.context;
      },
      get complete() {
        return [...requests.system, ...requests.context, ...chain.added];
      },
    },
    toolCallHistory: history,
    rounds,
    status: chain.status,
    ...(chain.error === undefined ? {} : { error: chain.error }),
    stats: { totalRounds: rounds.length, totalCalls: history.length, totalTime, startTime, endTime },
  };
}
