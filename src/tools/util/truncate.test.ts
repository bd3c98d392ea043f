import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floorGrapheme, preview, sliceCharacters } from './graphemes.ts';
import { truncateContent } from './truncate.ts';

const family = '👨‍👩‍👧‍👦';

describe('truncateContent', () => {
  it('keeps head and tail and says how much is missing', () => {
    const text = `${'a'.repeat(500)}${'b'.repeat(500)}`;
    const { text: cut, isTruncated, headLength } = truncateContent(text, 100);
    expect(isTruncated).toBe(true);
    expect(cut).toBe(`${'a'.repeat(70)}\n… [900 of 1000 characters left out here] …\n${'b'.repeat(30)}`);
    expect(headLength).toBe(70);
  });

  it.each([0, -1])('does nothing at limit %d', (limit) => {
    expect(truncateContent('x'.repeat(20_000), limit).isTruncated).toBe(false);
  });

  it('cuts between graphemes', () => {
    const text = family.repeat(100);
    for (let limit = 40; limit < 90; limit++) {
      const [head = '', , tail = ''] = truncateContent(text, limit).text.split('\n');
      expect(head.length % family.length).toBe(0);
      expect(tail.length % family.length).toBe(0);
    }
  });

  it('cuts JSON between records', () => {
    const records = Array.from({ length: 100 }, (_, id) => ({ id, name: 'x'.repeat(20) }));
    const text = `[\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]`;
    const { text: cut, headLength } = truncateContent(text, 1000);
    const lines = cut.split('\n');
    const notice = lines.findIndex((line) => line.includes('records left out here'));
    const kept = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line.replace(/,$/u, '')));
    expect(notice).toBeGreaterThan(1);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.every((record) => record.name.length === 20)).toBe(true);
    expect(kept.at(-1).id).toBe(99);
    expect(text.startsWith(cut.slice(0, headLength))).toBe(true);
  });

  it('cuts a table between rows and keeps its heading', () => {
    const rows = Array.from({ length: 100 }, (_, row) => `| ${row} | ${'x'.repeat(20)} |`);
    const { text } = truncateContent(['| a | b |', '| --- | --- |', ...rows].join('\n'), 800);
    const lines = text.split('\n');
    expect(lines.slice(0, 2)).toEqual(['| a | b |', '| --- | --- |']);
    expect(lines.filter((line) => line.startsWith('|')).every((line) => line.endsWith('|'))).toBe(true);
    expect(text).toMatch(/… \[\d+ of 100 records left out here\] …/u);
  });

  it('cuts within a record that is too long by itself', () => {
    const { text } = truncateContent(JSON.stringify(['x'.repeat(5000), 'y'.repeat(5000)]), 500);
    expect(text.length).toBeLessThan(600);
  });

  it('shows only true parts, near the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 50, maxLength: 400 }), fc.integer({ min: 20, max: 200 }), (text, limit) => {
        const { text: cut, isTruncated, headLength } = truncateContent(text, limit);
        expect(cut.length).toBeLessThanOrEqual(limit + 80);
        if (isTruncated && headLength > 0) expect(text.startsWith(cut.slice(0, headLength))).toBe(true);
        expect(() => encodeURIComponent(cut)).not.toThrow();
      }),
    );
  });
});

describe('graphemes', () => {
  it('never splits one, wherever it is asked', () => {
    const text = `e\u0301${family}🇩🇪x`;
    const starts = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(({ index }) => index);
    for (let index = 0; index <= text.length; index++) expect([...starts, text.length]).toContain(floorGrapheme(text, index));
  });

  it('marks a cut preview', () => {
    expect(preview('abc', 3)).toBe('abc');
    expect(preview(`a${family}b`, 5)).toBe('a…');
  });

  it('reads a text in slices that tile it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 7 }), (text, length) => {
        let read = '';
        let start = 0;
        while (start < text.length) {
          const slice = sliceCharacters(text, start, length);
          read += slice.text;
          expect(slice.end).toBeGreaterThan(start);
          start = slice.end;
        }
        expect(read).toBe(text);
      }),
    );
  });
});

it('never writes JSON anew: long numbers, the order of keys, keys that stand twice and spaces stay as they are', () => {
  const item = fc.constantFrom(
    '12345678901234567891',
    '1.0',
    '-0',
    '1e400',
    '{"b":1,"a":2,"a":3}',
    '{"2":0,"1":[1,{"x":"],\\\\\\""}]}',
    '"a,]\\\\""',
    '[ ]',
    'null',
  );
  fc.assert(
    fc.property(fc.array(item, { minLength: 3, maxLength: 40 }), fc.constantFrom(',', ', ', ',\n '), (items, between) => {
      const text = `[${items.join(between)}]`;
      const { text: cut, isTruncated } = truncateContent(text, 120);
      if (!isTruncated) return;
      const lines = cut.split('\n').filter((line) => !line.startsWith('…'));
      for (const line of lines) expect(text).toContain(line.trim());
    }),
  );
});
