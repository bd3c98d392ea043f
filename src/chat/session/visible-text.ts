import { joinTexts } from './join-texts.ts';
import type { Payload } from './types.ts';

/** What was said in a version, without the hint and the logs of its tools: what people read, search and take out. */
export function visibleText(payload: Payload): string {
  const rounds = payload.toolChainResult?.rounds.map((round) => round.text);
  return rounds ? joinTexts(rounds) : payload.message.content.slice(hintLengthOf(payload));
}

/** UTF-16 units of a message's system hint. A slice that does not fit the text, as an older version may have left it, marks none. */
export function hintLengthOf({ userPromptSlice, message }: Payload): number {
  const [start, end] = userPromptSlice ?? [0, 0];
  const fits = Number.isInteger(start) && start >= 0 && start <= end && start <= message.content.length;
  return fits ? start : 0;
}
