import { describe, expect, it } from 'vitest';
import type { ToolChainEvent } from '../contract/events.ts';
import type { Complete, CompletionResult, ModelDelta } from '../contract/messages.ts';
import { FIRST, runChecked } from '../testing/run-chain.ts';
import { answer, testExecutor, testTool, toolCall } from '../testing/support.ts';

const start = (index: number, name: string): ModelDelta => ({ type: 'toolCallStart', index, id: `c${index}`, name });
const piece = (index: number, argumentsDelta: string): ModelDelta => ({ type: 'toolCallArgs', index, argumentsDelta });

/** A model that streams these and then answers; anything that is not an answer is thrown. */
function streaming(...answers: readonly (readonly [deltas: readonly ModelDelta[], end: CompletionResult | Error])[]): Complete {
  const left = [...answers];
  return async (_request, _signal, onDelta) => {
    const [deltas, end] = left.shift() ?? [[], answer('Done.')];
    for (const delta of deltas) onDelta(delta);
    if (end instanceof Error) throw end;
    return end;
  };
}

/** What is reported about calls; the test's clock moves by a millisecond each time it is read. */
const told = (events: readonly ToolChainEvent[]): readonly unknown[] =>
  events.flatMap<unknown>((event) => {
    if (event.type === 'tool-writing') return [[event.index, event.tool, event.arguments]];
    return event.type === 'tool-writing-end' || event.type === 'tool-start' ? [event.type] : [];
  });

const executorWith = () => testExecutor([testTool('t', { properties: { text: { type: 'string' } } })]).executor;

describe('a call that the model is still writing', () => {
  it('is reported as soon as its name is known; if it has not started by the end of the round, it never will', async () => {
    const deltas = [start(0, 't'), piece(0, '{"text":"a'), start(1, 'other'), piece(1, '{}')];
    const complete = streaming([deltas, answer('', [toolCall('c0', 't')])]);
    const { events } = await runChecked(executorWith(), FIRST, { complete });
    expect(told(events)).toEqual([
      'tool-start',
      ...[
        [0, 't', {}],
        [0, 't', { text: 'a' }],
        [1, 'other', {}],
        [1, 'other', {}],
      ],
      ...['tool-start', 'tool-writing-end'],
    ]);
  });

  it('is reported now and then, however many pieces come, and only by its end if it is long', async () => {
    const word = 'words of a long note ';
    const deltas = [start(0, 't'), piece(0, '{"text":"'), ...Array.from({ length: 5000 }, () => piece(0, word))];
    const { events } = await runChecked(executorWith(), FIRST, { complete: streaming([deltas, answer('', [toolCall('c0', 't')])]) });
    const sizes = events.flatMap((event) => (event.type === 'tool-writing' ? [JSON.stringify(event).length] : []));
    expect(sizes.length).toBeGreaterThan(10);
    expect(sizes.length).toBeLessThan(150);
    expect(Math.max(...sizes)).toBeLessThan(1200);
  });

  it.each([
    ['its answer fails', new Error('broken')],
    ['its answer has no such call', answer('Done.')],
  ])('goes away where %s', async (_why, end) => {
    const { events } = await runChecked(executorWith(), FIRST, { complete: streaming([[start(0, 't'), piece(0, '{"te')], end]) });
    expect(told(events)).toEqual(['tool-start', [0, 't', {}], [0, 't', {}], 'tool-writing-end']);
  });

  it('goes away where it turns out to stand among thoughts: the next one has nothing of it', async () => {
    const drafted: readonly ModelDelta[] = [start(0, 't'), piece(0, '{"text":"a"}'), { type: 'text-was-reasoning' }];
    const complete = streaming([[...drafted, start(0, 't'), piece(0, '{"text":"b"}')], answer('', [toolCall('c0', 't')])]);
    const { events } = await runChecked(executorWith(), FIRST, { complete });
    const of = (text: string) => [0, 't', { text }];
    const rest = ['tool-writing-end', [0, 't', {}], of('b'), 'tool-start', 'tool-writing-end'];
    expect(told(events)).toEqual(['tool-start', [0, 't', {}], of('a'), ...rest]);
  });

  it('disappears if no further round is allowed', async () => {
    const complete = streaming([[start(0, 't')], answer('', [toolCall('c0', 't')])]);
    const { events } = await runChecked(executorWith(), FIRST, { complete, maxRounds: 1 });
    expect(told(events)).toEqual(['tool-start', [0, 't', {}], 'tool-writing-end']);
  });
});
