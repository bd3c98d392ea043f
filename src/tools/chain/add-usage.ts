import type { Usage } from '../contract/messages.ts';

/** The sum over several requests; undefined if none reported any. */
export function addUsage(sum: Usage | undefined, usage: Usage | undefined): Usage | undefined {
  if (sum === undefined || usage === undefined) return sum ?? usage;
  const cached =
    sum.cached_tokens === undefined && usage.cached_tokens === undefined
      ? undefined
      : (sum.cached_tokens ?? 0) + (usage.cached_tokens ?? 0);
  return {
    ...(cached === undefined ? {} : { cached_tokens: cached }),
    prompt_tokens: sum.prompt_tokens + usage.prompt_tokens,
    completion_tokens: sum.completion_tokens + usage.completion_tokens,
    total_tokens: sum.total_tokens + usage.total_tokens,
  };
}
