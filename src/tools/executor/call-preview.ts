import { errorText } from '../contract/errors.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from '../contract/types.ts';
import { preview } from '../util/graphemes.ts';
import { readableJson } from '../util/plain-value.ts';

/** Characters of arguments and results in logs, and in the model's view of earlier calls. */
export const PREVIEW_CHARACTERS = 200;

/** ≤ 200 characters of the result; nothing of a rejected one. */
export function resultPreview(result: ToolExecuteResult, tool?: Tool): string {
  if (result.status === 'success') {
    const whole = (): string => result.formattedText ?? result.finalText ?? '';
    return preview(
      firstOf(() => tool?.compressResult?.(result), whole),
      PREVIEW_CHARACTERS,
    );
  }
  if (result.status === 'execution_rejected' || result.status === 'result_rejected')
    return preview(result.rejectReason ?? '', PREVIEW_CHARACTERS);
  return preview(result.error === undefined ? '' : errorText(result.error), PREVIEW_CHARACTERS);
}

export function argumentsPreview(args: ToolArguments, tool?: Tool): string {
  return preview(
    firstOf(
      () => tool?.compressArgs?.(args),
      () => readableJson(args),
    ),
    PREVIEW_CHARACTERS,
  );
}

/** A tool's own wording for logs, or the plain one if it has none or fails on invalid arguments. */
function firstOf(own: () => unknown, plain: () => string): string {
  try {
    const text = own();
    if (typeof text === 'string') return text;
  } catch {
    // The plain wording is good enough.
  }
  return plain();
}
