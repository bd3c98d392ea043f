import { APIConnectionError, APIError } from 'openai';
import { ToolError } from '../tools/contract/errors.ts';
import { NotAnAnswer } from './answer-stream.ts';
import type { ModelSettings } from './language-model.ts';
import { BusyModel } from './retrying.ts';

const OVERFLOW =
  /context.{0,20}(?:length|window|size)|maximum.{0,20}(?:context|tokens)|too many tokens|prompt is too long|exceeds.{0,30}context/i;
/** About the length that was asked of the answer, unless the words name the conversation as well. */
const OF_THE_ANSWER = /max_(?:completion_|output_)?tokens|(?:completion|output) tokens/i;
const OF_THE_CHAT = /context|prompt|input/i;
/** How Ollama, OpenAI and Groq; DeepSeek and Mistral; llama.cpp, vLLM and OpenRouter; strict servers word their refusal of tools. */
const NO_TOOLS = [
  /(?:not|n't) support.{0,20}(?:tools?|function)|tools?.{0,20}(?:not|un)\s?supported/i,
  /(?:function|tool).?call\w*.{0,20}(?:not|un)\s?(?:supported|enabled|available)/i,
  /tools? (?:param|choice) requires|support tool use/i,
  /(?:unrecognized|unknown|unexpected|extra)[^.]{0,60}\b(?:tools|functions)\b|\btools\b[^.]{0,40}(?:extra inputs|not (?:permitted|allowed))/i,
];
/** An option of calls is not calls. */
const OF_CALLS = /tool_choice|parallel_tool_calls/i;
const refusesTools = (words: string): boolean => !OF_CALLS.test(words) && NO_TOOLS.some((pattern) => pattern.test(words));
/** How OpenAI, DeepSeek, Ollama, vLLM and OpenRouter word their refusal of pictures. */
const NO_VISION =
  /image_url|image.{0,20}(?:not|un)\s?supported|(?:not|n't) (?:support|accept).{0,20}(?:image|vision|multi-?modal)|no.{0,40}support.{0,10}image|missing data required for image|not a multimodal model/i;
const NO_MODEL = /model.{0,60}(?:not found|does not exist|not exist|unknown)|(?:unknown|no such|invalid) model/i;
const NO_CREDIT = /insufficient_quota|exceeded your current quota|insufficient.{0,10}(?:balance|credit)|payment required/i;

/** Keys must not come back in an error: some servers quote them. */
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

function said(error: APIError, settings: ModelSettings): string {
  const body = error.error;
  const inner = typeof body === 'object' && body !== null && 'message' in body ? body.message : body;
  const text = typeof inner === 'string' ? inner : error.message;
  return maskKey(text.replace(/^\d{3} /, ''), settings.apiKey);
}

/** Codes down a chain of causes: Node names the system error (ECONNREFUSED) two levels below, a browser gives none. */
function systemCode(error: unknown, depth = 0): string | null {
  if (!(error instanceof Error) || depth > 4) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors.length) return systemCode(error.errors[0], depth + 1);
  return systemCode(error.cause, depth + 1);
}

function unreachable(error: unknown, settings: ModelSettings): ToolError {
  const code = systemCode(error);
  const message = `no connection to ${settings.baseURL}${code ? ` (${code})` : ''}`;
  // A browser reports a refused cross-origin request and a dead network with the same TypeError: say both.
  const next = code
    ? 'check the network and that the server runs at this address, then send again'
    : 'check the network and that the server runs at this address; if it does, let it accept requests from this page (CORS; Ollama: OLLAMA_ORIGINS), then send again';
  return new ToolError('model_unreachable', message, next, String(error));
}

function limited(error: APIError, settings: ModelSettings, now: number): ToolError {
  const words = said(error, settings);
  if (NO_CREDIT.test(`${error.code ?? ''} ${words}`)) {
    return new ToolError(
      'model_no_credit',
      `the provider refused: ${words}`,
      'check the balance of the account behind this key, or choose another model',
    );
  }
  const wait = retryAfterSeconds(error.headers, now);
  const next = wait === null ? 'wait a minute, then send again' : `wait ${wait} s, then send again`;
  return new BusyModel('model_rate_limited', `too many requests: ${words}`, next, wait);
}

const overflows = (words: string): boolean => OVERFLOW.test(words) && (!OF_THE_ANSWER.test(words) || OF_THE_CHAT.test(words));

function refused(error: APIError, settings: ModelSettings): ToolError {
  const words = said(error, settings);
  if (error.code === 'context_length_exceeded' || overflows(words)) {
    return new ToolError(
      'model_context_overflow',
      `the chat is longer than ${settings.model} can read: ${words}`,
      'start a new chat, or remove attached notes',
    );
  }
  if (refusesTools(words)) {
    return new ToolError(
      'model_no_tools',
      `${settings.model} cannot call tools: ${words}`,
      'in the settings, set “How models call tools” to “Automatic”, choose a model that can, or switch the tools off for this chat',
    );
  }
  if (NO_VISION.test(words)) {
    return new ToolError(
      'model_no_vision',
      `${settings.model} does not read images: ${words}`,
      'choose a model that does, or hide the messages that contain images',
    );
  }
  if (NO_MODEL.test(words)) return missing(settings, words);
  return new ToolError('model_bad_request', `the provider refused the request: ${words}`, 'check the model options in the settings');
}

function missing(settings: ModelSettings, words: string): ToolError {
  return new ToolError(
    'model_not_found',
    `${settings.baseURL} has no model "${settings.model}": ${words || 'not found'}`,
    'choose a model that it has, and check that the address ends as the provider says (often /v1)',
  );
}

function byStatus(error: APIError, settings: ModelSettings, now: number): ToolError {
  const status = error.status;
  if (status === 401 || status === 403) {
    const message = settings.apiKey
      ? `the provider does not accept the key: ${said(error, settings)}`
      : `the provider asks for a key: ${said(error, settings)}`;
    return new ToolError('model_unauthorized', message, 'enter a valid key in the settings, then send again');
  }
  const words = said(error, settings);
  // OpenRouter answers 404 to a request with tools or pictures that no provider of the model accepts; an older llama.cpp answers 500.
  if ((status === 404 || status === 500) && refusesTools(words)) return refused(error, settings);
  if (status === 404) return NO_VISION.test(words) ? refused(error, settings) : missing(settings, words);
  if (status === 402 || status === 429) return limited(error, settings, now);
  if (status === 408 || status === 504) {
    return new ToolError('model_unreachable', `the provider did not answer in time (${status})`, 'send again');
  }
  if (status !== undefined && status >= 500) {
    return new BusyModel(
      'model_server_error',
      `the provider reported a server error (${status}): ${said(error, settings)}`,
      'send again in a moment, or choose another model',
      retryAfterSeconds(error.headers, now),
    );
  }
  if (status === undefined && (error.type === 'server_error' || error.code === 'server_error')) {
    return new BusyModel(
      'model_server_error',
      `the provider reported a server error: ${said(error, settings)}`,
      'send again in a moment',
      null,
    );
  }
  return refused(error, settings);
}

/** Every failure of a request as one ToolError with its honest cause and next step. `now` is in milliseconds since the epoch. */
export function toModelError(error: unknown, settings: ModelSettings, now: number): ToolError {
  if (error instanceof ToolError) return error;
  if (error instanceof NotAnAnswer) {
    const page = /html/i.test(error.contentType) || /^\s*</.test(error.excerpt);
    return new ToolError(
      'model_bad_answer',
      page
        ? `${settings.baseURL} answered with a web page, not a model's answer`
        : `${settings.baseURL} answered with something that is not a model's answer`,
      'check the address in the settings (often it has to end in /v1), or choose another model',
      maskKey(error.excerpt, settings.apiKey),
    );
  }
  if (error instanceof APIConnectionError) return unreachable(error, settings);
  if (error instanceof APIError) return byStatus(error, settings, now);
  if (error instanceof SyntaxError) {
    return new ToolError(
      'model_bad_answer',
      'the model’s answer could not be read',
      'send again; if it happens again, choose another model',
      error.message,
    );
  }
  return unreachable(error, settings);
}

export function abortedError(): ToolError {
  return new ToolError('aborted', 'the answer was stopped', 'send again when you want to go on');
}
