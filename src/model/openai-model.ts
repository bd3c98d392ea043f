import OpenAI, { APIError } from 'openai';
import { ToolError } from '../tools/errors.ts';
import type { CompletionRequest, CompletionResult, ModelDelta } from '../tools/messages.ts';
import { AnswerAssembler } from './answer-assembler.ts';
import { readAnswer } from './answer-stream.ts';
import { InterruptedAnswer, type LanguageModel, type ModelSettings } from './language-model.ts';
import { abortedError, toModelError } from './model-errors.ts';
import { buildRequestBody, normalizeBaseURL } from './request-body.ts';

export interface OpenAIModelOptions extends ModelSettings {
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since the epoch; for tests. */
  readonly now?: () => number;
  /** A fresh tool call id where the server sent none that is unique; for tests. */
  readonly newCallId?: () => string;
}

/** Headers that tell a server about this library: each would have to be allowed by a local server's CORS rules. */
const QUIET_HEADERS = Object.fromEntries(
  ['arch', 'lang', 'os', 'package-version', 'retry-count', 'runtime', 'runtime-version', 'timeout'].map((name) => [
    `x-stainless-${name}`,
    null,
  ]),
);

function randomCallId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => letters[byte % letters.length]).join('');
}

function createClient(options: OpenAIModelOptions, baseURL: string): OpenAI {
  return new OpenAI({
    baseURL,
    // The client wants some key; servers without one get no Authorization header at all.
    apiKey: options.apiKey || 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    dangerouslyAllowBrowser: true,
    defaultHeaders: options.apiKey ? QUIET_HEADERS : { ...QUIET_HEADERS, Authorization: null },
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
}

function usedCallIds(request: CompletionRequest): ReadonlySet<string> {
  return new Set(
    request.messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.id) : [])),
  );
}

function refusesUsage(error: unknown): boolean {
  return error instanceof APIError && (error.status === 400 || error.status === 422) && /stream_options|include_usage/i.test(error.message);
}

/**
 * A model behind an OpenAI-compatible address. Nothing is retried: the user sees each failure with its next step
 * (`model_unauthorized`, `model_unreachable`, `model_missing`, `model_rate_limited`, `model_no_credit`, `model_no_tools`,
 * `model_context_overflow`, `model_bad_request`, `model_server_error`, `model_bad_answer`, `model_interrupted`, `aborted`).
 */
export function createOpenAIModel(options: OpenAIModelOptions): LanguageModel {
  const now = options.now ?? Date.now;
  const baseURL = normalizeBaseURL(options.baseURL);
  const settings: ModelSettings = { ...options, baseURL: baseURL ?? options.baseURL };
  // Made for the first request: a model is often made only to show its name.
  let made: OpenAI | undefined;
  const clientFor = (address: string): OpenAI => {
    made ??= createClient(options, address);
    return made;
  };
  let withUsage = true;

  async function post(client: OpenAI, request: CompletionRequest, signal: AbortSignal): Promise<Response> {
    const send = (): Promise<Response> =>
      client.post('/chat/completions', { body: buildRequestBody(settings, request, withUsage), signal }).asResponse();
    try {
      return await send();
    } catch (error) {
      if (!withUsage || !refusesUsage(error)) throw error;
      withUsage = false;
      return send();
    }
  }

  async function complete(
    request: CompletionRequest,
    signal: AbortSignal,
    onDelta: (delta: ModelDelta) => void,
  ): Promise<CompletionResult> {
    if (signal.aborted) throw abortedError();
    if (baseURL === null) throw noAddress(options.baseURL);
    const client = clientFor(baseURL);
    const assembler = new AnswerAssembler({
      onDelta,
      now,
      startedAt: now(),
      newCallId: options.newCallId ?? randomCallId,
      usedCallIds: usedCallIds(request),
    });
    const controller = new AbortController();
    const forward = (): void => controller.abort(signal.reason);
    signal.addEventListener('abort', forward, { once: true });
    try {
      const answer = await readAnswer(await post(client, request, controller.signal), controller, client);
      for await (const chunk of answer.chunks) {
        if (signal.aborted) break;
        assembler.take(chunk);
      }
      if (signal.aborted) throw abortedError();
      return checked(assembler, answer.sawEnd(), settings);
    } catch (error) {
      if (signal.aborted) throw abortedError();
      const known = toModelError(error, settings, now());
      if (assembler.empty || error instanceof InterruptedAnswer) throw known;
      const message =
        known.code === 'model_unreachable' ? 'the connection broke in the middle of the answer' : `the answer broke off: ${known.message}`;
      throw new InterruptedAnswer(message, 'what had arrived is kept; send again to get a whole answer', assembler.result(), known.detail);
    } finally {
      signal.removeEventListener('abort', forward);
    }
  }

  return { label: options.label ?? options.model, model: options.model, complete };
}

function noAddress(text: string): ToolError {
  return new ToolError(
    'model_unreachable',
    `"${text}" is no web address`,
    'enter the provider’s address in the settings, for example https://api.openai.com/v1',
  );
}

function checked(assembler: AnswerAssembler, sawEnd: boolean, settings: ModelSettings): CompletionResult {
  if (!assembler.answered) {
    throw new ToolError(
      'model_bad_answer',
      `${settings.baseURL} answered without a choice`,
      'send again; if it happens again, choose another model',
    );
  }
  if (assembler.finished || sawEnd) return assembler.result();
  throw new InterruptedAnswer(
    'the connection ended in the middle of the answer',
    'what had arrived is kept; send again to get a whole answer',
    assembler.result(),
  );
}
