import { loadDocuments } from './documents.ts';
import { measureExecutorOverhead } from './executor-overhead.ts';
import type { BenchReport } from './figures.ts';
import { measureHistoryTokens } from './history-tokens.ts';
import { measureVariableBomb } from './variable-bomb.ts';

/** `npm run bench -- toolchain`: what the tool system costs in time, and what it saves in tokens. */
export async function benchToolChain(): Promise<BenchReport> {
  const overhead = await measureExecutorOverhead();
  const documents = loadDocuments();
  const history = await measureHistoryTokens(documents);
  return { notes: [documents.source, ...history.notes], figures: [...overhead, ...history.figures, ...measureVariableBomb()] };
}
