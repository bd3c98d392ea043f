import { describe, expect, it } from 'vitest';
import type { ToolChainEvent } from '../contract/events.ts';
import { HeadlessApprovalAdapter } from '../executor/approvals.ts';
import { FIRST, runChecked } from '../testing/run-chain.ts';
import { answer, scripted, testClock, testExecutor, testPlan, testTool, toolCall } from '../testing/support.ts';
import { ChainHistory } from './chain-history.ts';
import { createEventEmitter } from './event-stream.ts';
import type { ToolChainCallbacks } from './tool-chain-types.ts';

const read = (events: readonly ToolChainEvent[]): ChainHistory => {
  const history = new ChainHistory();
  for (const event of events) history.take(event);
  return history;
};

describe('ChainHistory', () => {
  it('is read from the events alone, but for what is only in the results', async () => {
    const approvalAdapter = new HeadlessApprovalAdapter(({ tool }) => ({ approved: tool === 't', reason: 'no' }));
    const ask = { executionPolicy: 'ask-always', resultApprovalPolicy: 'always' } as const;
    const tools = [testTool('t'), testTool('ask', { permission: ask }), testTool('bad', { execute: () => Promise.reject(new Error('x')) })];
    const { executor } = testExecutor(tools, { approvalAdapter });
    const second = answer('', [toolCall('c2', 'ask', { a: 1 }), toolCall('c3', 'bad'), toolCall('c4', 'unknown'), toolCall('c5', 't')]);
    const model = scripted([second, answer('End.')]);
    const { result, events } = await runChecked(executor, FIRST, { complete: model.complete });
    const outline = (history: ReturnType<ChainHistory['entries']>) =>
      history.map(({ result: { finalText: _text, isTruncated: _cut, cacheVarArgs: _args, ...kept }, ...rest }) => ({
        ...rest,
        result: kept,
      }));
    expect(outline(read(events).entries())).toEqual(outline(result.toolCallHistory));
    expect(result.toolCallHistory.map(({ result: { status } }) => status)).toEqual(['success', 'error', 'error', 'not_found', 'success']);
    const [first] = result.toolCallHistory;
    const start = events.find(({ type }) => type === 'tool-start');
    const end = events.find((event) => event.type === 'tool-end');
    expect(first).toMatchObject({
      startTime: start?.time,
      endTime: (start?.time ?? 0) + (end?.durationMs ?? 0),
      llmUsage: { total_tokens: 15 },
    });
  });

  it('holds a call that was ended from outside, with what its event says', () => {
    const events: ToolChainEvent[] = [];
    const emitter = createEventEmitter({ sessionId: 's', turnId: 't', clock: testClock(), onEvent: (event) => events.push(event) });
    emitter.emit({ type: 'round-start', round: 2 });
    emitter.emit({ type: 'tool-start', callId: 'a', tool: 't', arguments: { x: 1 } });
    emitter.emit({ type: 'tool-start', callId: 'b', tool: 't', arguments: {} });
    emitter.emit({ type: 'tool-end', callId: 'b', status: 'result_rejected', durationMs: 1, preview: '', reason: 'private' });
    expect(
      read(events)
        .entries()
        .map(({ callId }) => callId),
    ).toEqual(['b']);
    emitter.closeAll();
    expect(read(events).entries()).toMatchObject([
      { callId: 'a', roundIndex: 2, result: { status: 'aborted' }, argsPreview: '{"x":1}' },
      { callId: 'b', result: { status: 'result_rejected', rejectReason: 'private' }, resultRejected: true, resultRejectReason: 'private' },
    ]);
  });

  it('holds the change of a call that is cut off while it waits for approval, and none once that was decided', () => {
    const history = new ChainHistory();
    const emitter = createEventEmitter({ sessionId: 's', turnId: 't', clock: testClock(), onEvent: (event) => history.take(event) });
    const plan = testPlan();
    emitter.emit({ type: 'tool-start', callId: 'a', tool: 't', arguments: {} });
    emitter.emit({ type: 'approval-request', approvalId: 'p', callId: 'a', kind: 'execution', tool: 't', args: {}, plan });
    const proposed = { document: plan.document, operations: plan.operations };
    expect(history.entriesIfCut()).toMatchObject([{ callId: 'a', result: { status: 'interrupted' }, waited: true, proposed }]);
    emitter.emit({ type: 'approval-end', approvalId: 'p', decision: 'approved' });
    const [decided] = history.entriesIfCut();
    expect([decided?.result.status, decided?.waited, decided?.proposed]).toEqual(['interrupted', undefined, undefined]);
  });
});

describe('callbacks', () => {
  it('say what the stream says, in its order, and results whole', async () => {
    const log: unknown[] = [];
    const callbacks: ToolChainCallbacks = {
      onToolCallStart: (name, args, id) => log.push(['start', id, name, args]),
      onToolCallComplete: ({ status, data }, id) => log.push(['end', id, status, data]),
      onLLMResponseUpdate: (text) => log.push(['text', text]),
      onError: ({ code }, phase) => log.push(['error', code, phase]),
    };
    const { executor } = testExecutor([testTool('t', { properties: { n: { type: 'number' } } })]);
    const model = scripted([answer('Two more.', [toolCall('c2', 't', { n: 1 }), toolCall('c3', 't')]), answer(''), answer(' ')]);
    await runChecked(executor, FIRST, { complete: model.complete, callbacks });
    expect(log).toEqual([
      ['start', 'c1', 't', {}],
      ['end', 'c1', 'success', 't ok'],
      ['text', 'Two more.'],
      ['start', 'c2', 't', { n: 1 }],
      ['start', 'c3', 't', {}],
      ['end', 'c2', 'success', 't ok'],
      ['end', 'c3', 'success', 't ok'],
      ['text', ' '],
      ['error', 'model_bad_answer', 'model'],
    ]);
  });

  it('gets the answer of a request so far, over its reasoning, and begins anew with the next', async () => {
    const updates: string[] = [];
    const stream = [
      ['text', 'a'],
      ['reasoning', 'r'],
      ['text', 'b'],
    ] as const;
    let asked = 0;
    await runChecked(testExecutor([testTool('t')]).executor, FIRST, {
      callbacks: { onLLMResponseUpdate: (text) => updates.push(text) },
      complete: async (_request, _signal, onDelta) => {
        for (const [type, text] of stream) onDelta({ type, text });
        return asked++ === 0 ? answer('ab', [toolCall('c2', 't')]) : answer('ab');
      },
    });
    expect(updates).toEqual(['a', 'ab', 'a', 'ab']);
  });

  it('keeps whole results from the listeners outside', async () => {
    const heard: unknown[][] = [];
    await runChecked(testExecutor([testTool('t')]).executor, FIRST, { onEvent: (...all) => void heard.push(all) });
    expect(heard.length).toBeGreaterThan(5);
    expect(heard.filter((all) => all.length !== 1)).toEqual([]);
  });
});
