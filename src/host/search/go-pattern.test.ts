import { describe, expect, it } from 'vitest';
import { ToolError } from '../../tools/contract/errors.ts';
import { goPattern, plainPattern } from './go-pattern.ts';

const found = async (pattern: string, line: string): Promise<string | null> => {
  const match = (await goPattern(pattern)).find(line);
  return match && line.slice(match.start, match.end);
};
const refusal = async (pattern: string): Promise<string> => {
  try {
    return `read as ${(await goPattern(pattern)).source}`;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    expect(error.code).toBe('bad_pattern');
    return error.message;
  }
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
  ])('%s matches in %s where JavaScript says so', async (pattern, line) => {
    expect((await goPattern(pattern)).find(line) !== null).toBe(new RegExp(pattern, 'u').test(line));
  });

  it('says where', async () => {
    expect(await found('b+c', 'x😀bbc')).toBe('bbc');
    expect(await found('(?i)FOX', 'the Fox')).toBe('Fox');
    expect(plainPattern('a.B')('xxA.b')).toEqual({ start: 2, end: 5 });
    expect(plainPattern('a-b/c')('a-b/c')).toEqual({ start: 0, end: 5 });
  });

  it.each([
    ['[\\u4e00-\\u9fa5]{4}', '[\\x{4e00}-\\x{9fa5}]{4}'],
    ['\\u{1F600}\\ud83d\\ude00', '\\x{1f600}\\x{1f600}'],
    ['\\p{Script=Han}\\P{sc=Latn}[\\p{scx=Hira}]', '\\p{Han}\\P{Latin}[\\p{Hiragana}]'],
    ['\\p{General_Category=Letter}\\p{Lu}\\pL', '\\p{L}\\p{Lu}\\pL'],
    ['(?<year>x)(?P<n>y)', '(?P<year>x)(?P<n>y)'],
    ['a\\\\b', 'a\\x{5c}b'],
    ['\\.\\/\\-\\é', '\\.\\/\\-é'],
    ['[\\b]\\b[]\\b](?:\\b)', '[\\x{8}]\\b[]\\x{8}](?:\\b)'],
    ['[[:alpha:]\\b]', '[[:alpha:]\\x{8}]'],
    ['\\Qa.b\\E.', 'a\\x{2e}b.'],
    ['a\u00a0b\u200b\tc', 'a\\x{a0}b\\x{200b}\\x{9}c'],
    ['\\cA', '\\x{1}'],
    ['[(?=]x', '[(?=]x'],
    ["don't", "don't"],
    ['(?i:x)(?s).(?U)a+', '(?i:x)(?s).(?U)a+'],
  ])('%s goes to SiYuan as %s', async (pattern, source) => {
    expect((await goPattern(pattern)).source).toBe(source);
  });

  it.each([
    ['(', 'missing closing )'],
    ['a\\', 'trailing backslash'],
    ['[b-a]', 'invalid character class range'],
    ['(?=x)', 'it looks ahead or behind'],
    ['(?<!x)y', 'it looks ahead or behind'],
    ['(?>x)', 'it has an atomic group'],
    ['(?#x)', 'it has a comment'],
    ['(?R)', 'calls a group'],
    ['(a)\\1', 'it has a backreference'],
    ['(?<n>a)\\k<n>', 'it has a backreference'],
    ['a++', 'invalid nested repetition operator'],
    ['\\p{Emoji}', 'it uses \\p{Emoji}'],
    ['\\p{Old_Italic}', 'it uses \\p{Old_Italic}'],
    ['\\q', 'invalid escape sequence'],
    ['\\Z', 'invalid escape sequence'],
    ['(?x)a', 'unsupported Perl syntax'],
    ['', 'it is empty'],
    ['a'.repeat(201), 'longer than 200'],
    ['((a{100}){100})', 'invalid repeat count'],
    ['a{999}'.repeat(9), 'it repeats too much'],
  ])('%s is refused with the reason', async (pattern, reason) => {
    expect(await refusal(pattern)).toContain(reason);
  });

  it('agrees with JavaScript on random patterns', async () => {
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
      expect([pattern, line, (await goPattern(pattern)).find(line) !== null]).toEqual([pattern, line, new RegExp(pattern, 'u').test(line)]);
    }
  });

  it('that JavaScript could not finish in a lifetime is finished', async () => {
    expect(await found('(a+)+$', `${'a'.repeat(20_000)}!`)).toBeNull();
    expect(await found('(a|a)*(a|a)*b', 'a'.repeat(20_000))).toBeNull();
    expect(await found('.*.*.*.*x', 'y'.repeat(20_000))).toBeNull();
  });

  it.each([
    ['L[a-z]+', 'Launch in May, Lands, Launch', ['Launch', 'Lands']],
    ['^a|c$', 'abc', ['a', 'c']],
    ['x*', 'yyy', []],
    ['\\s', 'a b', []],
    ['记.', '笔记本，记号', ['记本', '记号']],
  ])('%s says what it matches in %s', async (pattern, text, matched) => {
    expect((await goPattern(pattern)).matched(text)).toEqual(matched);
  });
});
