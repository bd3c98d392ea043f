import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolError } from '../contract/errors.ts';
import { DEFAULT_TOOL_CALL_BEHAVIOR } from '../contract/tool-call-config.ts';
import type { Tool, ToolContext, ToolExecuteResult } from '../contract/types.ts';
import { callOptions, testExecutor, testTool } from '../testing/support.ts';

/** A tool that the test settles by hand. */
function heldTool(effect: Tool['effect']) {
  const held: { resolve: (result: ToolExecuteResult) => void; reject: (error: unknown) => void; context: ToolContext }[] = [];
  const tool = testTool('t', {
    effect,
    execute: (_args, context) => new Promise((resolve, reject) => void held.push({ resolve, reject, context })),
  });
  return { held, ...testExecutor([tool], { timeoutMs: 1000, graceMs: 500 }) };
}

const WRITTEN: ToolExecuteResult = { status: 'success', data: 'ok', written: { blockIds: ['b'], documentId: 'd', undoable: true } };

describe('timeout and abort of a running call', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  async function running(effect: Tool['effect']) {
    const made = heldTool(effect);
    const controller = new AbortController();
    const done = made.executor.execute('t', {}, callOptions('c1', controller.signal));
    while (made.held.length === 0) await vi.advanceTimersByTimeAsync(0);
    return { ...made, controller, done };
  }

  it.each([
    ['read', 'nothing was done'],
    ['outgoing', 'what it had begun may be done'],
  ] as const)('of a call that had begun (%s) it says: %s', async (effect, words) => {
    const { done, controller } = await running(effect);
    controller.abort();
    expect((await done).error?.message).toContain(words);
  });

  it('a read ends at once, and its tool is told', async () => {
    const { done, controller, held } = await running('read');
    controller.abort();
    expect((await done).status).toBe('aborted');
    expect(held[0]?.context.signal.aborted).toBe(true);
  });

  it.each(['its own', 'the executor’s'])(
    'a plan that takes too long, by %s limit, ends the call before anybody is asked',
    async (whose) => {
      const tool = testTool('t', { effect: 'write', plan: () => new Promise(() => undefined) });
      const { executor, asked } = testExecutor([tool], { timeoutMs: whose === 'its own' ? 60_000 : 1000 });
      const done = executor.execute('t', {}, { ...callOptions(), ...(whose === 'its own' ? { timeoutMs: 1000 } : {}) });
      await vi.advanceTimersByTimeAsync(1000);
      expect(await done).toMatchObject({ status: 'error', finalText: expect.stringMatching(/^timeout: .* → try again/u) });
      expect(asked).toEqual([]);
    },
  );

  it.each(['outgoing', 'program'] as const)('what has to be known before a call runs counts for its time: %s', async (part) => {
    const tool = { ...testTool('t', { effect: 'outgoing' }), [part]: () => new Promise<never>(() => undefined) };
    const { executor, asked } = testExecutor([tool], { timeoutMs: 1000 });
    const done = executor.execute('t', {}, callOptions());
    await vi.advanceTimersByTimeAsync(1000);
    expect(await done).toMatchObject({ status: 'error', finalText: expect.stringMatching(/^timeout: preparing the call .* → try again/u) });
    expect(asked).toEqual([]);
  });

  it('a read that takes too long is an error with a next step', async () => {
    const { done, held } = await running('read');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await done).toMatchObject({ status: 'error', finalText: expect.stringMatching(/^timeout: .* → /u) });
    expect(held[0]?.context.signal.aborted).toBe(true);
  });

  it('the limit is what the settings say when the call begins', async () => {
    const behavior = { ...DEFAULT_TOOL_CALL_BEHAVIOR, timeout: 50 };
    const tool = testTool('t', { execute: () => new Promise(() => undefined) });
    const { executor } = testExecutor([tool], { behavior: () => behavior });
    const first = executor.execute('t', {}, callOptions());
    await vi.advanceTimersByTimeAsync(50);
    expect((await first).error?.code).toBe('timeout');
    behavior.timeout = 5000;
    const second = executor.execute('t', {}, callOptions());
    await vi.advanceTimersByTimeAsync(4999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await second).error?.code).toBe('timeout');
  });

  it('a write that says nothing is unknown, after its grace', async () => {
    const { done, controller } = await running('write');
    controller.abort();
    await vi.advanceTimersByTimeAsync(500);
    expect(await done).toMatchObject({ status: 'unknown', finalText: expect.stringMatching(/^outcome_unknown: .* do not repeat/u) });
  });

  it('a write that takes too long is unknown', async () => {
    const { done } = await running('write');
    await vi.advanceTimersByTimeAsync(1500);
    expect((await done).status).toBe('unknown');
  });

  it('a write that still finishes is heard', async () => {
    const { done, controller, held } = await running('write');
    controller.abort();
    held[0]?.resolve(WRITTEN);
    expect(await done).toMatchObject({ status: 'success', written: { blockIds: ['b'] } });
  });

  it('a write that says "nothing was written" is believed, a broken connection is not', async () => {
    const first = await running('write');
    first.controller.abort();
    first.held[0]?.reject(new ToolError('aborted', 'stopped', 'ask'));
    expect((await first.done).status).toBe('aborted');
    const second = await running('write');
    second.controller.abort();
    second.held[0]?.reject(new DOMException('stopped', 'AbortError'));
    expect((await second.done).status).toBe('unknown');
  });

  it.each([
    [new ToolError('outcome_unknown', 'x', 'y'), 'unknown'],
    [new TypeError('defect'), 'unknown'],
    [new ToolError('stale', 'x', 'y'), 'error'],
  ])('a write that throws %s is %s', async (error, status) => {
    const { done, held } = await running('write');
    held[0]?.reject(error);
    expect((await done).status).toBe(status);
  });

  it('time spent on approval does not count', async () => {
    const deciders: ((decision: { approved: true }) => void)[] = [];
    const approvalAdapter = { request: () => new Promise<{ approved: true }>((resolve) => void deciders.push(resolve)) };
    const tool = testTool('t', { permission: { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } });
    const done = testExecutor([tool], { approvalAdapter, timeoutMs: 1000 }).executor.execute('t', {}, callOptions());
    await vi.advanceTimersByTimeAsync(600_000);
    deciders[0]?.({ approved: true });
    expect((await done).status).toBe('success');
  });
});
