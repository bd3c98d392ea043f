import { type CheckedArguments, checkArguments } from '../../../../protocol/check-arguments.ts';
import { type EventError, toEventError, toToolError } from '../../../../tools/contract/errors.ts';
import type { JsonSchema } from '../../../../tools/contract/messages.ts';
import type { ToolArguments } from '../../../../tools/contract/types.ts';
import { parseArguments } from '../../../../tools/executor/arguments.ts';

/** A call being edited: its arguments, and the same as JSON text. */
export interface CallDraft {
  readonly args: ToolArguments;
  readonly text: string;
  /** Why the text is invalid: then `args` are the previous ones. */
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

/** Each argument next to what the tool expects; undefined if a value is not JSON, which cannot happen in a draft. */
export function checkDraft({ args }: CallDraft, schema: JsonSchema): CheckedArguments | undefined {
  try {
    return checkArguments(args, schema);
  } catch {
    return undefined;
  }
}
