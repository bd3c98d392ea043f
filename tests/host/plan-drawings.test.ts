import { describe, expect, it } from 'vitest';
import { parseBlock } from '../../src/host/blocks/block-dom.ts';
import { blockHtml } from '../../src/host/blocks/block-html.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import type { ChangePlan, PlanOperation } from '../../src/tools/contract/plans.ts';
import { applyAs, freshNode } from './block-support.ts';
import { origin, signal, useBench } from './support.ts';

const bench = useBench('delete');
const notes = () => bench.host.notes;
let counter = 0;
const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Drawings ${process.pid} ${Date.now().toString(36)} ${counter}`, markdown);
};
const drawingOf = async (id: string): Promise<string> => {
  const block = parseBlock(await bench.dom(id));
  if (!block) throw new Error(`no block ${id}`);
  return blockHtml(block, testEngine());
};
const read = async (doc: string) => (await notes().document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks;

const line = (html: string): string => `<p>${html}</p>`;
/** Of each kind: a block, how it looks, and the same with another word. */
const SAMPLES: readonly (readonly [markdown: string, looks: string, other: string])[] = [
  ['costs $5 and $10', line('costs $5 and $10'), 'costs $5 and $12'],
  ['$HOME … $PATH', line('$HOME … $PATH'), '$HOME … $SHELL'],
  ['x^2 + y^2', line('x^2 + y^2'), 'x^2 + z^2'],
  ['a claim[^1]', line('a claim[^1]'), 'no claim[^1]'],
  ['5~10 or 6~12', line('5~10 or 6~12'), '5~10 or 6~13'],
  ['**注意：**请', line('<strong>注意：</strong>请'), '**注意：**不'],
  ['==a== b', line('<mark>a</mark> b'), '==a== c'],
  ['#tag# b', line('<span class="mg-tag">tag</span> b'), '#tag# c'],
  ['so $x^2$ is', line('so <span class="mg-math">x^2</span> is'), 'so $x^2$ was'],
  ['> [!注意] 标题\n> body', '<blockquote><p> <strong>注意</strong> 标题</p><p>body</p></blockquote>', '> [!注意] 标题\n> words'],
  [
    '| a |\n|---|\n| `x\\|y` |',
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><code>x|y</code></td></tr></tbody></table>',
    '| a |\n|---|\n| z |',
  ],
];

/** The plan's drawing of a block, and of what stood. */
const drawn = ({ operations }: ChangePlan, action: PlanOperation['action']) =>
  operations.filter((each) => each.action === action).map((each) => each.drawn);

describe.each(SAMPLES)('the drawing of %s', (markdown, looks, other) => {
  it('is that of the stored block, whatever is done with it', async () => {
    const doc = await newDocument('start');
    const insert = await notes().planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
    expect(drawn(insert, 'insert')).toEqual([{ before: null, after: looks }]);
    await applyAs(bench, insert, freshNode());
    const id = insert.operations[0]?.blockId ?? '';
    expect(await drawingOf(id)).toBe(looks);

    const move = await notes().planMoveBlocks({ ids: [(await bench.blocks(doc))[0] ?? ''], target: { after: id } }, 't', signal);
    expect(drawn(move, 'move')).toEqual([{ before: line('start'), after: line('start') }]);
    const away = await notes().planMoveBlocks({ ids: [id], target: { parent: await newDocument('elsewhere') } }, 't', signal);
    expect(drawn(away, 'move')).toEqual([{ before: looks, after: looks }]);

    const rewrite = await notes().planRewrite({ id: doc, markdown: `start\n\n${other}` }, 't', signal);
    const [change] = drawn(rewrite, 'update');
    expect(change).toMatchObject({ before: looks });
    const node = freshNode();
    await applyAs(bench, rewrite, node);
    expect(change).toEqual({ before: looks, after: await drawingOf(id) });
    // What the card of the call shows of it afterwards.
    expect((await bench.host.history.changes(origin.sessionId, node, origin.callId)).map((each) => each.drawn)).toEqual([change]);

    const { hash } = (await read(doc)).find((block) => block.id === id) ?? { hash: '' };
    const edit = await notes().planEdit({ id, expectHash: hash, markdown }, 't', signal);
    expect(drawn(edit, 'update')).toEqual([{ before: await drawingOf(id), after: looks }]);
    await applyAs(bench, edit, freshNode());
    expect(await drawingOf(id)).toBe(looks);

    const removal = await notes().planDeleteBlocks({ ids: [id] }, 't', signal);
    expect(drawn(removal, 'delete')).toEqual([{ before: looks, after: null }]);
    const leftOut = await notes().planRewrite({ id: doc, markdown: 'start' }, 't', signal);
    expect(drawn(leftOut, 'delete')).toEqual([{ before: looks, after: null }]);
  });
});

describe('a plan', () => {
  it('draws references with the words that they show, and where they lead', async () => {
    const target = await newDocument('target');
    const doc = await newDocument('start');
    const markdown = `see ((${target} "the plan"))`;
    const looks = line(`see <a data-block-id="${target}" href="siyuan://blocks/${target}">the plan</a>`);
    const insert = await notes().planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
    expect(drawn(insert, 'insert')).toEqual([{ before: null, after: looks }]);
    await applyAs(bench, insert, freshNode());
    const id = insert.operations[0]?.blockId ?? '';
    expect(await drawingOf(id)).toBe(looks);
    expect(drawn(await notes().planDeleteBlocks({ ids: [id] }, 't', signal), 'delete')).toEqual([{ before: looks, after: null }]);
  });

  it('draws no words of a hidden block that a reference shows', async () => {
    const target = await newDocument('the secret words');
    const [secret = ''] = await bench.blocks(target);
    const doc = await newDocument(`see ((${secret} 'the secret words')) here`);
    const [first = ''] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id: target, attrs: { 'custom-ai-access': 'none' } });
    const reference = `<a data-block-id="${secret}" href="siyuan://blocks/${secret}">unavailable</a>`;
    const looks = line(`see ${reference} here`);
    const move = await notes().planMoveBlocks({ ids: [first], target: { parent: await newDocument('x') } }, 't', signal);
    expect(drawn(move, 'move')).toEqual([{ before: looks, after: looks }]);
    const [{ hash = '' } = {}] = await read(doc);
    const edit = await notes().planEdit({ id: first, expectHash: hash, edits: [{ old: 'here', new: 'there' }] }, 't', signal);
    expect(drawn(edit, 'update')).toEqual([{ before: looks, after: line(`see ${reference} there`) }]);
    const rewrite = await notes().planRewrite({ id: doc, markdown: `see ((${secret} 'unavailable')) there` }, 't', signal);
    expect(JSON.stringify(rewrite.operations)).not.toContain('secret');
  });

  it('draws how the blocks of a super block stand', async () => {
    const doc = await newDocument('start\n\n{{{col\na\n\nb\n\n}}}');
    const [, id = ''] = await bench.blocks(doc);
    const looks = '<div class="mg-layout-col"><p>a</p><p>b</p></div>';
    expect(drawn(await notes().planDeleteBlocks({ ids: [id] }, 't', signal), 'delete')).toEqual([{ before: looks, after: null }]);
  });

  it.each([
    ['{{{col\na\n\nb\n\n}}}', '<div class="mg-layout-col"><p>a</p><p>b</p></div>'],
    [
      '{{{row\n{{{col\na\n\nb\n\n}}}\n\nc\n\n}}}',
      '<div class="mg-layout-row"><div class="mg-layout-col"><p>a</p><p>b</p></div><p>c</p></div>',
    ],
  ])('draws columns as they are stored: %j', async (markdown, looks) => {
    const doc = await newDocument('start');
    const insert = await notes().planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
    expect(drawn(insert, 'insert')).toEqual([{ before: null, after: looks }]);
    await applyAs(bench, insert, freshNode());
    expect(await drawingOf(insert.operations[0]?.blockId ?? '')).toBe(looks);
  });
});
