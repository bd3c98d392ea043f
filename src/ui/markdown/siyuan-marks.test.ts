import { expect, it } from 'vitest';
import { BlockRenderer } from './render.ts';

const renderer = new BlockRenderer({ citation: () => 'pending', words: { unverified: '', unread: '', source: '', image: '' } });
const drawn = (markdown: string): string => renderer.inline(markdown, {});

it('draws marked words and tags, and leaves signs that mean something else', () => {
  const tag = (name: string): string => `<span class="mg-tag">${name}</span>`;
  const said = {
    'a ==**very** good== day': 'a <mark><strong>very</strong> good</mark> day',
    'for #recipe# and #my plan#': `for ${tag('recipe')} and ${tag('my plan')}`,
    '见#标签#和==重点==。': `见${tag('标签')}和<mark>重点</mark>。`,
    '#a&b#': tag('a&amp;b'),
  };
  for (const [markdown, html] of Object.entries(said)) expect(drawn(markdown)).toBe(html);
  for (const text of ['C# and F#', '#1 and #2', '#1,#2', 'a == b, c == d', 'x==y, z==y', 'if a==1 or b==2', '== no ==', '====', '#12/#13'])
    expect(drawn(text)).toBe(text);
});
