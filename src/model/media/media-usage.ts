import type { Usage } from '../../tools/contract/messages.ts';

const numberIn = (value: unknown, key: string): number | undefined => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};

/** Tokens of an answer with `usage: {input_tokens, output_tokens}`; undefined if a service counts differently (seconds) or not at all. */
export function usageOf(body: unknown): { readonly usage?: Usage } {
  const counted: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'usage') : undefined;
  const [input, output] = [numberIn(counted, 'input_tokens'), numberIn(counted, 'output_tokens')];
  if (input === undefined || output === undefined) return {};
  const total = numberIn(counted, 'total_tokens') ?? input + output;
  return { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: total } };
}
