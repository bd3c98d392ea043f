import type { ToolFit } from '../../tools/executor/fit-tools.ts';
import type { Translate } from '../ports/i18n.ts';

/** Which tools went to a model with little room, in a sentence. */
export function toolFitHint({ window, definitions, leftOut, tokens, isOver }: ToolFit, t: Translate): string {
  const counts = { n: definitions.length, all: definitions.length + leftOut.length, window, tokens };
  return t(isOver ? 'toolFit.overHint' : 'toolFit.hint', counts);
}
