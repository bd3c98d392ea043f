import { describe, expect, it } from 'vitest';
import { contentOf } from './content.ts';
import { exportDocument } from './export.ts';
import { type KernelNode, typeAbbreviation } from './node.ts';
import { blocksDOM, domOfMarkdown, kramdown, nodesOfDom, standardMarkdown } from './render.ts';
import { splitBlocks } from './split-dom.ts';

const KINDS = `## Head

para **b** \`c\` 中文 <kbd>x</kbd> [a](http://x.y "t") $m$ #tag# ==mark== ~~s~~

* a
  1. b

- [ ] open
- [x] done

> quote

> [!TIP] title
> call

\`\`\`js
let a = "<b>" && 1;
\`\`\`

| a | b |
| - | :-: |
| 1 | 2 |

$$
x^2
$$

---

{{{col
left

right
}}}

{{ SELECT * FROM blocks }}

<div>html</div>

![i](assets/x.png)`;

const blocks = nodesOfDom(domOfMarkdown(KINDS, false));

describe('block DOM', () => {
  it('comes back the same for every kind of block', () => {
    const dom = blocksDOM(blocks);
    expect(blocksDOM(nodesOfDom(dom))).toBe(dom);
    expect(blocks.map((b) => typeAbbreviation(b.Type))).toEqual([
      'h',
      'p',
      'l',
      'l',
      'b',
      'callout',
      'c',
      't',
      'm',
      'tb',
      's',
      'query_embed',
      'html',
      'p',
    ]);
  });

  it('survives JSON, which is what the file holds', () => {
    const stored = JSON.parse(JSON.stringify(blocks)) as KernelNode[];
    expect(blocksDOM(stored)).toBe(blocksDOM(blocks));
  });

  it('is cut at its top blocks only where it is nothing but blocks', () => {
    const dom = blocksDOM(Array.from({ length: 20 }, () => blocks).flat());
    const parts = splitBlocks(dom);
    expect(parts.length).toBe(20 * blocks.length);
    expect(parts.join('')).toBe(dom);
    expect(splitBlocks(`text ${dom}`).length).toBe(1);
    expect(splitBlocks(dom.slice(0, -6)).length).toBe(1);
  });
});

describe('text of blocks', () => {
  it('is Markdown without attributes, kramdown with them', () => {
    const paragraph = blocks[1]!;
    expect(standardMarkdown(paragraph)).toBe('para **b** `c` 中文 <kbd>x</kbd> [a](http://x.y "t") $m$ #tag# ==mark== ~~s~~');
    expect(kramdown(paragraph)).toContain(`{: id="${paragraph.ID}" updated="`);
    expect(kramdown(paragraph, 'textmark')).toContain('<span data-type="strong">b</span>');
  });

  it('is plain content for search, containers led by a space', () => {
    expect(contentOf(blocks[1]!)).toBe('para b c 中文 x a t http://x.y m #tag# mark s');
    expect(contentOf(blocks[2]!)).toBe(' a b');
    expect(contentOf(blocks[7]!)).toBe('a b 1 2');
  });

  it('exports with title and front matter, super blocks unwrapped', () => {
    const root: KernelNode = {
      Type: 'NodeDocument',
      Properties: { id: '20260102030405-aaaaaaa', title: 'T', updated: '20260102030406' },
      Children: blocks,
    };
    const text = exportDocument(root, { withTitle: true, withFrontMatter: true });
    expect(text).toMatch(/^---\ntitle: T\n[\s\S]*\n---\n\n# T\n\n## Head\n/);
    expect(text).toContain('left\n\nright');
    expect(text).not.toContain('{{{');
  });
});
