// Which plans say that they change the note of standing orders: from then on nothing is allowed beforehand.
import { expect, it } from 'vitest';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import { codeOf, signal, useBench } from './support.ts';

const bench = useBench('delete');
let counter = 0;

interface World {
  readonly above: string;
  readonly orders: string;
  readonly other: string;
  /** Of the orders, and of the other note. */
  readonly own: readonly string[];
  readonly others: readonly string[];
}

const choose = (note: string) => bench.host.storage.write('orders/wishes.json', JSON.stringify({ schema: 1, note, orders: {} }));

async function make(): Promise<World> {
  counter += 1;
  const above = await bench.document(`/Desk ${counter}`, 'A desk.');
  const orders = await bench.document(`/Desk ${counter}/Orders`, `## Sort #sort${counter}#\n\n- When: every day at 7\n\nSort.`);
  const other = await bench.document(`/Other ${counter}`, 'one\n\ntwo');
  const [own, others] = await Promise.all([bench.blocks(orders), bench.blocks(other)]);
  await choose(orders);
  await bench.delivered(own[0] ?? '');
  await bench.api('/api/sqlite/flushTransaction', {});
  return { above, orders, other, own, others };
}

const notes = () => bench.host.notes;
const saysSo = ({ notices }: ChangePlan) => notices.filter(({ code }) => code === 'changes-orders');

async function edit(id: string): Promise<ChangePlan> {
  const { blocks } = await notes().blocks({ id, range: 'self', limit: 1 }, signal);
  return notes().planEdit({ id, expectHash: blocks[0]?.hash ?? '', markdown: 'changed' }, 't', signal);
}

type Plans = readonly (readonly [string, (world: World) => Promise<ChangePlan>])[];

const CHANGES: Plans = [
  ['an edit', ({ own }) => edit(own[2] ?? '')],
  ['an insert', ({ orders }) => notes().planInsert({ anchor: orders, position: 'append', markdown: '## Another' }, 't', signal)],
  ['an insert beside', ({ own }) => notes().planInsert({ anchor: own[0] ?? '', position: 'before', markdown: 'x' }, 't', signal)],
  ['a rewrite', ({ orders }) => notes().planRewrite({ id: orders, markdown: 'other' }, 't', signal)],
  ['a move into it', ({ orders, others }) => notes().planMoveBlocks({ ids: [others[0] ?? ''], target: { parent: orders } }, 't', signal)],
  ['a move beside', ({ own, others }) => notes().planMoveBlocks({ ids: [others[0] ?? ''], target: { after: own[0] ?? '' } }, 't', signal)],
  ['a move out of it', ({ own, other }) => notes().planMoveBlocks({ ids: [own[2] ?? ''], target: { parent: other } }, 't', signal)],
  ['a deletion of a block', ({ own }) => notes().planDeleteBlocks({ ids: [own[2] ?? ''] }, 't', signal)],
  ['attributes', ({ own }) => notes().planAttributes({ ids: [own[0] ?? ''], attrs: { memo: 'm' } }, 't', signal)],
  ['attributes of the note', ({ orders }) => notes().planAttributes({ ids: [orders], attrs: { memo: 'm' } }, 't', signal)],
  ['another tag', () => notes().planTag({ label: `sort${counter}`, to: 'other' }, 't', signal)],
  ['a new title', ({ orders }) => notes().planOrganize({ op: 'rename', ids: [orders], target: 'New' }, 't', signal)],
  ['its deletion', ({ orders }) => notes().planDeleteDocuments({ ids: [orders] }, 't', signal)],
  ['a new title of the note above', ({ above }) => notes().planOrganize({ op: 'rename', ids: [above], target: 'New' }, 't', signal)],
  ['a deletion of the note above', ({ above }) => notes().planDeleteDocuments({ ids: [above] }, 't', signal)],
  ['a removal of its notebook', () => notes().planNotebook({ op: 'remove', id: bench.notebook }, 't', signal)],
];

it.each(CHANGES)('%s of the note of orders says so, and nothing once it is no longer that note', async (_what, plan) => {
  const world = await make();
  expect(saysSo(await plan(world))).toEqual([{ code: 'changes-orders', count: 1, personOnly: true }]);
  await choose('');
  expect(saysSo(await plan(world))).toEqual([]);
});

const OTHERS: Plans = [
  ['an edit', ({ others }) => edit(others[0] ?? '')],
  ['an insert', ({ other }) => notes().planInsert({ anchor: other, position: 'append', markdown: 'x' }, 't', signal)],
  ['a new title', ({ other }) => notes().planOrganize({ op: 'rename', ids: [other], target: 'New' }, 't', signal)],
  [
    'a note below',
    () => notes().planCreateDocument({ notebook: bench.notebook, path: `/Desk ${counter}/Orders/New`, markdown: 'x' }, 't', signal),
  ],
  ['an edit of the note above', async ({ above }) => edit((await bench.blocks(above))[0] ?? '')],
];

it.each(OTHERS)('%s beside it says nothing', async (_what, plan) => {
  expect(saysSo(await plan(await make()))).toEqual([]);
});

it('writes nothing into a note that was made the note of orders after the approval', async () => {
  const { other, others } = await make();
  const plan = await edit(others[0] ?? '');
  await choose(other);
  expect(await codeOf(bench.apply(plan))).toBe('stale');
  expect((await bench.markdown(other))[0]).toBe('one');
  expect(await codeOf(bench.apply(await edit(others[0] ?? '')))).toBe('no error');
});
