import { describe, expect, it } from 'vitest';
import { hashOfBlock } from '../../src/host/blocks/block-hash.ts';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import { applyAs, freshNode, looks, thereAndBack } from './block-support.ts';
import { codeOf, origin, signal, steady, useBench } from './support.ts';

const bench = useBench('delete');
const host = () => bench.host.notes;
let counter = 0;

interface List {
  readonly doc: string;
  readonly list: string;
  readonly items: readonly string[];
}

/** A list, and after it a paragraph and a list of the other kind. */
async function listOf(markdown: string, other = '- [ ] task\n- [x] done'): Promise<List & { readonly others: readonly string[] }> {
  counter += 1;
  const doc = await bench.document(`/Kinds ${counter}`, `${markdown}\n\npara\n\n${other}`);
  const [list = '', , second = ''] = await bench.blocks(doc);
  return { doc, list, items: await bench.blocks(list), others: await bench.blocks(second) };
}

/** Somebody put a task behind the first item: the list keeps its kind. */
async function mixedList(markdown: string): Promise<List> {
  const { doc, list, items, others } = await listOf(markdown);
  await bench.transact([{ action: 'move', id: others[0], previousID: items[0] }]);
  expect(await kindOf(list)).toBe(markdown.startsWith('-') ? 'u' : 'o');
  return { doc, list, items: await bench.blocks(list) };
}

const kindOf = async (list: string): Promise<string | undefined> =>
  /data-subtype="(.)"/.exec((await bench.dom(list)).split('>')[0] ?? '')?.[1];
const edit = async (id: string, markdown: string): Promise<ChangePlan> =>
  host().planEdit({ id, expectHash: hashOfBlock(await bench.dom(id)), markdown }, 'edit_block', signal);
const remove = (...ids: string[]) => host().planDeleteBlocks({ ids }, 'delete_blocks', signal);
const move = (id: string, after: string) => host().planMoveBlocks({ ids: [id], target: { after } }, 'move_blocks', signal);
const at = ({ items }: List, index: number): string => items[index] ?? '';

const KINDS = ['- a\n- b', '1. a\n2. b'];

describe('a list that gets a task at its front', () => {
  it.each(KINDS)('has its own kind back after Undo of an edit: %j', async (markdown) => {
    const list = await listOf(markdown);
    await thereAndBack(bench, await edit(at(list, 0), '- [ ] a'), [list.doc]);
    await applyAs(bench, await edit(at(list, 0), '- [ ] a'), freshNode());
    expect(await kindOf(list.list)).toBe('t');
  });

  it.each(KINDS)('has its own kind back after Undo of an edit of the whole list, or of the document: %j', async (markdown) => {
    const list = await listOf(markdown);
    await thereAndBack(bench, await edit(list.list, '- [ ] a\n- [ ] b'), [list.doc]);
    const rewrite = { id: list.doc, markdown: '- [ ] a\n- [ ] b\n\npara\n\n- [ ] task\n- [x] done' };
    await thereAndBack(bench, await host().planRewrite(rewrite, 'rewrite_doc', signal), [list.doc]);
  });

  it.each(KINDS)('has its own kind back after Undo of a deletion or a move of the items before: %j', async (markdown) => {
    const list = await mixedList(markdown);
    await thereAndBack(bench, await remove(at(list, 0)), [list.doc]);
    await thereAndBack(bench, await move(at(list, 0), at(list, 2)), [list.doc]);
    await applyAs(bench, await remove(at(list, 0)), freshNode());
    expect(await kindOf(list.list)).toBe('t');
  });

  it.each([
    ['- a\n- b', '- [ ] task\n- [x] done'],
    ['1. a\n2. b', '- [ ] task\n- [x] done'],
    ['1. a\n2. b', '- c\n- d'],
    ['- a\n- b', '1. c\n2. d'],
    ['- [ ] a\n- [ ] b', '- c\n- d'],
  ])('gets none by a move from a list of another kind: %j, %j', async (markdown, other) => {
    const list = await listOf(markdown, other);
    const plan = host().planMoveBlocks({ ids: [list.others[0] ?? ''], target: { parent: list.list } }, 'move_blocks', signal);
    expect(await codeOf(plan)).toBe('bad_target');
  });

  it('keeps what somebody wrote in it since', async () => {
    const list = await mixedList('- a\n- b');
    const nodeId = freshNode();
    await applyAs(bench, await remove(at(list, 0)), nodeId);
    const dom = await bench.dom(at(list, 2));
    await bench.transact([{ action: 'update', id: at(list, 2), data: dom.replace('>b<', '>b and more<') }]);
    expect((await bench.reopen().history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    expect(await kindOf(list.list)).toBe('u');
    expect((await bench.markdown(list.doc))[0]?.replaceAll('\u200b', '')).toContain('b and more');
  });

  it.each<[string, (list: List) => Promise<void>]>([
    [
      'would lose a reference',
      async (list) => {
        const [target] = await bench.blocks(await bench.document(`/Kinds ${counter} target`, 'gone\n\nstays'));
        const reference = `<span data-type="block-ref" data-id="${target}" data-subtype="s">gone</span>`;
        const dom = await bench.dom(at(list, 2));
        await bench.transact([{ action: 'update', id: at(list, 2), data: dom.replace('>b<', `>b ${reference}<`) }]);
        await bench.transact([{ action: 'delete', id: target }]);
      },
    ],
    [
      'holds a folded heading',
      async (list) => {
        const [, heading] = await bench.blocks(at(list, 2));
        await bench.transact([{ action: 'foldHeading', id: heading }]);
      },
    ],
  ])('stays a task list where it %s, and Undo says so', async (_what, act) => {
    const list = await mixedList('- a\n- b\n\n  # head\n\n  below');
    await act(list);
    const nodeId = freshNode();
    await applyAs(bench, await remove(at(list, 0)), nodeId);
    const before = steady(await bench.dom(at(list, 2)));
    const report = await bench.reopen().history.undo(origin.sessionId, nodeId, signal);
    expect(report).toMatchObject({ restored: [at(list, 0)], conflicts: [{ blockId: list.list, reasons: [{ code: 'refused' }] }] });
    expect(await bench.blocks(list.list)).toEqual(list.items);
    expect(steady(await bench.dom(at(list, 2)))).toBe(before);
  });

  it('stays what somebody made of it', async () => {
    const list = await mixedList('- a\n- b');
    const nodeId = freshNode();
    await applyAs(bench, await remove(at(list, 0)), nodeId);
    await bench.transact([{ action: 'move', id: at(list, 2), parentID: list.list }]);
    const [task] = await bench.blocks(at(list, 1));
    await bench.transact([{ action: 'delete', id: task }]);
    expect((await bench.reopen().history.undo(origin.sessionId, nodeId, signal)).restored).toContain(at(list, 0));
    expect((await looks(bench, [list.doc]))[0]).toContain('data-task');
  });
});
