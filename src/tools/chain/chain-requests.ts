import { ToolError, toToolError } from '../contract/errors.ts';
import type { ChatOption, Complete, CompletionRequest, CompletionResult, Message, ToolDefinition } from '../contract/messages.ts';
import { NO_NOTES, type NoteRights, type NoteSource, Withheld } from '../contract/provenance.ts';
import type { ToolProtocol } from '../contract/tool-call-config.ts';
import { orAborted } from '../util/abort.ts';
import { withUniqueCallIds } from './call-ids.ts';
import type { ToolCallHistoryEntry } from './chain-history.ts';
import { ContextBudget } from './context-budget.ts';
import type { CallVariables } from './context-shortening.ts';
import type { EventEmitter } from './event-stream.ts';
import { checkAnswer } from './model-answer.ts';
import { releaseMessages, sourcesIn } from './release.ts';

type ModelOutcome =
  | { readonly kind: 'answer'; readonly answer: CompletionResult }
  /** `text` is what had been streamed so far: it is kept. */
  | { readonly kind: 'aborted'; readonly text: string }
  | { readonly kind: 'error'; readonly error: ToolError; readonly text: string };

/** One request with its text and reasoning on the event stream; never rejects, and awaits no model port that ignores the signal. */
async function requestModel(
  complete: Complete,
  request: CompletionRequest,
  context: { readonly signal: AbortSignal; readonly emitter: EventEmitter },
): Promise<ModelOutcome> {
  const { signal, emitter } = context;
  let text = '';
  let listening = true;
  let writing = emitter.callsInWriting();
  try {
    // A callback of the caller, for example, may have stopped the turn.
    signal.throwIfAborted();
    const given = await orAborted(
      complete(request, signal, (delta) => {
        if (!listening) return;
        if (delta.type === 'retry' || delta.type === 'reading') emitter.emit(delta);
        if (delta.type === 'reasoning') emitter.delta('reasoning', delta.text);
        if (delta.type === 'text-was-reasoning') {
          text = '';
          // Calls inside reasoning are drafts.
          emitter.closeWriting();
          writing = emitter.callsInWriting();
          emitter.emit({ type: 'text-end', wasReasoning: true });
        }
        if (delta.type === 'toolCallStart' || delta.type === 'toolCallArgs') writing.take(delta);
        if (delta.type !== 'text') return;
        text += delta.text;
        emitter.delta('text', delta.text);
      }),
      signal,
    );
    listening = false;
    const answer = checkAnswer(given);
    sendUnstreamed(answer, text, emitter);
    emitter.closeText();
    return { kind: 'answer', answer };
  } catch (thrown) {
    listening = false;
    emitter.closeText();
    emitter.closeWriting();
    if (signal.aborted) return { kind: 'aborted', text };
    const error = toToolError(thrown, 'model_bad_answer');
    // An abort that was not requested here is a broken connection.
    if (error.code !== 'aborted') return { kind: 'error', error, text };
    return {
      kind: 'error',
      error: new ToolError('model_unreachable', 'the connection to the model broke', 'send the message again'),
      text,
    };
  }
}

/** A model that does not stream returns its text at once. */
function sendUnstreamed(answer: CompletionResult, streamed: string, emitter: EventEmitter): void {
  if (streamed === '') emitter.delta('text', answer.content);
}

export interface Conversation {
  /** All sources of these messages, including messages too old to be sent. May be expensive to read. */
  readonly sources: readonly NoteSource[];
  /** A superset of `sources`: checked before each request. */
  readonly candidates: readonly NoteSource[];
  /** As many messages as fit into `tokens` (estimated), always with the question; the same objects while both arguments stay the same. */
  messages(tokens: number | undefined, withheld: Withheld): readonly Message[];
  /** The calls whose messages are sent, with the variables that hold their arguments and results. */
  readonly calls?: readonly CallVariables[];
}

/** The share of a model's window; the rest is for the answer, and for estimates that are too low. */
export const REQUEST_SHARE = 0.75;

export interface RequestWindow {
  /** The maximum number of tokens; undefined: no limit. `atLeast`: the length of the shortest possible request. Never rejects. */
  tokens(atLeast: number): Promise<number | undefined>;
  overflowed(estimate: number): void;
  /** The server counted so many tokens for a request of this many estimated ones. */
  counted?(estimate: number, tokens: number): void;
}

export interface ModelRequestsOptions {
  readonly complete: Complete;
  readonly signal: AbortSignal;
  readonly emitter: EventEmitter;
  readonly systemPrompt?: string | undefined;
  readonly conversation: Conversation;
  readonly tools: () => readonly ToolDefinition[];
  readonly rights?: NoteRights;
  readonly toolProtocol?: ToolProtocol | undefined;
  readonly isLean?: boolean | undefined;
  readonly window: RequestWindow;
  /** Called before each request with the fingerprints of what was withheld from every request so far. */
  readonly onWithheld?: (prints: readonly string[]) => void;
  /** Called before each request with the room for the conversation, and the number of results that are not sent whole. */
  readonly onRoom?: (tokens: number | undefined, withheld: Withheld, shortResults: number) => void;
}

/** Tokens of a conversation that are estimated to see whether it is long. */
const MOST = 8000;

export interface RequestTail {
  readonly added: readonly Message[];
  readonly history: readonly ToolCallHistoryEntry[];
  readonly chatOption: ChatOption | undefined;
  /** May return another list, which is sent instead. */
  readonly before?: (messages: readonly Message[]) => readonly Message[] | undefined | Promise<readonly Message[] | undefined>;
}

/** Empty answers say nothing, and many servers refuse them. */
function withoutEmptyAnswers(messages: readonly Message[]): readonly Message[] {
  return messages.filter(({ role, content, ...rest }) => role !== 'assistant' || content.trim() !== '' || hasCalls(rest));
}

const hasCalls = (message: object): boolean =>
  'tool_calls' in message && Array.isArray(message.tool_calls) && message.tool_calls.length > 0;

/** The smaller of the user's limit and the model's. */
export function requestWindow(set: number | undefined, model?: RequestWindow): RequestWindow {
  return {
    async tokens(atLeast) {
      const own = await model?.tokens(Math.min(atLeast, set ?? atLeast));
      return own === undefined || set === undefined ? (own ?? set) : Math.min(own, set);
    },
    overflowed: (estimate) => model?.overflowed(estimate),
    counted: (estimate, tokens) => model?.counted?.(estimate, tokens),
  };
}

export function fixedConversation(messages: readonly Message[]): Conversation {
  const sources = sourcesIn(messages);
  return { sources, candidates: sources, messages: (_tokens, withheld) => releaseMessages(messages, { sources: [] }, withheld) };
}

/** The requests of a turn: without text that may not be read, fitted into the window, and smaller after an overflow, never the same. */
export class ModelRequests {
  private readonly options: ModelRequestsOptions;
  private readonly budget = new ContextBudget();
  readonly system: readonly Message[];
  /** Tokens for the conversation; within a turn it only shrinks, so that the beginning stays the same text (prompt cache). */
  private room: number | undefined;
  private alwaysWithheld: readonly string[] | undefined;
  private last: readonly string[] = [];

  constructor(options: ModelRequestsOptions) {
    this.options = options;
    const { systemPrompt = '' } = options;
    this.system = systemPrompt === '' ? [] : [{ role: 'system', content: systemPrompt }];
  }

  /** Fingerprints withheld from the last request, and so from its answer. */
  get withheld(): readonly string[] {
    return this.last;
  }

  /** The part of the conversation that the first request sent. */
  get context(): readonly Message[] {
    return this.options.conversation.messages(this.room, Withheld.nothing);
  }

  /** Rejects only if `tail.before` throws. */
  async requestNext(tail: RequestTail): Promise<ModelOutcome> {
    const tools = this.options.tools();
    let withheld: Withheld;
    let limit: number | undefined;
    try {
      withheld = await this.look(tail.added);
      limit = await orAborted(this.options.window.tokens(this.estimateOf(tail, tools, withheld)), this.options.signal);
    } catch (error) {
      if (this.options.signal.aborted) return { kind: 'aborted', text: '' };
      return { kind: 'error', error: toToolError(error), text: '' };
    }
    const messages = this.compose(tail, tools, withheld, limit);
    this.options.onRoom?.(this.room, withheld, this.budget.shortResults(messages));
    const { complete } = this.options;
    const outcome = await requestModel(complete, await this.requestOf(messages, tools, tail), this.options);
    if (outcome.kind === 'answer' && outcome.answer.usage)
      this.options.window.counted?.(this.budget.estimate(messages, tools), outcome.answer.usage.prompt_tokens);
    if (outcome.kind !== 'error' || outcome.error.code !== 'model_context_overflow') return outcome;
    const estimate = this.budget.estimate(messages, tools);
    this.options.window.overflowed(estimate);
    const shorter = this.compose(tail, tools, withheld, Math.floor(estimate / 2));
    // The same request would overflow again.
    if (this.budget.estimate(shorter, tools) >= estimate) return outcome;
    this.options.onRoom?.(this.room, withheld, this.budget.shortResults(shorter));
    return requestModel(complete, await this.requestOf(shorter, tools, tail), this.options);
  }

  private async look(added: readonly Message[]): Promise<Withheld> {
    const { rights = NO_NOTES, conversation, signal, onWithheld } = this.options;
    const withheld = await Withheld.ask(rights, [...conversation.candidates, ...sourcesIn(added)], signal);
    const { prints } = withheld;
    this.last = prints;
    this.alwaysWithheld = this.alwaysWithheld?.filter((print) => prints.includes(print)) ?? prints;
    onWithheld?.(this.alwaysWithheld);
    return withheld;
  }

  /** The size of everything that could be sent; for a long conversation, up to what no window exceeds. */
  private estimateOf({ added }: RequestTail, tools: readonly ToolDefinition[], withheld: Withheld): number {
    const before = this.options.conversation.messages(this.room ?? MOST, withheld);
    return this.budget.estimate([...this.system, ...before, ...added], tools);
  }

  private compose(
    { added, history }: RequestTail,
    tools: readonly ToolDefinition[],
    withheld: Withheld,
    limit: number | undefined,
  ): readonly Message[] {
    const { conversation } = this.options;
    const released = releaseMessages(added, conversation, withheld);
    // Only what is too long is shortened.
    const calls = limit === undefined ? history : [...(conversation.calls ?? []), ...history];
    const fitted = (): readonly Message[] => {
      const messages = [...this.system, ...conversation.messages(this.room, withheld), ...released];
      return this.budget.fit(messages, calls, tools, limit);
    };
    if (limit === undefined) return fitted();
    this.room ??= limit - this.budget.estimate(this.system, tools);
    const first = fitted();
    const over = this.budget.estimate(first, tools) - limit;
    if (over <= 0) return first;
    // What this turn added is already as short as possible: now the oldest earlier messages are dropped.
    const rest = [...this.system, ...first.slice(first.length - released.length)];
    this.room = Math.max(0, limit - this.budget.estimate(rest, tools));
    return fitted();
  }

  private async requestOf(messages: readonly Message[], tools: readonly ToolDefinition[], tail: RequestTail): Promise<CompletionRequest> {
    const { toolProtocol, isLean } = this.options;
    const { before, chatOption } = tail;
    return {
      messages: withUniqueCallIds(withoutEmptyAnswers((await before?.(messages)) ?? messages)),
      ...(tools.length === 0 ? {} : { tools }),
      ...(chatOption === undefined ? {} : { chatOption }),
      ...(toolProtocol === undefined ? {} : { toolProtocol }),
      ...(isLean ? { isLean } : {}),
    };
  }
}
