import { newCallId } from '../model/call-id.ts';
import { type LanguageModel, type Prepare, withPartial } from '../model/language-model.ts';
import type { StopSequences, TextCompleteDeps } from '../protocol/text-complete.ts';
import { isToolError } from '../tools/contract/errors.ts';
import type { ChatOption, Complete, CompletionRequest, ModelDelta } from '../tools/contract/messages.ts';
import type { ToolProtocol } from '../tools/contract/tool-protocol.ts';
import { orAborted } from '../tools/util/abort.ts';
import { lazyPart } from '../tools/util/lazy.ts';

/** `tools`: its server refused native calls; `stop`: it refused stop sequences; `told`: the person was shown that calls are text. */
type LearntOfCalls = 'tools' | 'stop' | 'told';

/** What is learned about how models call tools, by provider and model; kept on the device. */
export interface CallMemory {
  has(what: LearntOfCalls, key: string): boolean;
  note(what: LearntOfCalls, key: string): void;
  /** Native calls are tried again with every model. */
  forget(): void;
}

/** Kept as long as the program runs. */
export function callMemory(known: { has(key: string): boolean; add(key: string): unknown; clear(): void } = new Set()): CallMemory {
  return {
    has: (what, key) => known.has(`${what}:${key}`),
    note: (what, key) => void known.add(`${what}:${key}`),
    forget: () => known.clear(),
  };
}

export interface TextCallsDeps {
  /** Of the settings; a request's own goes first. */
  readonly choice: () => ToolProtocol;
  /** Whether the model is known to call tools natively; undefined: nobody knows. */
  readonly callsTools: boolean | undefined;
  /** Names provider and model. */
  readonly key: string;
  readonly memory: CallMemory;
  /** What the inner model adds to a request by itself. */
  readonly options: ChatOption | undefined;
}

type Written = Exclude<ToolProtocol, 'auto'>;

/** How calls are currently written. */
export function writtenAs(
  choice: ToolProtocol,
  { callsTools, key, memory }: Pick<TextCallsDeps, 'callsTools' | 'key' | 'memory'>,
): Written {
  if (choice !== 'auto') return choice;
  return callsTools === false || memory.has('tools', key) ? 'vcp' : 'native';
}

const lazy = lazyPart(async () => ({ ...(await import('../protocol/text-complete.ts')), ...(await import('../protocol/protocols.ts')) }));

/** Whether a text protocol would write any part of it differently. */
const concernsTools = ({ tools = [], messages }: CompletionRequest): boolean =>
  tools.length > 0 || messages.some((message) => message.role === 'tool' || (message.role === 'assistant' && message.tool_calls?.length));

/**
 * A model whose tools can be described in text. With `auto`, a model with native calls gets native requests; if its server refuses
 * them, the same request is sent again in text, which is remembered. If nobody chose text, the first answer begins with `text-calls`.
 */
export function withTextCalls(inner: LanguageModel, deps: TextCallsDeps): LanguageModel {
  const { memory, key, options } = deps;
  const choiceOf = ({ toolProtocol }: CompletionRequest): ToolProtocol => toolProtocol ?? deps.choice();
  let isPaused = false;
  const stops: StopSequences = {
    areOff: () => isPaused || memory.has('stop', key),
    refuse: () => memory.note('stop', key),
    pause(paused) {
      isPaused = paused;
    },
  };
  const textParts = async (written: Written, signal: AbortSignal) => {
    const { textComplete, requestInText, textProtocolOf } = await orAborted(lazy(), signal);
    const made: TextCompleteDeps = {
      protocol: textProtocolOf(written),
      newCallId,
      rewritePartial: withPartial,
      now: Date.now,
      options,
      stops,
    };
    return { textComplete, requestInText, made };
  };
  const inText = async (written: Written, ...[request, signal, onDelta]: Parameters<Complete>): ReturnType<Complete> => {
    const { textComplete, made } = await textParts(written, signal);
    const isNews = choiceOf(request) === 'auto' && !memory.has('told', key);
    const withNotice = (delta: ModelDelta): void => {
      if (isNews && delta.type !== 'retry' && !memory.has('told', key)) {
        memory.note('told', key);
        onDelta({ type: 'text-calls', protocol: made.protocol.label });
      }
      onDelta(delta);
    };
    return textComplete(inner.complete, made)(request, signal, withNotice);
  };
  const complete: Complete = async (request, signal, onDelta) => {
    if (!concernsTools(request)) return inner.complete(request, signal, onDelta);
    const written = writtenAs(choiceOf(request), deps);
    if (written !== 'native') return inText(written, request, signal, onDelta);
    try {
      return await inner.complete(request, signal, onDelta);
    } catch (error) {
      if (choiceOf(request) !== 'auto' || signal.aborted || !isToolError(error) || error.code !== 'model_no_tools') throw error;
      memory.note('tools', key);
      return inText('vcp', request, signal, onDelta);
    }
  };
  const prepareInText =
    (prepare: Prepare): Prepare =>
    async (request, signal) => {
      const written = concernsTools(request) ? writtenAs(choiceOf(request), deps) : 'native';
      if (written === 'native') return prepare(request, signal);
      const { requestInText, made } = await textParts(written, signal);
      return prepare(requestInText(request, made), signal);
    };
  return { ...inner, complete, ...(inner.prepare ? { prepare: prepareInText(inner.prepare) } : {}) };
}
