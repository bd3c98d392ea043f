import { healChain } from './saved-errors.ts';
import { isToolChain } from './saved-format.ts';
import type { SavedSubAgent, ToolCallRecord } from './types.ts';

/** What a sub-agent did, as a file has it; undefined where there was none, or it cannot be read. */
export function readSubAgent(saved: unknown): SavedSubAgent | undefined {
  if (typeof saved !== 'object' || saved === null) return undefined;
  const { chain, texts, usage }: { chain?: unknown; texts?: unknown; usage?: unknown } = saved;
  if (!isToolChain(chain)) return undefined;
  const total = typeof usage === 'object' && usage !== null && 'total_tokens' in usage ? usage : undefined;
  const counts = total && 'prompt_tokens' in total && 'completion_tokens' in total ? total : undefined;
  const { prompt_tokens, completion_tokens, total_tokens }: Readonly<Record<string, unknown>> = counts ?? {};
  const isCounted = typeof prompt_tokens === 'number' && typeof completion_tokens === 'number' && typeof total_tokens === 'number';
  return {
    chain: healChain(chain),
    texts: readTexts(texts),
    ...(isCounted ? { usage: { prompt_tokens, completion_tokens, total_tokens } } : {}),
  };
}

function readTexts(texts: unknown): Readonly<Record<string, string>> {
  if (typeof texts !== 'object' || texts === null) return {};
  return Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Calls with those of their sub-agents: what was written, read or left undone, whoever did it. */
export function allRecords(records: readonly ToolCallRecord[]): readonly ToolCallRecord[] {
  return records.flatMap((record) => {
    const inner = record.subAgent === undefined ? undefined : readSubAgent(record.subAgent);
    return inner ? [record, ...inner.chain.toolCallHistory] : [record];
  });
}
