import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../tests/support/property-runs.ts';
import { blockHtml, type MarkdownBlock } from './blocks.ts';
import { linkTarget } from './links.ts';
import { MarkdownStream } from './markdown-stream.ts';
import type { RenderOptions } from './render.ts';

const ID = '20260412093011-abc1234';
const OTHER = '20260412093011-zzz9999';
const options: RenderOptions = {
  citation: (id) => (id === ID ? 'verified' : 'unverified'),
  words: { unverified: 'unverified', unread: 'not read', source: 'source', image: 'Image:' },
};
const stream = (): MarkdownStream => new MarkdownStream(options, (html) => html);
const shown = (blocks: readonly MarkdownBlock[]): string[] => blocks.map((block) => blockHtml(block).trim());
const whole = (text: string): string[] => shown(stream().finish(text, options));

const PIECES = [
  'A plain paragraph with **bold** and `code`.',
  'Two lines\nof one paragraph.',
  '# A heading',
  'A setext heading\n---',
  '- one\n- two\n  - deep\n- three',
  '- loose\n\n- list',
  '1. first\n2. second\n\n3. third',
  '- [ ] task\n- [x] done',
  '```js\nconst a = 1;\n\n# not a heading\n```',
  '~~~\nfence\n~~~',
  '> quoted\nlazily continued',
  '| a | b |\n| - | -: |\n| 1 | 2 |',
  '***',
  `See ((${ID} "the block")) and ((${OTHER} 'other')).`,
  '<b>bold</b> and <script>alert(1)</script>',
  '<div>\nhtml\n</div>',
  '![x](https://a.example/i.png)',
  '中文段落，有「引号」。\n第二行。',
  '#tag not a heading',
  '2',
  '    indented code',
  '**注意：**请先**《书名》**的，1~3 and 5~7 ~~删。~~后',
  '见https://a.example/x，后',
  'A claim[^1] and\nanother[^2].',
  '[^1]: First text\n    goes on.\n[^2]: Second text of it.',
  '> [!WARNING] Take **care**\n> body\n>\n> - item',
  '> [!注意]\n> 正文',
  '$$\na\n\nb\n$$',
  '\\[\na = b\n\nc = d\n\\]',
  '{{{row\none\n\ntwo\n}}}',
  'text\n{: id="20260412093011-abc1234"}',
  '| a | b |\n| - | - |\n| `x|y` | keep |\n| 1 | 2 | 3 |',
  '- [-] cancelled\n- [>] later',
  'שלום **עולם**',
  'a\\\nb',
];

/** Text in random pieces. */
const cutText = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('\n', '\n\n', '\n\n\n')), { minLength: 1, maxLength: 7 }),
    fc.array(fc.nat(400), { maxLength: 12 }),
  )
  .map(([parts, cuts]) => {
    const text = parts.map(([piece, gap]) => piece + gap).join('');
    const places = [...new Set([...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((one, other) => one - other);
    return places.map((place) => text.slice(0, place));
  });

describe('MarkdownStream', () => {
  it('shows, wherever the text was cut, what the whole text shows', () => {
    return fc.assert(
      fc.property(cutText, (steps) => {
        const open = stream();
        let blocks: readonly MarkdownBlock[] = [];
        for (const step of steps) blocks = open.update(step);
        expect(shown(blocks)).toEqual(whole(steps.at(-1) ?? ''));
      }),
      { numRuns: runCount(500, 1500) },
    );
  });

  it('shows the same when it arrives character by character', () => {
    const text = PIECES.join('\n\n');
    const open = stream();
    for (let end = 1; end <= text.length; end += 1) open.update(text.slice(0, end));
    expect(shown(open.blocks)).toEqual(whole(text));
  });

  it('keeps the objects of finished blocks, also when the answer ends', () => {
    const open = stream();
    const early = open.update('# Title\n\nFirst paragraph, which is finished.\n\nSecond para');
    const late = open.update('# Title\n\nFirst paragraph, which is finished.\n\nSecond paragraph goes on and on.\n\nThird');
    const end = open.finish('# Title\n\nFirst paragraph, which is finished.\n\nSecond paragraph goes on and on.\n\nThird one.', options);
    expect(late[0]).toBe(early[0]);
    expect(late[1]).toBe(early[1]);
    expect([end[0], end[1]]).toEqual([early[0], early[1]]);
    expect(end[0]).toBe(early[0]);
  });

  const DEFINED = 'See [the plan][p] and [the budget].\n\n';
  const long = (): string => `${DEFINED}${PIECES.join('\n\n')}\n\n${'Short paragraph.\n\n'.repeat(3000)}${PIECES.join('\n\n')}\n\n`;

  it('makes a long whole text in slices, each of few blocks, that show what the whole shows', () => {
    const text = `${long()}[p]: https://a.example/plan\n[the budget]: https://a.example/budget "two"\n`;
    let rendered = 0;
    const sliced = new MarkdownStream(options, (html) => {
      rendered += 1;
      return html;
    });
    const work: number[] = [];
    let blocks: readonly MarkdownBlock[] = [];
    for (const step of sliced.finishing(text, options)) {
      work.push(rendered);
      rendered = 0;
      blocks = step;
    }
    expect(work.length).toBeGreaterThan(3);
    expect(Math.max(...work)).toBeLessThan(1200);
    // What stands behind the first slice is lexed as a part of a short text.
    const parts = text.split('\n\n').length;
    expect(blocks.length).toBeGreaterThan(parts - 40);
    expect(shown(blocks)[0]).toContain('href="https://a.example/plan"');
    expect(shown(blocks)[0]).toContain('href="https://a.example/budget"');
  });

  it('shows of a long text, whatever is in it, what the same short texts show', () => {
    const filler = 'Short paragraph.\n\n';
    for (const piece of PIECES) {
      const text = `${filler.repeat(900)}${piece}\n\n${filler.repeat(20)}`;
      expect(shown(stream().finish(text, options)).slice(900)).toEqual(whole(`${piece}\n\n${filler.repeat(20)}`));
    }
  });

  it('makes one block that is longer than a slice in few steps, closed in the end', () => {
    for (const [block, kind] of [
      [`\`\`\`js\n${'const a = 1;\n'.repeat(4000)}`, 'code'],
      [`> ${'quoted words of a quote\n> '.repeat(2000)}`, 'html'],
      ['- item of a list\n'.repeat(3000), 'list'],
      ['words of one paragraph '.repeat(3000), 'html'],
    ] as const) {
      const steps = [...stream().finishing(block, options)];
      expect(steps.length).toBeLessThan(30);
      expect(steps.at(-1)).toMatchObject([kind === 'code' ? { kind, open: false } : { kind }]);
    }
  });

  it('keeps on the way what is shown of an answer that ended', () => {
    const text = long();
    const open = stream();
    const before = open.update(text);
    for (const step of open.finishing(text, options)) expect(step.length).toBe(before.length);
    expect(open.blocks.every((block, index) => block === before[index])).toBe(true);
  });

  it('lexes only the open tail: work grows with the text, not with its square', () => {
    const paragraph = 'A paragraph of a long answer that nobody will lex twice, with **bold** and a `word`.\n\n';
    let rendered = 0;
    const counting = new MarkdownStream(options, (html) => {
      rendered += html.length;
      return html;
    });
    const text = paragraph.repeat(300);
    for (let end = 0; end <= text.length; end += 40) counting.update(text.slice(0, end));
    expect(rendered).toBeLessThan(text.length * 12);
  });

  it('takes CRLF, and begins again when the text is another one', () => {
    const open = stream();
    open.update('a\r\n\r\nb\r\n\r\nc and more of this');
    expect(shown(open.blocks)).toEqual(['<p>a</p>', '<p>b</p>', '<p>c and more of this</p>']);
    expect(shown(open.update('other'))).toEqual(['<p>other</p>']);
  });

  it('holds back a reference that is still arriving', () => {
    for (const end of ['((', '((2026', `((${ID}`, `((${ID} "the bl`, `((${ID} "the block")`]) {
      expect(shown(stream().update(`See ${end}`)).join('')).not.toContain('((');
    }
    expect(shown(stream().update('f((x) + 1'))).toEqual(['<p>f((x) + 1</p>']);
  });
});

describe('what an answer may show', () => {
  it('shows one citation for the same one again side by side, and no fewer where words stand between', () => {
    const cited = `((${ID} "Plan"))`;
    const links = (text: string) => (whole(text)[0]?.match(/class="mg-cite"/g) ?? []).length;
    expect([links(`So ${cited} ${cited}${cited}.`), links(`So ${cited} and ${cited}.`), links(`${cited} ((${ID} "Day"))`)]).toEqual([
      1, 2, 2,
    ]);
  });

  it('links a citation only when it was checked', () => {
    expect(whole(`((${ID} "a <b>block</b>"))`)).toEqual([
      `<p><a class="mg-cite" data-block-id="${ID}" href="siyuan://blocks/${ID}">a &lt;b&gt;block&lt;/b&gt;</a></p>`,
    ]);
    expect(whole(`((${OTHER} "a claim"))`)).toEqual([
      '<p><span class="mg-cite-unverified">a claim <small title="not read">unverified</small></span></p>',
    ]);
    // An id says nothing to a person.
    expect(whole(`((${OTHER}))`)[0]).toContain('>source <small');
    expect(whole(`[x](siyuan://blocks/${OTHER})`)[0]).toContain('mg-cite-unverified');
  });

  it('takes a link to a block, and an id in a sentence, as the citation that it is', () => {
    expect(whole(`[Plan](siyuan://blocks/${ID})`)[0]).toBe(
      `<p><a class="mg-cite" data-block-id="${ID}" href="siyuan://blocks/${ID}">Plan</a></p>`,
    );
    expect(whole(`It is ${ID}.`)[0]).toBe(`<p>It is <a class="mg-cite" data-block-id="${ID}" href="siyuan://blocks/${ID}">source</a>.</p>`);
    for (const text of [`It is ${OTHER}.`, `a/${ID}/b`, `x-${ID}.sy`]) expect(whole(text)).toEqual([`<p>${text}</p>`]);
    expect(whole(`\`${ID}\``)).toEqual([`<p><code>${ID}</code></p>`]);
  });

  it('never shows a remote picture', () => {
    expect(whole('![plan](https://evil.example/?d=secret)')).toEqual([
      '<p><a href="https://evil.example/?d=secret" title="https://evil.example/?d=secret" target="_blank" rel="noopener noreferrer nofollow">Image: plan</a></p>',
    ]);
    expect(whole('![plan](assets/plan.png)')[0]).toContain('<img src="assets/plan.png"');
    expect(whole('![x](//evil.example/i.png)')[0]).not.toContain('<img');
  });

  it('shows HTML as text, but for bare tags that people write', () => {
    expect(whole('H<sub>2</sub>O<br>x')).toEqual(['<p>H<sub>2</sub>O<br>x</p>']);
    expect(whole('<a data-block-id="x" href="https://a.example">fake</a>')[0]).not.toContain('<a ');
    expect(whole('<img src=x onerror=alert(1)>')[0]).toContain('&lt;img');
  });

  it('leads nowhere but to the web, to blocks and to files of the workspace', () => {
    expect(linkTarget('https://a.example/x').kind).toBe('web');
    expect(linkTarget(`siyuan://blocks/${ID}?focus=1`)).toEqual({ kind: 'block', id: ID });
    expect(linkTarget('assets/a b.pdf').kind).toBe('asset');
    for (const bad of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' data:text/html,x',
      'siyuan://plugins/x?y',
      '/api/system/exit',
      'api/system/exit',
      'assets/../api/system/exit',
      'assets/%2e%2e/api',
      '//evil.example',
      'file:///etc/passwd',
      'vbscript:x',
      '#',
      'https://',
    ]) {
      expect([bad, linkTarget(bad).kind]).toEqual([bad, 'none']);
    }
  });
});

describe('marks of emphasis', () => {
  it('are shown as written in a text that is mostly marks, as one of a model that loops', () => {
    for (const unit of ['*a_', '_**a', 'a*_']) {
      const text = unit.repeat(8000);
      expect(whole(text)).toEqual([`<p>${text}</p>`]);
    }
  });

  it('work however many there are', () => {
    expect(whole('one **bold** word '.repeat(2000).trim())).toEqual([`<p>${'one <strong>bold</strong> word '.repeat(2000).trim()}</p>`]);
    expect(whole(`**${'long '.repeat(150).trim()}** end`)).toEqual([`<p><strong>${'long '.repeat(150).trim()}</strong> end</p>`]);
  });
});

describe('what is nested deeper than anybody writes', () => {
  it.each(['> ', '- ', '1. ', '>'])('stands as it is written: %s', (mark) => {
    const deep = `${mark.repeat(3000)}x`;
    expect(whole(`Before.\n\n${deep}`).join('')).toContain('x');
    const streamed = stream();
    for (const end of [9, 4000, 9000]) streamed.update(`Before.\n\n${deep}`.slice(0, end));
    expect(shown(streamed.finish(`Before.\n\n${deep}`, options)).join('')).not.toContain('<blockquote><blockquote>');
  });

  it('leaves alone what people nest, and lines of dashes', () => {
    expect(whole('> > > three').join('')).toContain('<blockquote>');
    expect(whole(`text\n\n${'-'.repeat(300)}`).join('')).toContain('<hr>');
  });
});
