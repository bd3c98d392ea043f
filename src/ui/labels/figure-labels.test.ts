import { describe, expect, it } from 'vitest';
import english from '../../../i18n/en_US.json';
import { createTranslate } from '../ports/i18n.ts';
import { answer } from '../testing/fake-controller.ts';
import { chatFigureLabels, messageFigureLabels } from './figure-labels.ts';

const t = createTranslate(english);

describe('figures in words', () => {
  it('tell of an answer what is known of it', () => {
    const usage = { prompt_tokens: 3100, completion_tokens: 410, total_tokens: 3510 };
    expect(messageFigureLabels(answer([], { usage, time: { firstToken: 600, total: 4200 } }), t)).toEqual([
      '3.1k input tokens, 410 output tokens',
      'first word after 0.6 s · 114 tokens/s',
    ]);
    expect(messageFigureLabels(answer([], { time: { firstToken: 600, total: 4200 } }), t)).toEqual(['first word after 0.6 s']);
    expect(messageFigureLabels(answer([]), t)).toEqual([]);
    expect(messageFigureLabels(answer([], { usage, agentsUsage: usage }), t)).toEqual([
      '6.2k input tokens, 820 output tokens',
      '3.5k of them by sub-agents',
    ]);
    expect(messageFigureLabels(answer([], { usage }), t, 0.01234)).toEqual(['3.1k input tokens, 410 output tokens', 'about $0.012']);
  });

  it('tell of a chat how much of it is known', () => {
    const figures = { answers: 3, unknown: 1, promptTokens: 900, completionTokens: 120, totalTokens: 1020, agentsTokens: 0, usages: [] };
    expect(chatFigureLabels(figures, t, {})).toEqual([
      'This chat: 3 answers',
      '900 input tokens, 120 output tokens',
      'No usage was reported for 1 of them.',
    ]);
    expect(chatFigureLabels({ ...figures, answers: 1 }, t, {})).toEqual(['This chat: 1 answer']);
    expect(chatFigureLabels({ ...figures, answers: 0 }, t, {})).toEqual([]);
  });

  it('tell what a chat cost, "at least" where the price of an answer is not known, and nothing where none is', () => {
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 };
    const of = (...models: string[]) => {
      const usages = models.map((model) => ({ model, usage }));
      const figures = { answers: models.length, unknown: 0, promptTokens: 1, completionTokens: 1, totalTokens: 2, agentsTokens: 0, usages };
      return chatFigureLabels(figures, t, { mine: { input: 2, output: 0 } })[2];
    };
    expect(of('mine', 'mine')).toBe('about $4.00');
    expect(of('mine', 'nobody-knows')).toBe('at least $2.00');
    expect(of('nobody-knows')).toBeUndefined();
  });
});
