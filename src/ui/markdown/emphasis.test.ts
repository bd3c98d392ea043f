import { describe, expect, it } from 'vitest';
import { BlockRenderer } from './render.ts';

const renderer = new BlockRenderer({ citation: () => 'pending', words: { unverified: '', unread: '', source: '', image: '' } });
const drawn = (markdown: string): string => renderer.inline(markdown, {});
const plain = (text: string): string => drawn(text).replace(/<[^>]*>/g, '');

describe('emphasis', () => {
  it('needs no blank beside Chinese, Japanese and Korean words, nor beside their punctuation', () => {
    const said = {
      '**注意：**请': '<strong>注意：</strong>请',
      '这是**《书名》**的': '这是<strong>《书名》</strong>的',
      '中**b。**中*c！*中~~删。~~中': '中<strong>b。</strong>中<em>c！</em>中<del>删。</del>中',
      '**이것은 강조(bold)**입니다': '<strong>이것은 강조(bold)</strong>입니다',
      '**「強調」**です': '<strong>「強調」</strong>です',
      '***粗斜。***后': '<em><strong>粗斜。</strong></em>后',
      '**外*内。*后**': '<strong>外<em>内。</em>后</strong>',
      '**a `c**` [l](https://a.b)**后': expect.stringMatching(/^<strong>a <code>c\*\*<\/code> <a .*<\/a><\/strong>后$/),
    };
    for (const [markdown, html] of Object.entries(said)) expect([markdown, drawn(markdown)]).toEqual([markdown, html]);
  });

  it('is not seen where blanks are, inside of words with underscores, and in ranges', () => {
    for (const text of ['a * b * c', '5~10分钟，约20~30元', '~100~ or H~2~O', 'snake_case_name', '__init__.py', 'a ~~~b~~~ c', '** a **'])
      expect(drawn(text)).toBe(text);
  });

  it('keeps every word whatever the signs, and is not nested deeper than anybody writes', () => {
    const deep = `${'**a '.repeat(500)}x${' b**'.repeat(500)}`;
    expect(drawn(deep).split('<strong>')).toHaveLength(101);
    for (const unit of ['**a', ' *a', 'b** ', 'a*b**c'])
      expect(plain(unit.repeat(300)).replaceAll('*', '')).toBe(unit.repeat(300).replaceAll('*', ''));
  });
});
