import { describe, expect, it } from 'vitest';
import { createContentFilter } from '../../src/host/content/content-filter.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import { customBlock, inSuperBlock, mindMap, table, tabs, unknownBlock } from './newer-blocks.ts';
import { codeOf } from './support.ts';

const clock = { now: () => Date.UTC(2026, 8, 1), today: () => '2026-09-01' };

/** What a filter makes of a text that the host's Markdown parser reads as this DOM: that of 3.8 cannot be run here. */
function filtered(markdown: string, dom?: string): Promise<string> {
  const plain = testEngine();
  const engine = dom === undefined ? plain : { ...plain, toDom: (text: string) => (text.trim() === markdown ? dom : plain.toDom(text)) };
  const filter = createContentFilter({ engine, clock, random: Math.random });
  return filter.filter({ markdown, knownReferences: async () => new Set() }).then(({ blocks }) => blocks.join(''));
}

const SYNTAX = [
  ['tabs', '::: tabs\n@tab One\n\nfirst\n:::', tabs(), /^tabs cannot be written/],
  ['tabs in a super block', '{{{row\n::: tabs\n@tab One\n\nfirst\n:::\n\n}}}', inSuperBlock(tabs()), /tabs cannot be written/],
  ['a mind map', '- root\n{: mindmap="1"}', mindMap(), /^a mind map cannot be written/],
  ['a block of a plugin', ';;;plugin/type\nwords\n;;;', customBlock(), /^a block of a plugin cannot be written/],
  ['a kind of tomorrow', '??? tomorrow', unknownBlock(), /^a block of an unknown kind cannot be written/],
  ['a rich cell', '| a | {: table-cell-rich="eyJ9"}b |\n| --- | --- |', table(), /^a table cell of several blocks cannot be written/],
] as const;

describe('Markdown of SiYuan 3.8', () => {
  it.each(SYNTAX)('%s: is refused where the host reads it', async (_name, markdown, dom, message) => {
    const refused = filtered(markdown, dom);
    await expect(refused).rejects.toMatchObject({ code: 'unsafe_markdown', message: expect.stringMatching(message) });
    await expect(refused).rejects.toMatchObject({ next: expect.stringMatching(/^write /) });
  });

  it.each([
    ['::: tabs\n@tab One\n\nfirst\n:::', ['::: tabs', '@tab One', 'first', ':::']],
    [';;;plugin/type\nwords\n;;;', [';;;plugin/type', 'words']],
    ['write to @tab or ::: and ;;; as you like', ['write to @tab or ::: and ;;; as you like']],
    ['::: note\nmind this\n:::', ['::: note', 'mind this']],
  ])('is what it says where the host does not read it: %s', async (markdown, words) => {
    const dom = await filtered(markdown);
    for (const word of words) expect(dom).toContain(word);
    expect(dom).not.toMatch(/NodeTabs|NodeCustomBlock/);
  });

  it.each(['`::: tabs`', '```\n::: tabs\n@tab One\n;;;plugin/type\n```'])('is code in code: %s', async (markdown) => {
    expect(await codeOf(filtered(markdown))).toBe('no error');
  });

  it('an attribute list in a cell is text there, and puts nothing on the cell', async () => {
    const dom = await filtered('| a | {: table-cell-rich="eyJ9"}b |\n| --- | --- |\n| c | d |');
    expect(dom).not.toMatch(/<t[hd][^>]*(?:table-cell-rich|data-sy)/);
    expect(dom).toContain('table-cell-rich');
  });

  it('no attribute of a mind map or a rich table comes from a text', async () => {
    expect(await filtered('- a\n- b\n{: custom-sy-list-mindmap="1"}')).not.toContain('custom-sy-');
    expect(await codeOf(filtered('| a |\n| --- |\n| b |\n{: custom-sy-table-rich="1"}'))).toBe('unsafe_markdown');
  });
});
