import type { Payload } from './types.ts';

/** The mark of the fence that a Markdown text leaves open; '' if there is none. */
function openFence(text: string): string {
  let fence = '';
  for (const line of text.split('\n')) {
    const [, mark = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    // A word in backticks at the beginning of a line is not a fence.
    if (fence === '') fence = mark.startsWith('`') && info.includes('`') ? '' : mark;
    else if (mark.startsWith(fence) && info.trim() === '') fence = '';
  }
  return fence;
}

/** The text with its fence closed, so that what follows is not code. */
export function closeFence(text: string): string {
  const fence = openFence(text);
  return fence === '' ? text : `${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** The texts of one answer as one Markdown text, which reads as the panel shows them. Empty ones are left out. */
export function joinTexts(texts: readonly string[]): string {
  return texts
    .filter((text) => text.trim() !== '')
    .map(closeFence)
    .join('\n\n');
}

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
