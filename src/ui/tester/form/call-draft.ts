import { type CheckedArguments, checkArguments } from '../../../protocol/check-arguments.ts';
import { type EventError, toEventError, toToolError } from '../../../tools/contract/errors.ts';
import type { JsonSchema } from '../../../tools/contract/messages.ts';
import type { ToolArguments } from '../../../tools/contract/types.ts';
import { parseArguments } from '../../../tools/executor/arguments.ts';

/** A call that is being put together: its arguments, and the JSON text that stands for them. */
export interface CallDraft {
  readonly args: ToolArguments;
  readonly text: string;
  /** Why the text gives no arguments: then `args` are those of before. */
  readonly problem?: EventError;
}

/** From the form. */
export const draftOf = (args: ToolArguments): CallDraft => ({ args, text: JSON.stringify(args, null, 2) });

/** From the JSON editor, read as the executor reads what a model wrote. */
export function draftFromText(text: string, before: CallDraft): CallDraft {
  try {
    return { args: parseArguments(text), text };
  } catch (error) {
    return { args: before.args, text, problem: toEventError(toToolError(error)) };
  }
}

/** Each argument beside what the tool wants; undefined where the values are no JSON, which a draft cannot hold. */
export function checkDraft({ args }: CallDraft, schema: JsonSchema): CheckedArguments | undefined {
  try {
    return checkArguments(args, schema);
  } catch {
    return undefined;
  }
}
