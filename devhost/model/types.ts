/** The part of OpenAI's chat API that the demo reads and writes. */
export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null;
  readonly tool_calls?: readonly WireToolCall[];
  readonly tool_call_id?: string;
}

export interface ToolSpec {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: { readonly properties?: Readonly<Record<string, unknown>>; readonly required?: readonly string[] };
  };
}

export interface ChatRequest {
  readonly model?: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
  readonly tool_choice?: unknown;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

export interface DemoUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** Either text, which is a final answer, or calls with empty text. */
export interface DemoReply {
  readonly content: string;
  readonly toolCalls: readonly WireToolCall[];
  readonly finishReason: 'stop' | 'tool_calls';
  readonly usage: DemoUsage;
}

/** Language of the question, and so of the answer. */
export type Language = 'en' | 'zh';

/** A call that the planner wants; names and arguments are still to be fitted to the request's own tools. */
export interface WantedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export type WriteTarget =
  | { readonly kind: 'today' }
  | { readonly kind: 'document'; readonly name: string }
  | { readonly kind: 'new-document'; readonly name: string };

/** What a question asks for. An empty `topic` means: what the chat was about before. */
export type Intent =
  | { readonly kind: 'ask'; readonly topic: string; readonly write: WriteTarget | null; readonly answer: boolean }
  | { readonly kind: 'summarize'; readonly document: string; readonly write: WriteTarget | null }
  | { readonly kind: 'find'; readonly query: string }
  | { readonly kind: 'list-notebooks' }
  /** Move what is in the note `document` to where it belongs. */
  | { readonly kind: 'sort'; readonly document: string }
  | { readonly kind: 'earlier'; readonly topic: string }
  | { readonly kind: 'help' };
