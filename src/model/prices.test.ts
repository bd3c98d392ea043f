import { describe, expect, it } from 'vitest';
import { costOf, priceOf } from './prices.ts';

const usage = { prompt_tokens: 1_000_000, completion_tokens: 100_000 };

describe('what tokens cost', () => {
  it.each(['gpt-4o', 'openai/gpt-4o', 'openrouter/openai/gpt-4o', 'GPT-4o-2024-08-06'])(
    'is known by the name of the model: %s',
    (model) => {
      expect(costOf(usage, priceOf(model, {}))).toBeCloseTo(2.5 + 1);
    },
  );

  it.each([
    'gpt-4o-audio-preview',
    'gpt-4',
    'my-gpt-4o',
    'mistral-medium',
    'zai-org/glm-4.7',
    'openai/gpt-oss-20b',
    'qwen3',
    '',
    'constructor',
  ])('is not known of another model, and never 0: %s', (model) => {
    expect(priceOf(model, {})).toBeUndefined();
    expect(costOf(usage, priceOf(model, {}))).toBeUndefined();
  });

  it('is what the user set before what the table says', () => {
    expect(costOf(usage, priceOf('gpt-4o', { 'gpt-4o': { input: 1, output: 2 } }))).toBeCloseTo(1.2);
    expect(costOf(usage, priceOf('qwen3', { qwen3: { input: 0, output: 0 } }))).toBeUndefined();
  });

  it('counts what came from the prompt cache at its own price', () => {
    expect(costOf({ ...usage, cached_tokens: 400_000 }, { input: 10, cachedInput: 1, output: 0 })).toBeCloseTo(6.4);
    expect(costOf({ ...usage, cached_tokens: 400_000 }, { input: 10, output: 0 })).toBeCloseTo(10);
    expect(costOf({ ...usage, cached_tokens: 9_000_000 }, { input: 10, cachedInput: 1, output: 0 })).toBeCloseTo(1);
  });
});
