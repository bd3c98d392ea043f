import { describe, expect, it } from 'vitest';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import { applyAs, freshNode, looks, thereAndBack } from './block-support.ts';
import { origin, signal, useBench } from './support.ts';

const bench = useBench('delete');
let counter = 0;
const host = () => bench.host.notes;

interface List {
  readonly doc: string;
  readonly list: string;
  readonly items: readonly string[];
}

async function listOf(markdown: string): Promise<List> {
  counter += 1;
  const doc = await bench.document(`/Numbers ${counter}`, markdown);
  const [list] = await bench.blocks(doc);
  return { doc, list: list ?? '', items: await bench.blocks(list ?? '') };
}
const numbersOf = async (doc: string): Promise<string> =>
  [...(await bench.dom(doc)).matchAll(/data-marker="(\d+)\."/g)].map(([, number]) => number).join(' ');
const drawnOf = async (doc: string): Promise<string> =>
  [...(await bench.dom(doc)).matchAll(/protyle-action--order"[^>]*>(\d+)\./g)].map(([, number]) => number).join(' ');
const textOf = async (doc: string): Promise<string> => (await bench.markdown(doc)).join('\n\n').replaceAll('\u200b', '');
const insert = (anchor: string, position: 'before' | 'after' | 'append', markdown: string) =>
  host().planInsert({ anchor, position, markdown }, 'insert_blocks', signal);
const remove = (...ids: string[]) => host().planDeleteBlocks({ ids }, 'delete_blocks', signal);
const move = (id: string, after: string) => host().planMoveBlocks({ ids: [id], target: { after } }, 'move_blocks', signal);

const THREE = '1. one\n2. two\n3. three';
const at = ({ items }: List, index: number): string => items[index] ?? '';

describe('the items of an ordered list', () => {
  it.each<[string, string, (list: List) => Promise<ChangePlan>, string, number]>([
    ['an insert', THREE, (list) => insert(at(list, 0), 'after', 'new'), '1. one\n2. new\n3. two\n4. three', 2],
    ['an insert with a number of its own', THREE, (list) => insert(at(list, 0), 'after', '2. new'), '1. one\n2. new\n3. two\n4. three', 2],
    ['a bullet', THREE, (list) => insert(at(list, 0), 'after', '- new'), '1. one\n2. new\n3. two\n4. three', 2],
    ['several', THREE, (list) => insert(at(list, 0), 'before', '1. a\n2. b'), '1. a\n2. b\n3. one\n4. two\n5. three', 3],
    ['one at the end', THREE, (list) => insert(list.list, 'append', 'new'), `${THREE}\n4. new`, 0],
    ['a deletion', `${THREE}\n4. four`, (list) => remove(at(list, 1)), '1. one\n2. three\n3. four', 2],
    ['a deletion of the first', THREE, (list) => remove(at(list, 0)), '1. two\n2. three', 2],
    ['two deletions', `${THREE}\n4. four`, (list) => remove(at(list, 0), at(list, 2)), '1. two\n2. four', 2],
    ['a move down', THREE, (list) => move(at(list, 0), at(list, 2)), '1. two\n2. three\n3. one', 3],
    ['a move up', THREE, (list) => move(at(list, 2), at(list, 0)), '1. one\n2. three\n3. two', 2],
    [
      'an insert into a list that begins at 5',
      '5. one\n6. two',
      (list) => insert(at(list, 0), 'after', 'new'),
      '5. one\n6. new\n7. two',
      1,
    ],
    ['a deletion in a list that begins at 5', '5. one\n6. two\n7. three', (list) => remove(at(list, 0)), '5. two\n6. three', 2],
  ])('are numbered anew by %s', async (_what, before, plan, after, count) => {
    const list = await listOf(before);
    const made = await plan(list);
    expect(made.notices).toEqual(count > 0 ? [{ code: 'items-renumbered', count }] : []);
    await thereAndBack(bench, made, [list.doc]);
    await applyAs(bench, await plan(list), freshNode());
    const numbers = [...after.matchAll(/^\d+/gm)].map(String).join(' ');
    expect(await numbersOf(list.doc)).toBe(numbers);
    expect(await drawnOf(list.doc)).toBe(numbers);
    expect(await textOf(list.doc)).toBe(after);
  });

  it('keep what is below them, and their own attributes', async () => {
    const list = await listOf('1. one\n2. two\n   - below\n3. three');
    await bench.api('/api/attr/setBlockAttrs', { id: at(list, 1), attrs: { bookmark: 'mine' } });
    await thereAndBack(bench, await remove(at(list, 0)), [list.doc]);
    await applyAs(bench, await remove(at(list, 0)), freshNode());
    expect(await numbersOf(list.doc)).toBe('1 2');
    expect(await textOf(list.doc)).toContain('below');
    expect(await bench.api('/api/attr/getBlockAttrs', { id: at(list, 1) })).toMatchObject({ bookmark: 'mine' });
  });

  it('keep what somebody wrote in them, when a write is undone', async () => {
    const list = await listOf(THREE);
    const nodeId = freshNode();
    await applyAs(bench, await remove(at(list, 0)), nodeId);
    const dom = await bench.dom(at(list, 2));
    await bench.transact([{ action: 'update', id: at(list, 2), data: dom.replace('three', 'three and more') }]);
    expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    expect(await textOf(list.doc)).toBe('1. one\n2. two\n3. three and more');
  });

  it('keep their number where they hold what is hidden, or would lose a reference', async () => {
    const list = await listOf(`${THREE}\n4. four\n5. five`);
    const [paragraph] = await bench.blocks(at(list, 2));
    await bench.api('/api/attr/setBlockAttrs', { id: paragraph, attrs: { 'custom-ai-access': 'none' } });
    const [other] = await bench.blocks(at(list, 3));
    const [target] = await bench.blocks(await bench.document(`/Numbers ${counter} target`, 'gone\n\nstays'));
    const reference = `<span data-type="block-ref" data-id="${target}" data-subtype="s">gone</span>`;
    const dom = (await bench.dom(other ?? '')).replace('four', `four ${reference}`);
    await bench.transact([{ action: 'update', id: other, data: dom }]);
    await bench.transact([{ action: 'delete', id: target }]);
    const nodeId = freshNode();
    await applyAs(bench, await remove(at(list, 0)), nodeId);
    expect(await numbersOf(list.doc)).toBe('1 3 4 4');
    expect(await bench.dom(other ?? '')).toContain(target);
    expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    expect(await numbersOf(list.doc)).toBe('1 2 3 4 5');
  });

  it('are counted from what was accepted', async () => {
    const list = await listOf(`${THREE}\n4. four`);
    const made = await remove(at(list, 0), at(list, 2));
    const before = await looks(bench, [list.doc]);
    const nodeId = freshNode();
    await applyAs(bench, made, nodeId, [made.operations[1]?.id ?? '']);
    expect(await textOf(list.doc)).toBe('1. one\n2. two\n3. four');
    await bench.host.history.undo(origin.sessionId, nodeId, signal);
    expect(await looks(bench, [list.doc])).toEqual(before);
  });

  it('wait for the caret in an item that gets another number', async () => {
    const list = await listOf(THREE);
    bench.caret = [at(list, 2)];
    bench.caretAnswer = 'cancel';
    await expect(bench.apply(await remove(at(list, 0)))).rejects.toThrow();
    expect(bench.asked.length).toBeGreaterThan(0);
    expect(await textOf(list.doc)).toBe(THREE);
  });

  it('are numbered where one becomes several, and keep their own number', async () => {
    const list = await listOf(THREE);
    const item = (await host().document({ id: list.doc }, { start: 0, blocks: 9 }, signal)).blocks[0]?.items?.[1];
    const request = { id: item?.id ?? '', expectHash: item?.hash ?? '', markdown: '- two\n- more' };
    const made = await host().planEdit(request, 'edit_block', signal);
    await thereAndBack(bench, made, [list.doc]);
    const again = (await host().document({ id: list.doc }, { start: 0, blocks: 9 }, signal)).blocks[0]?.items?.[1];
    await applyAs(bench, await host().planEdit({ ...request, expectHash: again?.hash ?? '' }, 'edit_block', signal), freshNode());
    expect(await textOf(list.doc)).toBe('1. one\n2. two\n3. more\n4. three');
  });
});
