import { afterEach, describe, expect, it } from 'vitest';
import { isBeyondMarkdown } from '../../src/host/blocks/beyond-markdown.ts';
import { allBlocks, blockId, parseBlock, serializeBlock } from '../../src/host/blocks/block-dom.ts';
import { hashOfBlock, shortHash } from '../../src/host/blocks/block-hash.ts';
import type { EditRequest } from '../../src/host/planning/edit-planner.ts';
import { callout, customBlock, inSuperBlock, mapList, mindMap, table, tabs, unknownBlock } from './newer-blocks.ts';
import { realKernelUrl } from './real-kernel.ts';
import { codeOf, signal, useBench } from './support.ts';

const bench = useBench('delete');

const restore: (() => void)[] = [];
afterEach(() => {
  for (const back of restore.splice(0)) back();
});

/** A note of three paragraphs, the second of which is this block to us: no kernel that runs here holds the kinds of 3.8. */
async function noteWith(dom: string, path: string): Promise<{ readonly document: string; readonly id: string; readonly dom: string }> {
  const document = await bench.document(path, 'before\n\nstands for it\n\nafter');
  const [, id = ''] = await bench.blocks(document);
  const shown = dom.replace(/data-node-id="[^"]*"/, `data-node-id="${id}"`);
  const { routes } = bench.host;
  const original = { dom: routes.dom, doms: routes.doms };
  restore.push(() => Object.assign(routes, original));
  Object.assign(routes, {
    dom: async (asked: string, stop: AbortSignal) => (asked === id ? shown : original.dom(asked, stop)),
    doms: async (ids: readonly string[], stop: AbortSignal) => {
      const doms = await original.doms(ids, stop);
      return ids.includes(id) ? { ...doms, [id]: shown } : doms;
    },
  });
  return { document, id, dom: shown };
}

const planEdit = (request: EditRequest) => bench.host.notes.planEdit(request, 'edit_block', signal);
const hashOf = (dom: string): string => shortHash(hashOfBlock(dom));

let counter = 0;
const newPath = (): string => `/Beyond ${++counter}`;

const HOLDERS = [
  ['tabs', tabs],
  ['a mind map', mindMap],
  ['a mind map that is a list', mapList],
  ['a block of tomorrow', unknownBlock],
  ['tabs in a super block', () => inSuperBlock(tabs())],
  ['a callout with a marked title', callout],
] as const;
const WHOLE = [
  ['a rich table', table],
  ['a rich table in a super block', () => inSuperBlock(table())],
  ['a block of a plugin', customBlock],
] as const;

describe.skipIf(realKernelUrl !== undefined)('a block of which Markdown shows a part', () => {
  it.each([...HOLDERS, ...WHOLE])('%s: is never written from Markdown', async (_name, make) => {
    const { id, dom } = await noteWith(make(), newPath());
    expect(await codeOf(planEdit({ id, markdown: 'first leaf', expectHash: hashOf(dom) }))).toBe('not_markdown_safe');
  });

  it.each(HOLDERS)('%s: a leaf in it is edited, and nothing else is written', async (_name, make) => {
    const { id, dom } = await noteWith(make(), newPath());
    const plan = await planEdit({ id, edits: [{ old: 'second', new: '**other**' }], expectHash: hashOf(dom) });
    const block = parseBlock(dom);
    const leaf = block && allBlocks(block).find((each) => serializeBlock(each).includes('>second leaf<') && allBlocks(each).length === 1);
    expect(plan.operations.map(({ action, blockId: at, after }) => [action, at, after])).toEqual([
      ['update', leaf && blockId(leaf), '**other** leaf'],
    ]);
  });

  it.each(HOLDERS.filter(([name]) => !name.includes('callout')))('%s: an edit over several leaves is refused', async (_name, make) => {
    const { id, dom } = await noteWith(make(), newPath());
    const edits = [
      { old: 'first', new: 'one' },
      { old: 'second', new: 'two' },
    ];
    const refused = planEdit({ id, edits, expectHash: hashOf(dom) });
    await expect(refused).rejects.toMatchObject({ code: 'not_markdown_safe', next: expect.stringContaining('one paragraph') });
  });

  it.each(WHOLE)('%s: no text of it is edited', async (_name, make) => {
    const { id, dom } = await noteWith(make(), newPath());
    const refused = planEdit({ id, edits: [{ old: 'first', new: 'other' }], expectHash: hashOf(dom) });
    await expect(refused).rejects.toMatchObject({ code: 'not_markdown_safe', next: expect.stringContaining('user') });
  });

  it('a leaf in an item of a mind map stays one block of its kind', async () => {
    const { id, dom } = await noteWith(mindMap(), newPath());
    for (const text of ['- a list', 'two\n\nparagraphs', '# heading'])
      expect(await codeOf(planEdit({ id, edits: [{ old: 'second leaf', new: text }], expectHash: hashOf(dom) }))).toBe('bad_target');
  });

  it('a leaf in a tab may become several', async () => {
    const { id, dom } = await noteWith(tabs(), newPath());
    const plan = await planEdit({ id, edits: [{ old: 'second leaf', new: 'two\n\n- items' }], expectHash: hashOf(dom) });
    expect(plan.operations.map(({ action }) => action)).toEqual(['update', 'insert']);
  });

  it.each([...HOLDERS.slice(0, 5), ...WHOLE])('%s: a rewrite of its note neither flattens nor deletes it', async (_name, make) => {
    const { document, id } = await noteWith(make(), newPath());
    const rewrite = (markdown: string) => bench.host.notes.planRewrite({ id: document, markdown }, 'rewrite_doc', signal);
    const left = await rewrite('before\n\nbehind');
    expect(left.operations.filter(({ blockId: at }) => at === id)).toEqual([]);
    expect(left.notices).toContainEqual({ code: 'unsaid-kept', count: 1 });
    const words =
      'before\n\nfirst leaf changed\n\n- inner leaf\n\n| second leaf more | rich words third leaf one bold two |\n| --- | --- |\n\nafter';
    await expect(rewrite(words)).rejects.toMatchObject({ code: 'not_markdown_safe', message: expect.stringMatching(/^block \S+ is /) });
  });

  it.each([...HOLDERS, ...WHOLE])('%s: is deleted and moved as it is', async (_name, make) => {
    const { document, id } = await noteWith(make(), newPath());
    const [first = ''] = await bench.blocks(document);
    const moved = await bench.host.notes.planMoveBlocks({ ids: [first], target: { after: id } }, 'move_blocks', signal);
    expect(moved.operations.map(({ action }) => action)).toEqual(['move']);
    const gone = await bench.host.notes.planDeleteBlocks({ ids: [id] }, 'delete_blocks', signal);
    expect(gone.operations.map(({ action, blockId: at }) => [action, at])).toEqual([['delete', id]]);
  });
});

describe('which blocks Markdown shows whole', () => {
  it.each([
    ['a plain table', table(false), false],
    ['a table with a rich cell and no attribute', table().replace(' custom-sy-table-rich="1"', ''), true],
    ['a table whose last rich cell became plain', table(false).replace(' updated', ' custom-sy-table-rich="1" updated'), true],
    ['a callout', callout(), false],
    ['a super block', inSuperBlock(''), false],
    ['tabs', tabs(), true],
    ['a mind map that is a list', mapList(), true],
    ['a block of tomorrow', unknownBlock(), true],
    ['what holds one', inSuperBlock(unknownBlock()), true],
  ])('%s: %s', (_name, dom, beyond) => {
    const block = parseBlock(dom);
    expect(block && isBeyondMarkdown(block)).toBe(beyond);
  });

  it.each([
    ['which tab is open', tabs(), (dom: string) => dom.replace(' tabs-position', ' tabs-active-id="20260801120000-aaaaaaa" tabs-position')],
    ['the drawing of a map', mindMap(), (dom: string) => dom.replace('drawn beside', '<svg></svg> drawn anew')],
    ['the titles over tabs', tabs(), (dom: string) => dom.replace('drawn beside', 'drawn anew')],
  ])('%s is no change of the block', (_name, dom, change) => {
    expect(change(dom)).not.toBe(dom);
    expect(hashOfBlock(change(dom))).toBe(hashOfBlock(dom));
  });
});
