import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { applyAs, freshNode, looks, paragraph, thereAndBack } from './block-support.ts';
import { codeOf, origin, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
let counter = 0;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
});
afterAll(() => bench.close());
afterEach(() => bench.policy.setRight(bench.notebook, 'delete'));

const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Rewrite ${counter}`, markdown);
};
const plan = (id: string, markdown: string) => bench.host.notes.planRewrite({ id, markdown }, 'rewrite_doc', signal);
const read = async (id: string): Promise<string> =>
  (await bench.host.notes.document({ id }, { start: 0, blocks: 999 }, signal)).blocks.map((block) => block.markdown).join('\n\n');
const shown = async (id: string, markdown: string) =>
  (await plan(id, markdown)).operations.map((operation) => [operation.action, operation.before, operation.after]);

describe('a document rewritten', () => {
  it.each([
    ['a changed paragraph', 'a\n\nb\n\nc', 'a\n\nB\n\nc', [['update', 'b', 'B']]],
    ['a new block', 'a\n\nc', 'a\n\nb\n\nc', [['insert', null, 'b']]],
    ['a block less', 'a\n\nb\n\nc', 'a\n\nc', [['delete', 'b', null]]],
    ['another order', 'a\n\n# b\n\nc', '# b\n\nc\n\na', [['move', 'a', 'a']]],
    [
      'another kind',
      'a\n\nb',
      'a\n\n- b',
      [
        ['delete', 'b', null],
        ['insert', null, '- b'],
      ],
    ],
    [
      'all of it',
      'a\n\nb',
      'x\n\ny\n\n# z',
      [
        ['update', 'a', 'x'],
        ['update', 'b', 'y'],
        ['insert', null, '# z'],
      ],
    ],
    ['the front', 'a\n\nb', 'new\n\na\n\nb', [['insert', null, 'new']]],
    ['a list item', '- a\n- b\n- c', '- a\n- B\n- c', [['update', '- a\n- b\n- c', '- a\n- B\n- c']]],
    [
      'everything at once',
      '# T\n\none\n\ntwo\n\n> q\n\n```js\nx\n```\n\nend',
      '# T2\n\nintro\n\n```js\nx\n```\n\ntwo\n\n> q2\n\nend',
      [
        ['update', '# T', '# T2'],
        ['update', 'one', 'intro'],
        ['delete', '> q', null],
        ['move', 'two', 'two'],
        ['insert', null, '> q2'],
      ],
    ],
  ] as const)('in %s', async (_what, before, after, operations) => {
    const doc = await newDocument(before);
    const made = await plan(doc, after);
    expect(made.operations.map((operation) => [operation.action, operation.before, operation.after])).toEqual(operations);
    expect(made.undo.kind).toBe('exact');
    await thereAndBack(bench, made, [doc]);
    await applyAs(bench, await plan(doc, after), freshNode());
    expect(await read(doc)).toBe(after);
    expect(await codeOf(plan(doc, after))).toBe('no_change');
  });

  it('keeps ids and attributes of what stays, changes or moves', async () => {
    const doc = await newDocument('# H\n\nsame\n\nchanged\n\nmoved\n\n- x\n- y');
    const [h, same, changed, moved, list] = await bench.blocks(doc);
    const [x] = await bench.blocks(list!);
    for (const id of [h, same, changed, moved, list, x]) await bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-mine': id } });
    await applyAs(bench, await plan(doc, 'moved\n\n# H\n\nsame\n\nchanged a lot\n\n- x\n- y\n- z'), freshNode());
    expect(await bench.blocks(doc)).toEqual([moved, h, same, changed, list]);
    expect((await bench.blocks(list!))[0]).toBe(x);
    for (const id of [h, same, changed, moved, list, x])
      expect(await bench.api('/api/attr/getBlockAttrs', { id })).toMatchObject({ 'custom-mine': id });
  });

  it('keeps ids with their text: by likeness, into a heading, elsewhere and changed, and inside a list', async () => {
    const [one, two, three] = [
      'how long does it take to get there?',
      'what does a ticket for the whole day cost?',
      'where may dogs run without a lead?',
    ];
    const doc = await newDocument(
      `Question one: ${one}\n\nQuestion two: ${two}\n\nQuestion three: ${three}\n\n- alpha item one\n- beta item two\n- gamma item three`,
    );
    const [first, second, third, list] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id: second, attrs: { bookmark: 'tickets' } });
    const items = await bench.blocks(list!);
    const after = `Question zero: is there anything to eat on the way?\n\n## Question one: ${one}\n\n- gamma item three\n- alpha item one\n- beta item two and more\n\nQuestion three: ${three}\n\nQuestion two: ${two.replace('the whole', 'one whole')}`;
    const made = await plan(doc, after);
    expect(made.notices).toEqual([]);
    await thereAndBack(bench, made, [doc]);
    await applyAs(bench, await plan(doc, after), freshNode());
    expect(await read(doc)).toBe(after);
    expect((await bench.blocks(doc)).slice(1)).toEqual([first, list, third, second]);
    expect(await bench.blocks(list!)).toEqual([items[2], items[0], items[1]]);
    expect(await bench.api('/api/attr/getBlockAttrs', { id: second })).toMatchObject({ bookmark: 'tickets' });
  });

  it('is no change when it says what was read, whatever stands there', async () => {
    const doc = await newDocument(
      '# H\n\n- a\n\nbetween\n\n- b\n\n> q\n>\n> r\n\n{{{row\nleft\n\nright\n}}}\n\n1. one\n2. two\n\n---\n\n$$\nx\n$$',
    );
    const [, first, between] = await bench.blocks(doc);
    await bench.transact([{ action: 'delete', id: between }]);
    const literals = ['- dash', '((x))', '**b** $x$', '{: id=&quot;x&quot;}', '&lt;br&gt; ```'];
    let previousID = first;
    for (const [index, text] of literals.entries()) {
      const id = `2026010100000${index}-rewlit${counter % 10}`;
      await bench.transact([{ action: 'insert', id, data: paragraph(id, text), previousID }]);
      previousID = id;
    }
    const empty = '20260101000009-rewlite';
    await bench.transact([{ action: 'insert', id: empty, data: paragraph(empty, ''), previousID }]);
    expect(await codeOf(plan(doc, await read(doc)))).toBe('no_change');
    const made = await plan(doc, `${await read(doc)}\n\nmore`);
    expect(made.operations.map((operation) => [operation.action, operation.after])).toEqual([['insert', 'more']]);
    expect(made.notices).toEqual([]);
    await thereAndBack(bench, made, [doc]);
  });
});

describe('what Markdown cannot say, or the assistant may not read', () => {
  it('goes where it is left out, but what is hidden stays, and is said', async () => {
    const doc = await newDocument('# Open\n\na\n\nstyled\n\nb\n\n# Secret\n\nhidden\n\n# Rest\n\nc');
    const ids = await bench.blocks(doc);
    const inner = 'red <span data-type="strong text" style="color: red;">word</span>';
    await bench.transact([{ action: 'update', id: ids[2], data: paragraph(ids[2]!, inner) }]);
    await bench.api('/api/attr/setBlockAttrs', { id: ids[4], attrs: { 'custom-ai-access': 'none' } });
    const made = await plan(doc, '# Open\n\nnew text\n\n# Rest');
    expect(made.operations.map((operation) => [operation.action, operation.before])).toEqual([
      ['update', 'a'],
      ['delete', 'red **word**'],
      ['delete', 'b'],
      ['delete', 'c'],
    ]);
    expect(made.notices).toEqual([{ code: 'hidden-kept', count: 2 }]);
    await thereAndBack(bench, made, [doc]);
    await applyAs(bench, await plan(doc, '# Open\n\nnew text\n\n# Rest'), freshNode());
    expect(await bench.markdown(doc)).toEqual(['# Open', 'new text', '# Secret', 'hidden', '# Rest']);
    const copied = await read(doc);
    expect(copied).not.toContain('hidden');
    expect(await shown(doc, copied.replace('new text', 'newer text'))).toEqual([['update', 'new text', 'newer text']]);
  });

  it('changes in its plain text, keeps what is beside it, or is refused by its id: no new block comes beside the old one', async () => {
    const doc = await newDocument('intro\n\nstyled\n\n- x\n- y\n\nend');
    const [, styled, list] = await bench.blocks(doc);
    const inner = 'a red <span data-type="strong text" style="color: red;">word</span> in a line of words';
    await bench.transact([{ action: 'update', id: styled, data: paragraph(styled!, inner) }]);
    const [x] = await bench.blocks(list!);
    const [own] = await bench.blocks(x!);
    await bench.transact([{ action: 'update', id: own, data: paragraph(own!, inner) }]);
    const before = await read(doc);
    expect(before).toBe('intro\n\na red **word** in a line of words\n\n- a red **word** in a line of words\n- y\n\nend');
    const changed = before.replace(/in a line/g, 'in one line').replace('- y', '- y2\n- z');
    const made = await plan(doc, changed);
    expect(made.operations.map(({ action, blockId }) => [action, blockId])).toEqual([
      ['update', styled],
      ['update', list],
    ]);
    await thereAndBack(bench, made, [doc]);
    await applyAs(bench, await plan(doc, changed), freshNode());
    expect(await read(doc)).toBe(changed);
    expect((await bench.dom(doc)).match(/style="color: red;"/g)).toHaveLength(2);
    const refusal = await plan(doc, changed.replace('a red **word** in one', 'a *very* red word in one')).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'not_markdown_safe', message: expect.stringContaining(styled!) });
  });

  it.each([
    ['a list within', 'Graph\n-\n&lt;div style="height: 0"&gt;&lt;/div&gt;\n-'],
    ['other kinds of list within', 'Preview\n-\n1. You can edit\n-\n2. more'],
    ['a link with one bracket more', 'so: <span data-type="a" data-href="(60a78e9e))">apple</span> is'],
  ])('stays inside a list that changes: a paragraph that looks like %s', async (_what, text) => {
    const doc = await newDocument('- a\n  - deep\n  - deeper\n- b\n\nend');
    const [list] = await bench.blocks(doc);
    const [item] = await bench.blocks(list!);
    const [, below] = await bench.blocks(item!);
    const [deep] = await bench.blocks(below!);
    const [own] = await bench.blocks(deep!);
    await bench.transact([{ action: 'update', id: own, data: paragraph(own!, text) }]);
    const before = await read(doc);
    const made = await plan(doc, before.replace('- b', '- c\n- d').replace('deeper', 'deepest'));
    expect(made.operations.map(({ action, blockId }) => [action, blockId])).toEqual([['update', list]]);
    await thereAndBack(bench, made, [doc]);
    await applyAs(bench, await plan(doc, before.replace('- b', '- c\n- d').replace('deeper', 'deepest')), freshNode());
    expect(await read(doc)).toBe(before.replace('- b', '- c\n- d').replace('deeper', 'deepest'));
    expect(await bench.dom(doc)).toContain(text.split('\n').at(0));
  });

  it('changes where only plain marks are in a text that Markdown reads otherwise', async () => {
    const doc = await newDocument('# Words\n\n- item');
    const [heading] = await bench.blocks(doc);
    const inner = 'Tools {<span data-type="tag">tools} {</span>tools}';
    const { dom } = await bench.api<{ dom: string }>('/api/block/getBlockDOM', { id: heading });
    const data = dom.replace('Words', inner);
    await bench.transact([{ action: 'update', id: heading, data }]);
    expect(await read(doc)).toBe('# Tools {#tools} {#tools}\n\n- item');
    const made = await plan(doc, '# Tools {#tools}\n\n- item');
    expect(made.operations.map(({ action, blockId, after }) => [action, blockId, after])).toEqual([
      ['update', heading, '# Tools {#tools}'],
    ]);
    await thereAndBack(bench, made, [doc]);
  });

  it.each([
    ['a link by a path', 'Use [the scripts](/scripts) and [more](Other%20note.md) for words of all kinds'],
    ['an image from elsewhere', 'Look ![at it](https://a.example/x.png) for words of all kinds'],
    ['coloured text', 'Look <span data-type="text" style="color: red;">at it</span> for words of all kinds'],
  ])('is none where it may stay: %s', async (_what, text) => {
    const doc = await newDocument(`intro\n\n${text}\n\nend`);
    const before = await bench.dom((await bench.blocks(doc))[1]!);
    const markdown = await read(doc);
    const after = markdown.replace('words of all kinds', '**words** of many kinds');
    const made = await plan(doc, after);
    expect(made.operations.map(({ action }) => action)).toEqual(['update']);
    expect(made.notices).toEqual([]);
    await thereAndBack(bench, made, [doc]);
    await applyAs(bench, await plan(doc, after), freshNode());
    expect(await read(doc)).toBe(after);
    const now = await bench.dom((await bench.blocks(doc))[1]!);
    for (const [kept] of before.matchAll(/(?:data-href|src|style)="[^"]*"/g)) expect(now).toContain(kept);
  });

  it('goes to the trash where it has rows, and is said where items with rows go', async () => {
    const doc = await newDocument('bound\n\n- x\n- y\n\nend');
    const [bound, list] = await bench.blocks(doc);
    const [x] = await bench.blocks(list!);
    for (const id of [bound, x]) await bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-avs': '20260101000000-aaaaaaa' } });
    const made = await plan(doc, '- y\n\nend');
    expect(made.operations.map((operation) => [operation.action, operation.to])).toEqual([
      ['delete', '/Marginalia trash'],
      ['update', undefined],
    ]);
    expect(made.notices).toEqual([
      { code: 'rows-lost', count: 1 },
      { code: 'moved-to-trash', count: 1 },
      { code: 'blocks-removed', count: 1 },
    ]);
    expect(made.undo.kind).toBe('partial');
    const only = await plan(doc, '- x\n- y\n\nend');
    expect(only.undo.kind).toBe('exact');
    await thereAndBack(bench, only, [doc]);
  });

  it('writes as code what no tool writes, but lets stand what stands', async () => {
    const doc = await newDocument('a');
    const [a] = await bench.blocks(doc);
    expect((await plan(doc, 'a\n\n<iframe src="x"></iframe>')).notices).toMatchObject([{ code: 'shown-as-code', count: 1 }]);
    expect(await codeOf(plan(doc, ' \n'))).toBe('empty_text');
    expect(await codeOf(plan(a!, 'x'))).toBe('bad_id');
    await bench.api('/api/block/appendBlock', { parentID: doc, dataType: 'markdown', data: '<iframe src="https://example.com"></iframe>' });
    const text = await read(doc);
    expect(text).toContain('<iframe');
    expect(await shown(doc, text.replace(/^a/, 'b'))).toEqual([['update', 'a', 'b']]);
    expect(await shown(doc, 'b')).toEqual([['update', 'a', 'b']]);
  });
});

describe('rights, parts and stale plans', () => {
  it('needs delete only where something goes', async () => {
    const doc = await newDocument('a\n\n- x\n- y');
    bench.policy.setRight(bench.notebook, 'write');
    expect((await plan(doc, 'b\n\n- x\n- y\n- z')).needsRight).toBeUndefined();
    const made = await plan(doc, 'b\n\n- x');
    expect(made.needsRight).toBe('delete');
    expect(await codeOf(bench.apply(made))).toBe('no_right');
    const again = await plan(doc, 'b\n\n- x');
    await bench.apply(again, [again.operations[0]!.id]);
    expect(await read(doc)).toBe('b\n\n- x\n- y');
  });

  it('can be accepted in part, and what was left out stands where it stood', async () => {
    const before = '# H\n\na\n\nb\n\nc\n\nd';
    const after = 'd\n\n# H\n\nA\n\nnew\n\nc';
    const count = (await plan(await newDocument(before), after)).operations.length;
    for (let mask = 1; mask < 2 ** count; mask += 1) {
      const doc = await newDocument(before);
      const made = await plan(doc, after);
      const start = await looks(bench, [doc]);
      const node = freshNode();
      await applyAs(
        bench,
        made,
        node,
        made.operations.filter((_each, index) => mask & (1 << index)).map((each) => each.id),
      );
      if (mask === 2 ** count - 1) expect(await read(doc)).toBe(after);
      expect((await bench.host.history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
      expect(await looks(bench, [doc])).toEqual(start);
    }
  });

  it('is stale when a block that it changes was changed since', async () => {
    const doc = await newDocument('a\n\nb');
    const [a] = await bench.blocks(doc);
    const made = await plan(doc, 'A\n\nb');
    await bench.transact([{ action: 'update', id: a, data: paragraph(a!, 'typed') }]);
    expect(await codeOf(bench.apply(made))).toBe('stale');
    expect(await read(doc)).toBe('typed\n\nb');
  });
});
