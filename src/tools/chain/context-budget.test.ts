import { describe, expect, it } from 'vitest';
import type { Message } from '../contract/messages.ts';
import { FIRST, runChecked } from '../testing/run-chain.ts';
import { answer, protocolErrors, scripted, testExecutor, testTool, toolCall } from '../testing/support.ts';
import type { ToolCallHistoryEntry } from './chain-history.ts';
import { ContextBudget } from './context-budget.ts';

const LONG = 'word '.repeat(1000);
const entry = (callId: string, result: Partial<ToolCallHistoryEntry['result']>): ToolCallHistoryEntry => ({
  ...{ callId, toolName: 'write', args: {}, preview: '', argsPreview: '', startTime: 0, endTime: 0, roundIndex: 1 },
  result: { status: 'success', ...result },
});
const call = (id: string, args: unknown): readonly Message[] => [
  { role: 'assistant', content: '', tool_calls: [toolCall(id, 'write', args)] },
  { role: 'tool', tool_call_id: id, content: 'done' },
];
const argumentsOf = (messages: readonly Message[], index: number): string => {
  const message = messages[index];
  return message?.role === 'assistant' ? (message.tool_calls?.[0]?.function.arguments ?? '') : '';
};

describe('ContextBudget', () => {
  it('puts large arguments of older calls back to their variables, as JSON with the same keys', () => {
    const messages = [
      ...call('a', { op: 'append', markdown: LONG, edits: [{ old: LONG, new: 'x' }] }),
      ...call('b', { op: 'append', markdown: LONG }),
    ];
    const history = [entry('a', { cacheVarArgs: 'write_a_args' }), entry('b', { cacheVarArgs: 'write_b_args' })];
    const budget = new ContextBudget();
    const fitted = budget.fit(messages, history, [], 2000);
    const shorter: unknown = JSON.parse(argumentsOf(fitted, 0));
    expect(shorter).toEqual({
      op: 'append',
      markdown: expect.stringMatching(/^word .*… \[shortened to save room; next: ReadVar\(name="write_a_args"\)\]$/u),
      edits: expect.stringMatching(/^\[\{"old":"word .*ReadVar\(name="write_a_args"\)\]$/u),
    });
    expect(argumentsOf(fitted, 2)).toBe(argumentsOf(messages, 2));
    expect(protocolErrors(fitted)).toEqual([]);
    expect(budget.estimate(fitted, [])).toBeLessThanOrEqual(2000);
    expect(argumentsOf(messages, 0)).toContain(LONG);
    // The same text with every later request, whatever room there is.
    expect(budget.fit(messages, history, [], undefined)).toEqual(fitted);
  });

  it('goes from the oldest message on, calls and results alike, and only as far as it must', () => {
    const result: Message = { role: 'tool', tool_call_id: 'a', content: LONG };
    const messages = [...call('a', { markdown: LONG }).slice(0, 1), result, ...call('b', { markdown: LONG })];
    const budget = new ContextBudget();
    const shortenedAt = (limit: number): number[] =>
      budget.fit(messages, [], [], limit).flatMap((message, index) => (message === messages[index] ? [] : [index]));
    expect([shortenedAt(2500), shortenedAt(1500), shortenedAt(10), shortenedAt(10)]).toEqual([[0], [0, 1], [0, 1, 2], [0, 1, 2]]);
  });

  it('shortens what has no variable and what is not JSON, still as JSON', () => {
    const messages = [...call('a', { markdown: LONG }), ...call('b', `{"markdown": "${LONG}`)];
    const fitted = new ContextBudget().fit(messages, [], [], 10);
    expect(JSON.parse(argumentsOf(fitted, 0))).toEqual({ markdown: expect.stringMatching(/… \[shortened to save room\]$/u) });
    expect(JSON.parse(argumentsOf(fitted, 2))).toEqual({ shortened: expect.stringMatching(/^\{"markdown": "word /u) });
  });

  it('estimates definitions anew where they differ, and the same where they do not', () => {
    const definition = (name: string) => ({ type: 'function' as const, function: { name, description: 'Reads.', parameters: {} } });
    const lists = [['a'], ['a', 'another_tool'], ['a']].map((names) => names.map(definition));
    const [few, more, again] = lists.map((tools) => new ContextBudget().estimate([], tools));
    expect(more).toBeGreaterThan(few ?? 0);
    expect(again).toBe(few);
  });

  it('leaves calls alone that are short already', () => {
    const messages = call('a', { markdown: 'short' });
    expect(new ContextBudget().fit(messages, [], [], 1)[0]).toBe(messages[0]);
  });

  it('keeps a chain that writes much within its limit, and its variables hold the arguments whole', async () => {
    const tool = testTool('t', { properties: { markdown: { type: 'string' } } });
    const writing = (id: string) => answer('', [toolCall(id, 't', { markdown: `${id} ${LONG}` })]);
    const model = scripted([writing('c2'), writing('c3'), answer('End.')]);
    const { executor } = testExecutor([tool]);
    const { result } = await runChecked(executor, FIRST, { complete: model.complete, contextTokens: 2500 });
    const sent = model.requests[2]?.messages ?? [];
    expect(new ContextBudget().estimate(sent, model.requests[2]?.tools ?? [])).toBeLessThanOrEqual(2500);
    expect(JSON.stringify(sent)).toContain('ReadVar(name=\\\\\\"t_c2_args\\\\\\")');
    expect(protocolErrors(sent)).toEqual([]);
    expect(executor.varSystem.getVariable('t_c2_args')?.value).toContain(LONG);
    expect(result.messages.toolChain.find((message) => message.role === 'assistant' && message.tool_calls?.[0]?.id === 'c2')).toMatchObject(
      {
        tool_calls: [{ function: { arguments: expect.stringContaining(LONG) } }],
      },
    );
  });
});
