import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_TOOL_CALL_BEHAVIOR, type ToolCallConfig } from '../tools/contract/tool-call-config.ts';
import type { Tool, ToolContext } from '../tools/contract/types.ts';
import { ASK_ALWAYS, testClock, testExecutor, testPlan, testTool } from '../tools/testing/support.ts';
import { formatResultsForContext, processToolCallCycle } from './cycle.ts';
import { createToolDiscovery } from './discovery.ts';
import { executeToolRequests } from './execute-requests.ts';
import { protocolById, textProtocolOf } from './protocols.ts';
import { createToolCalling } from './tool-calling.ts';

const CONFIG: ToolCallConfig = {
  ...DEFAULT_TOOL_CALL_BEHAVIOR,
  ...{ toolToggles: { test: true }, methodToggles: {}, defaultToolEnabled: false, maxIterations: 10, protocol: 'auto' },
};
const vcp = protocolById('vcp');
const call = (toolName: string, args: object = {}, requestId = '') =>
  vcp.formatToolRequest({ toolName, args: { ...args }, ...(requestId ? { requestId } : {}) });

/** Tools that say when they begin and end, and an executor with them. */
function opened(more: readonly Tool[] = []) {
  const log: string[] = [];
  const run = async (args: object, { callId }: ToolContext) => {
    log.push(`begin ${callId}`);
    await Promise.resolve();
    log.push(`end ${callId}`);
    return { status: 'success', data: JSON.stringify(args) } as const;
  };
  const read = testTool('read', {
    properties: { id: { type: 'string' }, limit: { type: 'integer' } },
    execute: run,
    protocolConfig: { vcpCommand: 'r' },
  });
  const write = testTool('write', { effect: 'write', permission: ASK_ALWAYS, plan: async () => testPlan(), execute: run });
  const { executor, asked } = testExecutor([read, write, ...more]);
  const clock = testClock();
  const cycle = (text: string, parts: Partial<Parameters<typeof processToolCallCycle>[1]> = {}) =>
    processToolCallCycle(text, { executor, clock, config: CONFIG, protocol: vcp, ...parts });
  return { executor, asked, log, clock, cycle, calling: createToolCalling({ executor, clock }) };
}

describe('the tools that a model is told of', () => {
  it('are those that it may call, by group; a custom filter sees all of them', () => {
    const { executor, calling } = opened();
    executor.setToolEnabled('write', false);
    const names = (filter?: Parameters<typeof calling.getDiscoveredMethods>[0]) =>
      calling
        .getDiscoveredMethods(filter)
        .map(({ toolId, methods }) => [toolId, methods.map(({ definition }) => definition.function.name)]);
    expect(names()).toEqual([
      ['test', ['read']],
      ['vars', ['ListVars', 'ReadVar']],
    ]);
    expect(names(({ agentCallable }) => !agentCallable)).toEqual([
      ['test', ['write']],
      ['vars', ['RemoveVars', 'WriteVar']],
    ]);
    expect(names(({ command }) => command === 'r')).toEqual([['test', ['read']]]);
  });

  it('are left out if the configuration switches them off, except those that come with any other tool', () => {
    const { calling } = opened();
    const prompt = (config: Partial<ToolCallConfig>) => calling.generateToolsPrompt({ ...CONFIG, ...config });
    const told = (config: Partial<ToolCallConfig>) => ['read.', 'write.', 'ReadVar'].map((words) => prompt(config).includes(words));
    expect(told({})).toEqual([true, true, true]);
    expect(told({ methodToggles: { write: false } })).toEqual([true, false, true]);
    expect(told({ toolToggles: {} })).toEqual([false, false, true]);
    expect(prompt({ toolToggles: {}, defaultToolEnabled: true })).toBe(prompt({}));
    expect([prompt({ enabled: false }), calling.hasToolCallingEnabled({ ...CONFIG, enabled: false })]).toEqual(['', false]);
    expect(calling.hasToolCallingEnabled(CONFIG)).toBe(true);
  });

  it('are described once for each protocol, agent, configuration and state of the registry', () => {
    const { executor } = opened();
    let made = 0;
    const counting = (id: string) => ({ ...vcp, id, generateToolDefinitions: () => `prompt ${++made}` });
    const discovery = createToolDiscovery(executor);
    const prompt = (config: Partial<ToolCallConfig> = {}, agentId?: string, protocol = counting('vcp')) =>
      discovery.generatePrompt({ config: { ...CONFIG, ...config }, protocol, ...(agentId ? { agentId } : {}) });
    const first = prompt({ toolToggles: { test: true, a: false } });
    expect(prompt({ toolToggles: { a: false, test: true }, timeout: 5 })).toBe(first);
    const others = [prompt(), prompt({}, 'editor'), prompt({}, '', counting('json')), prompt({ methodToggles: { read: false } })];
    expect(new Set([first, ...others]).size).toBe(5);
    expect(prompt()).toBe(others[0]);
    executor.setToolEnabled('read', false);
    expect(prompt()).toBe('prompt 6');
    executor.registerToolGroup({ name: 'more', tools: [] });
    expect(prompt()).toBe('prompt 7');
    discovery.invalidateCache();
    expect(prompt()).toBe('prompt 8');
    for (let index = 0; index < 100; index++) prompt({}, `agent ${index}`);
    expect(prompt()).toBe('prompt 109');
  });
});

describe('a cycle', () => {
  it('finds the requests in a text, runs them like any other call, and formats the results', async () => {
    const { calling, asked } = opened();
    const text = `I look.\n${call('test_read', { id: '7', limit: '3' }, 'one')}\n${call('r', { id: '8' }, 'two')}\n${call('write', {}, 'three')}`;
    const done = await calling.processCycle(text, CONFIG);
    expect(done).toMatchObject({ hasToolRequests: true, isWaiting: false });
    expect(done.executionResults.map(({ requestId, toolName, status }) => [requestId, toolName, status])).toEqual([
      ['one', 'test_read', 'success'],
      ['two', 'r', 'success'],
      ['three', 'write', 'success'],
    ]);
    // As the schema has it: a number, and the id stays text.
    expect(done.executionResults[0]?.result).toContain('{"id":"7","limit":3}');
    expect(asked.map(({ tool, plan }) => [tool, plan?.id])).toEqual([['write', 'plan-1']]);
    const told = calling.formatCycleResults(done.executionResults);
    expect(told).toBe(formatResultsForContext(done.executionResults, 'vcp'));
    expect(told).toContain('three');
    expect(vcp.parseToolRequests(told)).toEqual([]);
    expect((['auto', 'native', 'vcp'] as const).map((choice) => textProtocolOf(choice).id)).toEqual(['vcp', 'vcp', 'vcp']);
    expect(() => calling.formatCycleResults([], 'xml')).toThrow(/there is no protocol "xml"/);
  });

  it('has nothing to do in a text without requests, or while tool calls are off', async () => {
    const { calling, log } = opened();
    expect(await calling.processCycle('No tools here.', CONFIG)).toEqual({
      ...{ parsedRequests: [], executionResults: [], hasToolRequests: false, isWaiting: false },
    });
    expect((await calling.processCycle(call('read'), { ...CONFIG, enabled: false })).hasToolRequests).toBe(false);
    expect(log).toEqual([]);
  });

  it('in manual mode only finds requests; a person runs the ones they want', async () => {
    const { cycle, executor, clock, log } = opened();
    const config = { ...CONFIG, mode: 'manual' } as const;
    const found = await cycle(call('read', {}, 'a') + call('read', {}, 'b'), { config });
    expect(found).toMatchObject({ hasToolRequests: true, isWaiting: true, executionResults: [] });
    expect(log).toEqual([]);
    const results = await executeToolRequests(found.parsedRequests.slice(1), { executor, clock, config });
    expect(results).toMatchObject([{ requestId: 'b', status: 'success' }]);
  });

  it('answers every request in order, even those that cannot run', async () => {
    const { cycle, executor } = opened();
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
  });

  it('runs nothing that its configuration switches off, although the executor would', async () => {
    const { cycle, log, asked } = opened();
    const text = call('r', {}, 'a') + call('write', {}, 'b');
    const results = async (config: Partial<ToolCallConfig>) =>
      (await cycle(text, { config: { ...CONFIG, ...config } })).executionResults.map(({ result }) => result.split(':')[0]);
    expect(await results({ methodToggles: { read: false, write: false } })).toEqual(['tool_disabled', 'tool_disabled']);
    expect(await results({ toolToggles: { test: false } })).toEqual(['tool_disabled', 'tool_disabled']);
    expect([log, asked]).toEqual([[], []]);
  });

  it('runs adjacent reads side by side, a write alone, and everything one by one if so configured', async () => {
    const text = [call('read', {}, 'a'), call('read', {}, 'b'), call('write', {}, 'w'), call('read', {}, 'c')].join('\n');
    const side = opened();
    await side.cycle(text);
    expect(side.log).toEqual(['begin a', 'begin b', 'end a', 'end b', 'begin w', 'end w', 'begin c', 'end c']);
    const one = opened();
    await one.cycle(text, { config: { ...CONFIG, parallelExecution: false } });
    expect(one.log.slice(0, 4)).toEqual(['begin a', 'end a', 'begin b', 'end b']);
  });
});

describe('confirming requests', () => {
  const config = { ...CONFIG, requireConfirmation: true };

  it('asks before each, one by one; a rejected request does not run, and a write still shows its plan', async () => {
    const { calling, log, asked } = opened();
    const seen: string[] = [];
    const done = await calling.processCycle(
      [call('read', {}, 'a'), call('read', {}, 'b'), call('write', {}, 'w')].join('\n'),
      config,
      async ({ requestId }) => {
        seen.push(`${requestId} after ${log.length}`);
        return requestId !== 'a';
      },
    );
    expect(seen).toEqual(['a after 0', 'b after 0', 'w after 2']);
    expect(done.executionResults.map(({ status }) => status)).toEqual(['error', 'success', 'success']);
    expect(done.executionResults[0]?.result).toContain('rejected');
    expect(asked.map(({ tool }) => tool)).toEqual(['write']);
  });

  it('without a callback uses the executor’s approvals, whatever its own settings are', async () => {
    const { cycle, asked } = opened();
    await cycle(call('read', {}, 'a'), { config });
    expect(asked).toMatchObject([{ kind: 'execution', tool: 'read', callId: 'a' }]);
  });

  it('runs nothing if asking fails or the work is stopped meanwhile', async () => {
    const { cycle, log } = opened();
    const failing = await cycle(call('read', {}, 'a'), { config, onBeforeExecute: () => Promise.reject(new Error('no window')) });
    expect(failing.executionResults).toMatchObject([{ status: 'error' }]);
    const controller = new AbortController();
    const stopped = cycle(call('read', {}, 'b'), {
      config,
      signal: controller.signal,
      onBeforeExecute: () => new Promise(() => undefined),
    });
    controller.abort();
    expect((await stopped).executionResults).toMatchObject([{ status: 'error', result: expect.stringMatching(/^aborted/) }]);
    expect(log).toEqual([]);
  });
});

describe('the time limit of a request', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('cancels the tool through its signal; time spent on approval does not count', async () => {
    let signal: AbortSignal | undefined;
    const slow = testTool('slow', {
      permission: ASK_ALWAYS,
      execute: (_args, context) => {
        signal = context.signal;
        return new Promise(() => undefined);
      },
    });
    const { cycle } = opened([slow]);
    const events: string[] = [];
    const done = cycle(call('slow', {}, 'a'), {
      config: { ...CONFIG, timeout: 1000, requireConfirmation: true },
      onBeforeExecute: () => new Promise((resolve) => setTimeout(() => resolve(true), 60_000)),
      onEvent: ({ type }) => events.push(type),
    });
    await vi.advanceTimersByTimeAsync(60_999);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect((await done).executionResults).toMatchObject([{ status: 'error', result: expect.stringMatching(/^timeout/) }]);
    expect(signal?.aborted).toBe(true);
    expect(events).toEqual(['tool-start', 'approval-request', 'approval-end', 'tool-end']);
  });
});
