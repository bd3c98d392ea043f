import { describe, expect, it } from 'vitest';
import { holdsMarkup, holdsShownMarkup, normaliseText, percentDecoded, plainLabel, startsReference } from './normal-text.ts';

describe('the normal form of a text', () => {
  it.each([
    ['&lt;img&gt;', '<img>'],
    ['&lt', '<'],
    ['&#60i', '<i'],
    ['&#x3Cimg', '<img'],
    ['&amp;lt;img', '<img'],
    ['&amp;amp;#38;amp;lt;img', '<img'],
    ['<\u200bimg', '<img'],
    ['<‸img', '<img'],
    ['<<wbr>img', '<img'],
    ['<&lt;wbr&gt;img', '<img'],
    ['\\h\u00adref', '\\href'],
    ['\\h\u2060ref\u0007', '\\href'],
    ['//!js_esc_newline_x', '//!js\nx'],
    ['a\tb\nc', 'a\tb\nc'],
    ['AT&T, R&D, a & b', 'AT&T, R&D, a & b'],
    ['思源 100%', '思源 100%'],
  ])('of %j is %j', (text, normal) => {
    expect(normaliseText(text)).toBe(normal);
  });

  it('is reached in time for the longest chains', () => {
    expect(normaliseText(`&${'amp;'.repeat(90_000)}lt;`)).toBe('<');
    expect(normaliseText('&#3'.repeat(100_000))).toBe('');
    expect(percentDecoded(`%${'25'.repeat(90_000)}3c`).length).toBeGreaterThan(0);
  });

  it('tells markup from signs', () => {
    for (const text of ['<b', '</b', '<!--', '<?x', '&lt;b', '<\u200bb', '&amp;lt;b', 'x <svg/onload=1>'])
      expect(holdsMarkup(text)).toBe(true);
    for (const text of ['a < b', '<3', 'x <', '<-', 'a <= b', '100%', '>', '&', '<<', '思<源']) expect(holdsMarkup(text)).toBe(false);
  });

  it('tells markup that a tooltip decodes', () => {
    for (const text of ['%3cimg', '&lt;img', '%5cx%7b%3c%69mg', '%253Cb', '<%62', '&#37;3cimg']) expect(holdsShownMarkup(text)).toBe(true);
    for (const text of ['100% <', 'a %3C b', '%zz', '50%25']) expect(holdsShownMarkup(text)).toBe(false);
  });

  it('knows where a character reference begins', () => {
    for (const text of ['&lt;', '&lt', '&#60', '&#x3c;', '&am\u200bp;', '&copy 2026']) expect(startsReference(text)).toBe(true);
    for (const text of ['&', '& ', '&T', '&D;', '&xyzzy;', 'lt;', '&#']) expect(startsReference(text)).toBe(false);
  });
});

describe('percent-decoding', () => {
  it.each([
    ['%3Cimg', '<img'],
    ['%253Cimg', '<img'],
    ['100%', '100%'],
    ['%E6%80%9D', '思'],
    ['%ff%3c', '%ff<'],
  ])('of %j is %j', (text, decoded) => {
    expect(percentDecoded(text)).toBe(decoded);
  });
});

describe('a plain label', () => {
  it.each(['a <b> "c"', '&lt;img src=x&gt;', '<\u200bimg', '"><svg onload=1>', '%3cimg%20src=x%3e'])('of %j is no markup', (text) => {
    const label = plainLabel(text);
    expect(holdsShownMarkup(label)).toBe(false);
    expect(label).not.toMatch(/[<>"]/);
  });
});
