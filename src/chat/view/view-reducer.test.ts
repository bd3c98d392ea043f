import { describe, expect, it } from 'vitest';
import type { ToolChainEventBody } from '../../tools/contract/events.ts';
import { answerPayload, callRecord } from '../testing/samples.ts';
import { EMPTY_ANSWER, payloadSegments, reduceAnswer } from './view-reducer.ts';

const run = (...events: ToolChainEventBody[]) =>
  events.map((event, index) => ({ ...event, time: 10 + index })).reduce(reduceAnswer, EMPTY_ANSWER);
const approval = { approvalId: 'a1', callId: 'c1', kind: 'execution', tool: 'create_doc', args: { path: '/x' } } as const;

describe('reduceAnswer', () => {
  it('keeps the order of text, calls and text, and the identity of what did not change', () => {
    const before = run(
      { type: 'turn-start' },
      { type: 'text-start' },
      { type: 'text-delta', text: 'Let me ' },
      { type: 'text-delta', text: 'look' },
      { type: 'text-end' },
      { type: 'tool-start', callId: 'c1', tool: 'search_notes', arguments: { query: 'x' } },
    );
    const after = reduceAnswer(before, {
      type: 'tool-end',
      callId: 'c1',
      status: 'success',
      durationMs: 5,
      preview: 'hit',
      resultRef: 'v',
      time: 99,
    });
    expect(after.segments).toEqual([
      { kind: 'text', text: 'Let me look' },
      {
        kind: 'call',
        call: {
          callId: 'c1',
          tool: 'search_notes',
          args: { query: 'x' },
          status: 'success',
          started: 15,
          durationMs: 5,
          preview: 'hit',
          resultVariable: 'v',
        },
      },
    ]);
    expect(after.segments[0]).toBe(before.segments[0]);
    expect(reduceAnswer(after, { type: 'text-start', time: 1 })).toBe(after);
  });

  it('separates the text of two rounds, and reasoning from text', () => {
    const { segments } = run(
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'text-delta', text: 'one' },
      { type: 'text-end' },
      { type: 'text-delta', text: 'two' },
      { type: 'text-delta', text: '' },
    );
    expect(segments).toEqual([
      { kind: 'reasoning', text: 'hm' },
      { kind: 'text', text: 'one' },
      { kind: 'text', text: 'two' },
    ]);
  });

  it('shows a call waiting for its approval only, and running again after the decision', () => {
    const start = (callId: string): ToolChainEventBody => ({ type: 'tool-start', callId, tool: 'create_doc', arguments: {} });
    const waiting = run(start('c1'), start('c2'), { type: 'approval-request', ...approval });
    const statuses = (state: typeof waiting) => state.segments.map((segment) => (segment.kind === 'call' ? segment.call.status : ''));
    expect(statuses(waiting)).toEqual(['waiting', 'running']);
    const decided = reduceAnswer(waiting, { type: 'approval-end', approvalId: 'a1', decision: 'approved', time: 1 });
    expect(statuses(decided)).toEqual(['running', 'running']);
    expect(statuses(reduceAnswer(waiting, { type: 'approval-end', approvalId: 'other', decision: 'rejected', time: 1 }))).toEqual([
      'waiting',
      'running',
    ]);
  });

  it('turns the card of a call being written into the card of the call, in the same place', () => {
    const write = (index: number, tool: string, args: Record<string, string> = {}) =>
      ({ type: 'tool-writing', index, tool, arguments: args }) as const;
    const long = 'A first line.\nAnd the next on';
    const before = run(
      { type: 'text-start' },
      { type: 'text-delta', text: 'I wr' },
      write(0, ''),
      write(0, 'create_doc', { path: '/x', markdown: long }),
      { type: 'text-delta', text: 'ite.' },
      write(1, 'read_doc'),
    );
    const calls = ({ segments }: typeof before) => segments.flatMap((segment) => (segment.kind === 'call' ? [segment.call] : []));
    expect(before.segments[0]).toEqual({ kind: 'text', text: 'I write.' });
    expect(calls(before)).toMatchObject([
      { status: 'writing', tool: 'create_doc', args: { path: '/x' }, draft: long },
      { status: 'writing', tool: 'read_doc', args: {} },
    ]);
    const start = {
      type: 'tool-start',
      callId: 'c1',
      tool: 'create_doc',
      arguments: { path: '/x', markdown: `${long}e.` },
      time: 99,
    } as const;
    const queued = reduceAnswer(before, { type: 'round-start', round: 1, time: 98 });
    expect(calls(queued).map(({ status }) => status)).toEqual(['queued', 'queued']);
    const started = reduceAnswer(queued, start);
    const [card, other] = calls(queued);
    expect(calls(started)).toEqual([
      { callId: 'c1', tool: 'create_doc', args: start.arguments, status: 'running', started: 99, cardId: card?.cardId, draft: long },
      other,
    ]);
    expect(new Set(calls(started).map(({ cardId }) => cardId)).size).toBe(2);
    for (const end of [{ type: 'tool-writing-end' }, { type: 'turn-end', status: 'aborted' }] as const)
      expect(calls(reduceAnswer(started, { ...end, time: 1 }))).toMatchObject([{ callId: 'c1' }]);
  });

  it('ignores events of calls that it does not know, and keeps the error', () => {
    const state = run(
      { type: 'tool-progress', callId: 'ghost', message: 'x' },
      { type: 'error', phase: 'model', code: 'timeout', message: 'm', next: 'n' },
    );
    expect(state).toMatchObject({ segments: [], error: { code: 'timeout', message: 'm', next: 'n' } });
  });
});

describe('payloadSegments', () => {
  it('shows a saved answer as the live one was: rounds in order, calls with their variables', () => {
    const record = callRecord('c1');
    const payload = answerPayload('v', 'hint---flow', {
      toolChainResult: {
        toolCallHistory: [record, callRecord('c2', { result: { status: 'execution_rejected', rejectReason: 'no', preview: '' } })],
        rounds: [
          { text: 'Let me look', callIds: ['c1', 'c2'] },
          { text: 'Found it', callIds: [] },
        ],
        stats: { totalRounds: 2, totalCalls: 2, totalTime: 1, startTime: 1, endTime: 2 },
        status: 'completed',
      },
    });
    const segments = payloadSegments(payload);
    expect(segments.map((segment) => (segment.kind === 'call' ? `${segment.call.callId}:${segment.call.status}` : segment.text))).toEqual([
      'Let me look',
      'c1:success',
      'c2:execution_rejected',
      'Found it',
    ]);
    expect(segments[1]).toMatchObject({
      call: { resultVariable: 'search_notes_c1_result', argsVariable: 'search_notes_c1_args', durationMs: 15, started: 10 },
    });
    expect(segments[2]).toMatchObject({ call: { rejectReason: 'no' } });
  });

  it('shows an answer without tools as its text', () => {
    expect(payloadSegments(answerPayload('v', 'plain'))).toEqual([{ kind: 'text', text: 'plain' }]);
  });
});
