import { describe, expect, it } from 'vitest';
import { lineReader, WholePieces } from './program-pipe.ts';

const BLANK = /\r?\n\r?\n/;

describe('text that arrives in pieces', () => {
  it.each(['a\n\nb\r\n\r\nc\n\n\n\nd', '\r\n\r\n', '', 'a\r\n\nb', 'no end', '\n\n\n'])(
    'is cut like the whole text %j, however it arrives',
    (text) => {
      for (let size = 1; size <= 5; size += 1) {
        const pieces = new WholePieces(BLANK, 4);
        const whole: string[] = [];
        for (let at = 0; at < text.length; at += size) whole.push(...pieces.take(text.slice(at, at + size)));
        const rest = pieces.end();
        const words = (all: readonly string[]) => all.map((piece) => piece.trim()).filter((piece) => piece !== '');
        expect(words([...whole, rest])).toEqual(words(text.split(BLANK)));
      }
    },
  );

  it('takes a time in proportion to its length', () => {
    const started = performance.now();
    const events = new WholePieces(BLANK, 4);
    const lines: string[] = [];
    const read = lineReader(
      (line) => lines.push(line),
      () => undefined,
    );
    for (let count = 0; count < 200_000; count += 1) {
      events.take('word word word ');
      read('word word word ');
    }
    read('\n');
    expect(events.length).toBe(3_000_000);
    expect(lines.map(({ length }) => length)).toEqual([2_999_999]);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
