// Which notes have a tag, for an order that runs when a note gets it.
import { expect, it } from 'vitest';
import { taggedNotes } from '../../src/features/orders/open-orders.ts';
import { signal, useBench } from './support.ts';

const bench = useBench('write');
let counter = 0;

async function make(markdown: string, tags?: string): Promise<string> {
  counter += 1;
  const id = await bench.document(`/Tagged ${counter}`, markdown);
  if (tags !== undefined) await bench.api('/api/attr/setBlockAttrs', { id, attrs: { tags } });
  const [block = ''] = await bench.blocks(id);
  await bench.delivered(block);
  await bench.api('/api/sqlite/flushTransaction', {});
  return id;
}

const tagged = async (tag: string): Promise<readonly string[]> => [...(await taggedNotes(bench.host.notes, tag, signal))].sort();

it.each([
  ['orders-inline', 'see #orders-inline# here', undefined],
  ['orders-own', 'nothing here', 'orders-own'],
  ['orders-second', 'nothing here', 'one, orders-second'],
  ['定期总结', '请看 #定期总结# 。', undefined],
  ['定期笔记', '没有标签', '定期笔记'],
  ['orders-up/down', 'see #orders-up/down# here', undefined],
  ['orders-above', 'see #orders-above/below# here', undefined],
  ['orders-over', 'nothing here', 'orders-over/under'],
  ['orders two words', 'see #orders two words# here', undefined],
  ['Orders-Big', 'see #Orders-Big# here', undefined],
  ['orders"quote', 'see #orders"quote# here', undefined],
])('finds the note with the tag %s', async (tag, markdown, tags) => {
  const id = await make(markdown, tags);
  expect(await tagged(tag)).toEqual([id]);
});

it('finds no note that has the word alone, a longer tag, or the tag in code', async () => {
  await make('only the word orderly');
  await make('see #orderly-more# here');
  await make('see `#orderly#` here');
  expect(await tagged('orderly')).toEqual([]);
});

it('finds a note under the new name of its tag, and no more under the old one', async () => {
  const id = await make('see #orders-old# here');
  const plan = await bench.host.notes.planTag({ label: 'orders-old', to: 'orders-new' }, 'tags', signal);
  await bench.apply(plan);
  const [block = ''] = await bench.blocks(id);
  await bench.delivered(block);
  await bench.api('/api/sqlite/flushTransaction', {});
  expect([await tagged('orders-old'), await tagged('orders-new')]).toEqual([[], [id]]);
});

it('finds a note whose own tag has lost its notebook in the index, and counts it', async () => {
  const id = await make('nothing here', 'orders-lost');
  const [block = ''] = await bench.blocks(id);
  await bench.api('/api/block/updateBlock', { id: block, dataType: 'markdown', data: 'edited' });
  await bench.api('/api/sqlite/flushTransaction', {});
  const rows = await bench.api<{ box: string }[]>('/api/query/sql', { stmt: `SELECT box FROM spans WHERE root_id = '${id}' LIMIT 9` });
  expect(rows).toEqual([{ box: '' }]);
  expect(await tagged('orders-lost')).toEqual([id]);
  expect((await bench.host.notes.tags({ filter: 'orders-lost', limit: 9 }, signal)).tags).toEqual([{ label: 'orders-lost', count: 1 }]);
});
