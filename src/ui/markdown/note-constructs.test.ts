import { describe, expect, it } from 'vitest';
import { blockHtml } from './blocks.ts';
import { MarkdownStream } from './markdown-stream.ts';
import type { RenderOptions } from './render.ts';

const options: RenderOptions = {
  citation: () => 'unverified',
  words: { unverified: 'unverified', unread: 'not read', source: 'source', image: 'Image:' },
};
const shown = (text: string): string => new MarkdownStream(options, (html) => html).finish(text, options).map(blockHtml).join('');
const addresses = (text: string): string[] => [...shown(text).matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);

describe('an address in a text', () => {
  it('ends before the punctuation of the sentence, in any script', () => {
    for (const end of ['，后', '。', '）', '」', '”后', '；', '、', '…', '　后', '. Then', '), then', '؟'])
      expect([end, addresses(`见https://a.example/b${end}`)]).toEqual([end, ['https://a.example/b']]);
  });

  it('keeps what belongs to it, and has no words of the sentence in its name', () => {
    expect(addresses('https://zh.wikipedia.org/wiki/约翰·史密斯 (https://a.b/c(d)) https://例え.テスト/パス。')).toEqual([
      'https://zh.wikipedia.org/wiki/约翰·史密斯',
      'https://a.b/c(d)',
      'https://例え.テスト/パス',
    ]);
    expect(addresses('访问https://example.com查看，www.example.com。me@a.com，**https://a.b**后')).toEqual([
      'https://example.com',
      'http://www.example.com',
      'mailto:me@a.com',
      'https://a.b',
    ]);
    expect(addresses('https:// http://。 [https://a.b，c](https://a.b)')).toEqual(['https://a.b']);
  });
});

it('draws lists in lists whose signs have much room after them, as deep as it draws any', () => {
  expect(shown(`${'-  '.repeat(40)}deep`).match(/<li>/g)).toHaveLength(40);
});

it('draws a definition whose label is full of backslashes', () => {
  expect(shown(`[a${'\\\\'.repeat(40)}]: https://a.example`)).toContain('https://a.example');
});

describe('a footnote', () => {
  it('keeps its text, and each leads to the other', () => {
    const html = shown('A claim[^1] and[^note].\n\n[^1]: 第一条。\n[^note]: See **this**\n    and that.');
    expect(html).toContain('<sup class="mg-footnote"><a href="#mg-footnote-1">1</a></sup>');
    expect(html).toContain('<a href="#mg-footnote-ref-note">note</a><div><p>See <strong>this</strong>\nand that.</p>');
    expect(html).toContain('第一条。');
  });

  it('is not seen in a class of characters, and is not nested without end', () => {
    expect(shown('a [^abc] b')).toBe('<p>a [^abc] b</p>\n');
    expect(shown('[^a]: '.repeat(3000)).length).toBeGreaterThan(0);
    expect(shown('{{{row\n'.repeat(3000)).length).toBeGreaterThan(0);
  });

  it('stays with its definition of a link, which is shown as well', () => {
    expect(shown('see [1]\n\n[1]: https://a.example "T"')).toContain('<p>[1]: <a href="https://a.example"');
  });
});

describe('what SiYuan has beside Markdown', () => {
  it('shows a callout of every kind, with its title, and no signs of it', () => {
    for (const kind of ['NOTE', 'tip', 'Important', 'WARNING', 'caution', '注意', 'my type', 'danger'])
      for (const fold of ['', '-', '+'])
        expect(shown(`> [!${kind}]${fold} A **title**\n> body`)).toMatch(
          /^<div class="mg-callout mg-callout--\w+"><p [\s\S]*A <strong>title<\/strong>[\s\S]*<p>body<\/p>/,
        );
    expect(shown('> text\n> [!NOTE]')).toContain('[!NOTE]');
  });

  it('does not show attributes, and shows states of tasks as they are', () => {
    expect(shown('a *b*{: style="color:red"} c\n{: id="20260412093011-abc1234"}')).toBe('<p>a <em>b</em> c</p>\n');
    expect(shown('- [-] no\n- [>] later')).toContain('<span class="mg-task__state">&gt;</span> later');
  });

  it('gives a block of right-to-left text its direction', () => {
    for (const text of ['שלום', '# שלום', '- שלום', '> مرحبا', '| שלום |\n| - |\n| a |']) expect(shown(text)).toContain(' dir="auto"');
    expect(shown('text')).not.toContain('dir=');
  });
});
