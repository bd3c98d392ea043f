import { hasTextCall } from '../tools/chain/answer-end.ts';
import { isToolError, type ToolError, toToolError } from '../tools/contract/errors.ts';
import type { CompletionRequest, CompletionResult, ToolDefinition } from '../tools/contract/messages.ts';
import type { LanguageModel } from './language-model.ts';

export const CONNECTION_CHECKS = ['reachable', 'key', 'model', 'streaming', 'tools'] as const;
export type ConnectionCheck = (typeof CONNECTION_CHECKS)[number];

/** `unknown`: an earlier check failed, or the answer did not show it. */
export type CheckState = 'ok' | 'failed' | 'unknown';

/** `stated`: the server publishes that the model accepts no tools, whatever the result. */
type CallOutcome = 'native' | 'text' | 'none' | 'refused' | 'schema' | 'stated';

export interface ConnectionReport {
  readonly checks: Readonly<Record<ConnectionCheck, CheckState>>;
  readonly call?: CallOutcome;
  /** Why it does not work, or works only in part; absent if everything works. */
  readonly error?: ToolError;
  /** The host forwarded the request, since the provider refuses those of the page. */
  readonly forwarded?: true;
  readonly firstToken?: number;
}

const PROBE: ToolDefinition = {
  type: 'function',
  function: {
    name: 'report_ready',
    description: 'Reports that tools work.',
    parameters: { type: 'object', properties: { ready: { type: 'boolean' } }, required: ['ready'] },
  },
};
const QUESTION = 'Call the tool report_ready with ready set to true. If you have no tools, answer with the words "I am ready to help".';

const request = (tools: readonly ToolDefinition[]): CompletionRequest => ({
  messages: [{ role: 'user', content: QUESTION }],
  ...(tools.length > 0 ? { tools, chatOption: { tool_choice: 'auto' } } : {}),
});

/** How far a request got that failed this way; later steps are unknown. */
const REACHED: Readonly<Record<string, number>> = {
  model_unreachable: 0,
  model_unauthorized: 1,
  model_no_credit: 2,
  model_rate_limited: 2,
  model_not_found: 2,
};

function failedAt(error: ToolError): Readonly<Record<ConnectionCheck, CheckState>> {
  const at = REACHED[error.code] ?? 2;
  // Billing and rate limits say nothing about the model.
  const isOpen = error.code === 'model_no_credit' || error.code === 'model_rate_limited';
  const states = CONNECTION_CHECKS.map((name, index): [ConnectionCheck, CheckState] => {
    if (index < at) return [name, 'ok'];
    return [name, index === at && !isOpen ? 'failed' : 'unknown'];
  });
  return Object.fromEntries(states) as Record<ConnectionCheck, CheckState>;
}

interface Answered {
  readonly result: CompletionResult;
  readonly pieces: number;
}

async function ask(model: LanguageModel, tools: readonly ToolDefinition[], signal: AbortSignal): Promise<Answered> {
  let pieces = 0;
  const result = await model.complete(request(tools), signal, ({ type }) => {
    if (type !== 'usage') pieces += 1;
  });
  return { result, pieces };
}

/** Refusals of the tools in a request: without them, the rest can still be tested. */
const REFUSALS: Readonly<Record<string, CallOutcome>> = { model_no_tools: 'refused', model_schema_refused: 'schema' };

function callOutcome({ tool_calls, content }: CompletionResult, refusal: ToolError | undefined): CallOutcome {
  const refused = refusal && REFUSALS[refusal.code];
  if (refused) return refused;
  if (tool_calls.some((call) => call.function.name === PROBE.function.name)) return 'native';
  return hasTextCall(content, [PROBE.function.name]) ? 'text' : 'none';
}

/** Asks the model one small question, and reports which of address, key, model, streaming and tools work; rejects only on abort. */
export async function testConnection(model: LanguageModel, signal: AbortSignal, isStated: () => boolean): Promise<ConnectionReport> {
  // Together with its window, a local server says whether the model accepts tools.
  const heard = model.window?.tokens(0).catch(() => undefined);
  let refusal: ToolError | undefined;
  let answered: Answered;
  try {
    answered = await ask(model, [PROBE], signal).catch((error: unknown) => {
      if (signal.aborted || !isToolError(error) || !REFUSALS[error.code]) throw error;
      refusal = error;
      return ask(model, [], signal);
    });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const error = toToolError(thrown);
    return { checks: failedAt(error), error };
  }
  const { result, pieces } = answered;
  const forwarded = model.forwarded?.() ?? false;
  await heard;
  const call = callOutcome(result, refusal);
  const streaming = pieces > 1 ? 'ok' : 'unknown';
  const tools = call === 'native' ? 'ok' : 'unknown';
  return {
    checks: {
      reachable: 'ok',
      key: 'ok',
      model: 'ok',
      streaming: forwarded ? 'failed' : streaming,
      tools: refusal ? 'failed' : tools,
    },
    call: isStated() ? 'stated' : call,
    error: refusal,
    forwarded: forwarded || undefined,
    firstToken: result.time ? result.time.firstToken : undefined,
  };
}
