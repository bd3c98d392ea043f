import { describe, expect, it } from 'vitest';
import { testEngine } from '../testing/lute.ts';
import { parseBlocks } from './block-dom.ts';
import { blockHtml } from './block-html.ts';

const engine = testEngine();
const htmlOf = (dom: string): string =>
  parseBlocks(dom)
    .map((block) => blockHtml(block, engine))
    .join('');
const ELSEWHERE = ' target="_blank" rel="noopener noreferrer nofollow"';
const html = (markdown: string): string => htmlOf(engine.toDom(markdown));

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
      '<p><a href="https://x.y" title="https://x.y “t”" target="_blank" rel="noopener noreferrer nofollow">a</a> <a data-block-id="20200101000000-abcdefg" href="siyuan://blocks/20200101000000-abcdefg">r</a></p>',
    ],
  ])('is made of it, as it will be stored: %s', (markdown, expected) => {
    expect(html(markdown)).toBe(expected);
  });

  it('holds no tag or attribute of the blocks themselves', () => {
    const dom = engine.toDom('a').replace('>a<', ' onclick="x()"><img src=x onerror="y()"><script>z()</script>a<');
    expect(htmlOf(dom)).toBe('<p>z()a</p>');
  });

  it.each([
    ['![a](assets/a.png "t")', '<p><img src="assets/a.png" alt="a"><small> t</small></p>'],
    ['![a](https://x.y/a.png)', `<p><a href="https://x.y/a.png" title="https://x.y/a.png"${ELSEWHERE}>a</a></p>`],
    ['![](https://x.y/a.png)', `<p><a href="https://x.y/a.png" title="https://x.y/a.png"${ELSEWHERE}>https://x.y/a.png</a></p>`],
  ])('fetches nothing from elsewhere: %s', (markdown, expected) => {
    expect(html(markdown)).toBe(expected);
  });

  it('tells how the blocks of a super block stand, and the language of code', () => {
    expect(html('{{{col\na\n\n{{{row\nb\n\nc\n}}}\n\n}}}')).toBe(
      '<div class="mg-layout-col"><p>a</p><div class="mg-layout-row"><p>b</p><p>c</p></div></div>',
    );
    expect(html('```js\nx < 1\n```')).toBe('<pre title="js">x &lt; 1\n</pre>');
    expect(html('```mermaid\ngraph TD\n```')).toBe('<pre title="mermaid">graph TD</pre>');
  });

  it('holds the words of a memo and where a mark in a file leads', () => {
    const span = (attributes: string): string => engine.toDom('a').replace('>a<', `><span ${attributes}>a</span><`);
    expect(htmlOf(span('data-type="inline-memo" data-inline-memo-content="so &lt;b&gt;"'))).toBe('<p>a<small> (so &lt;b&gt;)</small></p>');
    expect(htmlOf(span('data-type="file-annotation-ref" data-id="assets/a.pdf/1"'))).toBe(
      '<p><a href="assets/a.pdf/1" title="assets/a.pdf/1">a</a></p>',
    );
  });

  it.each([
    ['{{SELECT * FROM blocks}}', '<div class="mg-layout-embed"><pre>{{SELECT * FROM blocks}}</pre></div>'],
    [
      '> {{SELECT "a" FROM blocks}}',
      '<blockquote><div class="mg-layout-embed"><pre>{{SELECT &quot;a&quot; FROM blocks}}</pre></div></blockquote>',
    ],
    ['<div onclick="x()">hi</div>', '<pre>&lt;div onclick=&quot;x()&quot;&gt;hi&lt;/div&gt;</pre>'],
    ['<iframe src="https://x.y"></iframe>', '<pre>&lt;iframe src=&quot;https://x.y&quot;&gt;&lt;/iframe&gt;</pre>'],
  ])('is the Markdown of a block that has no such form: %s', (markdown, expected) => {
    expect(html(markdown)).toBe(expected);
  });
});
