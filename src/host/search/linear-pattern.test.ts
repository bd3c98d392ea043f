import { describe, expect, it } from 'vitest';
import { linearPattern, plainPattern } from './linear-pattern.ts';

const found = (pattern: string, line: string): string | null => {
  const match = linearPattern(pattern)(line);
  return match && line.slice(match.start, match.end);
};
const codeOf = (pattern: string): string => {
  try {
    linearPattern(pattern);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unexpected';
  }
  return 'none';
};

describe('a pattern', () => {
  it.each([
    ['b+', 'aabbc'],
    ['^a|c$', 'xxc'],
    ['\\bfox\\b', 'a fox!'],
    ['\\bfox\\b', 'foxes'],
    ['[^\\d\\]]{2,3}x', '12ab]cdx'],
    ['\\p{Script=Han}{2}', 'ab笔记c'],
    ['(?:ab){2}', 'ababab'],
    ['(?<year>\\d{4})-\\d\\d', 'on 2026-02-03'],
    ['colou?r', 'the color'],
    ['😀.', 'x😀y'],
    ['\\u{1F600}', 'x😀y'],
    ['\\ud83d\\ude00', 'x😀y'],
    ['a{0}b', 'ab'],
    ['a.*c', 'b abac c'],
    ['(a|ab)(c|bcd)$', 'abcd'],
    ['\\(x\\)\\.', 'f(x).'],
    ['x*', 'yyy'],
    ['\\Boo', 'foo'],
    ['$', 'abc'],
  ])('%s matches in %s where JavaScript says so', (pattern, line) => {
    expect(linearPattern(pattern)(line) !== null).toBe(new RegExp(pattern, 'u').test(line));
  });

  it('says where', () => {
    expect(found('b+c', 'x😀bbc')).toBe('bbc');
    expect(found('(?i)FOX', 'the Fox')).toBe('Fox');
    expect(plainPattern('a.B')('xxA.b')).toEqual({ start: 2, end: 5 });
    expect(plainPattern('a-b/c')('a-b/c')).toEqual({ start: 0, end: 5 });
  });

  it.each(['(', 'a{2', '[b-a]', '(?=x)', '(?<!x)y', '(a)\\1', '(?<n>a)\\k<n>', '', 'a'.repeat(201), '((a{100}){100})', '\\q'])(
    '%s is refused',
    (pattern) => {
      expect(codeOf(pattern)).toBe('bad_pattern');
    },
  );

  it('agrees with JavaScript on random patterns', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      return seed % below;
    };
    const make = (depth: number): string => {
      const kinds = depth > 0 ? 7 : 3;
      const kind = random(kinds);
      if (kind === 0) return 'abc'[random(3)] ?? 'a';
      if (kind === 1) return ['.', '[ab]', '[^a]', '\\w', '\\b'][random(5)] ?? '.';
      if (kind === 2) return ['^', '$', 'a', 'b'][random(4)] ?? 'a';
      if (kind === 3) return `(?:${make(depth - 1)}|${make(depth - 1)})`;
      if (kind === 4) return `(?:${make(depth - 1)})${['*', '+', '?', '{2}', '{1,3}', '{2,}'][random(6)]}`;
      return make(depth - 1) + make(depth - 1);
    };
    for (let round = 0; round < 3000; round += 1) {
      const pattern = make(4);
      const line = Array.from({ length: random(8) }, () => 'abc '[random(4)]).join('');
      expect([pattern, line, linearPattern(pattern)(line) !== null]).toEqual([pattern, line, new RegExp(pattern, 'u').test(line)]);
    }
  });

  it('that JavaScript could not finish in a lifetime is finished', () => {
    expect(found('(a+)+$', `${'a'.repeat(20_000)}!`)).toBeNull();
    expect(found('(a|a)*(a|a)*b', 'a'.repeat(20_000))).toBeNull();
    expect(found('.*.*.*.*x', 'y'.repeat(20_000))).toBeNull();
  });
});
