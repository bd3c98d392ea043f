import { addUsage } from '../../tools/chain/add-usage.ts';
import type { Usage } from '../../tools/contract/messages.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';
import { upgradeChain } from './saved-calls.ts';
import { isToolChain } from './saved-format.ts';
import type { Node, Payload, SavedSubAgent, ToolCallRecord } from './types.ts';

export function readSubAgent(saved: unknown): SavedSubAgent | undefined {
  if (typeof saved !== 'object' || saved === null) return undefined;
  const { chain, texts }: { chain?: unknown; texts?: unknown } = saved;
  if (!isToolChain(chain)) return undefined;
  const usage = readUsage(fieldOf(saved, 'usage'));
  return { chain: upgradeChain(chain), texts: readTexts(texts), usage };
}

function readUsage(saved: unknown): Usage | undefined {
  const count = (name: keyof Usage): number | undefined => {
    const value = fieldOf(saved, name);
    return typeof value === 'number' ? value : undefined;
  };
  const [prompt_tokens, completion_tokens, total_tokens] = [count('prompt_tokens'), count('completion_tokens'), count('total_tokens')];
  if (prompt_tokens === undefined || completion_tokens === undefined || total_tokens === undefined) return undefined;
  const cached_tokens = count('cached_tokens');
  return { prompt_tokens, completion_tokens, total_tokens, cached_tokens };
}

/** Tokens of an answer's sub-agents, which its `usage` does not include; undefined if there were none. */
export function subAgentsUsage({ toolChainResult }: Pick<Payload, 'toolChainResult'>): Usage | undefined {
  const records = toolChainResult?.toolCallHistory ?? [];
  return records.reduce((sum, { subAgent }) => addUsage(sum, readUsage(fieldOf(subAgent, 'usage'))), undefined as Usage | undefined);
}

export const wholeUsage = (payload: Pick<Payload, 'toolChainResult' | 'usage'>): Usage | undefined =>
  addUsage(payload.usage, subAgentsUsage(payload));

function readTexts(texts: unknown): Readonly<Record<string, string>> {
  if (typeof texts !== 'object' || texts === null) return {};
  return Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Ids of all calls in a message, in every version, including rejected ones. */
export function callIdsOf({ versions }: Pick<Node, 'versions'>): readonly string[] {
  return Object.values(versions).flatMap(({ toolChainResult, toolChainMessages = [] }) => [
    ...allRecords(toolChainResult?.toolCallHistory ?? []).map(({ callId }) => callId),
    ...toolChainMessages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])),
  ]);
}

/** Calls including those of their sub-agents: what was written, read or left undone, by whichever. */
export function allRecords(records: readonly ToolCallRecord[]): readonly ToolCallRecord[] {
  return records.flatMap((record) => {
    const inner = record.subAgent === undefined ? undefined : readSubAgent(record.subAgent);
    return inner ? [record, ...inner.chain.toolCallHistory] : [record];
  });
}
