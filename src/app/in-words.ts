import { toToolError } from '../tools/contract/errors.ts';
import { errorLabel } from '../ui/labels/error-labels.ts';
import { joinSentences } from '../ui/labels/format.ts';
import type { Translate } from '../ui/ports/i18n.ts';

/** A failure whose message is for people: in their language, with the next step. */
export class SaidError extends Error {
  override readonly name = 'SaidError';
}

/** For calls of the start script outside the panel, which shows the message of a failure: otherwise that would be worded for the model. */
export async function inWords<T>(work: Promise<T>, t: Translate): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SaidError) throw error;
    const { what, next } = errorLabel(toToolError(error), t);
    throw new SaidError(joinSentences([what, next]), { cause: error });
  }
}
