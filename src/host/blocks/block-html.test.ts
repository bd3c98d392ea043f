import { describe, expect, it } from 'vitest';
import { testEngine } from '../testing/lute.ts';
import { drawn } from './block-html.ts';

const engine = testEngine();
const html = (markdown: string): string | null | undefined => drawn(null, engine.toDom(markdown)).drawn?.after;

describe('what an approval shows of block DOM', () => {
  it.each([
    ['costs $5 and $10, but $x^2$', '<p>costs $5 and $10, but <span class="mg-math">x^2</span></p>'],
    ['x^2^ <sup>2</sup> ==a== ~~b~~ #tag#', '<p>x^2^ <sup>2</sup> <mark>a</mark> <del>b</del> <span class="mg-tag">tag</span></p>'],
    ['**提示：**正文 `a<b`', '<p><strong>提示：</strong>正文 <code>a&lt;b</code></p>'],
    ['## T', '<h2>T</h2>'],
    ['$$\nx < y\n$$', '<div class="mg-math-block">x &lt; y</div>'],
    ['> q\n>\n> - a', '<blockquote><p>q</p><ul><li><p>a</p></li></ul></blockquote>'],
    ['3. a\n4. b', '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>'],
    ['- [/] half', '<ul><li><p>[/] half</p></li></ul>'],
    ['- [ ] open', '<ul><li><p><input type="checkbox"> open</p></li></ul>'],
    ['| a |\n|---|\n| `x\\|y` |', '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><code>x|y</code></td></tr></tbody></table>'],
    ['> [!注意] 标题\n> body', '<blockquote><p> <strong>注意</strong> 标题</p><p>body</p></blockquote>'],
    ['> [!NOTE]\n> body', '<blockquote><p>✏️ <strong>NOTE</strong></p><p>body</p></blockquote>'],
    [
      '[a](https://x.y "t") ((20200101000000-abcdefg "r"))',
      '<p><a href="https://x.y" title="t">a</a> <a data-block-id="20200101000000-abcdefg" href="siyuan://blocks/20200101000000-abcdefg">r</a></p>',
    ],
  ])('is made of it, as it will be stored: %s', (markdown, expected) => {
    expect(html(markdown)).toBe(expected);
  });

  it('holds no tag or attribute of the blocks themselves', () => {
    const dom = engine.toDom('a').replace('>a<', ' onclick="x()"><img src=x onerror="y()"><script>z()</script>a<');
    expect(drawn(null, dom).drawn?.after).toBe('<p>z()a</p>');
  });

  it('is absent where a block has no such form, on both sides', () => {
    const embed = engine.toDom('{{SELECT * FROM blocks}}');
    expect([drawn(null, embed), drawn(embed, engine.toDom('a'))]).toEqual([{}, {}]);
  });
});
