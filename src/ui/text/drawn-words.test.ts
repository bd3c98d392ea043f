import { expect, it } from 'vitest';
import { drawnWords } from './drawn-words.ts';

it.each([
  ['<p>x^2 &lt; <code>y</code><br>z</p>', 'x^2 < y'],
  ['<blockquote><p>💡 <strong>tip</strong> Remember</p><p>body</p></blockquote>', '💡 tip Remember'],
  ['<ul><li><p><input type="checkbox" checked> Slides</p></li></ul>', '☑ Slides'],
  ['<table><thead><tr><th>Way</th><th>Price</th></tr></thead></table>', 'Way Price'],
  ['<pre title="js">\n&amp;lt; a\n</pre>', '&lt; a'],
  ['<p></p>', ''],
])('the first words of %s', (html, words) => {
  expect(drawnWords(html)).toBe(words);
});
