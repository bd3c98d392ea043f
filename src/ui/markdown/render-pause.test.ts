import { describe, expect, it } from 'vitest';
import { MarkdownStream } from './markdown-stream.ts';
import { FRAME_MS, renderPause } from './render-pause.ts';

const words = { unverified: 'unverified', unread: 'not read', source: 'source', image: 'Image:' };
const pauseOf = (text: string): number =>
  renderPause(new MarkdownStream({ citation: () => 'pending', words }, (html) => html).update(text));
const table = (rows: number): string =>
  `| City | Roofs |\n| - | - |\n${Array.from({ length: rows }, (_, row) => `| City ${row} | ${row * 7} white roofs |\n`).join('')}`;

describe('The pause between two renders', () => {
  it('grows with the table, list or code that grows, since the browser lays it out as a whole', () => {
    const pauses = [10, 100, 400].map((rows) => pauseOf(table(rows)));
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
    expect(pauses[2]).toBeGreaterThan(3 * FRAME_MS);
  });

  it('stays so short that the text seems to flow', () => {
    expect(pauseOf(table(5000))).toBe(200);
  });

  it('is one frame once something else follows', () => {
    expect(pauseOf(`${table(400)}\nThat is all.`)).toBe(FRAME_MS);
    expect(pauseOf('')).toBe(FRAME_MS);
  });
});
