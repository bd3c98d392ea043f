import { describeThrown, type EventError, errorText } from './errors.ts';
import { preview } from './graphemes.ts';
import { escapeMarkers, frameUntrusted } from './markers.ts';
import { readableJson } from './plain-value.ts';
import { DEFAULT_LIMIT_CHAR, truncateContent } from './truncate.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from './types.ts';

export interface ResultText {
  readonly formattedText: string;
  /** What the model reads, without the notice about the variable. */
  readonly body: string;
  readonly isTruncated: boolean;
  /** Where `ReadVar` goes on after the shown head. */
  readonly readOnFrom: number;
}

/**
 * `data → formattedText → finalText`, the first two steps (seed 1): format, then truncate; markers escaped, framed as data.
 * `whole`: uncut, as the model asked for it. Never throws: the call has run, and a defect of its wording must not turn a finished write into a failure.
 */
export function presentResult(tool: Tool, result: ToolExecuteResult, args: ToolArguments, whole = false): ResultText {
  const formattedText = format(tool, result, args);
  const uncut = { text: formattedText, isTruncated: false, headLength: formattedText.length };
  const { text, isTruncated, headLength } = whole ? uncut : truncate(tool, formattedText, args);
  const body = result.trusted === true ? text : frameUntrusted(tool.definition.function.name, escapeMarkers(text));
  return { formattedText, body, isTruncated, readOnFrom: headLength };
}

function format(tool: Tool, result: ToolExecuteResult, args: ToolArguments): string {
  const plain = (): string => result.formattedText ?? formatData(result.data);
  try {
    if (tool.formatForLLM === undefined) return plain();
    const text: unknown = tool.formatForLLM(result.data, args);
    return typeof text === 'string' ? text : `${plain()}\n(unformatted: the formatter gave no text)`;
  } catch (error) {
    return `${plain()}\n(unformatted: ${describeThrown(error) || 'the formatter failed'})`;
  }
}

/** Text as it is; arrays with one record a line, so that they are cut between records. */
function formatData(data: unknown): string {
  if (typeof data === 'string') return data;
  if (data === undefined) return 'done';
  if (!Array.isArray(data) || data.length === 0) return readableJson(data);
  return `[\n${data.map((item) => readableJson(item)).join(',\n')}\n]`;
}

type Cut = { readonly text: string; readonly isTruncated: boolean; readonly headLength: number };

function truncate(tool: Tool, text: string, args: ToolArguments): Cut {
  if (tool.SKIP_EXTERNAL_TRUNCATE === true) {
    return { text, isTruncated: false, headLength: text.length };
  }
  return truncateByTool(tool, text, args) ?? truncateContent(text, tool.DEFAULT_OUTPUT_LIMIT_CHAR);
}

/** undefined where the tool does not cut, or fails to. */
function truncateByTool(tool: Tool, text: string, args: ToolArguments): Cut | undefined {
  try {
    const cut: unknown = tool.truncateForLLM?.(text, args);
    return typeof cut === 'string' ? { text: cut, isTruncated: cut !== text, headLength: 0 } : undefined;
  } catch {
    // The common cut is as good.
    return undefined;
  }
}

/** Characters of a note that stand in an error. */
const MAX_QUOTED = 2000;

/** An error as the model reads it: of a stranger, and as long as it likes. Text of notes in it is framed as the tool's output. */
export function presentFailure(error: EventError, tool: string): ResultText {
  const { quoted } = error;
  const frame = quoted === undefined ? '' : `\n${frameUntrusted(tool, escapeMarkers(preview(quoted, MAX_QUOTED)))}`;
  const formattedText = errorText(error) + frame;
  const escaped = escapeMarkers(errorText(error)) + frame;
  if (escaped.length <= DEFAULT_LIMIT_CHAR) return { formattedText, body: escaped, isTruncated: false, readOnFrom: 0 };
  // The notices about the cut and the variable count too.
  const { text } = truncateContent(escaped, DEFAULT_LIMIT_CHAR - 600);
  return { formattedText, body: text, isTruncated: true, readOnFrom: 0 };
}

/** The line under a result that tells where the whole of it is. */
export function referenceNotice(name: string | undefined, text: ResultText): string {
  if (name === undefined) return text.isTruncated ? '\n[cut; the whole is not kept: ask for a smaller part]' : '';
  if (!text.isTruncated) return `\n[kept as $VAR_REF{{${name}}}]`;
  const total = text.formattedText.length;
  return `\n[cut: ${total} characters in all, kept as $VAR_REF{{${name}}}; next: ReadVar(name="${name}", start=${text.readOnFrom})]`;
}
