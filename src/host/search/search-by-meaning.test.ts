import { describe, expect, it } from 'vitest';
import type { SearchMatch } from '../../tools/contract/note-readings.ts';
import { fuseRanks } from './search-by-meaning.ts';
import type { RankedText } from './text-copies.ts';

const match = (id: string, words: readonly string[] = []): SearchMatch => ({
  id,
  documentId: id,
  documentTitle: id,
  path: `/${id}`,
  notebook: 'n',
  type: 'p',
  snippet: id,
  words,
});
const byWords = (id: string, score: number, words: readonly string[]): RankedText => ({
  match: match(id, words),
  body: id,
  score,
  updated: '',
  path: `/${id}`,
  id,
  isSavedChat: false,
});
const order = (ranked: readonly RankedText[], near: readonly string[], asked: number): readonly string[] =>
  fuseRanks(ranked, { matches: near.map((id) => match(id)) }, asked).map(({ id }) => id);

describe('what is found by words and by meaning', () => {
  it('comes first where both have it near the top', () => {
    const found = [byWords('a', 10, ['x', 'y']), byWords('b', 9, ['x', 'y'])];
    expect(order(found, ['c', 'b'], 2)).toEqual(['b', 'a', 'c']);
  });

  it('follows the words where their best is far better than the next', () => {
    const near = ['b', 'a'];
    expect(order([byWords('a', 10, ['x', 'y']), byWords('b', 9.9, ['x', 'y'])], near, 2)[0]).toBe('a');
    expect(order([byWords('a', 10, ['x', 'y']), byWords('b', 2, ['x', 'y'])], near, 2)[0]).toBe('a');
    // One that is hardly worse, and nearer, is first again.
    expect(order([byWords('c', 10, ['x', 'y']), byWords('b', 9.9, ['x', 'y'])], near, 2)[0]).toBe('b');
  });

  it('follows the meaning where hardly any word of the question is found', () => {
    const found = [byWords('name', 10, ['1999'])];
    expect(order(found, ['right', 'other'], 8)).toEqual(['right', 'other', 'name']);
  });

  it('is the one list where the other is empty', () => {
    expect(order([byWords('a', 2, ['x']), byWords('b', 1, ['x'])], [], 1)).toEqual(['a', 'b']);
    expect(order([], ['a', 'b'], 3)).toEqual(['a', 'b']);
  });

  const joined = (words: readonly RankedText[], own: readonly string[], other: readonly string[], nearer: number, asked: number) =>
    fuseRanks(words, { matches: own.map((id) => match(id)), other: { matches: other.map((id) => match(id)), nearer } }, asked).map(
      ({ id }) => id,
    );

  it('has another script first where words say little, and there where it is nearer', () => {
    const words = [byWords('name', 10, ['1999'])];
    expect(joined(words, ['own'], ['right'], 0.1, 8)[0]).toBe('right');
    expect(joined(words, ['own'], ['right'], -0.4, 8)[0]).toBe('own');
    const most = [byWords('a', 10, ['x', 'y']), byWords('b', 2, ['x', 'y'])];
    expect(joined(most, ['c', 'd', 'a'], ['right'], 0.5, 2)[0]).toBe('right');
  });

  it('has what words and meaning both find before another script, and that before the rest', () => {
    const words = [byWords('a', 10, ['x', 'y']), byWords('b', 2, ['x', 'y'])];
    expect(joined(words, ['a', 'c'], ['other'], 0.1, 2)).toEqual(['a', 'other', 'c', 'b']);
  });
});
