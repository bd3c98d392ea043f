import { describe, expect, it } from 'vitest';
import type { Message } from '../contract/messages.ts';
import { protocolErrors, toolCall } from '../testing/support.ts';
import { freeCallId, withUniqueCallIds } from './call-ids.ts';

describe('an id for a call', () => {
  it.each([
    ['a1B2c3D4e', [], 'a1B2c3D4e'],
    ['functions.read:0', [], 'functions.read:0'],
    ['functions.read:0', ['functions.read:0', 'functions.read:1'], 'functions.read:2'],
    ['call_0', ['call_0'], 'call_0_2'],
    ['', [], 'call_1'],
    ['', ['call_1'], 'call_2'],
  ])('%j, where %j are taken, is %s', (id, taken, free) => {
    expect(freeCallId(id, (one) => taken.includes(one))).toBe(free);
  });
});

describe('messages of an older chat', () => {
  const asks = (...ids: string[]): Message => ({ role: 'assistant', content: '', tool_calls: ids.map((id) => toolCall(id, 'read')) });
  const answers = (id: string, content = ''): Message => ({ role: 'tool', tool_call_id: id, content });

  it('have each id once as they go, each call with its own result', () => {
    const saved = [
      asks('f:0', 'f:0'),
      answers('f:0', 'a'),
      answers('f:0', 'b'),
      asks('f:0', 'f:1'),
      answers('f:0', 'c'),
      answers('f:1', 'd'),
    ];
    const sent = withUniqueCallIds(saved);
    expect(protocolErrors(sent)).toEqual([]);
    expect(sent.flatMap((message) => (message.role === 'tool' ? [message.content] : []))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are the same objects where each id stands once', () => {
    const saved = [asks('f:0'), answers('f:0'), asks('f:1'), answers('f:1')];
    expect(withUniqueCallIds(saved)).toBe(saved);
  });
});
