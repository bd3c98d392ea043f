import { describe, expect, it } from 'vitest';
import { inCallOrder } from './session-view.ts';
import type { AnswerSegment } from './view.ts';

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
