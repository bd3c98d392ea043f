import type { JsonSchema, ToolDefinition } from '../tools/contract/messages.ts';
import type { ToolArguments } from '../tools/contract/types.ts';

/** A tool as a protocol describes it to the model. */
export interface DefinedMethod {
  readonly definition: ToolDefinition;
  /** Its name for people. */
  readonly title?: string;
  /** Its short name, which a model may also use. */
  readonly command?: string;
}

/** A group of tools. */
export interface ToolDefinitionInput {
  /** The group's name. */
  readonly toolId: string;
  /** Its name for people. */
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
  /** It is written in the form of another model family, not in the protocol. */
  readonly isOtherForm?: boolean;
  /** Set if it cannot run: the reason, worded for the model. */
  readonly invalid?: string;
  /** What was parsed differently from how it was written, worded for the model. */
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

/** Events while an answer arrives. No part of a marker is ever passed on as text. */
export type StreamPart =
  | { readonly type: 'text'; readonly text: string }
  /** A request has begun; its further events have the same index. */
  | { readonly type: 'start'; readonly index: number }
  | { readonly type: 'name'; readonly index: number; readonly toolName: string }
  /** Another piece of an argument's value. */
  | { readonly type: 'argument'; readonly index: number; readonly key: string; readonly text: string }
  /** The request at its end: complete, or invalid with the reason. Only this is run. */
  | { readonly type: 'request'; readonly index: number; readonly request: ParsedToolRequest };

/** One answer as it arrives. However it is split, the pieces add up to the same. */
export interface RequestStream {
  take(piece: string): readonly StreamPart[];
  /**
   * The answer is over: a request that is still open was interrupted. `stopped` means that the provider was given `stopSequences`
   * and ended the answer by itself: it leaves out the end marker, which is put back.
   */
  end(stopped?: boolean): readonly StreamPart[];
}

/** A call to be written into a text. */
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
  /** Generation may stop after these. */
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
