import { describe, expect, it } from 'vitest';
import { pageMarkdown } from './page-markdown.ts';

const URL_OF_PAGE = new URL('https://example.org/a/page');
const LONG = 'A sentence that is long enough to be taken for the text of an article, with a comma. '.repeat(6);

const markdown = (body: string, head = ''): string =>
  pageMarkdown(`<html><head>${head}</head><body>${body}</body></html>`, URL_OF_PAGE).markdown;

describe('a web page as Markdown', () => {
  it('is its article, without what stands around it, with whole links', () => {
    const page = pageMarkdown(
      `<html><head><title>Tides - Example</title></head><body><nav><a href="/">Home</a></nav><article><h2>Moon</h2><p>${LONG}</p>
      <p>See <a href="../tables#x">the tables</a>, <a href="javascript:alert(1)">this</a> and <img alt="a chart" src="c.png"></p>
      <ul><li>high</li><li>low</li></ul><pre><code>let x = 1;\nlet y;</code></pre>
      <table><tr><th>day</th><th>height</th></tr><tr><td>Mon</td><td>2 | 3</td></tr></table></article>
      <footer>Imprint</footer><script>alert(1)</script></body></html>`,
      URL_OF_PAGE,
    );
    expect(page.title).toContain('Tides');
    for (const part of [
      '## Moon',
      '[the tables](https://example.org/tables#x), this and [picture: a chart]',
      '-   high\n-   low',
      '```\nlet x = 1;\nlet y;\n```',
      '| day | height |\n| --- | --- |\n| Mon | 2 \\| 3 |',
    ])
      expect(page.markdown).toContain(part);
    expect(page.markdown).not.toMatch(/Home|Imprint|alert/u);
  });

  it('is the whole page where there is no article, a base counts, and tables that hold others are no tables', () => {
    expect(markdown('<p>Short <a href="x">link</a></p>', '<base href="/b/">')).toBe('Short [link](https://example.org/b/x)');
    expect(markdown('<table><tr><td><table><tr><td>inner</td></tr></table></td></tr></table>')).toBe('| inner |\n| --- |');
    expect(markdown('')).toBe('');
  });

  it.each([
    ['deep', '<div>'.repeat(20_000)],
    ['many', '<b>x</b>'.repeat(200_000)],
    ['rows', `<table>${'<tr><td>1<td>2'.repeat(60_000)}`],
    ['lists', '<ul><li>a'.repeat(3000)],
  ])('is plain text where it nests or repeats beyond any page: %s', (_what, body) => {
    expect(markdown(`${body}<p>the end</p><script>no</script>`)).toMatch(/the end$/u);
  });

  // With the tree some of these cost the square of their length; the test's own time limit ends it then.
  it.each([
    ['signs', '<'.repeat(4_000_000)],
    ['tags that are never closed', '<b><li>'.repeat(500_000)],
    ['scripts that are never closed', '<script>'.repeat(500_000)],
    ['comments that are never closed', '<!--'.repeat(1_000_000)],
    ['attributes', `<p ${Array.from({ length: 700_000 }, (_, index) => `a${index}`).join(' ')}>`],
    ['empty lines', `<pre><code>a${'\n'.repeat(4_000_000)}b</code></pre>`],
    ['spaces', `<p>a${' '.repeat(1_500_000)}b</p>`],
    ['attributes with values', `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}=1`).join(' ')}>ab</p>`],
    ['words in a class', `<p class="${'a '.repeat(900_000)}">ab</p>`],
    ['entities', `<p>ab${'&#'.repeat(900_000)}</p>`],
    ['items of one list', `<ul><li>ab${'<li>ab'.repeat(29_000)}</ul>`],
  ])('costs no more than its length, whatever it is made of: %s', (_what, body) => {
    expect(pageMarkdown(`${body}<p>the end</p>`, URL_OF_PAGE).markdown.length).toBeLessThan(5_000_000);
  });
});
