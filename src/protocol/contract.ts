import type { JsonSchema, ToolDefinition } from '../tools/contract/messages.ts';
import type { ToolArguments } from '../tools/contract/types.ts';

export interface DefinedMethod {
  readonly definition: ToolDefinition;
  readonly title?: string;
  readonly command?: string;
}

export interface ToolDefinitionInput {
  readonly toolId: string;
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
  /** Every argument is text: `resolveRequest` parses it by the tool's schema. */
  readonly isText?: boolean;
  /** Set if it cannot run: the reason, worded for the model. */
  readonly invalid?: string;
  /** What was parsed differently from how it was written, worded for the model. */
  readonly warnings: readonly string[];
  readonly span: Span;
  readonly argumentSpans: Readonly<Record<string, Span>>;
}

export interface ToolExecutionResult {
  readonly requestId: string;
  readonly toolName: string;
  readonly status: 'success' | 'error';
  readonly result: string;
  readonly durationMs: number;
}

/** Events while an answer arrives. No part of a marker is ever passed on as text. */
export type StreamPart =
  | { readonly type: 'text'; readonly text: string }
  /** A request has begun; its further events have the same index. */
  | { readonly type: 'start'; readonly index: number }
  | { readonly type: 'name'; readonly index: number; readonly toolName: string }
  | { readonly type: 'argument'; readonly index: number; readonly key: string; readonly text: string }
  /** The request at its end: complete, or invalid with the reason. Only this is run. */
  | { readonly type: 'request'; readonly index: number; readonly request: ParsedToolRequest };

/** One answer as it arrives. However it is split, the pieces add up to the same. */
export interface RequestStream {
  take(piece: string): readonly StreamPart[];
  /** Ends the answer, interrupting an open request; `stopped` at `stopSequences` puts back the end marker that the provider left out. */
  end(stopped?: boolean): readonly StreamPart[];
}

export interface WrittenCall {
  readonly requestId?: string;
  readonly toolName: string;
  readonly args: ToolArguments;
  /** The schema of the tool's arguments, if it is known, so that their types are kept. */
  readonly parameters?: JsonSchema;
}

/** How a model without native tool calls learns about tools, calls them and reads their results, all in text. */
export interface ToolCallingProtocol {
  readonly id: string;
  readonly label: string;
  readonly stopSequences: readonly string[];
  /** How a result begins; a model that writes it invents one. */
  readonly resultStart: string;
  /** How to call, explained once, and the tools: a part of the system prompt. '' if there are no tools. */
  generateToolDefinitions(input: readonly ToolDefinitionInput[]): string;
  /** Parses only the model's own text, never notes, results or what a person wrote. */
  parseToolRequests(finalText: string): readonly ParsedToolRequest[];
  /** Whatever markers a result contains, they stay inside that result. */
  formatToolResults(results: readonly ToolExecutionResult[]): string;
  /** A call as a model would write it: `parseToolRequests` is its inverse, except that line ends become LF. */
  formatToolRequest(call: WrittenCall): string;
  /** `isTool`: tests for names of offered tools; calls in the forms of other model families are then parsed too. */
  stream(isTool?: (name: string) => boolean): RequestStream;
}
