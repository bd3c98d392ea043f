import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCitations, dropUnknownCitations, splitCitations } from './citations.ts';

const known = new Set(['20200101000000-aaaaaaa', '20200101000000-bbbbbbb']);
const text =
  'A ((20200101000000-aaaaaaa "the plan")), B ((20200101000000-zzzzzzz "made up")), C ((20200101000000-bbbbbbb)), again ((20200101000000-aaaaaaa \'x\')).';

describe('citations', () => {
  it('keeps what was read, once, in order, and marks what was not', () => {
    expect(checkCitations(text, known)).toEqual({
      cited: ['20200101000000-aaaaaaa', '20200101000000-bbbbbbb'],
      unknown: ['20200101000000-zzzzzzz'],
    });
    expect(splitCitations(text, known).filter((part) => part.kind === 'citation')).toMatchObject([
      { anchor: 'the plan', known: true },
      { anchor: 'made up', known: false },
      { anchor: '', known: true },
      { anchor: 'x', known: true },
    ]);
  });

  it('takes links to blocks, and ids that stand in a sentence, as citations', () => {
    const linked =
      'See [the plan](siyuan://blocks/20200101000000-aaaaaaa?focus=1), [a "made up" one](siyuan://blocks/20200101000000-zzzzzzz), 20200101000000-bbbbbbb.';
    expect(checkCitations(linked, known)).toEqual({
      cited: ['20200101000000-aaaaaaa', '20200101000000-bbbbbbb'],
      unknown: ['20200101000000-zzzzzzz'],
    });
    expect(dropUnknownCitations(linked, known)).toBe(
      'See ((20200101000000-aaaaaaa "the plan")), a \'made up\' one, 20200101000000-bbbbbbb.',
    );
    expect(checkCitations('`20200101000000-bbbbbbb`', known).cited).toEqual([]);
  });

  it('turns unknown ones into words', () => {
    expect(dropUnknownCitations(text, known)).toContain('B made up, C ((20200101000000-bbbbbbb))');
  });

  it('leaves code alone, fenced, unclosed and inline', () => {
    const cite = '((20200101000000-aaaaaaa "x"))';
    for (const code of [`\`${cite}\``, `\`\`\`\n${cite}\n\`\`\``, `before\n~~~~\n${cite}`])
      expect(checkCitations(code, known).cited).toEqual([]);
    expect(checkCitations(`\`\`\`\ncode\n\`\`\`\n${cite}`, known).cited).toHaveLength(1);
  });

  it('property: the parts hold every character that is not a citation', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '`', '\n', '((', '))', '"', ' ', '20200101000000-aaaaaaa') }), (source) => {
        const parts = splitCitations(source, known);
        if (parts.every((part) => part.kind === 'text'))
          expect(parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')).toBe(source);
        expect(dropUnknownCitations(source, known).length).toBeLessThanOrEqual(source.length);
      }),
    );
  });
});
