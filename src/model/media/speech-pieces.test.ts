import { expect, it } from 'vitest';
import { speechPieces } from './openai-media.ts';

it.each([
  ['English', 'One two three, four five six. Seven eight nine?\n\n'.repeat(120)],
  ['Chinese', '屋顶的油漆已经干了，明天可以继续施工。'.repeat(300)],
  ['no breath at all', 'x'.repeat(5000)],
  ['pairs of code units', `x${'𠀀'.repeat(2000)}`],
  ['short', 'Hello.'],
])('cuts %s into what a service reads at once, and loses nothing', (_, text) => {
  const pieces = speechPieces(text);
  const bare = (one: string): string => one.replaceAll(/\s/g, '');
  expect(bare(pieces.join(''))).toBe(bare(text));
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(1500);
  expect(pieces.every((piece) => piece.isWellFormed() && piece !== '')).toBe(true);
});

it('has no piece of white space', () => {
  expect(speechPieces(' \n ')).toEqual([]);
});
