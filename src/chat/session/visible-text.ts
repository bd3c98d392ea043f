import { joinTexts } from './join-texts.ts';
import type { Payload } from './types.ts';

/** The text of a version without the hint and the logs of its tools: what people read, search and export. */
export function visibleText(payload: Payload): string {
  const rounds = payload.toolChainResult?.rounds.map((round) => round.text);
  return rounds ? joinTexts(rounds) : payload.message.content.slice(hintLengthOf(payload));
}

/** Length of a message's system hint in UTF-16 units. A slice that does not fit the text (from an older version) counts as 0. */
export function hintLengthOf({ userPromptSlice, message }: Payload): number {
  const [start, end] = userPromptSlice ?? [0, 0];
  const fits = Number.isInteger(start) && start >= 0 && start <= end && start <= message.content.length;
  return fits ? start : 0;
}
