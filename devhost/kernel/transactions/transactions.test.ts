import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HostFixture, openHost, paragraphDom } from '../testing/host-fixture.ts';
import { newId } from '../tree/time.ts';

let f: HostFixture;
beforeAll(async () => {
  f = await openHost();
});
afterAll(() => f.close());

const run = (doOperations: unknown[], undoOperations: unknown[] = []): Promise<unknown> =>
  f.data('/api/transactions', { app: 'a', session: 's', reqId: 1, transactions: [{ doOperations, undoOperations }] });

interface Child {
  id: string;
  type: string;
  markdown?: string;
}

const children = (id: string): Promise<Child[]> => f.data<Child[]>('/api/block/getChildBlocks', { id });
const texts = async (id: string): Promise<(string | undefined)[]> => (await children(id)).map((c) => c.markdown);
const kramdown = async (id: string): Promise<string> =>
  (await f.data<{ kramdown: string }>('/api/block/getBlockKramdown', { id })).kramdown;
const insertAfter = (previousID: string, text: string) => {
  const id = newId();
  return { action: 'insert', id, data: paragraphDom(id, text), previousID };
};

describe('the size of a transaction', () => {
  it.each([
    [31, 'changed', 30],
    [32, 'old', 31],
  ])('with %i operations the update leaves "%s" and %i inserts', async (size, text, inserted) => {
    const { id, blocks } = await f.document('old');
    const update = { action: 'update', id: blocks[0], data: paragraphDom(blocks[0]!, 'changed') };
    await run([update, ...Array.from({ length: size - 1 }, (_, i) => insertAfter(blocks[0]!, `i${i}`))]);
    const all = await texts(id);
    expect([all[0], all.length - 1]).toEqual([text, inserted]);
  });
});

describe('lists', () => {
  it('deleting an only item deletes its list', async () => {
    const { id, blocks } = await f.document('* only\n\nafter');
    const [item] = await children(blocks[0]!);
    await run([{ action: 'delete', id: item!.id }]);
    expect(await texts(id)).toEqual(['after']);
  });

  it('deleting all of an item leaves an empty paragraph in it', async () => {
    const { blocks } = await f.document('* one\n* two');
    const [item] = await children(blocks[0]!);
    const [paragraph] = await children(item!.id);
    await run([{ action: 'delete', id: paragraph!.id }]);
    const left = await children(item!.id);
    expect([left.length, left[0]?.type, left[0]?.id === paragraph!.id]).toEqual([1, 'p', false]);
  });

  it('moving the last item to another list takes the empty list away', async () => {
    const { id, blocks } = await f.document('* a\n\n1. x\n2. y');
    const [item] = await children(blocks[0]!);
    const [x] = await children(blocks[1]!);
    await run([{ action: 'move', id: item!.id, previousID: x!.id }]);
    expect((await children(id)).length).toBe(1);
    expect((await children(blocks[1]!)).map((c) => c.id).slice(0, 2)).toEqual([x!.id, item!.id]);
  });
});

describe('containers', () => {
  it.each([
    ['a quote', '> a\n\nb'],
    ['a list item', '- a\n- c\n\nb'],
  ])('%s that lost all its blocks is not there any more', async (_what, markdown) => {
    const { id, blocks } = await f.document(markdown);
    const [first] = await children(blocks[0]!);
    const [inner] = first?.type === 'i' ? await children(first.id) : [first];
    await run([{ action: 'move', id: inner!.id, previousID: blocks[1] }]);
    const emptied = first?.type === 'i' ? first.id : blocks[0]!;
    expect(await f.data<{ dom: string }>('/api/block/getBlockDOM', { id: emptied })).toMatchObject({ dom: '' });
    expect((await texts(id)).slice(-2)).toEqual(['b', 'a']);
  });

  it('written over get back what a folded heading in them hides, beside what the new version holds of it', async () => {
    const { blocks } = await f.document('> # q\n>\n> in\n>\n> # r');
    const [heading, inside] = await children(blocks[0]!);
    await run([{ action: 'foldHeading', id: heading!.id }]);
    const { dom } = await f.data<{ dom: string }>('/api/block/getBlockDOM', { id: blocks[0] });
    await run([{ action: 'update', id: blocks[0], data: dom }]);
    const now = await children(blocks[0]!);
    expect([now.map((c) => c.markdown), now[1]?.id]).toEqual([['# q', 'in', 'in', '# r'], inside?.id]);
  });
});

describe('moves', () => {
  it('cross documents and come back with id and attributes', async () => {
    const { notebook, id, blocks } = await f.document('stay\n\ngo');
    await f.data('/api/attr/setBlockAttrs', { id: blocks[1], attrs: { 'custom-k': 'v' } });
    const trash = await f.data<string>('/api/filetree/createDocWithMd', { notebook, path: '/Trash', markdown: 'bin' });
    const [bin] = await children(trash);
    await run([{ action: 'move', id: blocks[1], previousID: bin!.id }]);
    expect([await texts(id), await texts(trash)]).toEqual([['stay'], ['bin', 'go']]);
    await run([{ action: 'move', id: blocks[1], previousID: blocks[0] }]);
    expect([await texts(id), await texts(trash)]).toEqual([['stay', 'go'], ['bin']]);
    expect(await f.data('/api/attr/getBlockAttrs', { id: blocks[1] })).toMatchObject({ 'custom-k': 'v' });
  });

  it('a block does not move below itself', async () => {
    const { blocks } = await f.document('* a\n  * b');
    const before = await kramdown(blocks[0]!);
    const [item] = await children(blocks[0]!);
    const [, inner] = await children(item!.id);
    await run([{ action: 'move', id: item!.id, parentID: inner!.id }]);
    expect(await kramdown(blocks[0]!)).toBe(before);
  });
});

describe('undo', () => {
  it('undoes the last step and does it again', async () => {
    const { id, blocks } = await f.document('one');
    const forth = { action: 'update', id: blocks[0], data: paragraphDom(blocks[0]!, 'two') };
    const back = { action: 'update', id: blocks[0], data: paragraphDom(blocks[0]!, 'one') };
    await run([forth], [back]);
    await f.data('/api/transactions/undo', { rootID: id });
    expect(await texts(id)).toEqual(['one']);
    expect(await f.data('/api/transactions/undoState', { rootID: id })).toMatchObject({ canUndo: false, canRedo: true });
    await f.data('/api/transactions/redo', { rootID: id });
    expect(await texts(id)).toEqual(['two']);
  });

  it('knows nothing of block writes and of transactions without a way back', async () => {
    const { id, blocks } = await f.document('one');
    await f.data('/api/block/updateBlock', { id: blocks[0], dataType: 'markdown', data: 'two' });
    await run([{ action: 'update', id: blocks[0], data: paragraphDom(blocks[0]!, 'three') }]);
    expect(await f.data('/api/transactions/undo', { rootID: id })).toEqual({ canUndo: false, canRedo: false });
    expect(await texts(id)).toEqual(['three']);
  });
});

describe('what surprises in the kernel’s answers', () => {
  it('blanks references to blocks that are not there', async () => {
    const { id, blocks } = await f.document('a');
    const reference = (target: string) => `<span data-type="block-ref" data-subtype="s" data-id="${target}">x</span>`;
    const html = `${reference('20200101000000-aaaaaaa')} ${reference(id)}`;
    await run([{ action: 'update', id: blocks[0], data: paragraphDom(blocks[0]!, html) }]);
    expect((await kramdown(blocks[0]!)).split('\n')[0]).toBe(`(( 'x')) ((${id} "x"))`);
    const made = await f.document('((20200101000000-aaaaaaa "x"))');
    const dom = async (): Promise<string> => (await f.data<{ dom: string }>('/api/block/getBlockDOM', { id: made.blocks[0] })).dom;
    expect(await dom()).toContain('data-subtype="" data-id=""');
    await run([{ action: 'update', id: made.blocks[0], data: await dom() }]);
    expect(await dom()).toContain('data-subtype="s" data-id=""');
  });

  it('a failing operation anywhere leaves the files alone and tells the windows', async () => {
    const { id, blocks } = await f.document('kept');
    // The new document reaches the index later, and that is announced too: not while we listen.
    await f.data('/api/sqlite/flushTransaction');
    const heard: string[] = [];
    const stop = f.host.kernel.pushes.listen((event) => heard.push(event.cmd));
    await run([insertAfter(blocks[0]!, 'never'), { action: 'move', id: '20200101000000-aaaaaaa', previousID: blocks[0] }]);
    stop();
    expect(await texts(id)).toEqual(['kept']);
    expect(heard).toEqual(['txerr', 'transactions']);
  });

  it('answers Markdown that breaks Lute with code 0 and nothing', async () => {
    const { id } = await f.document('a');
    const log = vi.spyOn(console, 'error').mockReturnValue();
    expect(await f.ask('/api/block/appendBlock', { dataType: 'markdown', data: 'x\n{: id="nope"}', parentID: id })).toMatchObject({
      code: 0,
      data: null,
    });
    expect(log).toHaveBeenCalledOnce();
    log.mockRestore();
    expect(await texts(id)).toEqual(['a']);
  });

  it('answers a delete before it is done', async () => {
    const { id, blocks } = await f.document('a\n\nb');
    await f.data('/api/block/deleteBlock', { id: blocks[0] });
    expect(await f.data('/api/block/checkBlockExist', { id: blocks[0] })).toBe(true);
    expect(await texts(id)).toEqual(['b']);
    expect(await f.data('/api/block/checkBlockExist', { id: blocks[0] })).toBe(false);
  });
});
