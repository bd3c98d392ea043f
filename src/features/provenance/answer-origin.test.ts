import { describe, expect, it } from 'vitest';
import type { Payload, SavedToolChain } from '../../chat/session/types.ts';
import { answerPayload, callRecord, node, session, userPayload } from '../../chat/testing/samples.ts';
import { originOf } from './answer-origin.ts';

const call = { sessionId: 's1', messageId: 'n2', callId: 'c1' };
const chain = (callId: string): SavedToolChain => ({
  toolCallHistory: [callRecord(callId)],
  rounds: [],
  stats: { totalRounds: 1, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 },
  status: 'completed',
});
const version = (id: string, author: string, callId: string): Payload =>
  answerPayload(id, 'done', { author, toolChainResult: chain(callId) });

describe('what a chat says of a block that it wrote', () => {
  it('is the model of the version that made the call, not of the one that is shown, and the beginning of the question', () => {
    const asked = node('n1', 'user', null, userPayload('v1', `Please\n  write ${'it '.repeat(100)}`));
    const [old, shown] = [version('v2', 'first-model', 'c1'), version('v3', 'second-model', 'c2')];
    const answer = node('n2', 'assistant', 'n1', shown, { versions: { v2: old, v3: shown } });
    const origin = originOf(session('s1', { nodes: { n1: asked, n2: answer } }), call);
    expect(origin?.by).toBe('first-model');
    expect(origin?.question).toMatch(/^Please write it it .*it…$/);
    expect(origin?.question.length).toBeLessThanOrEqual(161);
    expect(originOf(session(), { ...call, callId: 'other' })).toEqual({ by: 'scripted', question: 'what?', order: '', isUnasked: false });
  });

  it('is the name of a program or the title of a run, where nobody asked a question', () => {
    expect(originOf(session('mcp-1-ab-20260101'), call)).toEqual({ by: 'scripted', question: '', order: '', isUnasked: false });
    const run = session('order-inbox-1', { title: 'Sort my inbox · 09:00' });
    expect(originOf(run, call)).toEqual({ by: 'scripted', question: '', order: 'Sort my inbox · 09:00', isUnasked: false });
  });

  it('is that nobody was asked, where the record of the call says so', () => {
    const { toolCallHistory, ...rest } = chain('c1');
    const written = { blockIds: ['b'], documentId: 'd', undoable: true, unasked: 'notebook' };
    const made = toolCallHistory.map((each) => ({ ...each, result: { ...each.result, written } }));
    const answer = answerPayload('v2', 'done', { toolChainResult: { ...rest, toolCallHistory: made } });
    const chat = session('s1', { nodes: { n2: node('n2', 'assistant', null, answer) } });
    expect(originOf(chat, call)?.isUnasked).toBe(true);
  });

  it('is nothing once the answer is gone', () => {
    expect(originOf(session(), { ...call, messageId: 'gone' })).toBeNull();
  });
});
