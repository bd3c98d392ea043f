import { toToolError } from '../tools/contract/errors.ts';
import { errorLabel } from '../ui/labels/error-labels.ts';
import { joinSentences } from '../ui/labels/format.ts';
import type { Translate } from '../ui/ports/i18n.ts';

/** A failure whose message is for people as it is: in their language, with what to do. */
export class SaidError extends Error {
  override readonly name = 'SaidError';
}

/** What the start script asks for, outside of the panel: it shows the message of a failure, which otherwise would be worded for the model. */
export async function inWords<T>(work: Promise<T>, t: Translate): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SaidError) throw error;
    const { what, next } = errorLabel(toToolError(error), t);
    throw new SaidError(joinSentences([what, next]), { cause: error });
  }
}
