import { describe, expect, it } from 'vitest';
import { isSameBlock } from './block-writer.ts';

const code = (text: string, extra = ''): string =>
  `<div data-node-id="20260101000000-aaaaaaa" data-type="NodeCodeBlock" class="code-block"${extra}><div class="hljs"><div></div><div contenteditable="true">${text}</div></div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;

describe('a block that is read back', () => {
  it('is the one that was written, though Lute draws it otherwise', () => {
    expect(isSameBlock(code('a\n```\nb'), code('a\n\u200d```\nb\n'))).toBe(true);
    expect(isSameBlock(code('a', ' updated="20260101000000"'), code('a\u200b'))).toBe(true);
  });

  it('is another one by its text or attributes', () => {
    expect(isSameBlock(code('a'), code('b'))).toBe(false);
    expect(isSameBlock(code('a\u200db'), code('ab'))).toBe(false);
    expect(isSameBlock(code('a'), code('a', ' custom-x="1"'))).toBe(false);
  });
});
