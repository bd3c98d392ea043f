import { newCallId } from '../../model/call-id.ts';
import { type LanguageModel, type Prepare, withPartial } from '../../model/language-model.ts';
import type { StopSequences, TextCompleteDeps } from '../../protocol/text-complete.ts';
import type { ChatOption, Complete, CompletionRequest, ModelDelta } from '../../tools/contract/messages.ts';
import type { ToolProtocol } from '../../tools/contract/tool-call-config.ts';
import { orAborted } from '../../tools/util/abort.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import type { CallMemory } from './call-memory.ts';
import { refusalOf, withSimplerTools } from './simpler-tools.ts';

export interface TextCallsDeps {
  /** From the settings; a request's own protocol has precedence. */
  readonly choice: () => ToolProtocol;
  /** Whether the model calls tools natively; undefined if unknown. */
  readonly callsTools: boolean | undefined;
  /** Identifies provider and model. */
  readonly key: string;
  readonly memory: CallMemory;
  /** The default options of the inner model. */
  readonly options: ChatOption | undefined;
}

type Written = Exclude<ToolProtocol, 'auto'>;

/** Small models write VCP best; JSON is the most compact. */
const textFor = ({ isLean = false }: Pick<CompletionRequest, 'isLean'>): 'vcp' | 'json' => (isLean ? 'json' : 'vcp');

/** How calls are currently written. */
export function writtenAs(
  choice: ToolProtocol,
  { callsTools, key, memory }: Pick<TextCallsDeps, 'callsTools' | 'key' | 'memory'>,
  request: Pick<CompletionRequest, 'isLean'> = {},
): Written {
  if (choice !== 'auto') return choice;
  return callsTools === false || memory.has('tools', key) ? textFor(request) : 'native';
}

const lazy = lazyPart(async () => ({
  ...(await import('../../protocol/text-complete.ts')),
  ...(await import('../../protocol/protocols.ts')),
}));

/** A request without a turn counts as a turn. */
const turnOf = (request: CompletionRequest): object => request.turn ?? request;

/** Whether a text protocol would write any part of it differently. */
const concernsTools = ({ tools = [], messages }: CompletionRequest): boolean =>
  tools.length > 0 || messages.some((message) => message.role === 'tool' || (message.role === 'assistant' && message.tool_calls?.length));

/** Stop sequences of the requests of a turn: none once it was refused them; what counts for later turns is in the memory. */
function stopsByTurn({ memory, key }: Pick<TextCallsDeps, 'memory' | 'key'>): (turn: object) => StopSequences {
  const refused = new WeakSet<object>();
  let isPaused = false;
  return (turn) => ({
    areOff: () => isPaused || refused.has(turn) || memory.has('stop', key),
    refuse() {
      refused.add(turn);
      memory.note('stop', key, turn);
    },
    pause(paused) {
      isPaused = paused;
    },
  });
}

/**
 * A model whose tools can be described in text. With `auto`, a model with native calls gets native requests; if its server refuses how
 * tools are described, the same request is sent again with fewer and simpler ones (`simpler-tools`), and so is the rest of the turn; if it
 * refuses these too, or tools as such, in text. If nobody chose text, the first answer begins with `text-calls`.
 */
export function withTextCalls(inner: LanguageModel, deps: TextCallsDeps): LanguageModel {
  const { memory, key, options } = deps;
  const choiceOf = ({ toolProtocol }: CompletionRequest): ToolProtocol => toolProtocol ?? deps.choice();
  const refused = new WeakSet<object>();
  const askNatively = withSimplerTools(inner.complete);
  const stopsOf = stopsByTurn(deps);
  const textParts = async (written: Written, turn: object, signal: AbortSignal) => {
    const { textComplete, requestInText, textProtocolOf } = await orAborted(lazy(), signal);
    const made: TextCompleteDeps = {
      protocol: textProtocolOf(written),
      newCallId,
      rewritePartial: withPartial,
      now: Date.now,
      options,
      stops: stopsOf(turn),
    };
    return { textComplete, requestInText, made };
  };
  const inText = async (written: Written, ...[request, signal, onDelta]: Parameters<Complete>): ReturnType<Complete> => {
    const turn = turnOf(request);
    const { textComplete, made } = await textParts(written, turn, signal);
    const isNews = choiceOf(request) === 'auto' && !memory.has('told', key);
    const withNotice = (delta: ModelDelta): void => {
      if (isNews && delta.type !== 'retry' && delta.type !== 'reading' && !memory.has('told', key)) {
        memory.note('told', key, turn);
        onDelta({ type: 'text-calls', protocol: made.protocol.label });
      }
      onDelta(delta);
    };
    return textComplete(inner.complete, made)(request, signal, withNotice);
  };
  const complete: Complete = async (request, signal, onDelta) => {
    if (!concernsTools(request)) return inner.complete(request, signal, onDelta);
    const written = writtenAs(choiceOf(request), deps, request);
    if (written !== 'native') return inText(written, request, signal, onDelta);
    const turn = turnOf(request);
    if (choiceOf(request) === 'auto' && refused.has(turn)) return inText(textFor(request), request, signal, onDelta);
    try {
      const ask = choiceOf(request) === 'auto' ? askNatively : inner.complete;
      const answer = await ask(request, signal, onDelta);
      memory.accept('tools', key);
      return answer;
    } catch (error) {
      const code = refusalOf(error);
      if (choiceOf(request) !== 'auto' || signal.aborted || code === undefined) throw error;
      refused.add(turn);
      if (code === 'model_no_tools') memory.note('tools', key, turn);
      return inText(textFor(request), request, signal, onDelta);
    }
  };
  const prepareInText =
    (prepare: Prepare): Prepare =>
    async (request, signal) => {
      const written = concernsTools(request) ? writtenAs(choiceOf(request), deps, request) : 'native';
      if (written === 'native') return prepare(request, signal);
      const { requestInText, made } = await textParts(written, turnOf(request), signal);
      return prepare(requestInText(request, made), signal);
    };
  return { ...inner, complete, ...(inner.prepare ? { prepare: prepareInText(inner.prepare) } : {}) };
}
