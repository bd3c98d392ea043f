import { describe, expect, it } from 'vitest';
import { blockHtml } from '../../src/ui/markdown/blocks.ts';
import { MarkdownStream } from '../../src/ui/markdown/markdown-stream.ts';
import type { RenderOptions } from '../../src/ui/markdown/render.ts';
import { noteNotation, panelNotation } from '../support/construct-notation.ts';
import { freshNode } from './block-support.ts';
import { CONSTRUCTS } from './markdown-constructs.ts';
import { origin, signal, useBench } from './support.ts';

const bench = useBench('delete');
const options: RenderOptions = {
  citation: () => 'verified',
  words: { unverified: 'unverified', unread: 'not read', source: 'source', image: 'Image:' },
};
let counter = 0;

describe('a construct of Markdown', () => {
  it.each(CONSTRUCTS)('is shown in the panel as it is written into a note: $markdown', async ({ markdown, shown, written = shown }) => {
    const blocks = new MarkdownStream(options, (html) => html).finish(markdown, options);
    expect(panelNotation(blocks.map(blockHtml).join(''))).toBe(shown);
    counter += 1;
    const doc = await bench.document(`/Construct ${process.pid} ${Date.now().toString(36)} ${counter}`, 'start');
    const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
    await bench.apply(plan, undefined, { ...origin, nodeId: freshNode() });
    const doms = await Promise.all(plan.operations.map(({ blockId }) => bench.dom(blockId)));
    expect(noteNotation(doms.join(''))).toBe(written);
  });
});
