import { describe, expect, it } from 'vitest';
import { hasUnseen, textPieces } from './unseen.ts';

const shown = (text: string): string =>
  textPieces(text)
    .map((piece) => (typeof piece === 'string' ? piece : `<${piece.kind}${piece.count > 1 ? `×${piece.count}` : ''}>`))
    .join('');

describe('characters that nobody sees', () => {
  it.each([
    ['a\u00a0b\u202fc', 'a<no-break-space>b<no-break-space>c'],
    ['a\u2003b\u205fc\u1680d', 'a<odd-space>b<odd-space>c<odd-space>d'],
    ['co\u00adop', 'co<soft-hyphen>op'],
    ['a\u200b\u200b\u200bb', 'a<zero-width-space×3>b'],
    ['a\u200cb\u200dc\u2060d', 'a<joiner>b<joiner>c<joiner>d'],
    ['\ufeffa', '<byte-order-mark>a'],
    ['a\u202eb\u2066c\u2069d\u200fe\u061cf', 'a<direction>b<direction>c<direction>d<direction>e<direction>f'],
    ['a\ufe0fb\u{e0101}c', 'a<variation>b<variation>c'],
    ['ok\u{e0068}\u{e0069}', 'ok<tag><tag>'],
    ['\u115f\u1160\u3164\uffa0\u2800', '<filler><filler><filler><filler><filler>'],
    ['a\u2028b', 'a<line-separator>b'],
    ['a\u0000b\u001bc\u0085d\re', 'a<control>b<control>c<control>d<control>e'],
    ['a\ud800b', 'a<other>b'],
    ['a\ue000b\u{f0000}', 'a<private>b<private>'],
    ['a\ufff9b\ufffac\ufffbd\u{1d173}e\uffffe', 'a<other>b<other>c<other>d<other>e<other>e'],
    ['a\u3000b', 'a<odd-space>b'],
    [`x${'\u0301'.repeat(80)} y`, `x${'\u0301'.repeat(8)}<stacked×72> y`],
    [`x${'\u0301\u0336'.repeat(5)}`, `x${'\u0301\u0336'.repeat(4)}<stacked><stacked>`],
  ])('are found: %j', (text, wanted) => expect(shown(text)).toBe(wanted));

  it.each([
    '❤️ 👩🏽‍💻 👨‍👩‍👧 🏳️‍🌈 1️⃣ #️⃣ ☎︎ 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
    'می‌خواهم کتاب‌ها', // Persian
    'क्‍ष श्रीमान् न्‌', // Devanagari
    'ශ්‍රී ලංකාව', // Sinhala
    '　　从前有座山　山里有座庙', // Chinese paragraphs begin with two wide spaces.
    'line\n\tnext\r\nlast 好 é ü',
    'عدد ؀١٢',
    'שלום',
    'Tie\u0302\u0301ng Vie\u0302\u0323t b\u05b0\u05bc\u0591\u05c1 \u0f40\u0fb5\u0f71\u0f72\u0f7e \u0e17\u0e35\u0e48', // Signs over signs.
    '',
  ])('are not what belongs to a word, an emoji or a line: %j', (text) => expect(hasUnseen(text)).toBe(false));

  it.each([
    ['🏴\u{e0067}\u{e0062}\u{e0061}\u{e007f}', 4], // No flag.
    ['😀\ufe0f\ufe0f', 1],
    ['😀\u200d', 1],
    ['می\u200c\u200cخ', 1],
    ['a1\ufe0f', 1],
  ])('are what only looks like it: %j', (text, count) =>
    expect(textPieces(text).filter((piece) => typeof piece !== 'string')).toHaveLength(count),
  );

  it('lose no character of the text', () => {
    const text = 'a\u00a0\u200b\u200b好\u{e0041}😀\ufe0f\n\t\ud800x';
    const joined = textPieces(text).map((piece) => (typeof piece === 'string' ? piece : piece.character.repeat(piece.count)));
    expect(joined.join('')).toBe(text);
  });

  it('take linear time', () => {
    expect(textPieces('\u3000'.repeat(20_000)).length).toBeLessThan(3);
  });
});
