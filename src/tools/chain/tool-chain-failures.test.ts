import { describe, expect, it, vi } from 'vitest';
import { ToolError } from '../contract/errors.ts';
import { InlineApprovalAdapter } from '../executor/approvals.ts';
import { FIRST, runChecked as run } from '../testing/run-chain.ts';
import { ASK_ALWAYS, answer, scripted, testExecutor, testTool, toolCall } from '../testing/support.ts';
import { linkSignals } from '../util/abort.ts';

describe('executeToolChain, when it is stopped or fails', () => {
  it('keeps what was done and said when the model fails', async () => {
    const errors: unknown[] = [];
    const { result, events } = await run(testExecutor([testTool('t')]).executor, FIRST, {
      complete: async (_request, _signal, onDelta) => {
        onDelta({ type: 'text', text: 'half a' });
        throw new ToolError('model_unreachable', 'no network', 'try again');
      },
      callbacks: { onError: (error, phase) => errors.push([error.code, phase]) },
    });
    expect(result).toMatchObject({ status: 'error', finalContent: 'half a', error: { code: 'model_unreachable', next: 'try again' } });
    expect(result.responseContent).toContain('[Tool Execution Log]');
    expect(errors).toEqual([['model_unreachable', 'model']]);
    expect(events.filter(({ type }) => type === 'error')).toHaveLength(1);
  });

  it('answers every call when it is aborted before, during and between calls', async () => {
    const controller = new AbortController();
    const tool = testTool('t', {
      effect: 'write',
      execute: async () => {
        controller.abort();
        return { status: 'success', data: 'written' };
      },
    });
    const first = answer('', [toolCall('c1', 't'), toolCall('c2', 't')]);
    const sent: unknown[] = [];
    const callbacks = { onBeforeSendToLLM: (messages: readonly unknown[]) => void sent.push(messages) };
    const { result } = await run(testExecutor([tool]).executor, first, { signal: controller.signal, callbacks });
    expect(result.status).toBe('aborted');
    expect(sent).toEqual([]);
    expect(result.toolCallHistory.map((entry) => entry.result.status)).toEqual(['success', 'aborted']);
    const before = await run(testExecutor([tool]).executor, first, { signal: AbortSignal.abort() });
    expect(before.result.toolCallHistory.map((entry) => entry.result.status)).toEqual(['aborted', 'aborted']);
  });

  it.each([1, 2])('asks the model nothing once its callback has stopped the turn, at request %d', async (at) => {
    const controller = new AbortController();
    let asked = 0;
    let prepared = 0;
    const { result } = await run(testExecutor([testTool('t')]).executor, FIRST, {
      signal: controller.signal,
      complete: async () => {
        asked += 1;
        return answer('', [toolCall(`c${asked + 10}`, 't')]);
      },
      callbacks: {
        onBeforeSendToLLM: async () => {
          prepared += 1;
          if (prepared === at) controller.abort();
          return undefined;
        },
      },
    });
    expect(result.status).toBe('aborted');
    expect(asked).toBe(at - 1);
  });

  it('calls off an open approval and keeps streamed text on abort', async () => {
    const approvalAdapter = new InlineApprovalAdapter();
    const { executor } = testExecutor([testTool('t', { permission: ASK_ALWAYS })], { approvalAdapter });
    const controller = new AbortController();
    const waiting = run(executor, FIRST, { abortController: controller });
    await expect.poll(() => approvalAdapter.list().length).toBe(1);
    controller.abort();
    expect((await waiting).result.status).toBe('aborted');
    expect(approvalAdapter.list()).toEqual([]);
    const both = { signal: new AbortController().signal, abortController: controller };
    expect((await run(testExecutor([testTool('t')]).executor, FIRST, both)).result.status).toBe('completed');
    const second = new AbortController();
    const updates: string[] = [];
    const streaming = await run(testExecutor([testTool('t')]).executor, FIRST, {
      signal: second.signal,
      callbacks: { onLLMResponseUpdate: (content) => updates.push(content) },
      complete: (_request, _signal, onDelta) => {
        onDelta({ type: 'text', text: 'so far' });
        second.abort();
        queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => onDelta({ type: 'text', text: 'late' }))));
        return new Promise(() => undefined);
      },
    });
    expect(streaming.result).toMatchObject({ status: 'aborted', finalContent: 'so far' });
    expect(updates).toEqual(['so far']);
  });

  it('says where it ended: in a request, or while one was prepared', async () => {
    const phases: unknown[] = [];
    const onError = (error: { readonly code: string }, phase: string) => void phases.push([phase, error.code]);
    const { executor } = testExecutor([testTool('t')]);
    await run(executor, FIRST, {
      complete: scripted([new ToolError('model_unreachable', 'gone', 'again')]).complete,
      callbacks: { onError },
    });
    await run(executor, FIRST, { callbacks: { onError, onBeforeSendToLLM: () => Promise.reject(new Error('no')) } });
    expect(phases).toEqual([
      ['model', 'model_unreachable'],
      ['context', 'internal'],
    ]);
  });

  it('ends with timeout when its signal says that the time is over', async () => {
    vi.useFakeTimers();
    const executor = testExecutor([testTool('t')]).executor;
    const time = linkSignals([], 1000);
    const done = run(executor, FIRST, { signal: time.signal, complete: () => new Promise(() => undefined) });
    await vi.advanceTimersByTimeAsync(1000);
    expect((await done).result.status).toBe('timeout');
    expect((await run(executor, FIRST, { signal: new AbortController().signal })).result.status).toBe('completed');
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

describe('executeToolChain and the size of the context', () => {
  const big = testTool('t', { execute: async () => ({ status: 'success', data: 'word '.repeat(1500) }) });
  const rounds = () => [answer('', [toolCall('c2', 't')]), answer('', [toolCall('c3', 't')]), answer('End.')];

  it('compresses the oldest tool messages to their variables before sending', async () => {
    const model = scripted(rounds());
    const { result } = await run(testExecutor([big]).executor, FIRST, { complete: model.complete, contextTokens: 5000 });
    const sent = model.requests.map(({ messages }) =>
      messages.filter(({ role }) => role === 'tool').map(({ content }) => content.length < 500),
    );
    expect(sent).toEqual([[false], [false, false], [true, false, false]]);
    const shortened = model.requests[2]?.messages.find(({ role }) => role === 'tool')?.content ?? '';
    expect(shortened).toContain('next: ReadVar(name="t_c1_result")');
    expect(result.messages.toolChain.filter(({ role, content }) => role === 'tool' && content.length > 5000)).toHaveLength(3);
  });

  it('sends a smaller request, never the same, after an overflow', async () => {
    const overflow = new ToolError('model_context_overflow', 'too long', 'shorten');
    const model = scripted([overflow, answer('End.')]);
    const { result } = await run(testExecutor([big]).executor, FIRST, { complete: model.complete });
    expect(result.status).toBe('completed');
    expect(JSON.stringify(model.requests[1]).length).toBeLessThan(JSON.stringify(model.requests[0]).length / 2);
    const again = scripted([overflow, answer('', [toolCall('c2', 't')]), answer('End.')]);
    await run(testExecutor([big]).executor, FIRST, { complete: again.complete });
    const later = again.requests[2]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content.length < 500);
    expect(later).toEqual([true, false]);
    const hopeless = scripted([overflow, answer('never sent')]);
    const failed = await run(testExecutor([testTool('t')]).executor, FIRST, { complete: hopeless.complete });
    expect(failed.result.error?.code).toBe('model_context_overflow');
    expect(hopeless.requests).toHaveLength(1);
  });

  it.each(['', ' \n'])('sends no empty answer back when the model says %j after its tools: servers refuse it', async (empty) => {
    const model = scripted([answer(empty), answer('Done.')]);
    const { result } = await run(testExecutor([testTool('t')]).executor, FIRST, { complete: model.complete });
    expect(result.finalContent).toBe('Done.');
    const sent = model.requests.flatMap(({ messages }) => messages).filter(({ role }) => role === 'assistant');
    expect(sent.filter((message) => message.content.trim() === '' && !('tool_calls' in message))).toEqual([]);
    expect(
      model.requests
        .at(-1)
        ?.messages.map(({ role }) => role)
        .slice(-2),
    ).toEqual(['tool', 'user']);
  });
});
