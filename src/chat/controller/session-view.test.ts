import { describe, expect, it } from 'vitest';
import { TreeModel } from '../session/tree-model.ts';
import { answerPayload, callRecord, node, userPayload } from '../testing/samples.ts';
import type { AnswerSegment } from '../view/view.ts';
import { inCallOrder, MessageViews } from './session-view.ts';

const call = (callId: string): AnswerSegment => ({
  kind: 'call',
  call: { callId, tool: 'insert_blocks', args: {}, status: 'waiting', started: 0 },
});

describe('approvals of a batch', () => {
  it('are shown in the order of the calls, whichever plan was ready first', () => {
    const asked = [{ callId: 'c' }, { callId: 'a' }, { callId: 'b' }];
    const shown = inCallOrder(asked, [{ kind: 'text', text: 'Three lines.' }, call('a'), call('b'), call('c')]);
    expect(shown.map((request) => request.callId)).toEqual(['a', 'b', 'c']);
  });

  it('keep their order where no answer runs', () => {
    expect(inCallOrder([{ callId: 'b' }, { callId: 'a' }], [])).toEqual([{ callId: 'b' }, { callId: 'a' }]);
  });
});

describe('an unfinished answer with a call that was not done', () => {
  const stats = { totalRounds: 1, totalCalls: 1, totalTime: 0, startTime: 1, endTime: 1 };
  const cut = callRecord('c1', { result: { status: 'interrupted', preview: 'cut off' } });
  const chain = { toolCallHistory: [cut], rounds: [{ text: 'I look.', callIds: ['c1'] }], stats, status: 'aborted' as const };
  const answer = answerPayload('v2', 'I look.', { status: 'interrupted', toolChainResult: chain });
  const nodes = { n1: node('n1', 'user', null, userPayload('v1', 'what?')), n2: node('n2', 'assistant', 'n1', answer) };
  const tree = new TreeModel({ newId: () => 'x', now: () => 1, device: 'd' }, { nodes, rootId: 'n1', leafId: 'n2' });
  const shown = (elsewhere: readonly string[]) => new MessageViews().of({ tree, live: null, elsewhere }, new Map())[1];

  it('was cut off, but where another window runs it', () => {
    expect(shown([])).toMatchObject({ status: 'interrupted', segments: [{ text: 'I look.' }, { call: { status: 'interrupted' } }] });
    const running = shown(['n2']);
    expect(running).toMatchObject({ status: 'streaming', segments: [{ text: 'I look.' }, { call: { status: 'running' } }] });
    expect(running?.segments[1]).not.toHaveProperty('call.durationMs');
  });
});
