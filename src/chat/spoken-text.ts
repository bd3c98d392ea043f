import type { Payload } from './types.ts';

/** What was said in a version, without the hint and the logs of its tools: what people read, search and take out. */
export function spokenText(payload: Payload): string {
  const rounds = payload.toolChainResult?.rounds.map((round) => round.text).filter((text) => text.trim() !== '');
  return rounds?.join('\n\n') ?? payload.message.content.slice(payload.userPromptSlice?.[0] ?? 0);
}
