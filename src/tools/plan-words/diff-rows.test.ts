import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffRow, diffRows } from './diff-rows.ts';

/** Rows as text: marked words in brackets. */
function drawn(rows: readonly DiffRow[]): string[] {
  const signs = { same: ' ', removed: '-', added: '+' };
  return rows.map((row) =>
    row.kind === 'fold'
      ? `… ${row.count}`
      : `${signs[row.kind]}${row.parts.map((part) => (part.marked ? `[${part.text}]` : part.text)).join('')}`,
  );
}

function side(rows: readonly DiffRow[], kind: 'removed' | 'added'): string {
  return rows
    .flatMap((row) => {
      if (row.kind === 'fold') return row.lines;
      return row.kind === 'same' || row.kind === kind ? [row.parts.map((part) => part.text).join('')] : [];
    })
    .join('\n');
}

describe('diffRows', () => {
  it('marks the words that differ inside a changed line', () => {
    expect(drawn(diffRows('The kickoff is on Monday at nine.', 'The kickoff is on Tuesday at nine.'))).toEqual([
      '-The kickoff is on [Monday] at nine.',
      '+The kickoff is on [Tuesday] at nine.',
    ]);
  });

  it('marks neighbouring words as one change', () => {
    expect(drawn(diffRows('We arrive on Monday morning by train.', 'We arrive on Tuesday evening by train.'))).toEqual([
      '-We arrive on [Monday morning] by train.',
      '+We arrive on [Tuesday evening] by train.',
    ]);
  });

  it('marks words, not characters, in Chinese', () => {
    expect(drawn(diffRows('每天早上复习卡片', '每天晚上复习卡片'))).toEqual(['-每天[早上]复习卡片', '+每天[晚上]复习卡片']);
  });

  it('shows unrelated lines whole', () => {
    expect(drawn(diffRows('Buy milk and eggs', 'Quarterly report draft'))).toEqual(['-[Buy milk and eggs]', '+[Quarterly report draft]']);
  });

  it('folds what is unchanged but for one line beside a change', () => {
    const lines = Array.from({ length: 14 }, (_, index) => `line ${index}`);
    const after = lines.with(13, 'line thirteen');
    expect(drawn(diffRows(lines.join('\n'), after.join('\n')))).toEqual(['… 12', ' line 12', '-line [13]', '+line [thirteen]']);
  });

  it('shows what is all new and what goes', () => {
    expect(drawn(diffRows(null, 'a\nb\n'))).toEqual(['+[a]', '+[b]']);
    expect(drawn(diffRows('a', null))).toEqual(['-[a]']);
    expect(diffRows(null, null)).toEqual([]);
    expect(drawn(diffRows('same', 'same'))).toEqual([' same']);
  });

  it('loses no line of either side', () => {
    const text = fc
      .array(fc.constantFrom('one', 'two words', '', '三个词语', '- item', 'x < y & z'), { minLength: 1, maxLength: 12 })
      .map((lines) => lines.join('\n'));
    return fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = diffRows(before, after);
        const clean = (value: string): string => value.replace(/\n$/, '');
        expect(side(rows, 'removed')).toBe(clean(before));
        expect(side(rows, 'added')).toBe(clean(after));
      }),
      { numRuns: 500 },
    );
  });
});
