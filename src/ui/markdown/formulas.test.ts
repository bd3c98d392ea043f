import { describe, expect, it } from 'vitest';
import { blockHtml } from './blocks.ts';
import { mayHoldFormulas } from './formulas.ts';
import { MarkdownStream } from './markdown-stream.ts';
import type { RenderOptions } from './render.ts';

const options: RenderOptions = {
  citation: () => 'unverified',
  words: { unverified: 'unverified', unread: 'not read', source: 'source', image: 'Image:' },
};
const shown = (text: string): string => new MarkdownStream(options, (html) => html).finish(text, options).map(blockHtml).join('').trim();

describe('formulas', () => {
  it('are taken as SiYuan writes them and as models do', () => {
    expect(shown('With $E=mc^2$ and \\(a_1\\)')).toBe(
      '<p>With <span class="mg-math">E=mc^2</span> and <span class="mg-math">a_1</span></p>',
    );
    for (const text of ['$$\nx^2\n$$', '$$x^2$$', '\\[\nx^2\n\\]', '  $$ x^2 $$'])
      expect(shown(text)).toBe('<div class="mg-math-block">x^2</div>');
    expect(shown('so $$x^2$$ it is')).toBe('<p>so <span class="mg-math-display">x^2</span> it is</p>');
  });

  it('keep what would be Markdown elsewhere, and interrupt a paragraph', () => {
    expect(shown('where\n$$\na\n- b\n= c * d * e\n$$\nand')).toBe(
      '<p>where</p>\n<div class="mg-math-block">a\n- b\n= c * d * e</div>\n<p>and</p>',
    );
    expect(shown('$a < b & c$')).toBe('<p><span class="mg-math">a &lt; b &amp; c</span></p>');
  });

  it('are not seen in money, in code, or where one sign has no other', () => {
    for (const text of [
      '$5 and $10',
      'US$5 or CA$7.',
      'costs $5, then 7$.',
      '`$x$`',
      'a $ b',
      '$ x $',
      '\\(open',
      '\\$5\\$',
      '$$',
      '$$$$',
      'export PATH=$HOME/bin:$PATH',
      `$\{HOME}:$\{PATH} $(pwd):$(ls)`,
      '价格$5/月，10$',
      '\\[1\\] \\[read-only\\]',
      '\\[ read more about it \\]',
      '\\(see above\\)',
    ]) {
      expect([text, shown(text)]).toEqual([text, expect.not.stringContaining('mg-math')]);
    }
  });

  it('are looked for only where one may be', () => {
    expect(['plain', '$x$', '\\(x\\)', '\\[x\\]'].map(mayHoldFormulas)).toEqual([false, true, true, true]);
  });
});
