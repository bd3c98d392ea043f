import { addUsage } from '../../tools/chain/add-usage.ts';
import { ContextBudget } from '../../tools/chain/context-budget.ts';
import type { Complete, Usage } from '../../tools/contract/messages.ts';
import { estimateTokens } from '../../tools/util/estimate-tokens.ts';

export interface Meter {
  readonly complete: Complete;
  /** Of all answered requests; estimated if the provider does not count. */
  readonly usage: Usage;
}

/** A model that adds up what its requests used. */
export function metered(complete: Complete): Meter {
  const estimates = new ContextBudget();
  let sum: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  return {
    get usage() {
      return sum;
    },
    async complete(request, signal, onDelta) {
      const answer = await complete(request, signal, onDelta);
      const prompt_tokens = estimates.estimate(request.messages, request.tools ?? []);
      const completion_tokens = estimateTokens(answer.content);
      const estimated = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
      sum = addUsage(sum, answer.usage ?? estimated) ?? sum;
      return answer;
    },
  };
}
