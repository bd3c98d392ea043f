import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HostFixture, openHost } from '../testing/host-fixture.ts';

let f: HostFixture;
beforeAll(async () => {
  f = await openHost();
});
afterAll(() => f.close());

const remove = (id: string) => f.data('/api/filetree/removeDocByID', { id });
const exists = (id: string) => f.data<boolean>('/api/block/checkBlockExist', { id });

async function rollBack(notebook: string, id: string): Promise<void> {
  const asked = { query: id, op: 'delete', type: 3 };
  const { histories } = await f.data<{ histories: string[] }>('/api/history/searchHistory', asked);
  const { items } = await f.data<{ items: { path: string }[] }>('/api/history/getHistoryItems', { ...asked, created: histories[0] });
  await f.data('/api/history/rollbackDocHistory', { notebook, historyPath: items[0]?.path });
}

it('a document that went with its parent and came back is on disk as soon as it is changed', async () => {
  const { notebook, id: parent } = await f.document('parent');
  const leaf = await f.data<string>('/api/filetree/createDocWithMd', { notebook, path: '/Test/Leaf', markdown: 'leaf' });
  const below = async () =>
    (await f.data<{ files: { id: string }[] }>('/api/filetree/listDocsByPath', { notebook, path: `/${parent}.sy` })).files.map((x) => x.id);
  await remove(parent);
  await rollBack(notebook, parent);
  await rollBack(notebook, leaf);
  expect([await exists(leaf), await below()]).toEqual([true, []]);
  await f.data('/api/attr/setBlockAttrs', { id: leaf, attrs: { memo: 'm' } });
  expect(await below()).toEqual([leaf]);
});

it('an emptied container is said to exist as long as its document does', async () => {
  const { id, blocks } = await f.document('> only\n\nend');
  const [only] = await f.data<{ id: string }[]>('/api/block/getChildBlocks', { id: blocks[0] });
  await f.data('/api/transactions', {
    reqId: 1,
    transactions: [{ doOperations: [{ action: 'delete', id: only?.id }], undoOperations: [] }],
  });
  expect(await f.data('/api/block/getBlockDOM', { id: blocks[0] })).toMatchObject({ dom: '' });
  expect(await exists(blocks[0] ?? '')).toBe(true);
  await remove(id);
  expect(await exists(blocks[0] ?? '')).toBe(false);
});
