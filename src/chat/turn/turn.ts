import type { LanguageModel } from '../../model/language-model.ts';
import { addUsage } from '../../tools/chain/add-usage.ts';
import { createEventEmitter, type EventEmitter } from '../../tools/chain/event-stream.ts';
import { type Asker, runCall } from '../../tools/chain/run-call.ts';
import type { ToolChainOptions, ToolChainResult } from '../../tools/chain/tool-chain.ts';
import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import type { ChainListener, ChainStatus, ToolChainEvent } from '../../tools/contract/events.ts';
import type { Message } from '../../tools/contract/messages.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import type { ToolExecuteResult } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { ReadCall } from '../../tools/executor/legal-calls.ts';
import { orAborted } from '../../tools/util/abort.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { ChatProject } from '../session/chat-project.ts';
import { checkCitations } from '../session/citations.ts';
import { allRecords, callIdsOf } from '../session/saved-sub-agent.ts';
import { attachFound, type FindFirst } from '../session/search-first.ts';
import type { TreeModel } from '../session/tree-model.ts';
import type { Attachment, ChatContext, LeftOut, Payload } from '../session/types.ts';
import { EMPTY_ANSWER, payloadSegments } from '../view/view-reducer.ts';
import type { ChatSettings } from './chat-settings.ts';
import type { ChatHandler } from './handlers.ts';
import type { ExtendedCompletionResult, MessageLifecycle, Slot } from './lifecycle.ts';
import { type AskedFor, answerWithMedia, modalTypeOf, preValidateModalType } from './modal-types.ts';
import { type ConversationOptions, conversationOf, type TurnConversation } from './model-context.ts';
import type { CallsChange } from './notices.ts';
import { withImages } from './request-images.ts';
import { reasoningOf, roundsOf, TurnProgress, textOf } from './turn-progress.ts';

/** Separate files in the built plugin: a chat opens without them. They reject with `not_loaded`. */
const loadChain = lazyPart(async () => (await import('../../tools/chain/tool-chain.ts')).executeToolChain);
const loadMedia = lazyPart(async () => (await import('./media-handlers.ts')).createMediaHandlers);

export interface TurnDeps {
  readonly sessionId: string;
  readonly tree: TreeModel;
  readonly lifecycle: MessageLifecycle;
  readonly handler: ChatHandler;
  readonly executor: ToolExecutor;
  readonly settings: () => ChatSettings;
  readonly readSettings?: (() => Promise<void>) | undefined;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly knownIds: () => ReadonlySet<string>;
  /** The placeholder was inserted; nothing was requested yet. */
  readonly onTurnStart: (nodeId: string, progress: TurnProgress) => void;
  readonly onEvent: ChainListener;
  /** A call progressed, or a round's calls are done; the node contains what was done so far. */
  readonly onStep: (nodeId: string, step: TurnStep) => void;
  /** Calls are made differently than set, because the server refused something. */
  readonly onCallsChanged: (model: LanguageModel, how: CallsChange) => void;
  readonly assets: AssetStore | undefined;
  readonly findFirst?: FindFirst | undefined;
  /** Read before anything is sent; undefined for a chat without one. */
  readonly readProject?: ChatProject['read'] | undefined;
  readonly pageStays?: (() => Promise<void>) | undefined;
}

export type TurnStep = 'call' | 'round';

export interface Answering {
  readonly model: LanguageModel | ToolError;
  readonly signal: AbortSignal;
  readonly unsummarized?: LeftOut['summary'] | undefined;
  /** The question for which the notes are searched first, if the model needs that. */
  readonly searchFor?: string;
  readonly cut?: Payload;
}

export interface TurnReport {
  readonly nodeId: string;
  readonly updatedTimestamp: number;
  readonly hasResponse: boolean;
}

/** Steps that must be known of a call after a crash: its begin, its wait for the user, its change, its end. */
const CALL_STEPS: ReadonlySet<ToolChainEvent['type']> = new Set(['tool-start', 'approval-request', 'approval-end', 'write', 'tool-end']);

const GO_ON: Message = {
  role: 'user',
  content: [
    'The answer above broke off. Go on from there and answer the question.',
    'Changes that its calls made are in place: do not make them again. Ask again for those that were not written.',
  ].join(' '),
};

const CONTINUE: Message = {
  role: 'user',
  content:
    'Your answer above was cut off at its length limit. Go on exactly where it stops, in the middle of a word if need be: repeat nothing, and say nothing about this.',
};

export interface QuestionAttached {
  readonly contexts: readonly ChatContext[];
  readonly attachments?: readonly Attachment[];
  /** The notes may be searched for it first (LanguageModel.searchFirst). Default: yes. */
  readonly search?: boolean;
}

export function userPayload(id: string, text: string, created: number): Payload {
  return { id, message: { role: 'user', content: text }, author: 'user', created, status: 'done' };
}

/** One turn, from the question to its finished answer. No method rejects because of a model, a tool or the user: the message shows it. */
export class Turns {
  private readonly deps: TurnDeps;
  private emitter: EventEmitter | undefined;

  constructor(deps: TurnDeps) {
    this.deps = deps;
  }

  readonly relay: ChainListener = (event, detail) => this.emitter?.relay(event, detail);

  /** `parent`: the message before it; default: the end of the branch. */
  async sendMessage(text: string, attached: QuestionAttached, answering: Answering, parent?: string | null): Promise<TurnReport> {
    const { tree, newId, clock } = this.deps;
    const payload = userPayload(newId(), text, clock.now());
    const { contexts: context, attachments = [], search = true } = attached;
    const question = tree.append({ role: 'user', payload, context, attachments, ...(parent === undefined ? {} : { parent }) });
    return this.answer('append', this.conversation(question.id), { ...answering, ...(search ? { searchFor: question.id } : {}) });
  }

  /** Asks in other words, in a branch next to the old question; what followed that one stays there. */
  async editMessage(nodeId: string, text: string, attached: QuestionAttached, answering: Answering): Promise<TurnReport> {
    return this.sendMessage(text, attached, answering, this.deps.tree.node(nodeId).parent);
  }

  /** A new version of an answer. `goOn`: one that broke off is sent what it had done, so that nothing is written twice. */
  async reRunMessage(nodeId: string, answering: Answering, goOn: boolean): Promise<TurnReport> {
    const { tree } = this.deps;
    const { slot, question } = rerunSlot(tree, nodeId);
    const again = typeof slot === 'object' && 'updateAt' in slot ? slot.updateAt : null;
    const broken = goOn && again !== null ? { node: tree.node(again), payload: tree.payload(again) } : null;
    const goingOn = broken && mayHaveWritten(broken.payload) ? { ...broken, word: GO_ON } : undefined;
    return this.answer(slot, this.conversation(question, goingOn), answering);
  }

  /** Continues an answer that its limit cut off: a version of it with both parts as one text. */
  async continueMessage(nodeId: string, answering: Answering): Promise<TurnReport> {
    const { tree } = this.deps;
    const node = tree.node(nodeId);
    const payload = tree.payload(nodeId);
    return this.answer({ updateAt: nodeId }, this.conversation(node.parent, { node, payload, word: CONTINUE }), {
      ...answering,
      cut: payload,
    });
  }

  /** Read before the placeholder is inserted, which would be sent as a message. */
  private conversation(question: string | null, goingOn?: ConversationOptions['goingOn']): TurnConversation {
    const { toolHistory = 'compressed', contextMessages: messages } = this.deps.settings();
    return conversationOf(this.deps.tree, question, { toolHistory, messages, goingOn });
  }

  /** A turn without a model: the call of another program, in an answer of its own. `result` is its result. */
  async call(text: string, asked: ReadCall, { author, asker, signal }: ProgramTurn): Promise<CallReport> {
    const { tree, newId, clock, executor, sessionId } = this.deps;
    const question = tree.append({ role: 'user', payload: userPayload(newId(), text, clock.now()) });
    executor.ran.addForeign();
    let result: ToolExecuteResult = { status: 'aborted' };
    const report = await this.complete({ insertAt: question.id }, author, async ({ nodeId, emitter, progress }) => {
      result = await runCall(asked, { asker, executor, signal, emitter, options: { sessionId, nodeId, clock } });
      emitter.delta('text', `${asked.call.function.name}: ${result.status}`);
      const { content, hintSize, toolChainResult } = progress.snapshot();
      const { status } = result;
      return {
        ...{ content, hintSize, status: status === 'aborted' ? 'stopped' : 'done' },
        toolChainResult: { ...toolChainResult, status: status === 'aborted' ? 'aborted' : 'completed' },
        writes: result.written?.blockIds ?? [],
      };
    });
    return { ...report, result };
  }

  private async answer(slot: Slot, before: TurnConversation, answering: Answering): Promise<TurnReport> {
    const { model, cut } = answering;
    return this.complete(slot, model instanceof ToolError ? 'none' : model.model, async (turn) => {
      if (cut) turn.progress.answer = { ...EMPTY_ANSWER, open: 'text', segments: payloadSegments(cut) };
      const answered = await this.executeByModalType(before, model, { ...answering, ...turn });
      return cut ? continued(cut, answered) : answered;
    });
  }

  /** Inserts the placeholder, does the work, and puts its result in the place. */
  private async complete(slot: Slot, author: string, work: (turn: OpenTurn) => Promise<ExtendedCompletionResult>): Promise<TurnReport> {
    const { deps } = this;
    const { lifecycle, clock, sessionId, newId } = deps;
    const nodeId = lifecycle.prepareSlot(slot, author);
    const progress = new TurnProgress(clock.now());
    deps.onTurnStart(nodeId, progress);
    const turnId = newId();
    const emitter = createEventEmitter({
      ...{ sessionId, turnId, clock },
      onEvent: (event, detail) => {
        progress.take(event, detail);
        deps.onEvent(event, detail);
        if (CALL_STEPS.has(event.type)) this.keepStep(nodeId, progress, 'call');
      },
    });
    this.emitter = emitter;
    emitter.emit({ type: 'turn-start' });
    const result = await work({ nodeId, turnId, progress, emitter });
    emitter.closeAll({ turn: CHAIN_STATUS[result.status] });
    // It holds the whole streamed answer.
    if (this.emitter === emitter) this.emitter = undefined;
    await deps.pageStays?.();
    const { givenPrivate: isPrivate, ran } = deps.executor;
    lifecycle.finalize(nodeId, {
      ...result,
      ...answerSources(result, progress, deps.knownIds()),
      isPrivate,
      fromElsewhere: ran.hasForeign,
    });
    return { nodeId, updatedTimestamp: clock.now(), hasResponse: result.content !== '' };
  }

  /** Answers according to the type of the model. Never rejects: any failure becomes the message's status. */
  private async executeByModalType(
    before: TurnConversation,
    model: LanguageModel | ToolError,
    turn: RunningTurn,
  ): Promise<ExtendedCompletionResult> {
    const { executor, settings, handler, clock, readSettings, readProject } = this.deps;
    const { nodeId, progress, signal, emitter, searchFor } = turn;
    try {
      if (model instanceof ToolError) throw model;
      if (model.readsElsewhere) executor.ran.addForeign();
      if (readSettings) await untilStopped(readSettings(), signal);
      await readProject?.(signal);
      const asked = this.questionOf(nodeId);
      const modelType = modalTypeOf(model, asked.attachments);
      const problem = preValidateModalType(modelType, asked);
      if (problem) throw new ToolError(problem.code, problem.message, problem.next);
      const started = clock.now();
      const timed = (result: ExtendedCompletionResult): ExtendedCompletionResult => {
        const total = clock.now() - started;
        return { time: { firstToken: total, total }, ...result };
      };
      if (modelType !== 'chat') {
        const request = { ...asked, model, options: handler.buildChatOption(), signal, onRetry: emitter.emit };
        const media = (await orAborted(loadMedia(), signal))(this.deps);
        return timed({ status: 'done', ...(await answerWithMedia(modelType, media, request)) });
      }
      if (searchFor !== undefined) await untilStopped(attachFound(this.deps, searchFor, model, signal), signal);
      await orAborted(handler.fitTools(model.window, signal), signal);
      const options = this.chainOptions(before, model, turn);
      const whole = turn.cut ? { ...options, maxRounds: 0, chatOption: { ...options.chatOption, tool_choice: 'none' } } : options;
      const executeToolChain = await orAborted(loadChain(), signal);
      const result = await executeToolChain(executor, undefined, whole);
      return timed(completionOf(result, progress, settings().toolHistory === 'full'));
    } catch (thrown) {
      // No model, a question that it cannot answer, or a bug of ours, which must not leave the message open.
      const { code, message, next } = toToolError(thrown);
      if (code === 'aborted' && signal.aborted) return { content: textOf(progress.answer.segments), status: 'stopped' };
      emitter.emit({ type: 'error', phase: 'model', code, message, next });
      return { content: textOf(progress.answer.segments), status: 'error', error: { code, message, next } };
    }
  }

  private questionOf(nodeId: string): AskedFor {
    const { tree } = this.deps;
    const { parent } = tree.node(nodeId);
    if (parent === null) return { text: '', attachments: [], contexts: [] };
    const { attachments = [], context: contexts = [] } = tree.node(parent);
    return { text: tree.payload(parent).message.content, attachments, contexts };
  }

  private chainOptions(before: TurnConversation, model: LanguageModel, turn: RunningTurn): ToolChainOptions {
    const { handler, lifecycle, settings, onCallsChanged, sessionId, clock, assets, tree } = this.deps;
    const { nodeId, turnId, progress, signal, emitter, unsummarized } = turn;
    const { contextTokens, toolCallMaxRounds, toolProtocol } = settings();
    const withPictures = withImages(model.complete, assets);
    return {
      ...{ sessionId, turnId, nodeId, clock, signal, emitter, contextTokens, toolProtocol },
      complete: (request, until, onDelta) =>
        withPictures(request, until, (delta) => {
          if (delta.type === 'text-calls' || delta.type === 'simpler-tools' || delta.type === 'left-out') onCallsChanged(model, delta);
          else onDelta(delta);
        }),
      contextMessages: before,
      systemPrompt: handler.buildSystemPrompt(),
      chatOption: handler.buildChatOption(),
      maxRounds: toolCallMaxRounds,
      window: model.window,
      history: progress.history,
      takenCallIds: () => [...tree.all()].flatMap(callIdsOf),
      callbacks: {
        onBeforeSendToLLM: () => {
          if (progress.history.entries().length > 0) this.keepStep(nodeId, progress, 'round');
          return undefined;
        },
      },
      onWithheld: (prints) => lifecycle.withhold(nodeId, prints),
      onRoom: (tokens, withheld, shortResults) => {
        const leftOut = before.leftOut(tokens, withheld, shortResults);
        if (leftOut) lifecycle.leaveOut(nodeId, { ...(unsummarized ? { summary: unsummarized } : {}), ...leftOut });
      },
    };
  }

  private keepStep(nodeId: string, progress: TurnProgress, step: TurnStep): void {
    const { lifecycle, executor } = this.deps;
    lifecycle.stream(nodeId, { ...progress.snapshot(), isPrivate: executor.givenPrivate, fromElsewhere: executor.ran.hasForeign });
    this.deps.onStep(nodeId, step);
  }
}

/** Whoever stops meanwhile is not kept waiting: the first request finds out. What fails before it costs no answer. */
const untilStopped = (work: Promise<void>, signal: AbortSignal): Promise<void> => orAborted(work, signal).catch(() => undefined);

interface OpenTurn {
  readonly nodeId: string;
  readonly turnId: string;
  readonly progress: TurnProgress;
  readonly emitter: EventEmitter;
}

interface RunningTurn extends Omit<Answering, 'model'>, OpenTurn {}

/** The name of the program that calls, and what ends it. */
export interface ProgramTurn {
  readonly author: string;
  readonly asker: Asker;
  readonly signal: AbortSignal;
}

export interface CallReport extends TurnReport {
  readonly result: ToolExecuteResult;
}

/** The maximum overlap that a model repeats of its earlier text, in characters. */
const MAX_OVERLAP = 400;
const MIN_OVERLAP = 12;

/** The continuation of a text, without the part that it repeats. */
function restOf(before: string, more: string): string {
  for (let size = Math.min(MAX_OVERLAP, before.length, more.length); size >= MIN_OVERLAP; size -= 1) {
    if (before.endsWith(more.slice(0, size))) return more.slice(size);
  }
  return more;
}

function continued(cut: Payload, result: ExtendedCompletionResult): ExtendedCompletionResult {
  const rest = restOf(cut.message.content, result.content);
  const { toolChainResult: chain, writes, userPromptSlice } = cut;
  const rounds = chain?.rounds.map((round, at) => (at === chain.rounds.length - 1 ? { ...round, text: round.text + rest } : round));
  return {
    ...result,
    content: cut.message.content + rest,
    usage: addUsage(cut.usage, result.usage),
    ...(userPromptSlice ? { hintSize: userPromptSlice[0] } : {}),
    ...(chain && rounds ? { toolChainResult: { ...chain, rounds } } : {}),
    ...(writes ? { writes } : {}),
  };
}

const CHAIN_STATUS: Readonly<Record<ExtendedCompletionResult['status'], ChainStatus>> = {
  done: 'completed',
  stopped: 'aborted',
  error: 'error',
};

const STATUS: Readonly<Record<ChainStatus, ExtendedCompletionResult['status']>> = {
  completed: 'done',
  aborted: 'stopped',
  error: 'error',
  timeout: 'error',
};

/** The content of the message: without tools the model's text, else the hint, the natural flow and the record of its calls. */
function completionOf(result: ToolChainResult, progress: TurnProgress, keepMessages: boolean): ExtendedCompletionResult {
  const { toolChainContent, responseContent, finalContent, toolCallHistory, stats, status, error, usage, time, end } = result;
  const common = {
    status: STATUS[status],
    ...(usage ? { usage } : {}),
    ...(time ? { time: { ...time, total: Math.max(time.firstToken, time.total - progress.personTime.total) } } : {}),
    ...(error ? { error } : {}),
    ...(end ? { end } : {}),
  };
  if (result.rounds.length === 0 && toolCallHistory.length === 0) return { content: finalContent, ...common };
  return {
    ...common,
    content: toolChainContent + responseContent,
    hintSize: toolChainContent.length,
    toolChainResult: {
      toolCallHistory: progress.records(toolCallHistory),
      rounds: roundsOf(progress.answer.segments),
      stats,
      status,
      ...(error ? { error } : {}),
    },
    writes: allRecords(progress.records(toolCallHistory)).flatMap((record) => record.result.written?.blockIds ?? []),
    ...(keepMessages ? { toolChainMessages: result.messages.toolChain } : {}),
  };
}

/** Reasoning, and the citations that were really read: in earlier turns or by this turn's calls. */
function answerSources(
  { toolChainResult }: ExtendedCompletionResult,
  { answer: { segments } }: TurnProgress,
  known: ReadonlySet<string>,
): Pick<ExtendedCompletionResult, 'citations' | 'reasoning'> {
  const records = toolChainResult?.toolCallHistory ?? [];
  const ids = new Set([
    ...known,
    ...allRecords(records).flatMap(({ result }) => [...(result.blockIds ?? []), ...(result.written?.blockIds ?? [])]),
  ]);
  const reasoning = reasoningOf(segments);
  return { citations: checkCitations(textOf(segments), ids).cited, ...(reasoning ? { reasoning } : {}) };
}

function mayHaveWritten({ status, toolChainResult }: Payload): boolean {
  if (status === 'done') return false;
  const records = toolChainResult?.toolCallHistory ?? [];
  return allRecords(records).some(({ result, proposed }) => {
    // A change that still waited for the user was not made.
    return result.written !== undefined || result.status === 'unknown' || (result.status === 'interrupted' && !proposed);
  });
}

/** The place of a rerun, and the question that it answers, which is sent even if it was deleted. */
function rerunSlot(tree: TreeModel, nodeId: string): { readonly slot: Slot; readonly question: string | null } {
  const node = tree.node(nodeId);
  if (node.role === 'assistant') return { slot: { updateAt: nodeId }, question: node.parent };
  const answered = tree.path(tree.leaf).find((one) => one.parent === nodeId && one.role === 'assistant');
  if (!answered) return { slot: { insertAt: nodeId }, question: nodeId };
  // A deleted answer is restored with what follows it, and gets the new one as a version.
  tree.restore(answered.id);
  return { slot: { updateAt: answered.id }, question: nodeId };
}
