import { describe, expect, it } from 'vitest';
import { answerPayload, node, userPayload } from '../testing/samples.ts';
import { chatFigures, messageFigures } from './message-figures.ts';

const usage = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

const STATS = { totalRounds: 1, totalCalls: 3, totalTime: 1, startTime: 0, endTime: 1 };

describe('messageFigures', () => {
  it('gives the tokens, the time to the first one, and the tokens per second while they arrived', () => {
    const payload = answerPayload('v', 'x', { usage: usage(100, 50), time: { firstToken: 500, total: 3000 } });
    expect(messageFigures(payload)).toEqual({
      ...{ promptTokens: 100, completionTokens: 50, totalTokens: 150 },
      ...{ firstToken: 500, total: 3000, tokensPerSecond: 20 },
    });
  });

  it('leaves out what was not reported, and never divides by zero', () => {
    expect(messageFigures(answerPayload('v', 'x'))).toEqual({});
    const burst = answerPayload('v', 'x', { usage: usage(1, 1), time: { firstToken: 5, total: 5 } });
    expect(messageFigures(burst).tokensPerSecond).toBeUndefined();
    expect(messageFigures(answerPayload('v', 'x', { time: { firstToken: 1, total: 9 } }))).toEqual({ firstToken: 1, total: 9 });
  });
});

describe('chatFigures', () => {
  it('adds up everything that was paid for: versions, branches and deleted answers', () => {
    const first = answerPayload('a', 'x', { usage: usage(10, 20), time: { firstToken: 100, total: 1100 } });
    const again = answerPayload('b', 'y', { usage: usage(10, 40), time: { firstToken: 300, total: 2300 } });
    const nodes = {
      q: node('q', 'user', null, userPayload('u', 'question')),
      n1: { ...node('n1', 'assistant', 'q', first), versions: { a: first, b: again } },
      n2: node('n2', 'assistant', 'n1', answerPayload('c', 'told nothing'), { deleted: true }),
      n3: node('n3', 'assistant', 'n1', answerPayload('d', '', { status: 'error' })),
    };
    expect(chatFigures(nodes)).toEqual({
      ...{ answers: 3, unknown: 1, promptTokens: 20, completionTokens: 60, totalTokens: 80, agentsTokens: 0 },
      ...{ firstToken: 200, tokensPerSecond: 20 },
      usages: [first, again].map(({ author: model, usage }) => ({ model, usage })),
    });
    expect(chatFigures({})).toEqual({
      answers: 0,
      unknown: 0,
      promptTokens: 0,
      completionTokens: 0,
      totalTokens: 0,
      agentsTokens: 0,
      usages: [],
    });
  });

  it('includes the tokens of sub-agents in those of their answer', () => {
    const call = (callId: string, tokens?: object) => ({
      ...{ callId, toolName: 'spawn', args: {}, startTime: 0, endTime: 1, roundIndex: 1 },
      result: { status: 'success' as const, preview: '' },
      subAgent: { chain: { toolCallHistory: [], rounds: [], stats: STATS, status: 'completed' as const }, texts: {}, ...tokens },
    });
    const chain = { toolCallHistory: [call('a', { usage: usage(1000, 100) }), call('b'), call('c', { usage: usage(10, 1) })], rounds: [] };
    const answer = answerPayload('a', 'x', {
      ...{ usage: usage(10, 20), time: { firstToken: 0, total: 1000 } },
      toolChainResult: { ...chain, stats: STATS, status: 'completed' },
    });
    expect(chatFigures({ n: node('n', 'assistant', null, answer) })).toMatchObject({
      ...{ promptTokens: 1020, completionTokens: 121, totalTokens: 1141, agentsTokens: 1111, tokensPerSecond: 20 },
      usages: [{ usage: usage(1020, 121) }],
    });
  });
});
