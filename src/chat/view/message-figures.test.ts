import { describe, expect, it } from 'vitest';
import { answerPayload, node, userPayload } from '../testing/samples.ts';
import { chatFigures, messageFigures } from './message-figures.ts';

const usage = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

describe('messageFigures', () => {
  it('gives tokens, time to the first one, and tokens a second of the time in which they came', () => {
    const payload = answerPayload('v', 'x', { usage: usage(100, 50), time: { firstToken: 500, total: 3000 } });
    expect(messageFigures(payload)).toEqual({
      ...{ promptTokens: 100, completionTokens: 50, totalTokens: 150 },
      ...{ firstToken: 500, total: 3000, tokensPerSecond: 20 },
    });
  });

  it('leaves out what was not told, and never divides by nothing', () => {
    expect(messageFigures(answerPayload('v', 'x'))).toEqual({});
    const burst = answerPayload('v', 'x', { usage: usage(1, 1), time: { firstToken: 5, total: 5 } });
    expect(messageFigures(burst)).not.toHaveProperty('tokensPerSecond');
    expect(messageFigures(answerPayload('v', 'x', { time: { firstToken: 1, total: 9 } }))).toEqual({ firstToken: 1, total: 9 });
  });
});

describe('chatFigures', () => {
  it('sums all that was paid for: versions, branches and deleted answers', () => {
    const first = answerPayload('a', 'x', { usage: usage(10, 20), time: { firstToken: 100, total: 1100 } });
    const again = answerPayload('b', 'y', { usage: usage(10, 40), time: { firstToken: 300, total: 2300 } });
    const nodes = {
      q: node('q', 'user', null, userPayload('u', 'question')),
      n1: { ...node('n1', 'assistant', 'q', first), versions: { a: first, b: again } },
      n2: node('n2', 'assistant', 'n1', answerPayload('c', 'told nothing'), { deleted: true }),
      n3: node('n3', 'assistant', 'n1', answerPayload('d', '', { status: 'error' })),
    };
    expect(chatFigures(nodes)).toEqual({
      ...{ answers: 3, unknown: 1, promptTokens: 20, completionTokens: 60, totalTokens: 80 },
      ...{ firstToken: 200, tokensPerSecond: 20 },
      usages: [first, again].map(({ author: model, usage }) => ({ model, usage })),
    });
    expect(chatFigures({})).toEqual({ answers: 0, unknown: 0, promptTokens: 0, completionTokens: 0, totalTokens: 0, usages: [] });
  });
});
