import { type EventError, errorText, ToolError, toToolError } from '../contract/errors.ts';
import type { ChainStatus, ErrorPhase } from '../contract/events.ts';
import type { AssistantMessage, ChatOption, CompletionResult, Message, ToolCall, Usage } from '../contract/messages.ts';
import type { ToolExecuteResult } from '../contract/types.ts';
import type { ToolExecutor } from '../executor/executor.ts';
import { legalCall, type ReadCall, readCall } from '../executor/legal-calls.ts';
import { linkSignals } from '../util/abort.ts';
import { addUsage } from './add-usage.ts';
import { callIdsIn, freeCallId } from './call-ids.ts';
import { callbackListener } from './callbacks.ts';
import { ChainHistory } from './chain-history.ts';
import { createEventEmitter, type EventEmitter } from './event-stream.ts';
import { MessageFlowFormatter } from './message-flow.ts';
import { readAnswer } from './model-answer.ts';
import { fixedConversation, ModelRequests, requestWindow } from './model-requests.ts';
import { RepeatedFailures } from './repeated-failures.ts';
import type { ToolCallHistoryEntry, ToolChainOptions, ToolChainResult } from './tool-chain-types.ts';
import { runRound } from './tool-round.ts';

export type { ToolCallHistoryEntry, ToolChainOptions, ToolChainResult } from './tool-chain-types.ts';

const DEFAULT_MAX_ROUNDS = 10;
const CLOSING_PROMPT =
  '[SYSTEM] No further tool calls are possible in this turn. Answer the user now with what you have; say what is missing.';

const NO_ANSWER = new ToolError('model_bad_answer', 'the model gave an empty answer', 'send again, or choose another model');

/** Who begins a turn makes the requests, so the conversation, the prompt and the window are theirs, and follows the events already. */
type TurnOptions = Omit<ToolChainOptions, 'contextMessages' | 'systemPrompt' | 'contextTokens' | 'complete'> & {
  readonly requests: ModelRequests;
  readonly history: ChainHistory;
  /** Ids of the calls that the chat has already, of every branch and version: records, variables and Undo tell calls apart by them. */
  readonly takenCallIds: () => Iterable<string>;
};

type ChainOptions = ToolChainOptions | TurnOptions;

interface Chain {
  readonly executor: ToolExecutor;
  readonly options: ChainOptions;
  readonly emitter: EventEmitter;
  readonly signal: AbortSignal;
  readonly requests: ModelRequests;
  readonly added: Message[];
  /** What the events said of the calls; with the callbacks the only other listener. */
  readonly history: ChainHistory;
  readonly stopListening: () => void;
  readonly rounds: { readonly text: string; readonly callIds: readonly string[] }[];
  readonly failures: RepeatedFailures;
  /** Of every call of the chat: made when the first answer is there, which may be long after the conversation. */
  usedIds: Set<string> | undefined;
  startTime: number;
  time: CompletionResult['time'];
  usage: Usage | undefined;
  final: string;
  status: ChainStatus;
  error: EventError | undefined;
}

/**
 * The exchange between model and tools, from the first response that asks for tools to the final text. Never rejects; whatever
 * happens, every tool call in `messages` is answered exactly once and every event has its end.
 */
export function executeToolChain(
  toolExecutor: ToolExecutor,
  firstResponse: CompletionResult,
  options: ToolChainOptions,
): Promise<ToolChainResult> {
  return execute(toolExecutor, firstResponse, options);
}

/** The same with the first request made here, like every other one; `options.requests` know what stands before the turn. */
export function executeTurn(toolExecutor: ToolExecutor, options: TurnOptions): Promise<ToolChainResult> {
  return execute(toolExecutor, null, options);
}

async function execute(executor: ToolExecutor, firstResponse: CompletionResult | null, options: ChainOptions): Promise<ToolChainResult> {
  const outer = options.signal ?? options.abortController?.signal;
  const deadline = linkSignals(outer ? [outer] : [], options.timeoutMs);
  const chain = createChain(executor, options, deadline.signal);
  try {
    await runChain(chain, firstResponse);
  } catch (error) {
    // A callback of the caller threw: what was done is kept, what is open is closed.
    fail(chain, toToolError(error), 'context');
  } finally {
    if (chain.status === 'aborted' && deadline.timedOut()) chain.status = 'timeout';
    deadline.release();
    chain.emitter.closeAll();
    chain.stopListening();
  }
  return createResult(chain);
}

async function runChain(chain: Chain, given: CompletionResult | null): Promise<void> {
  const maxRounds = chain.options.maxRounds ?? DEFAULT_MAX_ROUNDS;
  const first = given ?? (await askModel(chain, chain.options.chatOption));
  if (first === undefined) return;
  chain.startTime = chain.options.clock.now();
  let response = addAnswer(chain, first);
  if (given === null && response.calls.length === 0 && response.content.trim() === '') return fail(chain, NO_ANSWER, 'model');
  let round = 0;
  let enough: string | undefined;
  while (response.calls.length > 0 && round < maxRounds) {
    enough = chain.options.enough?.();
    if (enough !== undefined) break;
    round++;
    const asked = response.usage;
    chain.emitter.emit({ type: 'round-start', round, ...(asked === undefined ? {} : { usage: asked }) });
    await answerCalls(chain, response);
    if (chain.signal.aborted) return stop(chain);
    const next = await askModel(chain, chain.options.chatOption);
    const usage = next?.usage;
    chain.emitter.emit({ type: 'round-end', round, ...(usage === undefined ? {} : { usage }) });
    if (next === undefined) return;
    response = addAnswer(chain, next);
  }
  if (response.calls.length > 0) refuseCalls(chain, response, enough ?? `this turn had its ${round} rounds of tool calls`);
  if (response.calls.length > 0 || response.content.trim() === '') await closeWithText(chain);
}

/** Runs the calls and answers each, in call order. */
async function answerCalls(chain: Chain, { content, calls }: Answer): Promise<void> {
  const { executor, options, signal, emitter, failures } = chain;
  chain.rounds.push({ text: content, callIds: calls.map(({ call }) => call.id) });
  const results = await runRound(calls, { executor, options, signal, emitter, failures });
  emitter.closeWriting();
  const records = new Map(chain.history.entries().map((entry) => [entry.callId, entry]));
  for (const [index, { call }] of calls.entries()) {
    chain.added.push(toolMessage(call.id, results[index], records.get(call.id)));
  }
}

/** What a tool read is the notes' own text; anything else may repeat what the model wrote. */
function toolMessage(id: string, result: ToolExecuteResult | undefined, record: ToolCallHistoryEntry | undefined): Message {
  const { finalText = '', sources = [], written } = result ?? {};
  const repeats = sources.length === 0 || written !== undefined || result?.repeats === true;
  return {
    role: 'tool',
    tool_call_id: id,
    content: finalText,
    ...(sources.length === 0 ? {} : { sources }),
    ...(repeats ? { repeats } : {}),
    ...(record ? { outcome: outcomeOf(record) } : {}),
  };
}

const outcomeOf = ({ result, startTime, endTime }: ToolCallHistoryEntry) =>
  ({ status: result.status === 'success' ? 'success' : 'error', durationMs: endTime - startTime }) as const;

/** Beyond the last round, or where it is enough, calls are not run, but a call without an answer would make the next request invalid. */
function refuseCalls(chain: Chain, response: Answer, why: string): void {
  chain.emitter.closeWriting();
  const content = errorText({ code: 'round_limit', message: `not run, ${why}`, next: 'answer with what you have' });
  for (const { call } of response.calls)
    chain.added.push({ role: 'tool', tool_call_id: call.id, content, outcome: { status: 'error', durationMs: 0 } });
}

/** One closing request without tools; what it still asks for is dropped. */
async function closeWithText(chain: Chain): Promise<void> {
  if (chain.signal.aborted) return stop(chain);
  chain.added.push({ role: 'user', content: CLOSING_PROMPT });
  const closing = await askModel(chain, { ...chain.options.chatOption, tool_choice: 'none' });
  if (closing === undefined) return;
  const { content } = addAnswer(chain, { ...closing, tool_calls: [] });
  if (content.trim() !== '') return;
  fail(chain, new ToolError('model_bad_answer', 'the model gave no answer', 'ask again, or choose another model'), 'model');
}

/** The next answer; undefined after an abort or error, which are then set. */
async function askModel(chain: Chain, chatOption: ChatOption | undefined): Promise<CompletionResult | undefined> {
  const before = chain.options.callbacks?.onBeforeSendToLLM;
  const tail = { added: chain.added, history: chain.history.entries(), chatOption, ...(before === undefined ? {} : { before }) };
  const outcome = await chain.requests.ask(tail);
  if (outcome.kind === 'answer') return outcome.answer;
  keepPartial(chain, outcome.text);
  if (outcome.kind === 'aborted') stop(chain);
  else fail(chain, outcome.error, 'model');
  return undefined;
}

interface Answer {
  readonly content: string;
  readonly calls: readonly ReadCall[];
  readonly usage: Usage | undefined;
}

/**
 * Puts an answer into the list, its call ids made present and unique: some providers leave them out or use them twice. What
 * goes back to the model is what runs, in the form that its server takes.
 */
function addAnswer(chain: Chain, given: CompletionResult): Answer {
  const { content, reasoning, tool_calls, usage, time } = readAnswer(given);
  const calls = tool_calls.map((call) => readCall(withUniqueId(call, usedIdsOf(chain))));
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
  return { content, calls, usage };
}

function usedIdsOf(chain: Chain): Set<string> {
  const { options } = chain;
  chain.usedIds ??= new Set([...contextOf(chain).flatMap(callIdsIn), ...('takenCallIds' in options ? options.takenCallIds() : [])]);
  return chain.usedIds;
}

function withUniqueId(call: ToolCall, usedIds: Set<string>): ToolCall {
  const id = freeCallId(call.id, (one) => usedIds.has(one));
  usedIds.add(id);
  return id === call.id ? call : { ...call, id };
}

/** What was withheld from the request that is answered now. */
function withheldFrom({ requests }: Chain): Pick<AssistantMessage, 'withheld'> {
  return requests.withheld.length === 0 ? {} : { withheld: requests.withheld };
}

function keepPartial(chain: Chain, text: string): void {
  if (text === '') return;
  chain.added.push({ role: 'assistant', content: text, ...withheldFrom(chain) });
  chain.final = text;
}

function stop(chain: Chain): void {
  chain.status = 'aborted';
}

function fail(chain: Chain, error: ToolError, phase: ErrorPhase): void {
  const { code, message, next } = error;
  chain.status = 'error';
  chain.error = { code, message, next };
  chain.emitter.emit({ type: 'error', phase, code, message, next });
}

function createChain(executor: ToolExecutor, options: ChainOptions, signal: AbortSignal): Chain {
  const { sessionId, turnId, clock } = options;
  const emitter = options.emitter ?? createEventEmitter({ sessionId, turnId, clock, onEvent: (event) => options.onEvent?.(event) });
  const isTurn = 'requests' in options;
  const history = isTurn ? options.history : new ChainHistory();
  const stops = [
    ...(isTurn ? [] : [emitter.subscribe((event, detail) => history.take(event, detail))]),
    emitter.subscribe(callbackListener(options.callbacks ?? {})),
  ];
  return {
    executor,
    options,
    signal,
    emitter,
    requests: isTurn ? options.requests : requestsOf(executor, options, emitter, signal),
    added: [],
    history,
    stopListening() {
      for (const stop of stops) stop();
    },
    rounds: [],
    failures: new RepeatedFailures(),
    usedIds: undefined,
    startTime: clock.now(),
    time: undefined,
    usage: undefined,
    final: '',
    status: 'completed',
    error: undefined,
  };
}

/** Where nobody made a request before the chain. */
function requestsOf(executor: ToolExecutor, options: ToolChainOptions, emitter: EventEmitter, signal: AbortSignal): ModelRequests {
  const { complete, systemPrompt, contextMessages, contextTokens } = options;
  return new ModelRequests({
    ...{ complete, signal, emitter, systemPrompt },
    conversation: fixedConversation(contextMessages),
    tools: () => executor.getEnabledToolDefinitions(),
    rights: executor.rights,
    window: requestWindow(contextTokens),
  });
}

/** What stood before the turn, as it was sent. */
const contextOf = ({ options, requests }: Chain): readonly Message[] =>
  'requests' in options ? requests.context : options.contextMessages;

function createResult(chain: Chain): ToolChainResult {
  const { startTime, options, time, rounds } = chain;
  const endTime = options.clock.now();
  const history = chain.history.entries();
  const { systemPrompt = '' } = 'requests' in options ? {} : options;
  const system: readonly Message[] = systemPrompt === '' ? [] : [{ role: 'system', content: systemPrompt }];
  const totalTime = endTime - startTime;
  return {
    responseContent: MessageFlowFormatter.convertMessagesToNaturalFlow(chain.added, history),
    toolChainContent: MessageFlowFormatter.generateSystemHint(history),
    finalContent: chain.final,
    ...(chain.usage === undefined ? {} : { usage: chain.usage }),
    ...(time === undefined ? {} : { time: { firstToken: time.firstToken, total: time.total + (rounds.length === 0 ? 0 : totalTime) } }),
    messages: {
      toolChain: chain.added,
      // Built only when someone looks: for a long chat it is a lot.
      get context() {
        return contextOf(chain);
      },
      get complete() {
        return [...system, ...contextOf(chain), ...chain.added];
      },
    },
    toolCallHistory: history,
    rounds,
    status: chain.status,
    ...(chain.error === undefined ? {} : { error: chain.error }),
    stats: { totalRounds: rounds.length, totalCalls: history.length, totalTime, startTime, endTime },
  };
}
