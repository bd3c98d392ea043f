import type { Usage } from '../tools/contract/messages.ts';

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  /** For tokens from the provider's prompt cache; as `input` when absent. */
  readonly cachedInput?: number;
  readonly output: number;
}

/** When the table was written: prices change. */
export const PRICES_DATE = '2025-10-01';

/** From the providers' price pages: model, input, cached input, output. A dated or suffixed name counts as its family. */
const TABLE: Readonly<Record<string, readonly [number, number, number]>> = {
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
  'claude-opus-4-1': [15, 1.5, 75],
  'claude-sonnet-4': [3, 0.3, 15],
  'claude-sonnet-4-5': [3, 0.3, 15],
  'claude-3-5-haiku': [0.8, 0.08, 4],
  'gemini-2.5-pro': [1.25, 0.31, 10],
  'gemini-2.5-flash': [0.3, 0.075, 2.5],
  'gemini-2.5-flash-lite': [0.1, 0.025, 0.4],
  'deepseek-chat': [0.28, 0.028, 0.42],
  'deepseek-reasoner': [0.28, 0.028, 0.42],
};

/** A date or "latest" behind a name: the same model at the same price. Other endings (`-audio-preview`) are other models. */
const VERSION = /-(?:latest|\d{4}-?\d{2}-?\d{2})$/;

/** What a model's tokens cost: as the user set it, else by the table; undefined: not known. */
export function priceOf(model: string, own: Readonly<Record<string, ModelPrice>>): ModelPrice | undefined {
  if (Object.hasOwn(own, model)) return own[model];
  const name = model.toLowerCase().replace(/^.*\//, '').replace(VERSION, '');
  const known = Object.hasOwn(TABLE, name) ? TABLE[name] : undefined;
  return known && { input: known[0], cachedInput: known[1], output: known[2] };
}

/** US dollars; undefined where the price is not known or everything is free. */
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
