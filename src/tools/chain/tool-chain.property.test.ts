import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { runCount } from '../../../tests/support/property-runs.ts';
import { ToolError } from '../contract/errors.ts';
import type { ToolChainEvent } from '../contract/events.ts';
import type { CompletionResult } from '../contract/messages.ts';
import type { Tool, ToolPermissionV2 } from '../contract/types.ts';
import { InlineApprovalAdapter } from '../executor/approvals.ts';
import { unmatchedEvents } from '../testing/event-pairs.ts';
import { answer, protocolErrors, testClock, testExecutor, testPlan, testTool, toolCall } from '../testing/support.ts';
import { linkSignals } from '../util/abort.ts';
import { ChainHistory, type ToolCallHistoryEntry } from './chain-history.ts';
import { executeToolChain } from './tool-chain.ts';

const BEHAVIOURS = ['succeeds', 'fails', 'throws', 'hangs', 'hears abort', 'returns error', 'is stale'] as const;

function behave(how: (typeof BEHAVIOURS)[number], signal: AbortSignal): ReturnType<Tool['execute']> {
  switch (how) {
    case 'succeeds':
      return Promise.resolve({ status: 'success', data: 'SECRET', notebooks: ['n'] });
    case 'fails':
      return Promise.reject(new ToolError('not_found', 'failed', 'next'));
    case 'throws':
      throw new TypeError('defect');
    case 'hangs':
      return new Promise(() => undefined);
    case 'hears abort':
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new ToolError('aborted', 'a', 'b'))));
    case 'is stale':
      return Promise.reject(new ToolError('stale', 'changed since', 'read again'));
    case 'returns error':
      return Promise.resolve({ status: 'error', error: { code: 'not_found', message: 'said so', next: '' } });
  }
}

const permission: fc.Arbitrary<ToolPermissionV2> = fc.record({
  executionPolicy: fc.constantFrom('auto', 'ask-once', 'ask-always'),
  resultApprovalPolicy: fc.constantFrom('never', 'on-error', 'always'),
});
const toolPlan = fc.record({
  behaviour: fc.constantFrom(...BEHAVIOURS),
  effect: fc.constantFrom('read' as const, 'write' as const),
  plans: fc.constantFrom('nothing' as const, 'well' as const, 'never' as const),
  permission,
});
const callPlan = fc.record({
  id: fc.constantFrom('', 'a', 'b', 'c'),
  name: fc.constantFrom('t0', 't1', 't2', 'unknown'),
  args: fc.constantFrom('{}', '', '{"x":1}', 'rubbish', '{"text":"$VAR_REF{{nope}}"}', '{"text":"cut'),
  invalid: fc.constantFrom(undefined, 'not closed'),
});
const reply = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      text: fc.constantFrom('', 'text'),
      calls: fc.array(callPlan, { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('error' as const, 'hang' as const) }) },
);
const scenario = fc.record({
  tools: fc.tuple(toolPlan, toolPlan, toolPlan),
  replies: fc.array(reply, { minLength: 1, maxLength: 5 }),
  decisions: fc.array(fc.constantFrom('approve', 'approve last', 'reject', 'remember', 'wait'), { maxLength: 6 }),
  abortAfter: fc.option(fc.nat(40), { nil: undefined }),
  maxRounds: fc.integer({ min: 0, max: 3 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;
interface PlannedAnswer {
  kind: 'answer';
  text: '' | 'text';
  calls: (typeof callPlan extends fc.Arbitrary<infer Call> ? Call : never)[];
}

function toAnswer(planned: PlannedAnswer): CompletionResult {
  const calls = planned.calls.map(({ id, name, args, invalid }) => ({
    ...toolCall(id, name, args),
    ...(invalid === undefined ? {} : { invalid }),
  }));
  return answer(planned.text, calls);
}

async function play({ tools, replies, decisions, abortAfter, maxRounds }: Scenario) {
  const approvalAdapter = new InlineApprovalAdapter();
  const controller = new AbortController();
  const queue = [...decisions];
  approvalAdapter.subscribe((requests) => {
    const decision = queue[0] ?? 'reject';
    const request = decision === 'approve last' ? requests.at(-1) : requests[0];
    if (request === undefined || decision === 'wait') return;
    queue.shift();
    approvalAdapter.decide(
      request.approvalId,
      decision === 'reject' ? { approved: false } : { approved: true, remember: decision === 'remember' },
    );
  });
  const writing = new Set<string>();
  const overlaps: string[] = [];
  const made = tools.map(({ behaviour, effect, permission: own, plans }, index) =>
    testTool(`t${index}`, {
      effect,
      permission: own,
      properties: { text: { type: 'string' } },
      ...(plans === 'nothing'
        ? {}
        : { plan: plans === 'well' ? async () => testPlan() : () => behave('fails', controller.signal).then(() => testPlan()) }),
      execute: async (_args, { signal, callId }) => {
        if (effect === 'read' || behaviour === 'hangs') return behave(behaviour, signal);
        if (writing.size > 0) overlaps.push(callId);
        writing.add(callId);
        try {
          return await behave(behaviour, signal);
        } finally {
          writing.delete(callId);
        }
      },
    }),
  );
  const { executor } = testExecutor(made, { approvalAdapter, timeoutMs: 1000, graceMs: 100 });
  const events: ToolChainEvent[] = [];
  let steps = 0;
  const onEvent = (event: ToolChainEvent): void => {
    events.push(event);
    if (steps++ === abortAfter) controller.abort();
  };
  const time = linkSignals([controller.signal], 60_000);
  const [first, ...later] = replies;
  const rest = [...later];
  const chain = executeToolChain(executor, first?.kind === 'answer' ? toAnswer(first) : answer('', [toolCall('f', 't0')]), {
    contextMessages: [{ role: 'user', content: 'q' }],
    sessionId: 's',
    turnId: 'u',
    nodeId: 'n',
    clock: testClock(),
    maxRounds,
    signal: time.signal,
    onEvent,
    complete: (_request, _signal, onDelta) => {
      const next = rest.shift();
      onDelta({ type: 'reasoning', text: 'r' });
      onDelta({ type: 'text', text: 'partial' });
      if (next?.kind === 'hang') return new Promise(() => undefined);
      if (next?.kind === 'error') return Promise.reject(new ToolError('model_unreachable', 'no', 'again'));
      return Promise.resolve(next?.kind === 'answer' ? toAnswer(next) : answer('End.'));
    },
  });
  await vi.advanceTimersByTimeAsync(120_000);
  const result = await chain;
  time.release();
  return { result, events, approvalAdapter, executor, overlaps };
}

const outline = (entries: readonly ToolCallHistoryEntry[]) =>
  entries.map(({ callId, result, startTime, endTime, roundIndex }) => [callId, result.status, startTime, endTime, roundIndex]);

/** What anybody who saw only the events knows. */
function historyFrom(events: readonly ToolChainEvent[]) {
  const history = new ChainHistory();
  for (const event of events) history.take(event);
  return outline(history.entries());
}

describe('executeToolChain, any sequence of results, rejections, aborts, throws and timeouts', () => {
  it('leaves a valid message list, matched events, no approval and no timer', async () => {
    vi.useFakeTimers();
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const { result, events, approvalAdapter, overlaps } = await play(given);
        expect(overlaps).toEqual([]);
        expect(protocolErrors(result.messages.complete)).toEqual([]);
        expect(unmatchedEvents(events)).toEqual([]);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
        expect(approvalAdapter.list()).toEqual([]);
        expect(vi.getTimerCount()).toBe(0);
        const started = events.filter(({ type }) => type === 'tool-start').length;
        expect(result.toolCallHistory).toHaveLength(started);
        expect(historyFrom(events)).toEqual(outline(result.toolCallHistory));
        seen.add(result.status);
        for (const entry of result.toolCallHistory) seen.add(entry.result.status);
      }),
      // Enough for the rarest end to be among them.
      { numRuns: runCount(1500, 5000) },
    );
    vi.useRealTimers();
    expect([...seen].sort()).toEqual(
      ['aborted', 'completed', 'error', 'execution_rejected', 'not_found', 'result_rejected', 'success', 'timeout', 'unknown'].sort(),
    );
  });

  it('keeps a rejected result out of everything that the model can read', async () => {
    vi.useFakeTimers();
    const always = { executionPolicy: 'auto', resultApprovalPolicy: 'always' } as const;
    const tool = { behaviour: 'succeeds', effect: 'read', plans: 'nothing', permission: always } as const;
    const call: PlannedAnswer['calls'][number] = { id: 'a', name: 't0', args: '{}', invalid: undefined };
    const decisions = fc.array(fc.constantFrom('reject' as const), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), decisions, async (count, rejected) => {
        const replies = Array.from({ length: count }, (): PlannedAnswer => ({ kind: 'answer', text: '', calls: [call] }));
        const { result, executor } = await play({
          tools: [tool, tool, tool],
          replies,
          decisions: rejected,
          abortAfter: undefined,
          maxRounds: 3,
        });
        expect(JSON.stringify([result, executor.varSystem.save()])).not.toContain('SECRET');
      }),
      { numRuns: 30 },
    );
    vi.useRealTimers();
  });
});
