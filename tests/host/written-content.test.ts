import { describe, expect, it } from 'vitest';
import { allBlocks, blockId, blockType, parseBlocks, plainText, serializeBlock } from '../../src/host/blocks/block-dom.ts';
import { forKernel } from '../../src/host/content/marked-text.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import { freshNode, paragraph } from './block-support.ts';
import { realKernelUrl } from './real-kernel.ts';
import { codeOf, origin, signal, steady, useBench } from './support.ts';

const bench = useBench('delete');
let counter = 0;
const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Content ${process.pid} ${Date.now().toString(36)} ${counter}`, markdown);
};

/** Writes, and expects the write to succeed and Undo to bring back every byte; gives the DOM that stood between. */
async function written(markdown: string): Promise<string> {
  const doc = await newDocument('start');
  const before = steady(await bench.dom(doc));
  const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
  const nodeId = freshNode();
  await bench.apply(plan, undefined, { ...origin, nodeId });
  const doms = await Promise.all(plan.operations.map(({ blockId }) => bench.dom(blockId)));
  expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
  expect(steady(await bench.dom(doc))).toBe(before);
  return doms.join('');
}

const CALLOUT_KINDS = ['注意', '提示', 'my type', '💡', 'Внимание', 'tip', 'NOTE', "it's", 'a"b', '<b>', 'a&b', 'x'.repeat(90)];

describe('a callout', () => {
  it.each(CALLOUT_KINDS)('of the kind %s is written as such, or with the kind in its title', async (kind) => {
    const dom = await written(`a\n\n> [!${kind}] 标题\n> body\n\nb`);
    const [, callout] = parseBlocks(dom);
    expect(callout?.attribs['data-type']).toBe('NodeCallout');
    const words = kind === '<b>' ? [] : [kind];
    for (const word of [...words, '标题', 'body']) expect(dom.replaceAll('&amp;', '&').replaceAll('&quot;', '"')).toContain(word);
  });

  it('has no sign of folding in its title', async () => {
    const dom = await written('> [!tip]- Costs $5 and $10\n> body\n\n> [!tip]+\n> body');
    expect(
      parseBlocks(dom).map((block) => /callout-title">(.*?)<\/span><\/div>/.exec(serializeBlock(block))?.[1]?.replace(/<[^>]*>/g, '')),
    ).toEqual(['Costs $5 and $10', 'tip']);
  });

  it.each([
    ['Q&A: C++ (a_b_c) 100%', 'Q&A: C++ (a_b_c) 100%'],
    ['*one* **two** `three`', 'one two three'],
    ['costs $5 and $10', 'costs $5 and $10'],
    ['x^2 + y^2', 'x^2 + y^2'],
    ['so $x^2$ it', 'so $x^2$ it'],
  ])('keeps the words of its title: %s', async (title, words) => {
    const dom = await written(`> [!tip] ${title}\n> body`);
    const shown = /callout-title">(.*?)<\/span><\/div>/.exec(dom)?.[1]?.replace(/<[^>]*>/g, '');
    expect(shown?.replaceAll('&amp;', '&').replaceAll('\u200b', '')).toBe(words);
  });
});

describe('what SiYuan stores otherwise than it was sent', () => {
  it('is accepted where its own engine spells it so', async () => {
    const doc = await newDocument('start\n\n| a | b |\n| --- | --- |\n| cell | z |');
    const [, table = ''] = await bench.blocks(doc);
    const sent = (await bench.dom(table)).replace('cell', 'x|y');
    const expectHash = (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks[1]?.hash ?? '';
    const plan = await bench.host.notes.planEdit({ id: table, expectHash, edits: [{ old: 'cell', new: 'x\\|y' }] }, 't', signal);
    const nodeId = freshNode();
    const before = steady(await bench.dom(doc));
    await bench.apply(plan, undefined, { ...origin, nodeId });
    expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    expect(steady(await bench.dom(doc))).toBe(before);
    expect(testEngine().stored(forKernel(sent))).toContain('x\\');
  });

  // A socket of the tests hears nothing of a real kernel: it has no session there.
  it.skipIf(realKernelUrl !== undefined)('is taken back where it is anything else, and nothing is left of it', async () => {
    const doc = await newDocument('start\n\nend');
    const [start = '', end = ''] = await bench.blocks(doc);
    const before = steady(await bench.dom(doc));
    const expectHash = (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks[1]?.hash ?? '';
    const edit = await bench.host.notes.planEdit({ id: end, expectHash, markdown: 'changed' }, 't', signal);
    const insert = await bench.host.notes.planInsert({ anchor: start, position: 'after', markdown: 'new' }, 't', signal);
    for (const plan of [edit, insert]) {
      const id = plan.operations[0]?.blockId ?? '';
      bench.hooks = {
        after: async (path) => {
          if (path !== '/api/transactions') return;
          bench.hooks = {};
          // As if the kernel had made this of our own request.
          const doOperations = [{ action: 'update', id, data: paragraph(id, 'something else') }];
          const transactions = [{ doOperations, undoOperations: [] }];
          await bench.api('/api/transactions', { app: 'marginalia', session: 'marginalia-test', reqId: 1, transactions });
        },
      };
      const nodeId = freshNode();
      expect(await codeOf(bench.apply(plan, undefined, { ...origin, nodeId }))).toBe('kernel_refused');
      expect(steady(await bench.dom(doc))).toBe(before);
      expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    }
  });
});

describe('a container that is not as it was sent', () => {
  it('is not taken back where somebody put a block deep into it meanwhile', async () => {
    const doc = await newDocument('start\n\n> - item\n>\n> quoted');
    const [start = ''] = await bench.blocks(doc);
    const plan = await bench.host.notes.planInsert({ anchor: start, position: 'after', markdown: '> - deep\n>\n> end' }, 't', signal);
    const id = plan.operations[0]?.blockId ?? '';
    const theirs = '20260101000000-theirs1';
    bench.hooks = {
      after: async (path) => {
        if (path !== '/api/transactions') return;
        bench.hooks = {};
        const within = parseBlocks(await bench.dom(id)).flatMap(allBlocks);
        const previousID = within.map(blockId)[within.findIndex((block) => blockType(block) === 'i') + 1];
        await bench.transact([{ action: 'insert', id: theirs, data: paragraph(theirs, 'typed meanwhile'), previousID }]);
        await bench.delivered(start);
      },
    };
    expect(await codeOf(bench.apply(plan, undefined, { ...origin, nodeId: freshNode() }))).toBe('raced');
    expect(await bench.dom(id)).toContain('typed meanwhile');
  });
});

/** Text, what a reader sees of it, and the marks that it may have. */
const TEXTS: readonly (readonly [markdown: string, seen: readonly string[], kinds?: readonly string[]])[] = [
  ['It costs $5 and $10 per month.', ['It costs $5 and $10 per month.']],
  ['Set $HOME before $PATH=$HOME/bin:$PATH', ['Set $HOME before $PATH=$HOME/bin:$PATH']],
  ['x^2 + y^2 = z^2', ['x^2 + y^2 = z^2']],
  [
    'A claim[^1] and another[^2].\n\n[^1]: Source one, p. 5.\n[^2]: Source two.',
    ['A claim[^1] and another[^2].', '[^1]: Source one, p. 5.'],
  ],
  ['- 5~10 or 6~12\n- if a==b==c then', ['5~10 or 6~12', 'if a==b==c then']],
  ['> issues #12 and #13 of C# and F#', ['issues #12 and #13 of C# and F#']],
  ['# $5 and $10 in a heading', ['$5 and $10 in a heading']],
  ['[costs $5 and $10](https://x.y/a^b^c)', ['costs $5 and $10'], ['a']],
  ['==important words== ~~del~~ <sup>2</sup>', ['important words', 'del', '2'], ['mark', 's', 'sup']],
  ['Euler: \\(e^{i\\pi}+1=0\\).\n\n\\[\n\\sum_{i=1}^n i\n\\]', ['Euler:'], ['inline-math']],
  [
    '| a | b |\n|---|---|\n| `x|y` | keep me |\n| $P(A|B)$ | and me |\n| 1 | 2 | 3 |',
    ['keep me', 'and me', '2 | 3'],
    ['code', 'inline-math'],
  ],
  ['first\n\n| a | b |\n| --- | --- |\n| x&#124;y | z |', ['x|y']],
  ['- [-] cancelled\n- [/] half\n- [>] deferred\n- [ ] open', ['cancelled', 'half', 'deferred', 'open']],
];
const ALL = TEXTS.map(([markdown]) => markdown).join('\n\n');
const SEEN = TEXTS.flatMap(([, seen]) => seen);
const KINDS = new Set(TEXTS.flatMap(([, , kinds = []]) => kinds));

const seenIn = (dom: string): string => parseBlocks(dom).map(plainText).join('\n');
const kindsIn = (dom: string): string[] =>
  [...dom.matchAll(/<span data-type="([^"]*)"|<span [^>]*data-type="([^"]*)"/g)].flatMap(([, one, other]) => {
    const kind = one ?? other ?? '';
    return kind === 'backslash' ? [] : [kind];
  });

describe('text with signs that Lute would take for Markdown', () => {
  it.each(TEXTS.map(([markdown, seen, kinds = []]) => ({ markdown, seen, kinds })))(
    'is written as people mean it: $markdown',
    async ({ markdown, seen, kinds }) => {
      const dom = await written(markdown);
      for (const words of seen) expect(seenIn(dom)).toContain(words);
      expect([...new Set(kindsIn(dom))]).toEqual(kinds);
    },
  );

  const read = async (doc: string) => (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 99 }, signal)).blocks;
  const notes = () => bench.host.notes;

  const TOOLS: readonly (readonly [string, (doc: string) => Promise<{ readonly plan: ChangePlan; readonly into?: string }>])[] = [
    ['insert_blocks', async (doc) => ({ plan: await notes().planInsert({ anchor: doc, position: 'append', markdown: ALL }, 't', signal) })],
    [
      'create_doc',
      async () => {
        const path = `/Made ${freshNode()}`;
        return { plan: await notes().planCreateDocument({ notebook: bench.notebook, path, markdown: ALL }, 't', signal), into: path };
      },
    ],
    [
      'daily_note',
      async () => {
        const date = new Date().toLocaleDateString('sv-SE');
        const plan = await notes().planDailyAppend({ notebook: bench.notebook, date, markdown: ALL }, 't', signal);
        return { plan, into: 'today' };
      },
    ],
    ['rewrite_doc', async (doc) => ({ plan: await notes().planRewrite({ id: doc, markdown: ALL }, 't', signal) })],
  ];

  it.each(TOOLS)('is so by %s', async (_tool, planned) => {
    const doc = await newDocument('start');
    const before = steady(await bench.dom(doc));
    const { plan, into } = await planned(doc);
    const nodeId = freshNode();
    const report = await bench.apply(plan, undefined, { ...origin, nodeId });
    const target = into === undefined ? doc : report.documentId;
    const dom = await bench.dom(target);
    for (const words of SEEN) expect(seenIn(dom)).toContain(words);
    expect(kindsIn(dom).filter((kind) => !KINDS.has(kind))).toEqual([]);
    expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    if (into === undefined) expect(steady(await bench.dom(doc))).toBe(before);
  });

  it('is read as it was written, and writing that back changes nothing', async () => {
    const doc = await newDocument('start');
    await bench.apply(await notes().planInsert({ anchor: doc, position: 'append', markdown: ALL }, 't', signal));
    const blocks = await read(doc);
    const text = blocks.map(({ markdown }) => markdown).join('\n\n');
    for (const markdown of [
      'It costs $5 and $10 per month.',
      'x^2 + y^2 = z^2',
      'A claim[^1]',
      '5~10 or 6~12',
      'if a==b==c then',
      '[/] half',
    ])
      expect(text).toContain(markdown);
    expect(text).not.toMatch(/\[X\]/);
    for (const { id, hash, markdown } of blocks) {
      const edit = { id, expectHash: hash, markdown: `${markdown}` };
      expect([markdown, await codeOf(notes().planEdit(edit, 't', signal))]).toEqual([markdown, 'no_match']);
    }
  });

  it('is shown in plans as it will be stored', async () => {
    const doc = await newDocument('one word');
    const markdown = 'costs $5 and $10, but $x^2$ and \\(y\\)';
    const looks = 'costs $5 and $10, but <span class="mg-math">x^2</span> and <span class="mg-math">y</span>';
    const insert = await notes().planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
    expect(insert.operations.map((each) => each.drawn)).toEqual([{ before: null, after: `<p>${looks}</p>` }]);
    const [first] = await read(doc);
    const edits = [{ old: 'word', new: markdown }];
    const edit = await notes().planEdit({ id: first?.id ?? '', expectHash: first?.hash ?? '', edits }, 't', signal);
    expect(edit.operations.map((each) => each.drawn)).toEqual([{ before: '<p>one word</p>', after: `<p>one ${looks}</p>` }]);
    const rewrite = await notes().planRewrite({ id: doc, markdown: `one word\n\n${markdown}` }, 't', signal);
    expect(rewrite.operations.map((each) => each.drawn)).toEqual([{ before: null, after: `<p>${looks}</p>` }]);
  });

  it('is so by edit_block', async () => {
    const doc = await newDocument('one word\n\n- item');
    const [first, list] = await read(doc);
    const edits = [{ old: 'word', new: '$5 or $10, x^2 and y^2' }];
    await bench.apply(await notes().planEdit({ id: first?.id ?? '', expectHash: first?.hash ?? '', edits }, 't', signal));
    const markdown = '- if a==b==c then 5~6 7~8';
    await bench.apply(await notes().planEdit({ id: list?.id ?? '', expectHash: list?.hash ?? '', markdown }, 't', signal));
    const dom = await bench.dom(doc);
    expect(kindsIn(dom)).toEqual([]);
    expect(seenIn(dom)).toContain('one $5 or $10, x^2 and y^2');
    expect(seenIn(dom)).toContain('if a==b==c then 5~6 7~8');
  });
});
