import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../testing/lute.ts';
import { hashOfBlock, hashOfContent, hashText } from './block-hash.ts';

const base =
  '<div data-node-id="20200101000000-aaaaaaa" data-node-index="1" data-type="NodeParagraph" class="p" updated="20200101000000" custom-a="1"><div contenteditable="true" spellcheck="false">one <span data-type="code">\u200bc</span>\u200b</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>';

describe('the hash of a block', () => {
  it.each([
    ['the time', base.replace('updated="20200101000000"', 'updated="20300101000000"')],
    ['its index', base.replace('data-node-index="1"', 'data-node-index="7"')],
    [
      'reference counts',
      base
        .replace('class="p"', 'class="p" refcount="3"')
        .replace('>\u200b</div></div>', '><div class="protyle-attr--refcount">3</div>\u200b</div></div>'),
    ],
    ['a folded heading above', base.replace('class="p"', 'class="p" parent-heading="20200101000000-bbbbbbb"')],
    ['ZWSP', base.replaceAll('\u200b', '')],
    [
      'attribute order',
      base.replace('data-node-id="20200101000000-aaaaaaa" ', '').replace('class="p"', 'data-node-id="20200101000000-aaaaaaa" class="p"'),
    ],
    ['the editor’s classes', base.replace('class="p"', 'class="p protyle-wysiwyg--select"')],
  ])('does not see %s', (_what, other) => {
    expect(other).not.toBe(base);
    expect(hashOfBlock(other)).toBe(hashOfBlock(base));
  });

  it.each([
    ['text', base.replace('one', 'two')],
    ['a mark', base.replace('data-type="code"', 'data-type="kbd"')],
    ['an attribute', base.replace('custom-a="1"', 'custom-a="2"')],
    ['an attribute that is gone', base.replace(' custom-a="1"', '')],
    ['the id', base.replace('aaaaaaa', 'ccccccc')],
    ['the type', base.replace('NodeParagraph', 'NodeHeading')],
  ])('sees %s', (_what, other) => {
    expect(hashOfBlock(other)).not.toBe(hashOfBlock(base));
  });

  it('sees the language of a code block and the state of a task', () => {
    const { toDom } = testEngine();
    const hash = (markdown: string): string => hashOfContent(toDom(markdown));
    expect(hash('```js\nx\n```')).not.toBe(hash('```ts\nx\n```'));
    expect(hash('- [ ] a')).not.toBe(hash('- [x] a'));
    expect(hash('- a')).not.toBe(hash('1. a'));
    expect(hash('- a')).toBe(hash('* a'));
    expect(hash('- a\n- b')).not.toBe(hash('- ab'));
  });

  it('ignores ids and kept attributes when only the content counts', () => {
    expect(hashOfContent(base)).toBe(hashOfContent(base.replace('aaaaaaa', 'ccccccc').replace('custom-a="1"', 'memo="x"')));
    expect(hashOfContent(base)).not.toBe(hashOfContent(base.replace('one', 'two')));
  });

  it('is 16 hex digits and spreads', () => {
    const seen = new Set(Array.from({ length: 20_000 }, (_unused, index) => hashText(`block ${index}`)));
    expect(seen.size).toBe(20_000);
    fc.assert(fc.property(fc.string(), (text) => /^[0-9a-f]{16}$/.test(hashText(text))));
    expect(new Set([...seen].map((hash) => hash.slice(0, 8))).size).toBeGreaterThan(19_990);
  });
});
