import type { Usage } from '../tools/contract/messages.ts';

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  /** For tokens from the provider's prompt cache; default: `input`. */
  readonly cachedInput?: number;
  readonly output: number;
}

export const PRICES_DATE = '2026-11-23';

/** Model, input, cached input, output: base prices on which litellm 1.109.1 and genai-prices 0.2.3 agree (docs/decisions.md). */
const TABLE: Readonly<Record<string, readonly [number, number, number]>> = {
  'gpt-5.6': [4, 0.4, 20],
  'gpt-5.6-sol': [4, 0.4, 20],
  'gpt-5.6-terra': [2, 0.2, 12],
  'gpt-5.6-luna': [0.2, 0.02, 1.2],
  'gpt-5.5': [5, 0.5, 30],
  'gpt-5.4': [2.5, 0.25, 15],
  'gpt-5.4-mini': [0.75, 0.075, 4.5],
  'gpt-5.4-nano': [0.2, 0.02, 1.25],
  'gpt-5.2': [1.75, 0.175, 14],
  'gpt-5.1': [1.25, 0.125, 10],
  'gpt-5': [1.25, 0.125, 10],
  'gpt-5-mini': [0.25, 0.025, 2],
  'gpt-5-nano': [0.05, 0.005, 0.4],
  'gpt-4.1': [2, 0.5, 8],
  'gpt-4.1-mini': [0.4, 0.1, 1.6],
  'gpt-4.1-nano': [0.1, 0.025, 0.4],
  'gpt-4o': [2.5, 1.25, 10],
  'gpt-4o-mini': [0.15, 0.075, 0.6],
  o3: [2, 0.5, 8],
  'o4-mini': [1.1, 0.275, 4.4],
  'claude-fable-5-1': [10, 0.25, 50],
  'claude-fable-5': [10, 1, 50],
  'claude-opus-5-5': [4, 0.2, 20],
  'claude-opus-5': [5, 0.5, 25],
  'claude-opus-4-8': [5, 0.5, 25],
  'claude-opus-4-7': [5, 0.5, 25],
  'claude-opus-4-6': [5, 0.5, 25],
  'claude-opus-4-5': [5, 0.5, 25],
  'claude-sonnet-5-5': [2, 0.1, 10],
  'claude-sonnet-5': [2, 0.2, 10],
  'claude-sonnet-4-6': [3, 0.3, 15],
  'claude-sonnet-4-5': [3, 0.3, 15],
  'claude-haiku-5-5': [0.1, 0.01, 0.5],
  'claude-haiku-4-5': [1, 0.1, 5],
  'gemini-3.8-flash': [0.75, 0.075, 3.75],
  'gemini-3.7-flash': [0.75, 0.075, 3.75],
  'gemini-3.6-flash': [0.75, 0.075, 3.75],
  'gemini-3.5-flash': [1.5, 0.15, 9],
  'gemini-3.5-flash-lite': [0.3, 0.03, 2.5],
  'gemini-3.1-pro-preview': [2, 0.2, 12],
  'gemini-3.1-flash-lite': [0.25, 0.025, 1.5],
  'gemini-3-flash-preview': [0.5, 0.05, 3],
  'gemini-2.5-pro': [1.25, 0.125, 10],
  'gemini-2.5-flash': [0.3, 0.03, 2.5],
  'gemini-2.5-flash-lite': [0.1, 0.01, 0.4],
  'deepseek-flash': [0.3, 0.006, 1.2],
  'deepseek-v4-flash': [0.3, 0.006, 1.2],
  'deepseek-v4-pro': [1.32, 0.044, 3.96],
  'qwen3.8-max': [2, 0.25, 6],
  'qwen3.8-flash': [0.15, 0.016, 0.47],
  'kimi-k3.1-pro': [2, 0.2, 10],
  'kimi-k3': [3, 0.3, 15],
  'kimi-k2.7-code': [0.95, 0.19, 4],
  'kimi-k2.6': [0.95, 0.16, 4],
  'kimi-k2.5': [0.6, 0.1, 3],
  'glm-5.3': [1.4, 0.26, 4.4],
  'glm-5.3-flash': [0.15, 0.03, 0.5],
  'glm-5.2': [1.4, 0.26, 4.4],
  'glm-5.1': [1.4, 0.26, 4.4],
  'glm-5': [1, 0.2, 3.2],
  'glm-4.7': [0.6, 0.11, 2.2],
  'glm-4.6': [0.6, 0.11, 2.2],
  'mistral-medium-latest': [1.5, 0.15, 7.5],
  'mistral-medium-3-5': [1.5, 0.15, 7.5],
  'mistral-large-2512': [0.5, 0.05, 1.5],
  'mistral-small-latest': [0.15, 0.015, 0.6],
  'mistral-small-2603': [0.15, 0.015, 0.6],
  'codestral-2508': [0.3, 0.03, 0.9],
  'grok-4.7': [2, 0.5, 6],
  'grok-4.6': [2, 0.5, 6],
  'grok-4.5': [2, 0.3, 6],
  'grok-4.3': [1.25, 0.2, 2.5],
  'grok-4.20': [1.25, 0.2, 2.5],
};

/** A date or "latest" after a name: the same model at the same price. Other endings (`-audio-preview`) are other models. */
const VERSION = /-(?:latest|\d{4}-?\d{2}-?\d{2})$/;

/** Makers, as routers put them before a name. Not the groups of model hubs ("zai-org/"): such a model may run on this machine. */
const MAKER = /^(?:.*\/)?(?:openai|anthropic|google|models|deepseek|qwen|moonshotai|z-ai|mistralai|x-ai)\//;

/** The price set by the user, else by the table; undefined: not known. */
export function priceOf(model: string, own: Readonly<Record<string, ModelPrice>>): ModelPrice | undefined {
  if (Object.hasOwn(own, model)) return own[model];
  const name = model.toLowerCase().replace(MAKER, '');
  const listed = [name, name.replace(VERSION, '')].find((each) => Object.hasOwn(TABLE, each));
  const known = listed === undefined ? undefined : TABLE[listed];
  return known && { input: known[0], cachedInput: known[1], output: known[2] };
}

/** US dollars; undefined if the price is not known or everything is free. */
export function costOf(
  usage: Pick<Usage, 'prompt_tokens' | 'completion_tokens' | 'cached_tokens'>,
  price: ModelPrice | undefined,
): number | undefined {
  if (!price) return undefined;
  const cached = Math.min(usage.cached_tokens ?? 0, usage.prompt_tokens);
  const read = (usage.prompt_tokens - cached) * price.input + cached * (price.cachedInput ?? price.input);
  const cost = (read + usage.completion_tokens * price.output) / 1_000_000;
  return cost > 0 ? cost : undefined;
}
