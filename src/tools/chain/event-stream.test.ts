import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ToolChainEvent, ToolChainEventBody } from '../contract/events.ts';
import { unmatchedEvents } from '../testing/event-pairs.ts';
import { testClock } from '../testing/support.ts';
import { createEventEmitter } from './event-stream.ts';

function make(parentCallId?: string) {
  const events: ToolChainEvent[] = [];
  const parent = parentCallId === undefined ? {} : { parentCallId };
  const emitter = createEventEmitter({
    sessionId: 's',
    turnId: 't',
    clock: testClock(1000),
    onEvent: (event) => events.push(event),
    ...parent,
  });
  return { events, emitter, types: () => events.map(({ type }) => type) };
}

describe('createEventEmitter', () => {
  it('stamps every event', () => {
    const { events, emitter } = make('p1');
    emitter.emit({ type: 'turn-start' });
    emitter.emit({ type: 'turn-end', status: 'completed' });
    expect(events).toMatchObject([
      { seq: 1, sessionId: 's', turnId: 't', parentCallId: 'p1', type: 'turn-start' },
      { seq: 2, status: 'completed' },
    ]);
    expect(events[1]!.time).toBeGreaterThan(events[0]!.time);
  });

  it('opens and closes text and reasoning as they come', () => {
    const { emitter, types } = make();
    emitter.delta('reasoning', 'r');
    emitter.delta('text', 'a');
    emitter.delta('text', '');
    emitter.delta('text', 'b');
    emitter.closeText();
    emitter.closeText();
    expect(types()).toEqual(['reasoning-start', 'reasoning-delta', 'reasoning-end', 'text-start', 'text-delta', 'text-delta', 'text-end']);
  });

  it('closes what is open, innermost first, once', () => {
    const { emitter, types, events } = make();
    emitter.emit({ type: 'turn-start' });
    emitter.emit({ type: 'round-start', round: 1 });
    emitter.emit({ type: 'tool-start', callId: 'c', tool: 't', arguments: {} });
    emitter.emit({ type: 'approval-request', approvalId: 'a', callId: 'c', kind: 'execution', tool: 't', args: {} });
    emitter.closeAll({ tools: 'aborted', turn: 'aborted' });
    emitter.closeAll({ turn: 'error' });
    expect(types().slice(4)).toEqual(['approval-end', 'tool-end', 'round-end', 'turn-end']);
    expect(events[4]).toMatchObject({ decision: 'aborted' });
  });

  it('drops the report of a tool that has ended', () => {
    const { emitter, types } = make();
    emitter.emit({ type: 'tool-start', callId: 'c', tool: 't', arguments: {} });
    emitter.emit({ type: 'tool-progress', callId: 'c', message: 'half' });
    emitter.closeAll();
    emitter.emit({ type: 'tool-progress', callId: 'c', message: 'late' });
    emitter.emit({ type: 'text-delta', text: 'late' });
    expect(types()).toEqual(['tool-start', 'tool-progress', 'tool-end']);
  });

  it('leaves the turn to its owner', () => {
    const { emitter, types } = make();
    emitter.emit({ type: 'turn-start' });
    emitter.closeAll();
    expect(types()).toEqual(['turn-start']);
  });

  it('goes on when a listener throws, which still surfaces', () => {
    const thrown: unknown[] = [];
    vi.stubGlobal('queueMicrotask', (task: () => void) => {
      try {
        task();
      } catch (error) {
        thrown.push(error);
      }
    });
    const onEvent = () => {
      throw new Error('listener');
    };
    const emitter = createEventEmitter({ sessionId: 's', turnId: 't', clock: testClock(), onEvent });
    expect(() => emitter.emit({ type: 'turn-start' })).not.toThrow();
    expect(thrown).toHaveLength(1);
    vi.unstubAllGlobals();
  });

  it('has matched pairs after any sequence', () => {
    const body: fc.Arbitrary<ToolChainEventBody> = fc.constantFrom<ToolChainEventBody[]>(
      { type: 'text-start' },
      { type: 'text-end' },
      { type: 'reasoning-start' },
      { type: 'reasoning-end' },
      { type: 'round-start', round: 1 },
      { type: 'round-end', round: 1 },
      { type: 'round-start', round: 2 },
      { type: 'tool-start', callId: 'a', tool: 't', arguments: {} },
      { type: 'tool-end', callId: 'a', status: 'success', durationMs: 1, preview: '' },
      { type: 'tool-end', callId: 'b', status: 'success', durationMs: 1, preview: '' },
      { type: 'approval-request', approvalId: 'x', callId: 'a', kind: 'result', tool: 't', args: {} },
      { type: 'approval-end', approvalId: 'x', decision: 'approved' },
      { type: 'turn-start' },
      { type: 'turn-end', status: 'completed' },
    );
    fc.assert(
      fc.property(fc.array(body), (bodies) => {
        const { emitter, events } = make();
        for (const event of bodies) emitter.emit(event);
        emitter.closeAll({ turn: 'aborted' });
        expect(unmatchedEvents(events)).toEqual([]);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      }),
    );
  });
});
