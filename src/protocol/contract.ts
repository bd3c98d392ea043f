import type { ToolDefinition } from '../tools/contract/messages.ts';
import type { ToolArguments } from '../tools/contract/types.ts';

/** A tool as a protocol tells it to the model. */
export interface DefinedMethod {
  readonly definition: ToolDefinition;
  /** What people call it. */
  readonly title?: string;
  /** Its short name, which a model may use too. */
  readonly command?: string;
}

/** A group of tools. */
export interface ToolDefinitionInput {
  /** The group's name. */
  readonly toolId: string;
  /** What people call it. */
  readonly toolName: string;
  readonly methods: readonly DefinedMethod[];
}

/** UTF-16 offsets in the text that was parsed. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ParsedToolRequest {
  /** Unique in the text; the model's own where it gave one. */
  readonly requestId: string;
  /** As the model wrote it, '' where it gave none: `resolveRequest` finds the tool. */
  readonly toolName: string;
  readonly rawBlock: string;
  /** VCP: strings. JSON: values of any kind. */
  readonly args: ToolArguments;
  /** Set where it cannot run: why, in words for the model. */
  readonly invalid?: string;
  /** What was read otherwise than it was written, in words for the model. */
  readonly warnings: readonly string[];
  readonly span: Span;
  /** Where each argument's value stands. */
  readonly argumentSpans: Readonly<Record<string, Span>>;
}

export interface ToolExecutionResult {
  readonly requestId: string;
  readonly toolName: string;
  readonly status: 'success' | 'error';
  readonly result: string;
  /** Milliseconds. */
  readonly durationMs: number;
}

/** What becomes known while an answer arrives. No piece of a marker ever comes as text. */
export type StreamPart =
  | { readonly type: 'text'; readonly text: string }
  /** A request has begun; what belongs to it has the same index. */
  | { readonly type: 'start'; readonly index: number }
  | { readonly type: 'name'; readonly index: number; readonly toolName: string }
  /** A further piece of an argument's value. */
  | { readonly type: 'argument'; readonly index: number; readonly key: string; readonly text: string }
  /** The request as it ended: whole, or invalid with the reason. What is to run is taken from here alone. */
  | { readonly type: 'request'; readonly index: number; readonly request: ParsedToolRequest };

/** One answer as it arrives. Wherever it is cut, its parts are the same in sum. */
export interface RequestStream {
  take(piece: string): readonly StreamPart[];
  /**
   * The answer is over: a request that is still open was interrupted. `stopped` says that the provider ended the answer by itself
   * and was given `stopSequences`: it leaves the end marker out, which is put back.
   */
  end(stopped?: boolean): readonly StreamPart[];
}

/** A call as it goes into a text. */
export interface WrittenCall {
  readonly requestId?: string;
  readonly toolName: string;
  readonly args: ToolArguments;
}

/** How a model without native tool calls learns of tools, asks for them and reads their results, all in text. */
export interface ToolCallingProtocol {
  readonly id: string;
  readonly label: string;
  /** Generation may stop behind these. */
  readonly stopSequences: readonly string[];
  /** How to call, told once, and the tools: a part of the system prompt. '' where there are none. */
  generateToolDefinitions(input: readonly ToolDefinitionInput[]): string;
  /** Takes the words of the model only, never notes, results or what a person wrote. */
  parseToolRequests(finalText: string): readonly ParsedToolRequest[];
  /** Whatever marker a result holds, it stays inside that result. */
  formatToolResults(results: readonly ToolExecutionResult[]): string;
  /** A call as a model would write it: `parseToolRequests` is its inverse, but for line ends, which become LF. */
  formatToolRequest(call: WrittenCall): string;
  stream(): RequestStream;
}
