import { describe, expect, it } from 'vitest';
import { byRank, type Rank } from './rank-order.ts';

describe('the order of what a search finds', () => {
  it('is by score, then by the time of the last change, then by path and id, whatever order it came in', () => {
    const ranks: readonly Rank[] = [
      { score: 2, updated: '', path: '/z', id: 'd' },
      { score: 1, updated: '20260102000000', path: '/z', id: 'c' },
      { score: 1, updated: '20260101000000', path: '/daily note', id: 'b' },
      { score: 1, updated: '20260101000000', path: '/daily note', id: 'f' },
      { score: 1, updated: '20260101000000', path: '/daily note/2026', id: 'a' },
      { score: 1, updated: '', path: '/a', id: 'a' },
    ];
    expect([...ranks].reverse().sort(byRank)).toEqual(ranks);
    expect([...ranks.slice(2), ...ranks.slice(0, 2)].sort(byRank)).toEqual(ranks);
    expect(byRank({ score: 1, updated: '', path: '/a', id: 'a' }, { score: 1, updated: '', path: '/a', id: 'a' })).toBe(0);
  });
});
