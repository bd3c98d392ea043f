import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ceilGrapheme, floorGrapheme, preview } from './graphemes.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const starts = (text: string): readonly number[] => [...[...segmenter.segment(text)].map(({ index }) => index), text.length];

const PARTS = ['a', ' ', '\r\n', '\n', '🇩🇪', '🇩', '👩‍👩‍👧‍👦', '👍🏽', 'é', 'e\u0301', '각', 'क्षि', '笔记', '1\uFE0F\u20E3', '😀', '\u200d'];

describe('graphemes', () => {
  it('begin where the whole text says, in long runs of any kind too', () => {
    const text = fc
      .array(fc.tuple(fc.constantFrom(...PARTS), fc.integer({ min: 1, max: 40 })), { maxLength: 8 })
      .map((runs) => runs.map(([part, times]) => part.repeat(times)).join(''));
    fc.assert(
      fc.property(text, (whole) => {
        const known = starts(whole);
        fc.pre(known.every((start, index) => start - (known[index - 1] ?? 0) <= 256));
        for (let index = 0; index <= whole.length; index++) {
          expect(floorGrapheme(whole, index)).toBe(known.findLast((start) => start <= index));
          expect(ceilGrapheme(whole, index)).toBe(known.find((start) => start >= index));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('cut a run of flags between two of them, wherever the run began', () => {
    const flags = '🇩🇪🇫🇷'.repeat(500);
    expect(preview(`x${flags}`, 1000)).toBe(`x${'🇩🇪🇫🇷'.repeat(124)}🇩🇪…`);
    expect(floorGrapheme(`🇩${flags}`, 1003) % 4).toBe(0);
  });

  it('that are longer than a line are cut between characters', () => {
    expect(preview(`e${'\u0301'.repeat(5000)}`, 200)).toHaveLength(200);
  });
});
