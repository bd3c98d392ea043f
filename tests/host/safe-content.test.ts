import { parseDocument } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../src/host/blocks/block-dom.ts';
import { judgeDom } from '../../src/host/content/active-content.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import { codeOf, origin, signal, startBench, steady, type TestBench } from './support.ts';

let bench: TestBench;
let counter = 0;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
});
afterAll(() => bench.close());

const newDocument = (markdown = 'first'): Promise<string> => {
  counter += 1;
  return bench.document(`/Safe ${counter}`, markdown);
};
const findings = (dom: string): string[] => judgeDom(dom).map((finding) => finding.key);
const wordsOf = (dom: string): string =>
  parseDocument(dom)
    .children.map(textOf)
    .join(' ')
    .replace(/[\u200b\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

async function insert(doc: string, markdown: string, node = 'n'): Promise<void> {
  const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown }, 'insert_blocks', signal);
  await bench.apply(plan, undefined, { ...origin, nodeId: node });
}

async function hashOf(doc: string, id: string): Promise<string> {
  const { blocks } = await bench.host.notes.document({ id: doc }, { start: 0, blocks: 99 }, signal);
  return blocks.find((block) => block.id === id)?.hash ?? '';
}

/** Inserts and gives the DOM of what was inserted, as the kernel stored it. */
async function stored(markdown: string): Promise<string> {
  const doc = await newDocument();
  await insert(doc, markdown);
  const doms = await Promise.all((await bench.blocks(doc)).slice(1).map((id) => bench.dom(id)));
  return doms.join('');
}

describe('text that looks like HTML', () => {
  it.each([
    ['**<img src=x onerror=a()>**', '<img src=x onerror=a()>'],
    ['*a &lt;b&gt; c*', 'a <b> c'],
    ['~~x \\<svg/onload=a()> y~~', 'x <svg/onload=a()> y'],
    ['==&#60img src=x==', '&#60img src=x'],
    ['**<\u200bimg src=x>**', '<img src=x>'],
    ['**a <**img src=x onerror=1>**b**', 'a <img src=x onerror=1>b'],
    ['**&amp;lt;img src=x&amp;gt;**', '&lt;img src=x&gt;'],
    ['# A **<b>** in a heading', 'A <b> in a heading'],
    ['- an item with <sup>&lt;img src=x&gt; 2</sup>', 'an item with <img src=x> 2'],
    ['- an item with ^<b>^', 'an item with ^<b>^'],
    ['> <sub>&lt;img src=x&gt; 2</sub> quoted', '<img src=x> 2 quoted'],
    ['<u>&lt;img src=x&gt; and more</u>', '<img src=x> and more'],
    ['[**<b>**](https://a.example) linked', '<b> linked'],
    ['**bold `<b x>` code**', 'bold <b x> code'],
    ['plain <img src=x onerror=1> text', 'plain <img src=x onerror=1> text'],
    ['#tag<b>x# and `<img src=x>`', '#tag<b>x# and <img src=x>'],
  ])('%s stays text', async (markdown, words) => {
    const dom = await stored(markdown);
    expect(findings(dom)).toEqual([]);
    expect(wordsOf(dom)).toBe(words);
  });

  it('stays text when it is written back, bold and all', async () => {
    const doc = await newDocument('**Map**<**String>** and **a** here');
    const [id] = (await bench.blocks(doc)) as [string];
    // What a person sees as bold <b> is stored as an entity: the kernel decodes it each time it is written.
    const kept = (await bench.dom(id)).replace(/<span data-type="strong">a<\/span>/, '<span data-type="strong">&amp;lt;b x&amp;gt;</span>');
    await bench.transact([{ action: 'update', id, data: kept }]);
    const before = steady(await bench.dom(id));
    expect(before).toContain('&lt;b x');
    const request = { id, expectHash: await hashOf(doc, id), edits: [{ old: 'here', new: 'there' }] };
    await bench.apply(await bench.host.notes.planEdit(request, 'edit_block', signal), undefined, { ...origin, nodeId: 'kept' });
    expect(wordsOf(await bench.dom(id))).toBe('Map<String> and <b x> there');
    expect((await bench.dom(id)).replace(/&gt;/g, '>')).toContain('&lt;b x>');
    await bench.host.history.undo(origin.sessionId, 'kept', signal);
    expect(wordsOf(await bench.dom(id))).toBe('Map<String> and <b x> here');
    expect(findings(await bench.dom(id)).filter((key) => key.startsWith('element'))).toEqual([]);
  });
});

describe('text that the editor reads again while somebody types in it', () => {
  it.each([
    ['&lt;iframe src="javascript:a()"&gt;&lt;/iframe&gt;', '<iframe src="javascript:a()"></iframe>'],
    ['&lt;div onclick=a()&gt;y&lt;/div&gt;', '<div onclick=a()>y</div>'],
    ['> &lt;video src=//a.invalid&gt;&lt;/video&gt;', '<video src=//a.invalid></video>'],
    ['&#123;: onmouseover="a()"}', '{: onmouseover="a()"}'],
  ])('%s stays text as code', async (markdown, words) => {
    const dom = await stored(markdown);
    expect(findings(dom)).toEqual([]);
    expect(wordsOf(dom)).toBe(words);
    expect(dom).toContain('data-type="code"');
    const paragraph = /<div [^>]*data-type="NodeParagraph"[\s\S]*?<div class="protyle-attr"[^>]*>.?<\/div><\/div>/.exec(dom)?.[0] ?? '';
    expect(findings(testEngine().typed(paragraph.replace('</div>', '<wbr></div>')).replaceAll('<wbr>', ''))).toEqual([]);
  });
});

describe('attribute lists and fences that are spelt otherwise', () => {
  it.each([
    '···echarts\n{a:a()}',
    '- &#123;: style="background:url(//a.invalid)"}x',
    '- a\n- &#123;: onmouseover="a()"}x',
    'hello\n&#123;: onmouseover="a()"}',
    '**x**&#123;: style="background:url(//a.invalid/x)"}',
    '`x`&#123;: onclick="a()"}',
    '&#96;&#96;&#96;echarts\n{}',
  ])('%j stay text, or are not written', async (markdown) => {
    const doc = await newDocument();
    const plan = bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
    if ((await codeOf(plan)) === 'unsafe_markdown') return;
    await bench.apply(await plan);
    for (const id of await bench.blocks(doc)) {
      const dom = await bench.dom(id);
      for (const typed of [
        dom.replace(/(<div contenteditable="true"[^>]*>)···/, '$1```'),
        dom,
        dom.replace(/(<div contenteditable="true"[^>]*>)/, '$1x<wbr>'),
        dom.replace('</div>', 'x<wbr></div>'),
      ])
        expect(findings(testEngine().typed(typed).replaceAll('<wbr>', ''))).toEqual([]);
    }
  });

  it('nor by an edit of a text that Markdown cannot say', async () => {
    const doc = await newDocument();
    const [block] = (await bench.blocks(doc)) as [string];
    const dom = (await bench.dom(block)).replace(
      /(<div contenteditable="true"[^>]*>)[^<]*/,
      '$1<span data-type="text" style="color: red;">red</span> WORD',
    );
    await bench.transact([{ action: 'update', id: block, data: dom }]);
    const hash = (await bench.host.notes.blocks({ id: block, range: 'self', limit: 1 }, signal)).blocks[0]?.hash ?? '';
    const edit = (now: string) =>
      bench.host.notes.planEdit({ id: block, expectHash: hash, edits: [{ old: 'WORD', new: now }] }, 't', signal);
    await edit('other words');
    const image = await edit('![a](https://a.invalid/x.png)');
    expect(image.notices).toEqual([{ code: 'remote-image-linked', count: 1 }]);
    expect(image.operations[0]?.after).toContain(' [a](https://a.invalid/x.png)');
    expect(image.operations[0]?.after).not.toContain('![');
  });
});

describe('an embed, which is run each time its note is opened', () => {
  it('holds no statement that query_sql would refuse', async () => {
    const doc = await newDocument();
    const plan = (markdown: string) => bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
    await plan("{{SELECT * FROM blocks WHERE content LIKE '%a%' AND type = 'p' ORDER BY updated DESC LIMIT 10}}");
    for (const statement of [
      'select * from blocks where id in (with recursive r(n) as (select 1 union all select n+1 from r) select n from r)',
      'SELECT * FROM blocks a, blocks b, blocks c, blocks d',
      "SELECT * FROM 'sqlite_master'",
    ])
      expect(await plan(`{{${statement}}}`)).toMatchObject({
        operations: [{ blockType: 'c' }],
        notices: [{ code: 'shown-as-code', count: 1 }],
      });
  });
});

describe('ordinary writing', () => {
  it.each([
    'a < b and **a < b** and 1 <2',
    '**AT&T** and R&D, &nbsp; and 100%',
    '`List<String>` and `a && b`',
    '[50% off](https://a.example/50%25?x=1&y=2 "half price")',
    '思源笔记 **加粗** ==标记== 《书》 <3',
    '$a < b$ and $x_1^2 \\le \\frac{1}{2}$',
    '| a | b |\n|-|-|\n| **x** | `y` |',
    '- [ ] todo\n- [x] done',
    '> [!NOTE] Title\n> body',
    '```c++\nstd::vector<int> a;\n```',
    '```mermaid\nclassDiagram\n  class A {\n    <<interface>>\n    +run() void\n  }\n  A <|-- B\n```',
    '```mermaid\nsequenceDiagram\n  Alice->>John: Hello<br/>John\n  Note right of John: 50% & more\n```',
    '![alt](assets/a.png)',
    '((20200101000000-aaaaaaa "gone"))',
    '👨‍👩‍👧 **👍🏽** é',
  ])('%s is written as it is', async (markdown) => {
    const dom = await stored(markdown);
    expect(findings(dom)).toEqual([]);
  });

  it('keeps bold generics bold but for the sign', async () => {
    const dom = await stored('**Vec<T>** and *Map<K, V>*');
    expect(wordsOf(dom)).toBe('Vec<T> and Map<K, V>');
    expect(dom).toMatch(/<span data-type="strong">Vec<\/span>&lt;<span data-type="strong">T(?:>|&gt;)<\/span>/);
  });
});

describe('what the kernel makes something else of', () => {
  /** Right after our transaction the block is what a kernel with other rules would have stored. */
  function kernelStores(change: (dom: string) => string, which: (path: string) => boolean = () => true): void {
    let done = false;
    bench.hooks.after = async (path) => {
      if (done || path !== '/api/transactions' || !which(path)) return;
      done = true;
      const doc = current;
      for (const id of (await bench.blocks(doc)).slice(-1)) {
        const dom = await bench.dom(id);
        if (change(dom) !== dom) await bench.transact([{ action: 'update', id, data: change(dom) }]);
      }
    };
  }
  let current = '';

  it.each([
    ['a live element in a mark', (dom: string) => dom.replace('word', '<span data-type="strong">&lt;img src=x onerror=a()&gt;</span>')],
    [
      'a remote image',
      (dom: string) =>
        dom.replace('word', '<span data-type="img"><span><img src="http://a.invalid/x" data-src="http://a.invalid/x"></span></span>'),
    ],
    ['a link that runs', (dom: string) => dom.replace('word', '<span data-type="a" data-href="javascript:a()">x</span>')],
    [
      'a formula that links',
      (dom: string) =>
        dom.replace('word', '<span data-type="inline-math" data-subtype="math" data-content="\\href{javascript:a()}{x}"></span>'),
    ],
    ['a style', (dom: string) => dom.replace('word', '<span data-type="strong" style="background:url(http://a.invalid)">x</span>')],
  ])('is rolled back at once: %s', async (_, change) => {
    current = await newDocument();
    const before = steady(await bench.dom(current));
    kernelStores(change);
    const plan = await bench.host.notes.planInsert({ anchor: current, position: 'append', markdown: 'a word' }, 'insert_blocks', signal);
    const node = `back-${counter}`;
    const applied = bench.apply(plan, undefined, { ...origin, nodeId: node });
    await expect(applied).rejects.toThrow(/^as SiYuan stored it, .+; the change to the block was undone at once/);
    expect(await codeOf(applied)).toBe('unsafe_markdown');
    bench.hooks = {};
    expect(steady(await bench.dom(current))).toBe(before);
    expect(await bench.host.history.undo(origin.sessionId, node, signal)).toMatchObject({ conflicts: [] });
    expect(steady(await bench.dom(current))).toBe(before);
  });

  it('stands as it stood where a block was changed', async () => {
    current = await newDocument('a first word');
    const [id] = (await bench.blocks(current)) as [string];
    const before = steady(await bench.dom(id));
    kernelStores((dom) => dom.replace('changed', '<span data-type="em">&lt;svg onload=a()&gt;</span>'));
    const request = { id, expectHash: await hashOf(current, id), edits: [{ old: 'word', new: 'changed' }] };
    const plan = await bench.host.notes.planEdit(request, 'edit_block', signal);
    await expect(bench.apply(plan, undefined, { ...origin, nodeId: 'edit-1' })).rejects.toThrow(/was undone at once/);
    bench.hooks = {};
    expect(steady(await bench.dom(id)).replace(/ custom-marginalia-source="[^"]*"/, '')).toBe(before);
    expect((await bench.host.history.undo(origin.sessionId, 'edit-1', signal)).conflicts).toEqual([]);
  });
});

describe("the user's own", () => {
  const OWN = '<div>\n<b>own</b>\n</div>\n\n![p](https://a.invalid/p.png) beside a word\n\n```echarts\n{}\n```\n\nend';

  it('stays when something beside it or in its block is edited', async () => {
    const doc = await newDocument(OWN);
    const blocks = await bench.blocks(doc);
    const before = await Promise.all(blocks.map((id) => bench.dom(id)));
    expect(findings(before.join(''))).toHaveLength(3);
    const picture = blocks[before.findIndex((dom) => dom.includes('p.png'))] ?? '';
    const request = { id: picture, expectHash: await hashOf(doc, picture), edits: [{ old: 'word', new: 'sentence' }] };
    await bench.apply(await bench.host.notes.planEdit(request, 'edit_block', signal));
    expect(await bench.dom(picture)).toContain('https://a.invalid/p.png');
    expect(wordsOf(await bench.dom(picture))).toContain('sentence');
    await insert(doc, 'one more');
  });

  it('is duplicated with its document', async () => {
    const doc = await newDocument(OWN);
    const plan = await bench.host.notes.planOrganize({ op: 'duplicate', ids: [doc] }, 'organize_documents', signal);
    const { documentId } = await bench.apply(plan);
    const copied = (await Promise.all((await bench.blocks(documentId)).map((id) => bench.dom(id)))).join('');
    expect(findings(copied)).toHaveLength(3);
  });
});

describe('a chat kept as a note', () => {
  it('is written through the same rules, whatever was said', async () => {
    const said = [
      '**<img src=x onerror=a()>** and $\\href{javascript:a()}{x}$',
      '<iframe src="https://a.invalid"></iframe>\n\n![p](https://a.invalid/p.png)',
      '<u>&lt;svg onload=a()&gt;</u> [x](javascript&amp;#58;a())',
      '```echarts\n{}\n```\n\n`````\n<b>\n`````',
      '<img src="https://a.invalid/x" onerror="a()">',
    ];
    const messages = said.map((markdown, index) => ({
      nodeId: `said-${index}`,
      parentId: index === 0 ? null : `said-${index - 1}`,
      role: 'assistant' as const,
      time: 1_790_000_000_000,
      markdown,
    }));
    const target = { notebook: bench.notebook, path: '/Kept <img src=x onerror=a()>' };
    const labels = { user: 'You', assistant: '<b>Marginalia</b>', separator: '…', summary: 'Summary', at: () => '<i>now</i>' };
    const { documentId } = await bench.host.chatDocument.save({ target, sessionId: 'chat-kept', messages, labels }, signal);
    const dom = (await Promise.all((await bench.blocks(documentId)).map((id) => bench.dom(id)))).join('');
    expect(findings(dom)).toEqual([]);
    expect(wordsOf(dom)).toContain('<img src=x onerror=a()>');
    const { name } = await bench.api<{ name: string }>('/api/block/getDocInfo', { id: documentId });
    expect(name).not.toMatch(/<[a-z]/);
  });
});

describe('names and attributes', () => {
  it('with something like a tag are refused', async () => {
    const doc = await newDocument();
    const [block] = (await bench.blocks(doc)) as [string];
    const { notes } = bench.host;
    const { notebook } = bench;
    const bad = 'x &lt;img src=x onerror=a()&gt;';
    const plans = [
      notes.planCreateDocument({ notebook, path: `/${bad}`, markdown: 'x' }, 't', signal),
      notes.planOrganize({ op: 'rename', ids: [doc], target: bad }, 't', signal),
      notes.planNotebook({ op: 'rename', id: notebook, name: bad }, 't', signal),
      notes.planAttributes({ ids: [block], attrs: { memo: bad } }, 't', signal),
      notes.planAttributes({ ids: [block], attrs: { bookmark: '<b>' } }, 't', signal),
      // SiYuan's dialog for moving documents puts these between double quotes of its own.
      ...['memo', 'name', 'alias', 'bookmark'].map((name) =>
        notes.planAttributes({ ids: [doc], attrs: { [name]: 'm" onmouseover="alert(1)' } }, 't', signal),
      ),
      notes.planAttributes({ ids: [doc], attrs: { memo: 'm&quot; onmouseover=alert(1)' } }, 't', signal),
    ];
    expect(await Promise.all(plans.map(codeOf))).toEqual(plans.map(() => 'unsafe_markdown'));
    await notes.planAttributes({ ids: [block], attrs: { memo: 'a < b, R&D, 100%', 'custom-x': '<b>' } }, 't', signal);
  });
});
