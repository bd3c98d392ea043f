import { errorText } from '../contract/errors.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from '../contract/types.ts';
import { preview } from '../util/graphemes.ts';
import { readableJson } from '../util/plain-value.ts';

/** Of arguments and results, in logs and in what a model reads of earlier calls. */
export const PREVIEW_CHARACTERS = 200;

/** ≤ 200 characters of what the tool gave; nothing of a rejected result. */
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

/** A tool's own wording for logs; where it has none, or fails over arguments that were never valid, the plain one. */
function firstOf(own: () => unknown, plain: () => string): string {
  try {
    const text = own();
    if (typeof text === 'string') return text;
  } catch {
    // The plain wording says as much.
  }
  return plain();
}
