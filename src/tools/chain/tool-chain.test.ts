import { describe, expect, it, vi } from 'vitest';
import { ToolError } from '../contract/errors.ts';
import type { CompletionResult } from '../contract/messages.ts';
import { LEFT_OUT } from '../contract/provenance.ts';
import { HeadlessApprovalAdapter } from '../executor/approvals.ts';
import { FIRST, runChecked as run } from '../testing/run-chain.ts';
import { answer, scripted, testExecutor, testTool, toolCall } from '../testing/support.ts';
import { MessageFlowFormatter } from './message-flow.ts';

const answerMessage = (id: string) => ({ role: 'assistant', content: '', tool_calls: [toolCall(id, 't')] }) as const;

describe('executeToolChain', () => {
  it('asks for the first answer as for every other one where none is given', async () => {
    const { executor } = testExecutor([testTool('t')]);
    const model = scripted([FIRST, answer('Done.')]);
    const { result } = await run(executor, undefined, { complete: model.complete, systemPrompt: 'SYSTEM', chatOption: { temperature: 0 } });
    const given = await run(testExecutor([testTool('t')]).executor, FIRST, { complete: scripted([answer('Done.')]).complete });
    expect(model.requests).toHaveLength(2);
    expect(model.requests[0]).toMatchObject({ messages: [{ role: 'system' }, { role: 'user' }], chatOption: { temperature: 0 } });
    expect(result.messages.toolChain).toEqual(given.result.messages.toolChain);
    expect(result.usage).toEqual(given.result.usage);
    const silent = scripted([answer(' '), answer('never asked for')]);
    const { result: failed } = await run(executor, undefined, { complete: silent.complete });
    expect([failed.status, failed.error?.code, silent.requests.length]).toEqual(['error', 'model_bad_answer', 1]);
  });

  it('runs calls, asks again, and gives every field of the result', async () => {
    const { executor } = testExecutor([testTool('t', { properties: { n: { type: 'number' } } })]);
    const model = scripted([answer('Again.', [toolCall('c2', 't', { n: 1 }), toolCall('c3', 't')]), answer('Done.')]);
    const contextMessages = [{ role: 'user', content: 'question' }] as const;
    const { result, events } = await run(executor, FIRST, {
      complete: model.complete,
      contextMessages,
      systemPrompt: 'SYSTEM',
      chatOption: { temperature: 0 },
    });
    expect(result).toMatchObject({
      status: 'completed',
      finalContent: 'Done.',
      usage: { prompt_tokens: 30, completion_tokens: 15, total_tokens: 45 },
      rounds: [
        { text: 'Let me look.', callIds: ['c1'] },
        { text: 'Again.', callIds: ['c2', 'c3'] },
      ],
      stats: { totalRounds: 2, totalCalls: 3 },
    });
    expect(result.messages.complete.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'tool',
      'assistant',
    ]);
    expect(result.messages.toolChain).toEqual(result.messages.complete.slice(2));
    expect(result.toolCallHistory.map(({ callId, roundIndex }) => [callId, roundIndex])).toEqual([
      ['c1', 1],
      ['c2', 2],
      ['c3', 2],
    ]);
    const start = events.find((event) => event.type === 'tool-start' && event.callId === 'c2');
    const end = events.find((event) => event.type === 'tool-end' && event.callId === 'c2');
    expect(end?.type === 'tool-end' && end.durationMs).toBeGreaterThan(0);
    expect(result.toolCallHistory[1]).toEqual({
      callId: 'c2',
      toolName: 't',
      args: { n: 1 },
      result: {
        status: 'success',
        finalText: '<untrusted-data tool="t">\nt ok\n</untrusted-data>\n[kept as $VAR_REF{{t_c2_result}}]',
        isTruncated: false,
        cacheVarResult: 't_c2_result',
        cacheVarArgs: 't_c2_args',
      },
      preview: 't ok',
      argsPreview: '{"n":1}',
      startTime: start?.time,
      endTime: (start?.time ?? 0) + (end?.type === 'tool-end' ? end.durationMs : 0),
      roundIndex: 2,
      llmUsage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
    expect(result.messages.context).toEqual(contextMessages);
    expect(result.toolChainContent).toBe(MessageFlowFormatter.generateSystemHint(result.toolCallHistory));
    expect(result.toolChainContent).toContain('$VAR_REF{{t_c2_result}}');
    expect(result.responseContent).toBe(
      MessageFlowFormatter.convertMessagesToNaturalFlow(result.messages.toolChain, result.toolCallHistory),
    );
    expect(result.responseContent).toMatch(/^Let me look\.[\s\S]*Again\.[\s\S]*Done\.$/u);
    expect(model.requests[0]).toMatchObject({ chatOption: { temperature: 0 }, tools: expect.arrayContaining([expect.anything()]) });
    expect(events.map(({ type }) => type)).toEqual([
      ...['round-start', 'tool-start', 'tool-end', 'text-start', 'text-delta', 'text-end', 'round-end'],
      ...['round-start', 'tool-start', 'tool-start', 'tool-end', 'tool-end', 'text-start', 'text-delta', 'text-end', 'round-end'],
    ]);
    expect(result.stats.totalTime).toBe(result.stats.endTime - result.stats.startTime);
    expect(result.stats.startTime).toBeLessThan(events[0]?.time ?? 0);
    expect(result.stats.endTime).toBeGreaterThan(events.at(-1)?.time ?? Number.POSITIVE_INFINITY);
  });

  it('runs reads side by side, writes alone and in order, and answers in call order', async () => {
    const log: string[] = [];
    const gates = new Map<string, () => void>();
    const held = (name: string, effect: 'read' | 'write') =>
      testTool(name, {
        effect,
        execute: async () => {
          log.push(`${name} begins`);
          await new Promise<void>((resolve) => void gates.set(name, resolve));
          log.push(`${name} ends`);
          return { status: 'success', data: name };
        },
      });
    const { executor } = testExecutor([held('r1', 'read'), held('r2', 'read'), held('w1', 'write'), held('w2', 'write')]);
    const first = answer('', [toolCall('a', 'r1'), toolCall('b', 'r2'), toolCall('c', 'w1'), toolCall('d', 'w2')]);
    const done = run(executor, first);
    for (const name of ['r2', 'r1', 'w1', 'w2']) {
      await expect.poll(() => gates.has(name)).toBe(true);
      gates.get(name)?.();
    }
    const { result } = await done;
    expect(log.slice(0, 3)).toEqual(['r1 begins', 'r2 begins', 'r2 ends']);
    expect(log.slice(4)).toEqual(['w1 begins', 'w1 ends', 'w2 begins', 'w2 ends']);
    expect(result.toolCallHistory.map(({ callId }) => callId)).toEqual(['a', 'b', 'c', 'd']);
    const answers = result.messages.toolChain.flatMap((message) =>
      message.role === 'tool' ? [[message.tool_call_id, /^\w\d$/m.exec(message.content)?.[0]]] : [],
    );
    expect(answers).toEqual([
      ['a', 'r1'],
      ['b', 'r2'],
      ['c', 'w1'],
      ['d', 'w2'],
    ]);
  });

  it('leaves out of its requests what it read and may no longer be read', async () => {
    let hidden = false;
    const rights = {
      currentObstacles: async () => new Set<string>(),
      trace: async () => [{ notebook: 'nb' }],
      obstacles: async (all: readonly object[]) => all.map(() => new Set(hidden ? ['nb'] : [])),
    };
    const tool = testTool('t', { execute: async () => ({ status: 'success', data: 'PIN-4711', notebooks: ['nb'] }) });
    const withdrawing = (): CompletionResult => {
      hidden = true;
      return answer('', [toolCall('c2', 't')]);
    };
    const model = scripted([withdrawing, answer('Done.')]);
    await run(testExecutor([tool], { rights }).executor, FIRST, { complete: model.complete });
    const [before, after] = model.requests.map((request) => JSON.stringify(request.messages));
    expect(before).toContain('PIN-4711');
    expect(after).toContain(LEFT_OUT);
    expect(after).not.toContain('4711');
  });

  it('begins no read before the write that stands before it has ended', async () => {
    const log: string[] = [];
    const write = testTool('w', {
      effect: 'write',
      execute: async () => {
        await Promise.resolve();
        log.push('written');
        return { status: 'success' };
      },
    });
    const read = testTool('r', {
      execute: async () => {
        log.push('read');
        return { status: 'success' };
      },
    });
    await run(testExecutor([write, read]).executor, answer('', [toolCall('a', 'w'), toolCall('b', 'r')]));
    expect(log).toEqual(['written', 'read']);
  });

  it('tells a rejection as JSON and keeps its reason', async () => {
    const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: false, reason: 'no' }));
    const { executor } = testExecutor([testTool('t', { permission: { executionPolicy: 'auto', resultApprovalPolicy: 'always' } })], {
      approvalAdapter,
    });
    const { result, events } = await run(executor, FIRST);
    const told = result.messages.toolChain.find(({ role }) => role === 'tool');
    expect(JSON.parse(told?.content ?? '')).toMatchObject({ status: 'rejected', message: expect.stringContaining('no') });
    expect(result.toolCallHistory[0]).toMatchObject({ resultRejected: true, resultRejectReason: 'no' });
    expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({ status: 'result_rejected', reason: 'no' });
    expect(JSON.stringify([result, events.filter(({ type }) => type !== 'approval-request')])).not.toContain('t ok');
    const skipped = await run(executor, FIRST, { checkToolResults: false });
    expect(skipped.result.toolCallHistory[0]?.result.status).toBe('success');
  });

  it('answers calls beyond maxRounds without running them and asks for a text', async () => {
    const runs: string[] = [];
    const tool = testTool('t', {
      execute: async (_args, { callId }) => {
        runs.push(callId);
        return { status: 'success' };
      },
    });
    const model = scripted([answer('', [toolCall('c2', 't')]), answer('Closing.', [toolCall('c3', 't')])]);
    const { result } = await run(testExecutor([tool]).executor, FIRST, { complete: model.complete, maxRounds: 1 });
    expect(runs).toEqual(['c1']);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringMatching(/^\[SYSTEM\]/u) });
    expect(model.requests[1]?.chatOption).toEqual({ tool_choice: 'none' });
    expect(result).toMatchObject({ status: 'completed', finalContent: 'Closing.', stats: { totalRounds: 1 } });
  });

  it('asks once more after an empty answer, then says that there is none', async () => {
    const helped = await run(testExecutor([testTool('t')]).executor, FIRST, { complete: scripted([answer(''), answer('Now.')]).complete });
    expect(helped.result).toMatchObject({ status: 'completed', finalContent: 'Now.' });
    const failed = await run(testExecutor([testTool('t')]).executor, FIRST, { complete: scripted([answer(''), answer(' ')]).complete });
    expect(failed.result).toMatchObject({ status: 'error', error: { code: 'model_bad_answer' } });
  });

  it('answers the same failing call without running it after three times', async () => {
    let runs = 0;
    const tool = testTool('t', {
      execute: () => {
        runs++;
        return Promise.reject(new ToolError('not_found', 'wrong', 'change it'));
      },
    });
    const again = (id: string) => answer('', [toolCall(id, 't', '{}')]);
    const model = scripted([again('c2'), again('c3'), again('c4'), answer('End.')]);
    const { result } = await run(testExecutor([tool]).executor, again('c1'), { complete: model.complete });
    expect(runs).toBe(3);
    expect(result.toolCallHistory[3]?.result.finalText).toMatch(/^repeated_failure: /u);
  });

  it('asks no fourth time for a call that was rejected three times, and counts anew after a success', async () => {
    const asked: string[] = [];
    const approvalAdapter = new HeadlessApprovalAdapter(({ callId }) => {
      asked.push(callId);
      return { approved: false };
    });
    const permission = { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } as const;
    const again = (id: string) => answer('', [toolCall(id, 't')]);
    const four = () => scripted([again('c2'), again('c3'), again('c4'), answer('End.')]).complete;
    await run(testExecutor([testTool('t', { permission })], { approvalAdapter }).executor, again('c1'), { complete: four() });
    expect(asked).toEqual(['c1', 'c2', 'c3']);
    const outcomes = ['error', 'error', 'success', 'error', 'error', 'error', 'error'];
    const queue = outcomes.values();
    const tool = testTool('t', {
      execute: async () => {
        if (queue.next().value === 'success') return { status: 'success' };
        throw new ToolError('not_found', 'wrong', 'change it');
      },
    });
    const seven = scripted([...outcomes.slice(1).map((_outcome, index) => again(`c${index + 2}`)), answer('End.')]);
    const { result } = await run(testExecutor([tool]).executor, again('c1'), { complete: seven.complete });
    const codes = result.toolCallHistory.map((entry) => entry.result.error?.code ?? entry.result.status);
    expect(codes).toEqual([...Array(2).fill('not_found'), 'success', ...Array(3).fill('not_found'), 'repeated_failure']);
  });

  it('runs at most eight reads at one time', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    const tool = testTool('t', {
      execute: async () => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          most = Math.max(most, waiting.length);
        });
        return { status: 'success' };
      },
    });
    const calls = Array.from({ length: 20 }, (_call, index) => toolCall(`c${index}`, 't'));
    const done = run(testExecutor([tool]).executor, answer('', calls));
    for (const size of [8, 8, 4]) {
      await expect.poll(() => waiting.length).toBe(size);
      for (const resolve of waiting.splice(0)) resolve();
    }
    expect([(await done).result.stats.totalCalls, most]).toEqual([20, 8]);
  });

  it('never runs an interrupted write again', async () => {
    let runs = 0;
    const tool = testTool('t', {
      effect: 'write',
      execute: () => {
        runs++;
        return Promise.reject(new Error('connection lost'));
      },
    });
    const model = scripted([answer('', [toolCall('c2', 't')]), answer('End.')]);
    const { result } = await run(testExecutor([tool]).executor, FIRST, { complete: model.complete });
    expect(runs).toBe(1);
    expect(result.toolCallHistory.map(({ result: { status, error } }) => [status, error?.code])).toEqual([
      ['unknown', 'outcome_unknown'],
      ['error', 'not_repeated'],
    ]);
  });

  it('tells why a request of a text protocol cannot run', async () => {
    const first = answer('', [{ ...toolCall('c1', 't'), invalid: 'value "x" is not closed' }]);
    const { result } = await run(testExecutor([testTool('t')]).executor, first);
    expect(result.toolCallHistory[0]?.result.finalText).toContain('value "x" is not closed');
  });

  it('makes missing and repeated call ids unique', async () => {
    const first = answer('', [toolCall('', 't'), toolCall('', 't'), toolCall('x', 't'), toolCall('x', 't')]);
    const model = scripted([answer('', [toolCall('x', 't')]), answer('End.')]);
    const { result } = await run(testExecutor([testTool('t')]).executor, first, { complete: model.complete });
    expect(result.toolCallHistory.map(({ callId }) => callId)).toEqual(['call_1', 'call_2', 'x', 'x_2', 'x_3']);
    expect(result.toolCallHistory.map(({ result: { cacheVarResult } }) => cacheVarResult)).toEqual(
      ['call_1', 'call_2', 'x', 'x_2', 'x_3'].map((id) => `t_${id}_result`),
    );
  });

  it('gives no id that the conversation has already', async () => {
    const contextMessages = [answerMessage('c1'), { role: 'tool', tool_call_id: 'c1', content: 'earlier' }] as const;
    const { result } = await run(testExecutor([testTool('t')]).executor, FIRST, { contextMessages });
    expect(result.toolCallHistory[0]?.callId).toBe('c1_2');
  });

  it('calls back, and a callback that throws breaks nothing', async () => {
    const thrown: unknown[] = [];
    vi.stubGlobal('queueMicrotask', (task: () => void) => {
      try {
        task();
      } catch (error) {
        thrown.push(error);
      }
    });
    const log: unknown[] = [];
    const { result } = await run(testExecutor([testTool('t')]).executor, FIRST, {
      callbacks: {
        onToolCallStart: (name, args, id) => {
          log.push([name, args, id]);
          throw new Error('listener');
        },
        onToolCallComplete: ({ status }, id) => log.push([status, id]),
        onLLMResponseUpdate: (content) => log.push(content),
        onBeforeSendToLLM: (messages) => [...messages, { role: 'system', content: 'extra' }],
      },
    });
    vi.unstubAllGlobals();
    expect([result.status, thrown.length]).toEqual(['completed', 1]);
    expect(log).toEqual([['t', {}, 'c1'], ['success', 'c1'], 'Done.']);
  });

  it('sends what onBeforeSendToLLM gives, and keeps what was done when it throws', async () => {
    const model = scripted([answer('Done.')]);
    await run(testExecutor([testTool('t')]).executor, FIRST, {
      complete: model.complete,
      callbacks: { onBeforeSendToLLM: (messages) => messages.slice(-1) },
    });
    expect(model.requests[0]?.messages).toHaveLength(1);
    const { result } = await run(testExecutor([testTool('t')]).executor, FIRST, {
      callbacks: { onBeforeSendToLLM: () => Promise.reject(new Error('no')) },
    });
    expect(result).toMatchObject({ status: 'error', stats: { totalCalls: 1 } });
  });
});
