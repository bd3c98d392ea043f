import { escapeMarkers, frameUntrusted } from './markers.ts';
import { truncateContent } from './truncate.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from './types.ts';

export interface ResultText {
  readonly formattedText: string;
  /** What the model reads, without the notice about the variable. */
  readonly body: string;
  readonly isTruncated: boolean;
  /** Where `ReadVar` goes on after the shown head. */
  readonly readOnFrom: number;
}

/** `data → formattedText → finalText`, the first two steps (seed 1): format, then truncate; markers escaped, framed as data. */
export function presentResult(tool: Tool, result: ToolExecuteResult, args: ToolArguments): ResultText {
  const formattedText = format(tool, result, args);
  const { text, isTruncated, headLength } = truncate(tool, formattedText, args);
  const body = result.trusted === true ? text : frameUntrusted(tool.definition.function.name, escapeMarkers(text));
  return { formattedText, body, isTruncated, readOnFrom: headLength };
}

function format(tool: Tool, result: ToolExecuteResult, args: ToolArguments): string {
  if (tool.formatForLLM === undefined) return result.formattedText ?? formatData(result.data);
  try {
    return tool.formatForLLM(result.data, args);
  } catch (error) {
    // The call has run; a defect of its formatter must not turn a finished write into a failure.
    return `${formatData(result.data)}\n(unformatted: ${error instanceof Error ? error.message : 'the formatter failed'})`;
  }
}

/** Text as it is; arrays with one record a line, so that they are cut between records. */
function formatData(data: unknown): string {
  if (typeof data === 'string') return data;
  if (data === undefined) return 'done';
  if (!Array.isArray(data) || data.length === 0) return JSON.stringify(data) ?? String(data);
  return `[\n${data.map((item) => JSON.stringify(item) ?? 'null').join(',\n')}\n]`;
}

function truncate(tool: Tool, text: string, args: ToolArguments): { text: string; isTruncated: boolean; headLength: number } {
  const whole = { text, isTruncated: false, headLength: text.length };
  if (tool.SKIP_EXTERNAL_TRUNCATE === true || args.limit === 0 || args.limit === -1) return whole;
  if (tool.truncateForLLM === undefined) return truncateContent(text, tool.DEFAULT_OUTPUT_LIMIT_CHAR);
  const cut = tool.truncateForLLM(text, args);
  return { text: cut, isTruncated: cut !== text, headLength: 0 };
}

/** The line under a result that tells where the whole of it is. */
export function referenceNotice(name: string | undefined, text: ResultText): string {
  if (name === undefined) return text.isTruncated ? '\n[cut; the whole is not kept: ask for a smaller part]' : '';
  if (!text.isTruncated) return `\n[kept as $VAR_REF{{${name}}}]`;
  const total = text.formattedText.length;
  return `\n[cut: ${total} characters in all, kept as $VAR_REF{{${name}}}; next: ReadVar(name="${name}", start=${text.readOnFrom})]`;
}
