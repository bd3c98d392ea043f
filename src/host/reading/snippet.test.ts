import { describe, expect, it } from 'vitest';
import { findName, findTerm, SNIPPET_CHARS, snippetAt } from './snippet.ts';

const around = (text: string, term: string): string => {
  const found = findTerm(text, [term]) ?? { start: 0, end: 0 };
  return snippetAt(text, found.start, found.end);
};

describe('a snippet', () => {
  it('is the whole text in one line where it fits', () => {
    expect(around('one\n  two', 'two')).toBe('one two');
    expect(around('', 'x')).toBe('');
  });

  it.each([
    ['English', 'word '.repeat(100), 'needle', ' tail'.repeat(100)],
    ['Chinese', '笔记'.repeat(200), '针', '软件'.repeat(200)],
    ['pictures', '👨‍👩‍👧‍👦'.repeat(60), 'needle', '🇨🇳'.repeat(90)],
    ['accents', 'é'.repeat(200), 'needle', 'e\u0301'.repeat(200)],
  ])('of %s has the match in it, keeps within its length and cuts no character', (_name, before, term, after) => {
    const snippet = around(before + term + after, term);
    expect(snippet).toContain(term);
    expect(snippet.length).toBeLessThanOrEqual(SNIPPET_CHARS);
    const inside = snippet.replace(/^…|…$/g, '');
    expect(before + term + after).toContain(inside);
    const graphemes = (text: string): string[] => [...new Intl.Segmenter().segment(text)].map((each) => each.segment);
    const known = new Set(graphemes(before + term + after));
    expect(graphemes(inside).filter((each) => !known.has(each))).toEqual([]);
  });

  it('finds the longer of two terms, and none where there is none', () => {
    expect(findTerm('a FOXglove', ['fox', 'foxglove'])).toEqual({ start: 2, end: 10 });
    expect(findTerm('a.b', ['.'])).toEqual({ start: 1, end: 2 });
    expect(findTerm('a', [''])).toBeUndefined();
  });

  it('finds names as words where there are words', () => {
    expect(findName('the item, it is', ['it'])).toEqual({ start: 10, end: 12 });
    expect(findName('Denebola and DENEB', ['x', 'Deneb'])).toEqual({ start: 13, end: 18 });
    expect(findName('items', ['it'])).toBeUndefined();
    expect(findName('我的思源笔记', ['思源'])).toEqual({ start: 2, end: 4 });
    expect(findName('see C++ now', ['C++'])).toEqual({ start: 4, end: 7 });
    expect(findName('x😀it', ['it'])).toEqual({ start: 3, end: 5 });
    expect(findName('a b', [])).toBeUndefined();
  });
});
