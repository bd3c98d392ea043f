import type { LanguageModel } from '../model/language-model.ts';
import { ToolError, toToolError } from '../tools/errors.ts';
import { createEventEmitter, type EventEmitter } from '../tools/event-stream.ts';
import type { ChainListener, ChainStatus, ToolChainEvent } from '../tools/events.ts';
import type { ToolExecutor } from '../tools/executor.ts';
import { type Conversation, ModelRequests, requestWindow } from '../tools/model-requests.ts';
import type { Clock } from '../tools/ports.ts';
import type { ChatSettings } from './chat-settings.ts';
import { checkCitations } from './citations.ts';
import type { ChatHandler } from './handlers.ts';
import type { ExtendedCompletionResult, MessageLifecycle } from './lifecycle.ts';
import { handleToolChain, type ToolChainParams } from './tool-chain-handler.ts';
import { reasoningOf, type TurnProgress, textOf } from './turn-progress.ts';

/** What every turn of a chat needs. */
export interface TurnDeps {
  readonly sessionId: string;
  readonly lifecycle: MessageLifecycle;
  readonly handler: ChatHandler;
  readonly executor: ToolExecutor;
  readonly settings: () => ChatSettings;
  readonly clock: Clock;
  /** Block ids that were read in this chat so far: what an answer may cite. */
  readonly knownIds: () => ReadonlySet<string>;
  readonly onEvent: (event: ToolChainEvent) => void;
  /** A call came a step further, or a round's calls are done; the node holds what was done so far. */
  readonly onStep: (nodeId: string, step: TurnStep) => void;
}

export type TurnStep = 'call' | 'round';

/** What has to be known of a call after a crash: that it began, whether it waited for the user, whether its change was made, its end. */
const CALL_STEPS: ReadonlySet<ToolChainEvent['type']> = new Set(['tool-start', 'approval-request', 'approval-end', 'write', 'tool-end']);

export interface Turn {
  readonly turnId: string;
  readonly nodeId: string;
  /** Which model answers, or why none can. */
  readonly model: LanguageModel | ToolError;
  readonly conversation: Conversation;
  readonly progress: TurnProgress;
  readonly signal: AbortSignal;
}

const NO_ANSWER = new ToolError('model_bad_answer', 'the model answered with nothing', 'send again, or choose another model');
const CHAIN_STATUS: Readonly<Record<ExtendedCompletionResult['status'], ChainStatus>> = {
  done: 'completed',
  stopped: 'aborted',
  error: 'error',
};

/** One turn from the first request to the last text. Never rejects: whatever happens is the message's status. */
export async function runTurn(deps: TurnDeps, turn: Turn): Promise<ExtendedCompletionResult> {
  const onEvent: ChainListener = (event, detail) => {
    turn.progress.take(event, detail);
    deps.onEvent(event);
    if (CALL_STEPS.has(event.type) && event.parentCallId === undefined) keepStep(deps, turn, 'call');
  };
  const emitter = createEventEmitter({ sessionId: deps.sessionId, turnId: turn.turnId, clock: deps.clock, onEvent });
  emitter.emit({ type: 'turn-start' });
  let result: ExtendedCompletionResult;
  try {
    result = await firstAnswer(deps, turn, emitter);
  } catch (error) {
    // A defect, not a failure of model or tool: it must not leave the message open.
    result = failed(emitter, toToolError(error), textOf(turn.progress.answer.segments));
  }
  emitter.closeAll({ turn: CHAIN_STATUS[result.status] });
  return withSources(result, turn.progress, deps.knownIds());
}

function failed(emitter: EventEmitter, { code, message, next }: ToolError, content: string): ExtendedCompletionResult {
  emitter.emit({ type: 'error', phase: 'model', code, message, next });
  return { content, status: 'error', error: { code, message, next } };
}

async function firstAnswer(deps: TurnDeps, turn: Turn, emitter: EventEmitter): Promise<ExtendedCompletionResult> {
  const { model } = turn;
  if (model instanceof ToolError) return failed(emitter, model, '');
  const requests = requestsOf(deps, turn, model, emitter);
  const chatOption = deps.handler.buildChatOption();
  const outcome = await requests.ask({ added: [], history: [], chatOption });
  if (outcome.kind === 'aborted') return { content: outcome.text, status: 'stopped' };
  if (outcome.kind === 'error') return failed(emitter, outcome.error, outcome.text);
  const { answer } = outcome;
  if (answer.tool_calls.length > 0)
    return runTools(deps, turn, { requests, complete: model.complete, initialResponse: answer, chatOption, emitter });
  if (answer.content.trim() === '') return failed(emitter, NO_ANSWER, '');
  const { content, usage, time } = answer;
  return { content, status: 'done', ...(usage ? { usage } : {}), ...(time ? { time } : {}) };
}

function keepStep(deps: TurnDeps, { nodeId, progress }: Turn, step: TurnStep): void {
  deps.lifecycle.stream(nodeId, progress.snapshot());
  deps.onStep(nodeId, step);
}

/** All requests of the turn go this one way. */
function requestsOf(deps: TurnDeps, turn: Turn, model: LanguageModel, emitter: EventEmitter): ModelRequests {
  const { handler, executor, lifecycle } = deps;
  const { contextTokens } = deps.settings();
  return new ModelRequests({
    ...{ complete: model.complete, signal: turn.signal, emitter, conversation: turn.conversation, rights: executor.rights },
    systemPrompt: handler.buildSystemPrompt(),
    tools: handler.tools,
    window: requestWindow(contextTokens, model.window),
    onWithheld: (prints) => lifecycle.withhold(turn.nodeId, prints),
  });
}

function runTools(
  deps: TurnDeps,
  turn: Turn,
  first: Pick<ToolChainParams, 'requests' | 'complete' | 'initialResponse' | 'chatOption' | 'emitter'>,
) {
  const { executor, sessionId, clock } = deps;
  const { turnId, nodeId, progress, signal } = turn;
  return handleToolChain({
    ...{ executor, settings: deps.settings(), sessionId, turnId, nodeId, clock, progress, signal, ...first },
    onRound: () => keepStep(deps, turn, 'round'),
  });
}

/** Reasoning, and the citations that were really read: in earlier turns or by this one's calls. */
function withSources(result: ExtendedCompletionResult, progress: TurnProgress, known: ReadonlySet<string>): ExtendedCompletionResult {
  const { segments } = progress.answer;
  const records = result.toolChainResult?.toolCallHistory ?? [];
  const ids = new Set([...known, ...records.flatMap(({ result: one }) => [...(one.blockIds ?? []), ...(one.written?.blockIds ?? [])])]);
  const reasoning = reasoningOf(segments);
  return { ...result, citations: checkCitations(textOf(segments), ids).cited, ...(reasoning ? { reasoning } : {}) };
}
