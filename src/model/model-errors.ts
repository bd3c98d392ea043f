import { APIConnectionError, APIError } from 'openai';
import { ToolError } from '../tools/contract/errors.ts';
import { NotAnAnswer } from './answer/answer-stream.ts';
import { type FailureKind, kindOf, waitInWords } from './failure-kinds.ts';
import { type FailureWords, plainText, readFailure } from './failure-words.ts';
import type { ModelSettings } from './language-model.ts';
import { BusyModel } from './retrying.ts';

/** Keys must not be repeated in an error: some servers quote them. */
function maskKey(message: string, apiKey: string): string {
  const masked = apiKey.length >= 8 ? message.replaceAll(apiKey, '•••') : message;
  return masked.replace(/\b(?:sk|key|gsk|xai)-[\w*-]{6,}/g, '•••').slice(0, 300);
}

/** Seconds that the server asks to wait, from `retry-after` (seconds or a date) or `retry-after-ms`; null when it says nothing. */
function retryAfterSeconds(headers: Headers | undefined, now: number): number | null {
  const millis = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(millis)) return Math.max(1, Math.ceil(millis / 1000));
  const value = headers?.get('retry-after');
  if (!value) return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(1, Math.ceil(seconds));
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(1, Math.ceil((date - now) / 1000));
}

function readError(error: APIError): FailureWords {
  const read = readFailure(error.error ?? error.message.replace(/^\d{3} /, ''));
  return read.words === '' ? { ...read, words: error.message.replace(/^\d{3} /, '') } : read;
}

/** Codes in a chain of causes: Node puts the system error (ECONNREFUSED) two levels below, a browser gives none. */
function systemCode(error: unknown, depth = 0): string | null {
  if (!(error instanceof Error) || depth > 4) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors.length) return systemCode(error.errors[0], depth + 1);
  return systemCode(error.cause, depth + 1);
}

/** Node's codes for a connection closed by the other side: its server restarts, or a proxy gave up. A browser has none. */
const RESET: readonly (string | null)[] = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'];

function unreachable(error: unknown, settings: ModelSettings): ToolError {
  const code = systemCode(error);
  if (RESET.includes(code))
    return new BusyModel('model_unreachable', `the connection to ${settings.baseURL} was reset (${code})`, 'send again in a moment', null);
  const message = `no connection to ${settings.baseURL}${code ? ` (${code})` : ''}`;
  // A browser reports a refused cross-origin request and a dead network with the same TypeError: name both.
  const next = code
    ? 'check the network and that the server runs at this address, then send again'
    : 'check the network and that the server runs at this address; if it does, let it accept requests from this page (CORS; Ollama: OLLAMA_ORIGINS), then send again';
  return new ToolError('model_unreachable', message, next, String(error));
}

interface Refused {
  readonly words: string;
  readonly settings: ModelSettings;
  readonly status: number | undefined;
  /** Seconds. */
  readonly wait: number | null;
}

/** Each kind of failure with its code, what happened and the next step. */
const FAILURES: Readonly<Record<FailureKind, (refused: Refused) => ToolError>> = {
  credit: ({ words }) =>
    new ToolError(
      'model_no_credit',
      `the provider refused: ${words}`,
      'check the balance of the account behind this key, or choose another model',
    ),
  limit: ({ words, wait }) => {
    const next = wait === null ? 'wait a minute, then send again' : `wait ${wait} s, then send again`;
    return new BusyModel('model_rate_limited', `too many requests: ${words}`, next, wait);
  },
  busy: ({ words, status, wait }) =>
    new BusyModel(
      'model_server_error',
      `the provider reported a server error${status === undefined ? '' : ` (${status})`}: ${words}`,
      'send again in a moment, or choose another model',
      wait,
    ),
  key: ({ words, settings: { apiKey } }) =>
    new ToolError(
      'model_unauthorized',
      `${apiKey ? 'the provider does not accept the key' : 'the provider asks for a key'}: ${words}`,
      'enter a valid key in the settings, then send again',
    ),
  filter: ({ words }) =>
    new ToolError(
      'model_filtered',
      `the provider’s filter refused the request: ${words}`,
      'ask in other words, take out what was attached, or choose another model',
    ),
  overflow: ({ words, settings: { model } }) =>
    new ToolError(
      'model_context_overflow',
      `the chat is longer than ${model} can read: ${words}`,
      'switch off tools that are not needed, attach less, or give the model a larger window (llama-server: -c; Ollama: OLLAMA_CONTEXT_LENGTH; LM Studio: context length)',
    ),
  tools: ({ words, settings: { model } }) =>
    new ToolError(
      'model_no_tools',
      `${model} cannot call tools: ${words}`,
      'in the settings, set “How models call tools” to “Automatic”, choose a model that can, or switch the tools off for this chat',
    ),
  schema: ({ words }) =>
    new ToolError(
      'model_schema_refused',
      `the provider does not take the tools as they are described: ${words}`,
      'in the settings, set “How models call tools” to “Automatic”, or switch tools off that this chat does not need',
    ),
  vision: ({ words, settings: { model } }) =>
    new ToolError(
      'model_no_vision',
      `${model} does not read images: ${words}`,
      'choose a model that does, or hide the messages that contain images',
    ),
  model: ({ words, settings: { baseURL, model } }) =>
    new ToolError(
      'model_not_found',
      `${baseURL} has no model "${model}": ${words || 'not found'}`,
      'choose a model that it has, and check that the address ends as the provider says (often /v1)',
    ),
  other: ({ words }) =>
    new ToolError('model_bad_request', `the provider refused the request: ${words}`, 'check the model options in the settings'),
};

function byKind(error: APIError, settings: ModelSettings, now: number): ToolError {
  const failure = readError(error);
  // A gateway says 500 although the server behind it said what is wrong.
  const inner = failure.status !== undefined && failure.status < 500 ? failure.status : undefined;
  const outer = error.status ?? failure.status;
  const status = error.status !== undefined && error.status >= 500 ? (inner ?? error.status) : outer;
  const words = maskKey(failure.words, settings.apiKey);
  if (status === 408 || status === 504) {
    return new ToolError('model_unreachable', `the provider did not answer in time (${status}): ${words}`, 'send again');
  }
  const wait = retryAfterSeconds(error.headers, now) ?? waitInWords(`${failure.words} ${JSON.stringify(error.error ?? '')}`);
  return FAILURES[kindOf(failure, status)]({ words, settings, status, wait });
}

/** Every failure of a request as one ToolError with its real cause and next step. `now` is in milliseconds since the epoch. */
export function toModelError(error: unknown, settings: ModelSettings, now: number): ToolError {
  if (error instanceof ToolError) return error;
  if (error instanceof NotAnAnswer) {
    const page = /html/i.test(error.contentType) || /^\s*</.test(error.excerpt);
    const said = maskKey(plainText(error.excerpt), settings.apiKey);
    const what = page ? "answered with a web page, not a model's answer" : "answered with something that is not a model's answer";
    return new ToolError(
      'model_bad_answer',
      `${settings.baseURL} ${what}${said === '' ? '' : `: ${said}`}`,
      'check the address in the settings (often it has to end in /v1), or choose another model',
      maskKey(error.excerpt, settings.apiKey),
    );
  }
  if (error instanceof APIConnectionError) return unreachable(error, settings);
  if (error instanceof APIError) return byKind(error, settings, now);
  if (error instanceof SyntaxError) {
    return new ToolError(
      'model_bad_answer',
      `the model’s answer could not be read: ${maskKey(error.message, settings.apiKey)}`,
      'send again; if it happens again, choose another model',
      error.message,
    );
  }
  return unreachable(error, settings);
}

export function abortedError(): ToolError {
  return new ToolError('aborted', 'the answer was stopped', 'send again when you want to go on');
}
