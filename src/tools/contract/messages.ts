import type { EventError } from './errors.ts';
import type { NoteSource } from './provenance.ts';
import type { ToolProtocol } from './tool-call-config.ts';

/** Messages in the shape of the OpenAI chat API: stored, handled and sent as the same objects. */
export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** Set by a text protocol (or the adapter) for a request that cannot run; the reason is sent to the model. */
  readonly invalid?: string;
  /** Differences between parsing and writing, sent to the model with the result. */
  readonly warnings?: readonly string[];
  /** Returned unchanged with the call, as the provider requires (Gemini: the signature of its thoughts). */
  readonly extra_content?: unknown;
  /** Other fields next to the call, or next to its answer, that the provider requires back there (OpenRouter: reasoning_details). */
  readonly extra_fields?: ExtraFields;
}
export interface ExtraFields {
  readonly call?: Readonly<Record<string, unknown>>;
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly thoughts?: SignedThoughts;
}

/** A server's signed or encrypted thoughts before the calls of an answer, for the model that they came from; never shown. */
export interface SignedThoughts {
  readonly protocol: string;
  readonly model: string;
  readonly parts: readonly AnswerPart[];
}

/** A part of an answer in the shape of its server: thoughts word for word; of text and calls the server's additions. */
export type AnswerPart =
  | { readonly thought: Readonly<Record<string, unknown>> }
  | { readonly text: Readonly<Record<string, unknown>> }
  | { readonly call: Readonly<Record<string, unknown>> };

/** Fields that no API knows (`withheld`, `sources`, `repeats`, `outcome`) are not sent: the adapter sends what the API defines. */
interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}
export interface UserMessage {
  readonly role: 'user';
  readonly content: string;
  /** Sent as parts of the content, after its text. */
  readonly images?: readonly MessageImage[];
}
export interface MessageImage {
  readonly name: string;
  readonly mime: string;
  /** `assets/…` in a saved chat; a data URL in the request to the model. */
  readonly url: string;
}
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  /** Sent back to the server that produced it, together with the calls that followed it. */
  readonly reasoning?: string;
  readonly tool_calls?: readonly ToolCall[];
  /** Fingerprints of sources above it that were already withheld when it was written. */
  readonly withheld?: readonly string[];
}
interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
  readonly sources?: readonly NoteSource[];
  /** It may repeat what the model wrote: then it is withheld together with that. */
  readonly repeats?: boolean;
  /** The outcome and duration of the call, if it ran: for models that read results as text. */
  readonly outcome?: { readonly status: 'success' | 'error'; readonly durationMs: number };
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  /** The part of `prompt_tokens` that the provider had in its prompt cache; absent if it does not say. */
  readonly cached_tokens?: number;
}

/** JSON schema of a tool's arguments; only the keywords that tools use. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** An OpenAI function definition. Its group and its short command are sent in text protocols only. */
export interface ToolDefinition {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema };
  readonly group?: string;
  readonly command?: string;
  /** Of most calls. Like `group` and `command` never sent to a model. */
  readonly effect?: 'read' | 'write' | 'outgoing';
}

/** What a model streams while it answers. `argumentsDelta` are raw fragments of JSON text. */
export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** All text of this answer so far was reasoning: only its end is marked. */
  | { readonly type: 'text-was-reasoning' }
  | { readonly type: 'toolCallStart'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'toolCallArgs'; readonly index: number; readonly argumentsDelta: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** Tools are described to the model in text, in this protocol, although nobody chose that: sent once, before the rest of an answer. */
  | { readonly type: 'text-calls'; readonly protocol: string }
  /** The server refused the tools as described, so this many are offered, in a simpler form: sent once, before the rest of an answer. */
  | { readonly type: 'simpler-tools'; readonly tools: number }
  /** The server refused the request without a clear reason, and takes it without what we add: sent once, before the rest of an answer. */
  | { readonly type: 'left-out' }
  /** A local server has received a request of about this many tokens, and has not sent anything yet. */
  | { readonly type: 'reading'; readonly tokens: number }
  /** The provider was busy or failed: attempt number `attempt` is at `at` (milliseconds since the epoch). */
  | { readonly type: 'retry'; readonly attempt: number; readonly at: number; readonly error: EventError };

/** Free options of a request: temperature, max_tokens, stream, … Passed through unchanged. */
export type ChatOption = Readonly<Record<string, unknown>>;

export interface CompletionRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[];
  readonly chatOption?: ChatOption;
  /** How tools are described to the model; default: as the settings say. */
  readonly toolProtocol?: ToolProtocol;
  /** The same object for all requests of a turn: refusals of a server are counted by turns. Never sent. */
  readonly turn?: object;
  /** The model's window is small: if calls are text although nobody chose that, the most compact protocol is used. */
  readonly isLean?: boolean;
}

export interface CompletionResult {
  readonly content: string;
  readonly reasoning?: string;
  readonly tool_calls: readonly ToolCall[];
  readonly usage?: Usage;
  readonly finishReason: string;
  /** Milliseconds from the request to the first token and to the end. */
  readonly time?: { readonly firstToken: number; readonly total: number };
}

/** One request to a model; rejects with ToolError: `model_…`, or `aborted`. */
export type Complete = (request: CompletionRequest, signal: AbortSignal, onDelta: (delta: ModelDelta) => void) => Promise<CompletionResult>;
