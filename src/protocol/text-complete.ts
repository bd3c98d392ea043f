import { isToolError } from '../tools/contract/errors.ts';
import type { ChatOption, Complete, CompletionRequest, CompletionResult, ModelDelta } from '../tools/contract/messages.ts';
import { linkSignals } from '../tools/util/abort.ts';
import type { ToolCallingProtocol } from './contract.ts';
import { TextAnswer } from './text-answer.ts';
import { hasStop, textRequest } from './text-request.ts';

export interface TextCompleteDeps {
  readonly protocol: ToolCallingProtocol;
  readonly options?: ChatOption;
  readonly stops: StopSequences;
  readonly newCallId: () => string;
  /** The error that interrupted an answer, with its partial answer rewritten; any other error unchanged. */
  readonly rewritePartial: (error: unknown, rewrite: (partial: CompletionResult) => CompletionResult) => unknown;
  readonly now: () => number;
}

/** Whether requests to a server have stop sequences. */
export interface StopSequences {
  areOff(): boolean;
  /** The server refused them: no request has them from now on. */
  refuse(): void;
  /** One was inside a request and cut it, or drafts of calls were in thoughts: the next request has none, or it would be cut there. */
  pause(paused: boolean): void;
}

/** A request as it is sent to a model whose tools are described in text. */
export function requestInText(request: CompletionRequest, { protocol, options = {}, stops }: TextCompleteDeps): CompletionRequest {
  const isOpen = !stops.areOff() && !hasStop({ ...options, ...request.chatOption });
  return textRequest(request, protocol, isOpen ? protocol.stopSequences : []);
}

/** Makes a model that calls tools in text look like one with native calls; only its own answer is searched. Rejects like `inner`. */
export function textComplete(inner: Complete, deps: TextCompleteDeps): Complete {
  return async (request, signal, onDelta) => {
    const sent = requestInText(request, deps);
    try {
      return await readTextAnswer(inner, request, sent, signal, onDelta, deps);
    } catch (error) {
      if (!refusesStop(error, sent, request) || signal.aborted) throw error;
      deps.stops.refuse();
      return readTextAnswer(inner, request, requestInText(request, deps), signal, onDelta, deps);
    }
  };
}

const hasOurStop = (sent: CompletionRequest, asked: CompletionRequest): boolean =>
  hasStop(sent.chatOption ?? {}) && !hasStop(asked.chatOption ?? {});

/** A server that does not support `stop`, if it was added here. */
function refusesStop(error: unknown, sent: CompletionRequest, asked: CompletionRequest): boolean {
  return hasOurStop(sent, asked) && isToolError(error) && error.code === 'model_bad_request' && /\bstop\b/i.test(error.message);
}

/** Indexes of calls that the provider itself parsed: after those that were parsed here. */
const NATIVE_FROM = 1000;

/** Reads one answer until it ends, or until it continues after its requests with what it cannot know. */
async function readTextAnswer(
  inner: Complete,
  asked: CompletionRequest,
  sent: CompletionRequest,
  signal: AbortSignal,
  onDelta: (delta: ModelDelta) => void,
  deps: TextCompleteDeps,
): Promise<CompletionResult> {
  const { protocol, newCallId, now } = deps;
  const begin = (): TextAnswer => new TextAnswer({ protocol, tools: asked.tools ?? [], onDelta, newCallId });
  let answer = begin();
  const startedAt = now();
  let firstToken: number | undefined;
  let reasoning = '';
  let wasThought = false;
  const enough = new AbortController();
  const linked = linkSignals([signal, enough.signal]);
  let settle = (_: null): void => undefined;
  const cut = new Promise<null>((resolve) => {
    settle = resolve;
  });
  const take = (delta: ModelDelta): void => {
    if (answer.isCut) return;
    if (delta.type === 'text' || delta.type === 'reasoning') firstToken ??= now() - startedAt;
    if (delta.type === 'reasoning') reasoning += delta.text;
    // A call in thoughts is a draft.
    if (delta.type === 'text-was-reasoning') {
      [reasoning, answer, wasThought] = [reasoning + answer.text, begin(), true];
    }
    if (delta.type === 'reasoning' || delta.type === 'text-was-reasoning') answer.noteThought();
    if (delta.type === 'text') answer.take(delta.text);
    else onDelta('index' in delta ? { ...delta, index: NATIVE_FROM + delta.index } : delta);
    if (!answer.isCut) return;
    // First, so that the abort does not count as a failure.
    settle(null);
    enough.abort();
  };
  try {
    const result = await Promise.race([inner(sent, linked.signal, take), cut]);
    if (result === null) {
      const total = now() - startedAt;
      return answer.resultOf({
        ...{ tool_calls: [], finishReason: 'tool_calls', time: { firstToken: firstToken ?? total, total } },
        ...(reasoning === '' ? {} : { reasoning }),
      });
    }
    if (answer.isEmpty) answer.take(result.content);
    // The server omits the stop sequence.
    const isStopped = result.finishReason === 'stop' && hasOurStop(sent, asked);
    answer.end(isStopped);
    deps.stops.pause(wasThought || (isStopped && answer.isInterrupted));
    return answer.resultOf(result);
  } catch (error) {
    answer.end();
    throw deps.rewritePartial(error, (partial) => ({ ...partial, content: answer.text }));
  } finally {
    linked.release();
  }
}
