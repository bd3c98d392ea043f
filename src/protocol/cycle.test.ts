import { describe, expect, it } from 'vitest';
import { createEventEmitter } from '../tools/chain/event-stream.ts';
import { DEFAULT_TOOL_CALL_BEHAVIOR, type ToolCallBehavior } from '../tools/contract/tool-call-config.ts';
import { ASK_ALWAYS, testClock, testExecutor, testPlan, testTool } from '../tools/testing/support.ts';
import { formatResultsForContext, processToolCallCycle } from './cycle.ts';
import { getDiscoveredMethods } from './discovery.ts';
import { protocolById, textProtocolOf } from './protocols.ts';

const vcp = protocolById('vcp');
const call = (toolName: string, args: object = {}, requestId = '') =>
  vcp.formatToolRequest({ toolName, args: { ...args }, ...(requestId ? { requestId } : {}) });

/** An executor with a tool that reads and one that writes, and the events of their calls. */
function opened(behavior: Partial<ToolCallBehavior> = {}) {
  const read = testTool('read', {
    properties: { id: { type: 'string' }, limit: { type: 'integer' } },
    execute: async (args) => ({ status: 'success', data: JSON.stringify(args) }),
    protocolConfig: { vcpCommand: 'r' },
  });
  const write = testTool('write', { effect: 'write', permission: ASK_ALWAYS, plan: async () => testPlan() });
  const { executor, asked } = testExecutor([read, write], { behavior: () => ({ ...DEFAULT_TOOL_CALL_BEHAVIOR, ...behavior }) });
  const clock = testClock();
  const events: string[] = [];
  let calls = 0;
  const cycle = (text: string) =>
    processToolCallCycle(text, {
      ...{ executor, protocol: vcp, signal: new AbortController().signal, newCallId: () => `call-${++calls}` },
      options: { sessionId: 's', nodeId: 'n', clock },
      emitter: createEventEmitter({ sessionId: 's', turnId: 't', clock, onEvent: ({ type }) => events.push(type) }),
    });
  return { executor, asked, events, cycle };
}

describe('the tools that a model is told of', () => {
  it('are those that it may call, by group; a custom filter sees all of them', () => {
    const { executor } = opened();
    executor.setToolEnabled('write', false);
    const names = (filter?: Parameters<typeof getDiscoveredMethods>[1]) =>
      getDiscoveredMethods(executor, filter).map(({ toolId, methods }) => [
        toolId,
        methods.map(({ definition }) => definition.function.name),
      ]);
    expect(names()).toEqual([
      ['test', ['read']],
      ['vars', ['ListVars', 'ReadVar']],
    ]);
    expect(names(({ agentCallable }) => !agentCallable)).toEqual([
      ['test', ['write']],
      ['vars', ['RemoveVars', 'WriteVar']],
    ]);
    expect(names(({ command }) => command === 'r')).toEqual([['test', ['read']]]);
    executor.toggleGroupEnabled('test', false);
    expect(names()).toEqual([]);
  });
});

describe('a cycle', () => {
  it('finds the requests in a text, runs them like any other call, and formats the results', async () => {
    const { cycle, asked, events } = opened();
    const text = `I look.\n${call('test_read', { id: '7', limit: '3' }, 'one')}\n${call('r', { id: '8' }, 'two')}\n${call('write', {}, 'three')}`;
    const done = await cycle(text);
    expect(done.hasToolRequests).toBe(true);
    expect(done.executionResults.map(({ requestId, toolName, status }) => [requestId, toolName, status])).toEqual([
      ['one', 'test_read', 'success'],
      ['two', 'r', 'success'],
      ['three', 'write', 'success'],
    ]);
    expect(done.executionResults.every(({ durationMs }) => durationMs > 0)).toBe(true);
    // As the schema has it: a number, and the id stays text.
    expect(done.executionResults[0]?.result).toContain('{"id":"7","limit":3}');
    expect(asked.map(({ tool, plan, callId }) => [tool, plan?.id, callId])).toEqual([['write', 'plan-1', 'call-3']]);
    expect(events.filter((type) => type === 'tool-end')).toHaveLength(3);
    const reply = formatResultsForContext(done.executionResults, 'vcp');
    expect(reply).toContain('three');
    expect(vcp.parseToolRequests(reply)).toEqual([]);
    expect((['auto', 'native', 'vcp'] as const).map((choice) => textProtocolOf(choice).id)).toEqual(['vcp', 'vcp', 'vcp']);
    expect(() => formatResultsForContext([], 'xml')).toThrow(/there is no protocol "xml"/);
  });

  it('has nothing to do in a text without requests, and runs none while tool calls are off', async () => {
    expect(await opened().cycle('No tools here.')).toEqual({ parsedRequests: [], executionResults: [], hasToolRequests: false });
    const { executionResults } = await opened({ enabled: false }).cycle(call('read'));
    expect(executionResults.map(({ result }) => result.split(':')[0])).toEqual(['tool_disabled']);
  });

  it('answers every request in order, even those that cannot run', async () => {
    const { cycle, executor, events } = opened();
    executor.setToolEnabled('write', false);
    const broken = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read「末」\nid:「始」cut';
    const texts = [call('read', {}, 'a'), call('nothing', {}, 'b'), call('write', {}, 'c'), call('read', { limit: 'many' }, 'd'), broken];
    const { executionResults } = await cycle(texts.join('\n'));
    expect(executionResults.map(({ status, result }) => [status, result.split(':')[0]])).toEqual([
      ['success', expect.stringContaining('read')],
      ['error', 'unknown_tool'],
      ['error', 'tool_disabled'],
      ['error', 'bad_arguments'],
      ['error', 'bad_call'],
    ]);
    expect(events.filter((type) => type === 'tool-start')).toHaveLength(4);
  });
});
