import { describe, expect, it } from 'vitest';
import { isTooDense } from './dense-text.ts';

const FENCE = '```';

describe('a text that would keep the parser busy', () => {
  it.each([
    ['links without an end', '[a]('.repeat(1000)],
    ['pictures without an end', '![a'.repeat(2000)],
    ['tags without an end', '<a '.repeat(2000)],
    ['tags whose value has no end', '<a b=">'.repeat(2000)],
    ['comments without an end', ']<!--'.repeat(2000)],
    ['signs by their names', '&lt;~'.repeat(2000)],
    ['signs by their names, without an end', '&amp'.repeat(2000)],
    ['links without an end, in a table', '|a|[b](\n'.repeat(1000)],
    ['such a text after a fence', `${FENCE}\n${FENCE}\n${'[a]('.repeat(1000)}`],
    ['such a text in what looks like a fence, in a formula', `$$\n${FENCE}\n$$\n${'[a]('.repeat(1000)}\n${FENCE}`],
    ['such a text in what looks like a fence, in a comment', `<!--\n${FENCE}\n-->\n${'[a]('.repeat(1000)}\n${FENCE}`],
    ['items in items on one line', '* [ ] '.repeat(65)],
    ['quotes in items on one line', `${'- > '.repeat(33)}a`],
    ['formulas in one paragraph', '$a$ b\n'.repeat(7000)],
    ['formulas next to each other', '$a$'.repeat(12_000)],
    ['code in one paragraph', '`a`'.repeat(12_000)],
    ['marks in one paragraph', '~a~'.repeat(12_000)],
    ['tags in one paragraph', '<u>a</u>'.repeat(5000)],
    ['super blocks in super blocks', '{{{row\n'.repeat(65)],
  ])('is found: %s', (_what, text) => {
    expect(isTooDense(text)).toBe(true);
    expect(isTooDense(`${'Some words.\n\n'.repeat(3000)}${text}\n\n${'Some words.\n\n'.repeat(3000)}`)).toBe(true);
  });

  it.each([
    ['prose in one paragraph', 'Some words (or more) of [prose](http://a.b/c) and `code`. '.repeat(600)],
    ['a list of links', '- [a title](http://a.b/c), which <b>says</b> (among others) more\n'.repeat(5000)],
    ['code', `${FENCE}cpp\n${'if (a[i](b) < c) { std::vector<int*> d; }\n'.repeat(9000)}${FENCE}`],
    ['blocks of code', `${FENCE}\nif (a[i](b) < c) d();\n${FENCE}\n`.repeat(3000)],
    ['a table', `|a|b|\n|-|-|\n${'|one (1)|[two](b)|\n'.repeat(9000)}`],
    ['a table of prices', `|a|b|\n|-|-|\n${'| $5.00 | `code` |\n'.repeat(5000)}`],
    [
      'a table of HTML',
      `<table>\n${'<td align="center"><a href="https://a.b/c?d"><img src="d" alt=""/><br /><b>N</b></a></td>\n'.repeat(250)}</table>`,
    ],
    ['a note of formulas', 'Let $a_1$ be **less** than $b_1$, so\n$$\na_1 < b_1\n$$\n'.repeat(150)],
    ['levels that are allowed', `${'- '.repeat(64)}a`],
    ['many super blocks', '{{{row\na\n\n}}}\n\n'.repeat(3000)],
  ])('is not %s', (_what, text) => {
    expect(isTooDense(text)).toBe(false);
  });
});
