import { describeThrown, type EventError, errorText, ToolError } from '../contract/errors.ts';
import { notebooksOf } from '../contract/provenance.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from '../contract/types.ts';
import type { VariableType } from '../contract/variable.ts';
import { estimateTokens } from '../util/estimate-tokens.ts';
import { preview } from '../util/graphemes.ts';
import { escapeMarkers, frameUntrusted, quotedText } from '../util/markers.ts';
import { readableJson } from '../util/plain-value.ts';
import { DEFAULT_LIMIT_CHAR, truncateContent } from '../util/truncate.ts';
import type { VariableExtras, VariableSystem } from './variables.ts';

export interface ResultText {
  readonly formattedText: string;
  /** The text for the model, without the notice about the variable. */
  readonly body: string;
  readonly isTruncated: boolean;
  /** The offset at which `ReadVar` continues after the shown head. */
  readonly readOnFrom: number;
}

/** Formats, truncates, escapes and frames as data; `whole`: not truncated, else at most `tokens`. Never throws. */
export function presentResult(
  tool: Tool,
  result: ToolExecuteResult,
  args: ToolArguments,
  { whole = false, tokens }: { readonly whole?: boolean; readonly tokens?: number | undefined } = {},
): ResultText {
  const formattedText = formatResult(tool, result, args);
  const uncut = { text: formattedText, isTruncated: false, headLength: formattedText.length };
  const { text, isTruncated, headLength } = whole
    ? uncut
    : withinTokens(truncate(tool, formattedText, tokens === undefined ? args : fewer(args, tokens)), tokens);
  const body = result.trusted === true ? text : frameUntrusted(tool.definition.function.name, escapeMarkers(text));
  return { formattedText, body, isTruncated, readOnFrom: headLength };
}

function formatResult(tool: Tool, result: ToolExecuteResult, args: ToolArguments): string {
  const plain = (): string => result.formattedText ?? formatData(result.data);
  try {
    if (tool.formatForLLM === undefined) return plain();
    const text: unknown = tool.formatForLLM(result.data, args);
    return typeof text === 'string' ? text : `${plain()}\n(unformatted: the formatter gave no text)`;
  } catch (error) {
    return `${plain()}\n(unformatted: ${describeThrown(error) || 'the formatter failed'})`;
  }
}

/** Text as it is; arrays with one record per line, so that they are cut between records. */
function formatData(data: unknown): string {
  if (typeof data === 'string') return data;
  if (data === undefined) return 'done';
  if (!Array.isArray(data) || data.length === 0) return readableJson(data);
  return `[\n${data.map((item) => readableJson(item)).join(',\n')}\n]`;
}

/** Tools that continue from where they stopped take the number themselves. */
const fewer = (args: ToolArguments, tokens: number): ToolArguments => ({
  ...args,
  tokens: typeof args.tokens === 'number' ? Math.min(args.tokens, tokens) : tokens,
});

function withinTokens(cut: Cut, tokens: number | undefined): Cut {
  if (tokens === undefined) return cut;
  const estimate = estimateTokens(cut.text);
  // A tool that respects the number adds a line about how to continue.
  if (estimate <= tokens * 1.2) return cut;
  const shorter = truncateContent(cut.text, Math.floor((cut.text.length * tokens) / estimate));
  return { ...shorter, headLength: Math.min(shorter.headLength, cut.headLength), isTruncated: true };
}

type Cut = { readonly text: string; readonly isTruncated: boolean; readonly headLength: number };

function truncate(tool: Tool, text: string, args: ToolArguments): Cut {
  if (tool.SKIP_EXTERNAL_TRUNCATE === true) {
    return { text, isTruncated: false, headLength: text.length };
  }
  return truncateByTool(tool, text, args) ?? truncateContent(text, tool.DEFAULT_OUTPUT_LIMIT_CHAR);
}

/** undefined if the tool does not truncate, or fails to. */
function truncateByTool(tool: Tool, text: string, args: ToolArguments): Cut | undefined {
  try {
    const cut: unknown = tool.truncateForLLM?.(text, args);
    return typeof cut === 'string'
      ? { text: cut, isTruncated: cut !== text, headLength: text.startsWith(cut) ? cut.length : 0 }
      : undefined;
  } catch {
    return undefined;
  }
}

/** An error as the model reads it: external text of any length. */
export function presentFailure(error: EventError): ResultText {
  const formattedText = errorText(error);
  const escaped = quotedText(formattedText);
  if (escaped.length <= DEFAULT_LIMIT_CHAR) return { formattedText, body: escaped, isTruncated: false, readOnFrom: 0 };
  // The notices about truncation and the variable count too.
  const { text } = truncateContent(escaped, DEFAULT_LIMIT_CHAR - 600);
  return { formattedText, body: text, isTruncated: true, readOnFrom: 0 };
}

export function referenceNotice(name: string | undefined, text: ResultText): string {
  if (name === undefined) return text.isTruncated ? '\n[cut; the whole is not kept: ask for a smaller part]' : '';
  if (!text.isTruncated) return `\n[kept as $VAR_REF{{${name}}}]`;
  const total = text.formattedText.length;
  return `\n[cut: ${total} characters in all, kept as $VAR_REF{{${name}}}; next: ReadVar(name="${name}", start=${text.readOnFrom})]`;
}

/** Characters of an error in events and saved data; the whole is in its variable. */
export const MAX_ERROR_MESSAGE = 2000;

/** A failure in the words for the model; a long one is saved as a variable, like a result. */
export function keepFailure(
  variables: VariableSystem,
  call: { readonly name: string; readonly callId: string; readonly nodeId: string },
  failure: ToolExecuteResult,
): ToolExecuteResult {
  // Quoted text of notes is shown now, framed like every result, and saved nowhere.
  const { quoted, ...result } = failure;
  const { error } = result;
  if (error === undefined) return result.finalText === undefined ? { ...result, finalText: result.status } : result;
  const text = presentFailure(error);
  const note = quoted ? `\n${frameUntrusted(call.name, escapeMarkers(preview(quoted, MAX_ERROR_MESSAGE)))}` : '';
  const { message, next } = error;
  const bounded = { ...error, message: preview(message, MAX_ERROR_MESSAGE), next: preview(next, MAX_ERROR_MESSAGE) };
  if (!text.isTruncated) return { ...result, error: bounded, finalText: text.body + note };
  const desc = `${preview(call.name, 80)}: ${error.code}`;
  const variable = keep(variables, `${call.name}_${call.callId}_result`, text.formattedText, 'ToolCallResult', {
    desc,
    notebooks: notebooksOf(result.sources ?? []),
    sources: result.sources ?? [],
    node: call.nodeId,
  });
  return {
    ...result,
    error: bounded,
    finalText: text.body + note + referenceNotice(variable, text),
    isTruncated: true,
    ...(variable === undefined ? {} : { cacheVarResult: variable }),
  };
}

/** The variable's name; undefined if there is no room: a notice tells the model that the whole is not kept. */
export function keep(
  variables: VariableSystem,
  name: string,
  value: string,
  type: VariableType,
  extras: VariableExtras,
): string | undefined {
  try {
    return variables.addVariable(variables.freeName(name), value, type, extras).name;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
