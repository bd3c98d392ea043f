import { describe, expect, it } from 'vitest';
import { ToolError } from '../../tools/contract/errors.ts';
import { matchesFullText, printFullText, termsOf } from './full-text-expression.ts';
import { parseFullText } from './search-matching.ts';

const printed = (query: string): string => printFullText(parseFullText(query));
const mistake = (query: string): string => {
  try {
    return `read as ${printed(query)}`;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    expect([error.code, error.next]).toEqual(['bad_query', expect.stringMatching(/\S/u)]);
    return error.message;
  }
};

describe('a full-text query', () => {
  it.each([
    ['launch', '"launch"'],
    ['"two words"', '"two words"'],
    ['two words', '("two" AND "words")'],
    ['a AND b OR c', '(("a" AND "b") OR "c")'],
    ['a OR b AND c OR d', '("a" OR ("b" AND "c") OR "d")'],
    ['a b NOT c d', '(("a" AND "b") NOT ("c" AND "d"))'],
    ['a AND b NOT c', '("a" AND ("b" NOT "c"))'],
    ['a AND b AND NOT c', '(("a" AND "b") NOT "c")'],
    ['(a OR b) AND (c)', '(("a" OR "b") AND "c")'],
    ['moon* "sun"*', '("moon" AND "sun")'],
    ['^first', '^ "first"'],
    ['content:moon', '{content} : ("moon")'],
    ['{name tag} : (a OR "b c")', '{name tag} : (("a" OR "b c"))'],
    ['NEAR(a "b c")', 'NEAR("a" "b c", 10)'],
    ['NEAR("a,5" b, 40) OR c', '(NEAR("a,5" "b", 40) OR "c")'],
    ['and or not near', '("and" AND "or" AND "not" AND "near")'],
    ['C++ 100% foo-bar 3.7.3 a/b', '("C++" AND "100%" AND "foo-bar" AND "3.7.3" AND "a/b")'],
    ["don't", '"don\'t"'],
    ['"say ""hi"""', '"say ""hi"""'],
    ['“quoted” 间隔　复习', '("“quoted”" AND "间隔" AND "复习")'],
    ['"quokka " ', '"quokka"'],
    ['"line\nbreak\u0000\u200b"', '"line break"'],
    ['back\\slash', '"back\\slash"'],
  ])('%s is printed as %s', (query, expected) => {
    expect(printed(query)).toBe(expected);
    // What is printed is read as the same.
    expect(printFullText(parseFullText(expected))).toBe(printed(expected));
  });

  it.each([
    ['', 'at its end: a word is missing'],
    ['a AND', 'at its end: a word is missing'],
    ['NOT a', 'at character 1 ("NOT a"): a word is missing'],
    ['a OR OR b', 'at character 6 ("OR b"): a word is missing'],
    ['(a', 'at its end: the parenthesis is not closed'],
    ['a) b', 'at character 2 (") b"): a closing parenthesis has no opening one'],
    ['月 "b', 'at character 3 ("\\"b"): the quotation mark is not closed'],
    ["x') OR 1=1 --", 'at character 12 ("--"): this is not an operator here'],
    ["x') OR 1=1", 'at character 3 (") OR 1=1"): a closing parenthesis has no opening one'],
    ['""', 'at character 1 ("\\"\\""): there is nothing to search for'],
    ['a AND "\u0000"', 'at character 7 ("\\"\\u0000\\""): there is nothing to search for'],
    ['secret:x', 'at character 1 ("secret:x"): there is no column "secret"'],
    ['ial:x', 'at character 1 ("ial:x"): there is no column "ial"'],
    ['-content:x', 'there is no column "-content"'],
    [': a', 'at character 1 (": a"): this sign is not a word'],
    ['a -b', 'at character 3 ("-b"): this is not an operator here'],
    ['a || b', 'at character 3 ("|| b"): this is not an operator here'],
    ['a + b', 'at character 3 ("+ b"): this is not an operator here'],
    ['* a', 'at character 1 ("* a"): a word is missing'],
    ['NEAR(, 5)', 'at character 1 ("NEAR(, 5)"): NEAR needs words'],
    ['NEAR(a b, x)', 'NEAR needs words'],
    [`NEAR(${'"'.repeat(79)}`, 'quotation mark is not closed'],
    [`${'('.repeat(30)}a${')'.repeat(30)}`, 'nested too deeply'],
    [Array.from({ length: 60 }, (_, at) => `w${at}`).join(' OR '), 'more than 50 terms'],
  ])('%s is refused with the place', (query, expected) => {
    expect(mistake(query)).toContain(expected);
  });

  it('is true of a text as the index has it', () => {
    const is = (query: string, text: string): boolean => matchesFullText(parseFullText(query), text);
    expect([is('moon NOT sun', 'the Moon'), is('moon NOT sun', 'moon and sun'), is('^moon', 'a moon'), is('^moon', 'Moons')]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([is('NEAR(moon sun, 5)', 'sun and moon'), is('NEAR(moon sun, 4)', 'sun and moon'), is('NEAR(sun sun, 0)', 'sun')]).toEqual([
      true,
      false,
      true,
    ]);
    expect([is('content:(a OR b)', 'xb'), is('"a b" OR c', 'b a')]).toEqual([true, false]);
    expect(termsOf(parseFullText('a (b OR NEAR(c d)) NOT e'))).toEqual(['a', 'b', 'c', 'd']);
  });
});
