import { describe, expect, it } from 'vitest';
import { ToolError } from '../contract/errors.ts';
import type { Tool } from '../contract/types.ts';
import { InlineApprovalAdapter } from '../executor/approvals.ts';
import { runChecked } from '../testing/run-chain.ts';
import { ASK_ALWAYS, answer, testExecutor, testPlan, testTool, toolCall } from '../testing/support.ts';

/** A note that every write changes: a plan fits only the state that it was made of. */
function note(parts: Partial<Tool> & { readonly strict?: boolean } = {}) {
  const log: string[] = [];
  const gates = new Map<string, () => void>();
  let version = 0;
  const { strict = false, ...rest } = parts;
  const write = testTool('write', {
    effect: 'write',
    permission: ASK_ALWAYS,
    properties: { at: { type: 'string' }, hold: { type: 'boolean' } },
    approvalScope: (args) => String(args.at ?? 'notebook'),
    plan: async (_args, { callId }) => {
      log.push(`plan ${callId}`);
      return { ...testPlan(), id: `${callId} v${version}` };
    },
    execute: async (args, { callId, approvedPlan }) => {
      log.push(`begin ${callId}`);
      if (args.hold === true) await new Promise<void>((resolve) => void gates.set(callId, resolve));
      if (strict && approvedPlan?.plan.id !== `${callId} v${version}`) throw new ToolError('stale', 'changed since', 'read again');
      version++;
      log.push(`end ${callId}`);
      return { status: 'success', data: callId, written: { blockIds: [callId], documentId: 'd', undoable: true } };
    },
    ...rest,
  });
  const approvals = new InlineApprovalAdapter();
  const { executor } = testExecutor([write, testTool('read')], { approvalAdapter: approvals });
  const controller = new AbortController();
  const start = (...calls: readonly (readonly [id: string, args?: object, tool?: string])[]) =>
    runChecked(
      executor,
      answer(
        '',
        calls.map(([id, args = {}, tool = 'write']) => toolCall(id, tool, args)),
      ),
      { signal: controller.signal },
    );
  const waiting = () => approvals.list().map(({ callId }) => callId);
  const decide = (callId: string, decision: { approved?: boolean; remember?: boolean } = {}) => {
    const request = approvals.list().find((one) => one.callId === callId);
    if (!request) throw new Error(`${callId} waits for nothing`);
    const { approved = true, remember = false } = decision;
    approvals.decide(request.approvalId, approved ? { approved, remember } : { approved, reason: 'no' });
  };
  return { log, gates, executor, approvals, controller, start, waiting, decide };
}

const outcomes = ({ result }: Awaited<ReturnType<typeof runChecked>>) =>
  result.toolCallHistory.map((entry) => [entry.callId, entry.result.status]);

describe('several writes of a turn', () => {
  it('are planned and asked side by side, and run one after another in call order', async () => {
    const { log, gates, start, waiting, decide } = note();
    const done = start(['a', { hold: true }], ['b', { hold: true }], ['c']);
    await expect.poll(waiting).toEqual(['a', 'b', 'c']);
    expect(log).toEqual(['plan a', 'plan b', 'plan c']);
    for (const id of ['c', 'b', 'a']) decide(id);
    for (const id of ['a', 'b']) {
      await expect.poll(() => gates.has(id)).toBe(true);
      gates.get(id)?.();
    }
    const run = await done;
    expect(log.slice(3)).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
    expect(outcomes(run)).toEqual([
      ['a', 'success'],
      ['b', 'success'],
      ['c', 'success'],
    ]);
    expect(run.result.messages.toolChain.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []))).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('wait for an earlier one that is not decided yet; its rejection stops no other', async () => {
    const { log, start, waiting, decide } = note();
    const done = start(['a'], ['b'], ['c']);
    await expect.poll(waiting).toEqual(['a', 'b', 'c']);
    decide('c');
    decide('b', { approved: false });
    await expect.poll(waiting).toEqual(['a']);
    expect(log.filter((line) => line.startsWith('begin'))).toEqual([]);
    decide('a', { approved: false });
    expect(outcomes(await done)).toEqual([
      ['a', 'execution_rejected'],
      ['b', 'execution_rejected'],
      ['c', 'success'],
    ]);
    expect(log.slice(3)).toEqual(['begin c', 'end c']);
  });

  it('are called off together by an abort, asked for or waiting for their turn', async () => {
    const asked = note();
    const open = asked.start(['a'], ['b'], ['c']);
    await expect.poll(asked.waiting).toHaveLength(3);
    asked.decide('b');
    asked.controller.abort();
    expect((await open).result.toolCallHistory.map((entry) => entry.result.status)).toEqual(['aborted', 'aborted', 'aborted']);
    expect([asked.waiting(), asked.log.slice(3)]).toEqual([[], []]);
    const running = note();
    const begun = running.start(['a', { hold: true }], ['b'], ['c']);
    await expect.poll(running.waiting).toHaveLength(3);
    for (const id of ['a', 'b', 'c']) running.decide(id);
    await expect.poll(() => running.gates.has('a')).toBe(true);
    running.controller.abort();
    running.gates.get('a')?.();
    expect(outcomes(await begun)).toEqual([
      ['a', 'success'],
      ['b', 'aborted'],
      ['c', 'aborted'],
    ]);
    expect(running.log.slice(3)).toEqual(['begin a', 'end a']);
  });

  it('end where a read stands between them', async () => {
    const { log, start, waiting, decide } = note();
    const done = start(['a'], ['r', {}, 'read'], ['b']);
    await expect.poll(waiting).toEqual(['a']);
    decide('a');
    await expect.poll(waiting).toEqual(['b']);
    decide('b');
    await done;
    expect(log).toEqual(['plan a', 'begin a', 'end a', 'plan b', 'begin b', 'end b']);
  });

  it('that nobody is asked about run alone: the next one sees what they did', async () => {
    const auto = { effect: 'write', permission: { executionPolicy: 'auto', resultApprovalPolicy: 'never' } } as const;
    const given: unknown[] = [];
    const keep = testTool('keep', {
      ...auto,
      execute: async () => {
        executor.varSystem.addVariable('v', 'new', 'LLMAdd');
        return { status: 'success' };
      },
    });
    const use = testTool('use', {
      ...auto,
      properties: { text: { type: 'string' } },
      execute: async ({ text }) => {
        given.push(text);
        return { status: 'success' };
      },
    });
    const { executor } = testExecutor([keep, use]);
    executor.varSystem.addVariable('v', 'old', 'LLMAdd');
    await runChecked(executor, answer('', [toolCall('a', 'keep'), toolCall('b', 'use', { text: '$VAR_REF{{v}}' })]));
    expect(given).toEqual(['new']);
  });

  it('are at most twenty at one time', async () => {
    const { controller, start, waiting } = note();
    const done = start(...Array.from({ length: 25 }, (_, index) => [`c${index}`] as const));
    await expect.poll(waiting).toHaveLength(20);
    controller.abort();
    expect((await done).result.toolCallHistory).toHaveLength(25);
  });
});

describe('a write of a batch that no longer fits', () => {
  it('is planned and asked once more after an earlier one of the batch', async () => {
    const { log, start, waiting, decide } = note({ strict: true });
    const done = start(['a'], ['b']);
    await expect.poll(waiting).toEqual(['a', 'b']);
    decide('a');
    decide('b');
    await expect.poll(waiting).toEqual(['b']);
    expect(log.slice(2)).toEqual(['begin a', 'end a', 'begin b', 'plan b']);
    decide('b');
    const run = await done;
    expect(outcomes(run)).toEqual([
      ['a', 'success'],
      ['b', 'success'],
    ]);
    const asked = run.events.flatMap((event) => (event.type === 'approval-request' ? [`${event.approvalId}: ${event.plan?.id}`] : []));
    expect(new Set(asked.map((text) => text.split(':')[0])).size).toBe(3);
    expect(asked.at(-1)).toMatch(/: b v1$/u);
  });

  it('may be rejected then, and is not asked a third time', async () => {
    const rejected = note({ strict: true });
    const first = rejected.start(['a'], ['b']);
    await expect.poll(rejected.waiting).toHaveLength(2);
    for (const id of ['a', 'b']) rejected.decide(id);
    await expect.poll(rejected.waiting).toEqual(['b']);
    rejected.decide('b', { approved: false });
    expect(outcomes(await first)[1]).toEqual(['b', 'execution_rejected']);
    const stale = note({
      execute: async (_args, { callId }) => {
        if (callId === 'b') throw new ToolError('stale', 'changed since', 'read again');
        return { status: 'success' };
      },
    });
    const second = stale.start(['a'], ['b']);
    await expect.poll(stale.waiting).toHaveLength(2);
    for (const id of ['a', 'b']) stale.decide(id);
    await expect.poll(stale.waiting).toEqual(['b']);
    stale.decide('b');
    expect((await second).result.toolCallHistory[1]?.result.finalText).toMatch(/^stale: /u);
  });

  it('is told as stale at once where nothing of the batch was written before it', async () => {
    const { log, start, waiting, decide } = note({
      execute: async () => {
        throw new ToolError('stale', 'changed since', 'read again');
      },
    });
    const done = start(['a'], ['b']);
    await expect.poll(waiting).toEqual(['a', 'b']);
    decide('a', { approved: false });
    decide('b');
    expect((await done).result.toolCallHistory[1]?.result.finalText).toMatch(/^stale: /u);
    expect(log).toEqual(['plan a', 'plan b']);
  });

  it('is planned after an earlier one where it needs what that one makes', async () => {
    let made = false;
    const planned: string[] = [];
    const { start, waiting, decide } = note({
      plan: async (_args, { callId }) => {
        planned.push(callId);
        if (callId === 'b' && !made) throw new ToolError('not_found', 'no such note', 'list the notes');
        return testPlan();
      },
      execute: async () => {
        made = true;
        return { status: 'success' };
      },
    });
    const done = start(['a'], ['b']);
    await expect.poll(waiting).toEqual(['a']);
    decide('a');
    await expect.poll(waiting).toEqual(['b']);
    decide('b');
    expect(outcomes(await done).map(([, status]) => status)).toEqual(['success', 'success']);
    expect(planned).toEqual(['a', 'b', 'b']);
  });
});

describe('what an earlier one of the batch brings about', () => {
  it('"Allow for this chat" lets those pass that wait for the same tool and scope, and no others', async () => {
    const { log, approvals, executor, start, waiting, decide } = note();
    const done = start(['a', { at: 'A' }], ['b', { at: 'A' }], ['c', { at: 'B' }], ['d', { at: 'A' }]);
    await expect.poll(waiting).toEqual(['a', 'b', 'c', 'd']);
    decide('a', { remember: true });
    await expect.poll(waiting).toEqual(['c']);
    expect(executor.approvalRecords.list()).toEqual([{ tool: 'write', scope: 'A' }]);
    decide('c', { approved: false });
    const run = await done;
    expect(outcomes(run).map(([, status]) => status)).toEqual(['success', 'success', 'execution_rejected', 'success']);
    expect(log.filter((line) => line.startsWith('begin'))).toEqual(['begin a', 'begin b', 'begin d']);
    expect(run.events.flatMap((event) => (event.type === 'approval-end' ? [event.decision] : []))).toEqual([
      'approved',
      'approved',
      'approved',
      'rejected',
    ]);
    expect(approvals.list()).toEqual([]);
  });

  it('an interrupted write is not run again by its like', async () => {
    let runs = 0;
    const { start, waiting, decide } = note({
      execute: () => {
        runs++;
        return Promise.reject(new Error('connection lost'));
      },
    });
    const done = start(['a'], ['b']);
    await expect.poll(waiting).toEqual(['a', 'b']);
    decide('a');
    decide('b');
    const { result } = await done;
    expect(runs).toBe(1);
    expect(result.toolCallHistory.map(({ result: { error } }) => error?.code)).toEqual(['outcome_unknown', 'not_repeated']);
  });

  it('a tool that is switched off meanwhile does not run', async () => {
    const { log, gates, executor, start, waiting, decide } = note();
    const done = start(['a', { hold: true }], ['b']);
    await expect.poll(waiting).toEqual(['a', 'b']);
    decide('a');
    decide('b');
    await expect.poll(() => gates.has('a')).toBe(true);
    executor.setToolEnabled('write', false);
    gates.get('a')?.();
    expect((await done).result.toolCallHistory[1]?.result.finalText).toMatch(/^tool_disabled: /u);
    expect(log.slice(2)).toEqual(['begin a', 'end a']);
  });
});
