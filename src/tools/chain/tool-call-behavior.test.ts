import { describe, expect, it } from 'vitest';
import { DEFAULT_TOOL_CALL_BEHAVIOR, type ToolCallBehavior } from '../contract/tool-call-config.ts';
import type { ToolExecuteResult } from '../contract/types.ts';
import { InlineApprovalAdapter } from '../executor/approvals.ts';
import { runChecked } from '../testing/run-chain.ts';
import { ASK_ALWAYS, answer, callOptions, testExecutor, testPlan, testTool, toolCall } from '../testing/support.ts';

/** Tools that say when they begin and end, under settings that a test may change while they run. */
function behaving(given: Partial<ToolCallBehavior>) {
  const behavior = { ...DEFAULT_TOOL_CALL_BEHAVIOR, ...given };
  const log: string[] = [];
  const execute = async (_args: object, { callId }: { readonly callId: string }): Promise<ToolExecuteResult> => {
    log.push(`begin ${callId}`);
    await Promise.resolve();
    log.push(`end ${callId}`);
    return { status: 'success', data: callId };
  };
  const write = testTool('write', {
    effect: 'write',
    permission: ASK_ALWAYS,
    approvalScope: () => 'b',
    plan: async () => testPlan(),
    execute,
  });
  const approvals = new InlineApprovalAdapter();
  const { executor } = testExecutor([testTool('read', { execute }), write], { approvalAdapter: approvals, behavior: () => behavior });
  const controller = new AbortController();
  const start = (...calls: readonly (readonly [id: string, tool: string])[]) =>
    runChecked(
      executor,
      answer(
        '',
        calls.map(([id, tool]) => toolCall(id, tool)),
      ),
      { signal: controller.signal },
    );
  const waiting = () => approvals.list().map(({ callId, manual }) => (manual ? `start ${callId}` : callId));
  const decide = (callId: string, approved = true) => {
    const request = approvals.list().find((one) => one.callId === callId);
    if (!request) throw new Error(`${callId} waits for nothing`);
    approvals.decide(request.approvalId, approved ? { approved, remember: true } : { approved, reason: 'not now' });
  };
  return { behavior, log, executor, approvals, controller, start, waiting, decide };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const outcomes = ({ result }: Awaited<ReturnType<typeof runChecked>>) =>
  result.toolCallHistory.map((entry) => [entry.callId, entry.result.status]);

describe('calls that are started by hand', () => {
  it('wait, even reads, until each call of the round is decided; then a write asks with its plan', async () => {
    const { start, waiting, decide, log, approvals } = behaving({ mode: 'manual' });
    const done = start(['r', 'read'], ['skipped', 'read'], ['w', 'write'], ['none', 'nothing']);
    await settled();
    expect(waiting()).toEqual(['start r', 'start skipped', 'start w']);
    decide('r');
    decide('w');
    await settled();
    expect(log).toEqual([]);
    decide('skipped', false);
    await settled();
    expect(log).toEqual(['begin r', 'end r']);
    expect(waiting()).toEqual(['w']);
    expect(approvals.list()[0]?.plan).toBeDefined();
    decide('w');
    const ended = await done;
    expect(outcomes(ended)).toEqual([
      ['r', 'success'],
      ['skipped', 'execution_rejected'],
      ['w', 'success'],
      ['none', 'not_found'],
    ]);
    expect(ended.result.toolCallHistory[1]?.result.finalText).toContain('not now');
  });

  it('do not run if their tool is switched on only while the others wait: nobody started them', async () => {
    const { start, waiting, decide, executor } = behaving({ mode: 'manual' });
    executor.setToolEnabled('ListVars', false);
    const done = start(['r', 'read'], ['off', 'ListVars']);
    await settled();
    expect(waiting()).toEqual(['start r']);
    executor.setToolEnabled('ListVars', true);
    decide('r');
    const { result } = await done;
    expect(result.toolCallHistory.map((entry) => entry.result.error?.code)).toEqual([undefined, 'tool_disabled']);
  });

  it('do not run when the turn is stopped while they wait', async () => {
    const { start, waiting, controller, log } = behaving({ mode: 'manual' });
    const done = start(['a', 'read'], ['b', 'write']);
    await settled();
    expect(waiting()).toHaveLength(2);
    controller.abort();
    expect(outcomes(await done)).toEqual([
      ['a', 'aborted'],
      ['b', 'aborted'],
    ]);
    expect(log).toEqual([]);
  });
});

describe('calls that are confirmed', () => {
  it('ask one by one, even reads, whatever was allowed; a rejected call does not run', async () => {
    const { start, waiting, decide, log, executor } = behaving({ requireConfirmation: true });
    executor.approvalRecords.allow('write', 'b');
    expect(executor.grantedPermissions()).toEqual([]);
    const done = start(['a', 'read'], ['b', 'read'], ['c', 'write'], ['d', 'write']);
    for (const id of ['a', 'b', 'c', 'd']) {
      await settled();
      expect(waiting()).toEqual([id]);
      decide(id, id !== 'b');
    }
    await done;
    expect(log).toEqual(['begin a', 'end a', 'begin c', 'end c', 'begin d', 'end d']);
  });

  it('are confirmed as soon as that is set: a waiting call is not let through by another’s approval', async () => {
    const { start, waiting, decide, log, behavior } = behaving({});
    const done = start(['a', 'write'], ['b', 'write']);
    await settled();
    expect(waiting()).toEqual(['a', 'b']);
    behavior.requireConfirmation = true;
    decide('a');
    await settled();
    expect(waiting()).toEqual(['b']);
    decide('b', false);
    await done;
    expect(log).toEqual(['begin a', 'end a']);
  });

  it('do not ask twice: a read that a person started runs at once, and a write shows its plan', async () => {
    const { executor, approvals, decide } = behaving({ requireConfirmation: true });
    expect((await executor.execute('read', {}, { ...callOptions('own'), confirmed: true })).status).toBe('success');
    const written = executor.execute('write', {}, { ...callOptions('w'), confirmed: true });
    await settled();
    expect(approvals.list()[0]?.plan).toBeDefined();
    decide('w');
    expect((await written).status).toBe('success');
  });
});

describe('the other settings of calls', () => {
  it('run calls side by side or one at a time, as set when the round begins', async () => {
    const made = behaving({});
    await made.start(['a', 'read'], ['b', 'read']);
    expect(made.log).toEqual(['begin a', 'begin b', 'end a', 'end b']);
    made.log.length = 0;
    Object.assign(made.behavior, { parallelExecution: false });
    await made.start(['a', 'read'], ['b', 'read']);
    expect(made.log).toEqual(['begin a', 'end a', 'begin b', 'end b']);
  });

  it('when calls are off, give the model no tools and run none of its calls, but run a person’s own', async () => {
    const { executor, start, behavior } = behaving({});
    Object.assign(behavior, { enabled: false });
    expect([executor.getEnabledToolDefinitions(), executor.hasEnabledTools()]).toEqual([[], false]);
    const { result } = await start(['a', 'read']);
    expect(result.toolCallHistory[0]?.result.error?.code).toBe('tool_disabled');
    expect((await executor.execute('read', {}, { ...callOptions(), confirmed: true })).status).toBe('success');
    executor.setToolEnabled('read', false);
    expect((await executor.execute('read', {}, { ...callOptions(), confirmed: true })).error?.code).toBe('tool_disabled');
  });
});
