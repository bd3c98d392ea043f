import type { JsonSchema, ToolDefinition } from '../tools/contract/messages.ts';
import type { ToolArguments } from '../tools/contract/types.ts';

/** A tool as a protocol describes it to the model. */
export interface DefinedMethod {
  readonly definition: ToolDefinition;
  /** What people call it. */
  readonly title?: string;
  /** Its short name, which a model may also use. */
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
  /** Unique in the text; the model's own if it gave one. */
  readonly requestId: string;
  /** As the model wrote it, '' if it gave none; `resolveRequest` finds the tool. */
  readonly toolName: string;
  readonly rawBlock: string;
  /** VCP: strings. JSON: values of any kind. */
  readonly args: ToolArguments;
  /** Every argument came as text: `resolveRequest` reads them by the tool's schema. */
  readonly isText?: boolean;
  /** It is written as another family of models writes calls, not in the protocol. */
  readonly isOtherForm?: boolean;
  /** Set if it cannot run: the reason, worded for the model. */
  readonly invalid?: string;
  /** What was read differently from how it was written, worded for the model. */
  readonly warnings: readonly string[];
  readonly span: Span;
  /** Where each argument's value is. */
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

/** What becomes known while an answer arrives. No part of a marker is ever passed on as text. */
export type StreamPart =
  | { readonly type: 'text'; readonly text: string }
  /** A request has begun; what belongs to it has the same index. */
  | { readonly type: 'start'; readonly index: number }
  | { readonly type: 'name'; readonly index: number; readonly toolName: string }
  /** A further piece of an argument's value. */
  | { readonly type: 'argument'; readonly index: number; readonly key: string; readonly text: string }
  /** The request as it ended: whole, or invalid with the reason. What is to run is taken from here alone. */
  | { readonly type: 'request'; readonly index: number; readonly request: ParsedToolRequest };

/** One answer as it arrives. However it is cut into pieces, they add up to the same. */
export interface RequestStream {
  take(piece: string): readonly StreamPart[];
  /**
   * The answer is over: a request that is still open was interrupted. `stopped` means that the provider was given `stopSequences`
   * and ended the answer by itself: it leaves out the end marker, which is put back.
   */
  end(stopped?: boolean): readonly StreamPart[];
}

/** A call as it is written into a text. */
export interface WrittenCall {
  readonly requestId?: string;
  readonly toolName: string;
  readonly args: ToolArguments;
  /** The schema of the tool's arguments, where it is known: what they are is not lost. */
  readonly parameters?: JsonSchema;
}

/** How a model without native tool calls learns about tools, calls them and reads their results, all in text. */
export interface ToolCallingProtocol {
  readonly id: string;
  readonly label: string;
  /** Generation may stop after these. */
  readonly stopSequences: readonly string[];
  /** How a result begins; a model that writes it makes one up. */
  readonly resultStart: string;
  /** How to call, explained once, and the tools: a part of the system prompt. '' if there are no tools. */
  generateToolDefinitions(input: readonly ToolDefinitionInput[]): string;
  /** Takes only the model's own text, never notes, results or what a person wrote. */
  parseToolRequests(finalText: string): readonly ParsedToolRequest[];
  /** Whatever markers a result contains, they stay inside that result. */
  formatToolResults(results: readonly ToolExecutionResult[]): string;
  /** A call as a model would write it: `parseToolRequests` is its inverse, except that line ends become LF. */
  formatToolRequest(call: WrittenCall): string;
  /** `isTool`: the names of the tools that are offered; the calls of other families of models are read too, then. */
  stream(isTool?: (name: string) => boolean): RequestStream;
}
