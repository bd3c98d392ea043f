import { describe, expect, it } from 'vitest';
import type { DayUsages } from '../../../model/budget/usage.ts';
import { chatShares } from './chat-shares.ts';

const used = (tokens: number, more: Partial<DayUsages>): DayUsages => ({ day: '2026-11-23', tokens, dollars: 0, unpriced: 0, ...more });
const chat = { id: 'one', title: 'Swifts', updated: 1, pinned: false, messages: 2 };

describe('usage by chat', () => {
  it('names chats that can be opened, and says of the rest what it was: gone, a suggestion that was not kept, a test', () => {
    const shares = chatShares(
      [
        used(5, { sessionId: 'one', purpose: 'answer' }),
        used(1, { sessionId: 'one', purpose: 'title' }),
        used(100, { sessionId: 'deleted', purpose: 'answer' }),
        used(10, { sessionId: 'other', purpose: 'answer' }),
        used(2, { sessionId: 'card', purpose: 'suggestion' }),
        used(4, { sessionId: 'one', purpose: 'suggestion' }),
        used(3, { purpose: 'test' }),
        used(7, { purpose: 'speech' }),
        used(8, { purpose: 'transcription' }),
        used(20, {}),
      ],
      [chat],
    );
    expect(shares.map(({ chat: own, name, tokens }) => [own?.title ?? name, tokens])).toEqual([
      ['Swifts', 10],
      ['usage.gone', 110],
      ['usage.unassigned', 20],
      ['usage.speech', 15],
      ['usage.tests', 3],
      ['usage.suggestions', 2],
    ]);
  });
});
