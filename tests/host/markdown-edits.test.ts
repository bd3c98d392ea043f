import { describe, expect, it } from 'vitest';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import { applyAs, freshNode, looks, paragraph, thereAndBack } from './block-support.ts';
import { origin, signal, useBench } from './support.ts';

const bench = useBench('delete');
let counter = 0;
const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Markdown edits ${counter}`, markdown);
};
const blocksOf = async (id: string) => (await bench.host.notes.document({ id }, { start: 0, blocks: 999 }, signal)).blocks;
const read = async (id: string): Promise<string> => (await blocksOf(id)).map((block) => block.markdown).join('\n\n');
const rewrite = (id: string, markdown: string) => bench.host.notes.planRewrite({ id, markdown }, 'rewrite_doc', signal);

type Edit = { readonly edits: readonly { readonly old: string; readonly new: string }[] } | { readonly markdown: string };
const editOf = async (doc: string, edit: Edit, index = 0): Promise<ChangePlan> => {
  const block = (await blocksOf(doc))[index];
  return bench.host.notes.planEdit({ id: block?.id ?? '', expectHash: block?.hash ?? '', ...edit }, 'edit_block', signal);
};
/** Edits the first block, and gives what is read then; Undo brings back what was. */
async function edited(doc: string, edit: Edit): Promise<string> {
  const before = await looks(bench, [doc]);
  const nodeId = freshNode();
  await applyAs(bench, await editOf(doc, edit), nodeId);
  const after = await read(doc);
  expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
  expect(await looks(bench, [doc])).toEqual(before);
  return after;
}

describe('marks that begin or end in punctuation', () => {
  it.each([
    ['intro\n\n**Note:** the old way of it.\n\nend', 'intro\n\n**Note:** the new way of it.\n\nend'],
    ['- **Size:** small\n- **Colour:** red\n- plain', '- **Size:** small\n- **Colour:** red\n- plainer'],
    ['**提示：**先读说明。\n\n结尾', '**提示：**先读新说明。\n\n结尾'],
    ['请看**“引用”**和~~旧的。~~新的', '请看**“引用”**和~~旧的。~~更新的'],
    ['*Not yet.* More later.\n\nend', '*Not yet.* Much more later.\n\nend'],
    ['**See [the docs](https://a.example), `code` and *this!*** now', '**See [the docs](https://a.example), `code` and *this!*** then'],
    ['> **Q:** what\n>\n> *(a)* that', '> **Q:** what\n>\n> *(a)* this'],
    ['intro\n\n**Note:** gone soon.\n\nend', 'intro\n\nend'],
    ['# **One:** x\n\ntext', '# **One:** y\n\ntext'],
  ])('are read as they are, and rewritten in place: %j', async (before, after) => {
    const doc = await newDocument(before);
    expect(await read(doc)).toBe(before);
    const ids = await bench.blocks(doc);
    const plan = await rewrite(doc, after);
    expect(plan.notices).toEqual([]);
    expect(plan.operations.map(({ action }) => action)).toEqual([after.length < before.length - 10 ? 'delete' : 'update']);
    await thereAndBack(bench, plan, [doc]);
    await applyAs(bench, await rewrite(doc, after), freshNode());
    expect(await read(doc)).toBe(after);
    if (plan.operations[0]?.action === 'update') expect(await bench.blocks(doc)).toEqual(ids);
  });

  it('are edited as Markdown, in whole and in part', async () => {
    const doc = await newDocument('**Note:** the old way of it.');
    const fresh = '**Tip:** the new way of it.';
    expect(await edited(doc, { markdown: fresh })).toBe(fresh);
    expect(await edited(doc, { edits: [{ old: '**Note:** the old', new: '**Tip:** the new' }] })).toBe(fresh);
    const marked = '**old** way, see [there](https://a.example),';
    expect(await edited(doc, { edits: [{ old: 'old way', new: marked }] })).toBe(`**Note:** the ${marked} of it.`);
    const dom = (await editOf(doc, { edits: [{ old: 'old way', new: marked }] })).operations[0]?.after;
    expect(dom).toBe(`**Note:** the ${marked} of it.`);
  });

  it('are in the way of no row, and gain no blanks in what leaves SiYuan', async () => {
    const text = '**提示：**先读 *this.* ~~gone.~~ **see [x](https://a.example).** end';
    const doc = await newDocument(`| a | b |\n| --- | --- |\n| **x:** y | 2 |\n\n${text}\n\n- **Size:** small`);
    const [table] = await blocksOf(doc);
    const row = table?.markdown.split('\n').at(-1) ?? '';
    expect(row).toContain('**x:** y');
    expect(await edited(doc, { edits: [{ old: row, new: `${row}\n| **z:** w | 3 |` }] })).toContain('| **z:** w |');
    const exported = (await bench.host.notes.exportMarkdown({ id: doc }, signal)).markdown;
    expect(exported).toContain(`| **x:** y | 2 |\n\n${text}\n\n- **Size:** small`);
  });
});

describe('blocks that Markdown cannot express as a whole', () => {
  const withInner = async (inner: string): Promise<string> => {
    const doc = await newDocument('x');
    const [id] = await bench.blocks(doc);
    await bench.transact([{ action: 'update', id, data: paragraph(id ?? '', inner) }]);
    return doc;
  };

  it('are written as a whole where they are empty, and come back by Undo', async () => {
    expect(await edited(await withInner(''), { markdown: '**May**, and little money.\n\nMore.' })).toBe(
      '**May**, and little money.\n\nMore.',
    );
  });

  it('take Markdown in their plain text', async () => {
    const doc = await withInner('**stars** the old way');
    expect(await edited(doc, { edits: [{ old: 'old way', new: '*new* way' }] })).toBe('**stars** the *new* way');
    await applyAs(bench, await editOf(doc, { edits: [{ old: 'old way', new: '*new* way' }] }), freshNode());
    expect(await bench.dom((await bench.blocks(doc))[0] ?? '')).toContain('**stars** the <span data-type="em">new</span> way');
  });

  it.each([
    ['Alpha <span data-type="text" style="color: var(--b3-font-color1);">red words</span> tail', 'red', 'blue', /blue words<\/span> tail/],
    [
      'Alpha <span data-type="text" style="color: red;">red words</span> tail',
      'tail',
      '**tail**',
      /words<\/span> <span data-type="strong">tail/,
    ],
    ['Alpha <span data-type="strong text" style="color: red;">red words</span> tail', 'red', 'blue', /blue words<\/span> tail/],
  ])('keep their colours: %s', async (inner, old, fresh, stored) => {
    const doc = await withInner(inner);
    await edited(doc, { edits: [{ old, new: fresh }] });
    await applyAs(bench, await editOf(doc, { edits: [{ old, new: fresh }] }), freshNode());
    const dom = await bench.dom((await bench.blocks(doc))[0] ?? '');
    expect(dom).toMatch(stored);
    expect(dom).toMatch(/style="color: (red|var\(--b3-font-color1\));"/);
  });
});

it('edits a block with an image from elsewhere as Markdown, and keeps the image', async () => {
  const doc = await newDocument('Look ![at it](https://a.example/x.png) here');
  expect(await bench.dom((await bench.blocks(doc))[0] ?? '')).toContain('src="https://a.example/x.png"');
  const fresh = '**See:** ![at it](https://a.example/x.png) there, *now*';
  expect(await edited(doc, { markdown: fresh })).toBe(fresh);
  expect((await editOf(doc, { markdown: fresh })).notices).toEqual([]);
});

describe('tables', () => {
  const sized = '| a | b |\n|---|---|\n| one | two |\n{: colgroup="width: 100px;|"}';
  const layoutOf = async (doc: string): Promise<string> => (await bench.dom((await bench.blocks(doc))[0] ?? '')).replace(/\s+/g, ' ');

  it.each([
    ['a row', '| one | two |', '| one | two |\n| 3 | 4 |', '| 3   | 4   |'],
    ['a bar in a cell', 'two', 'x | y', 'x \\| y'],
    ['marks in a cell', 'two', '**two:** 2', '**two:** 2'],
    ['a line break in a cell', 'two', 'two\nlines', 'two<br />lines'],
  ])('keep the widths of their columns with %s', async (_what, old, fresh, shown) => {
    const doc = await newDocument(sized);
    expect(await edited(doc, { edits: [{ old, new: fresh }] })).toContain(shown);
    await applyAs(bench, await editOf(doc, { edits: [{ old, new: fresh }] }), freshNode());
    expect(await layoutOf(doc)).toMatch(/<col style="width: 100px;"/);
  });

  const merged = '| {: colspan="2"}wide | {: class="fn__none"} | c |\n|---|---|---|\n| one | two | 3 |\n| four | five | 6 |';

  it.each([
    ['a row', '| four | five | 6', '| new | row | 0 |\n| four | five | 6'],
    ['a text', 'five', '**five:** 5 \\| V'],
    ['a row less', '| one  | two  | 3 |\n', ''],
  ])('keep merged cells with %s', async (_what, old, fresh) => {
    const doc = await newDocument(merged);
    const markdown = await read(doc);
    expect(markdown).toMatch(/^\| wide \| +\| c \|/);
    const edit = {
      edits: [
        { old: markdown.includes(old) ? old : (markdown.split('\n').find((line) => line.startsWith(old.slice(0, 5))) ?? ''), new: fresh },
      ],
    };
    await edited(doc, edit);
    await applyAs(bench, await editOf(doc, edit), freshNode());
    expect(await layoutOf(doc)).toMatch(/<th colspan="2"[^>]*>wide<\/th> ?<th class="fn__none"/);
    expect((await bench.host.notes.exportMarkdown({ id: doc }, signal)).markdown).toContain('colspan="2"');
  });

  it('refuse to take merged cells apart', async () => {
    const doc = await newDocument(merged);
    const refusal = await editOf(doc, { markdown: '| wide | c |\n|---|---|\n| one | 3 |\n| four | 6 |' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'not_markdown_safe', message: expect.stringContaining('merged cells') });
  });

  it('keep the width of a column beside a new one', async () => {
    const doc = await newDocument(sized);
    const plan = await editOf(doc, { markdown: '| n | a | b |\n|---|---|---|\n| 0 | one | two |' });
    await applyAs(bench, plan, freshNode());
    expect(await layoutOf(doc)).toMatch(/<colgroup><col ?\/?>(<\/col>)?<col style="width: 100px;"/);
  });
});

describe('an item that is sent back as its own line', () => {
  it('keeps what is below it, and says so', async () => {
    const doc = await newDocument('- parent\n  - child one\n  - child two\n- sibling');
    const [list] = await blocksOf(doc);
    const item = list?.items?.[0];
    expect(item?.markdown).toBe('parent');
    const request = { id: item?.id ?? '', expectHash: item?.hash ?? '', markdown: '- parent words' };
    const plan = await bench.host.notes.planEdit(request, 'edit_block', signal);
    expect(plan.notices).toEqual([{ code: 'item-children-kept', count: 1 }]);
    await thereAndBack(bench, plan, [doc]);
    await applyAs(bench, await bench.host.notes.planEdit(request, 'edit_block', signal), freshNode());
    expect(await read(doc)).toBe('- parent words\n\n  - child one\n  - child two\n- sibling');
  });

  it('loses them where the new text has others', async () => {
    const doc = await newDocument('- parent\n  - child one\n- sibling');
    const item = (await blocksOf(doc))[0]?.items?.[0];
    const request = { id: item?.id ?? '', expectHash: item?.hash ?? '', markdown: '- parent\n  - other' };
    await applyAs(bench, await bench.host.notes.planEdit(request, 'edit_block', signal), freshNode());
    expect(await read(doc)).toContain('- parent\n\n  - other\n- sibling');
  });
});
