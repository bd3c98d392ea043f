import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settle } from './real-kernel.ts';
import { codeOf, signal, startBench, steady, type TestBench } from './support.ts';

/**
 * SiYuan takes the id out of every reference in a block that it writes while it does not know the block that is referred to: deleted, in
 * a closed notebook, or yet to be inserted. The link is lost for good, and words of what is hidden stand in the open.
 */
let bench: TestBench;
beforeEach(async () => {
  await settle();
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
});
afterEach(() => bench.close());

const undo = (): Promise<{ readonly conflicts: readonly object[] }> =>
  bench.host.history.undo('chat-1', 'node-1', signal) as Promise<{ readonly conflicts: readonly object[] }>;

const reference = (id: string, words: string): string => `<span data-type="block-ref" data-subtype="s" data-id="${id}">${words}</span>`;

/** A block's words followed by a reference. */
async function refer(from: string, to: string, words: string): Promise<void> {
  const dom = await bench.dom(from);
  const [, text = ''] = /spellcheck="false">([^<]*)</.exec(dom) ?? [];
  await bench.transact([{ action: 'update', id: from, data: dom.replace(`>${text}<`, `>${text} ${reference(to, words)}<`) }]);
}

/** A document with a block that refers into a notebook, which is closed then. */
async function closedWorld(markdown: string): Promise<{ readonly document: string; readonly blocks: string[]; readonly closed: string }> {
  const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Closed' });
  await settle();
  const source = { notebook: notebook.id, path: '/Hidden', markdown: 'zqsecret words' };
  const hidden = await bench.api<string>('/api/filetree/createDocWithMd', source);
  const [target = ''] = await bench.blocks(hidden);
  const document = await bench.document('/Open', markdown.replaceAll('TARGET', target));
  await bench.api('/api/sqlite/flushTransaction', {});
  await bench.api('/api/notebook/closeNotebook', { notebook: notebook.id });
  await settle();
  return { document, blocks: await bench.blocks(document), closed: notebook.id };
}

const hashOf = async (id: string): Promise<string> => {
  const found = await bench.host.notes.blocks({ id, range: 'self', limit: 1 }, signal).then((reading) => JSON.stringify(reading));
  return /"hash":"(\w+)"/.exec(found)?.[1] ?? '';
};

describe('blocks that refer to each other', () => {
  it('come back from a deletion with their references, in whatever order they stand', async () => {
    const document = await bench.document('/Doc', 'first\n\nsecond\n\n- third\n\nlast');
    const [first = '', second = '', third = ''] = await bench.blocks(document);
    await refer(first, second, 'second');
    await refer(second, first, 'first');
    await refer(third, second, 'second');
    await bench.api('/api/sqlite/flushTransaction', {});
    const before = [];
    for (const id of [first, second, third]) before.push(steady(await bench.dom(id)));
    await bench.apply(await bench.host.notes.planDeleteBlocks({ ids: [first, second, third] }, 'delete_blocks', signal));
    expect((await undo()).conflicts).toEqual([]);
    const after = [];
    for (const id of [first, second, third]) after.push(steady(await bench.dom(id)));
    expect(after).toEqual(before);
  });

  it('refer to each other in a copy of their document, too', async () => {
    const document = await bench.document('/Doc', 'first\n\nsecond');
    const [first = '', second = ''] = await bench.blocks(document);
    await refer(first, second, 'second');
    await bench.api('/api/sqlite/flushTransaction', {});
    const plan = await bench.host.notes.planOrganize({ op: 'duplicate', ids: [document] }, 'organize_doc', signal);
    const { documentId } = await bench.apply(plan);
    const [copy = '', other = ''] = await bench.blocks(documentId);
    expect(await bench.dom(copy)).toContain(`data-id="${other}"`);
  });
});

describe('a block that refers into a closed notebook', () => {
  it('is not edited: the reference would be lost', async () => {
    const { blocks } = await closedWorld("see ((TARGET 'zqsecret words')) and more\n\nlast");
    const [id = ''] = blocks;
    const before = steady(await bench.dom(id));
    const edit = { id, edits: [{ old: 'and more', new: 'and less' }], expectHash: await hashOf(id) };
    expect(await codeOf(bench.host.notes.planEdit(edit, 'edit_block', signal))).toBe('bad_target');
    expect(steady(await bench.dom(id))).toBe(before);
  });

  it('is moved to the trash instead of deleted, and comes back whole', async () => {
    const { document, blocks } = await closedWorld("see ((TARGET 'zqsecret words'))\n\nlast");
    const [id = ''] = blocks;
    const before = steady(await bench.dom(id));
    await bench.apply(await bench.host.notes.planDeleteBlocks({ ids: [id] }, 'delete_blocks', signal));
    expect(await bench.blocks(document)).not.toContain(id);
    expect((await undo()).conflicts).toEqual([]);
    expect(steady(await bench.dom(id))).toBe(before);
  });

  it('is an item: Undo leaves it to the user while the notebook is closed, and brings it back whole when it is open', async () => {
    const { document, closed } = await closedWorld("- one\n- two ((TARGET 'zqsecret words'))");
    const [list = ''] = await bench.blocks(document);
    const [, item = ''] = await bench.blocks(list);
    const before = steady(await bench.dom(list));
    const plan = await bench.host.notes.planDeleteBlocks({ ids: [item] }, 'delete_blocks', signal);
    expect(plan.undo).toEqual({ kind: 'partial', notes: ['references'] });
    await bench.apply(plan);
    expect((await undo()).conflicts).toMatchObject([{ blockId: item, reasons: [{ code: 'reference-lost' }] }]);
    await bench.api('/api/notebook/openNotebook', { notebook: closed });
    await settle();
    await bench.api('/api/sqlite/flushTransaction', {});
    await bench.host.history.resolve('chat-1', 'node-1', item, 'undo', signal);
    expect(steady(await bench.dom(list))).toBe(before);
  });
});

describe('a reference that SiYuan took out', () => {
  it('shows the model none of the words that it left, and no hash of them', async () => {
    const { document, blocks } = await closedWorld("see ((TARGET 'zqsecret words'))\n\nlast");
    const [id = ''] = blocks;
    const dom = await bench.dom(id);
    // As when the user types in the block.
    await bench.transact([{ action: 'update', id, data: dom }]);
    expect(await bench.dom(id)).toContain('data-id=""');
    const read = async (): Promise<string> =>
      JSON.stringify([
        await bench.host.notes.document({ id: document }, { start: 0, blocks: 50 }, signal),
        await bench.host.notes.blocks({ id, range: 'self', limit: 1 }, signal),
        await bench.host.notes.exportMarkdown({ id: document }, signal),
      ]).replaceAll(/"updated":"\w+"/g, '');
    await bench.api('/api/sqlite/flushTransaction', {});
    const first = await read();
    expect(first).not.toContain('zqsecret');
    await bench.transact([{ action: 'update', id, data: dom.replace('zqsecret words', 'others altogether') }]);
    await bench.api('/api/sqlite/flushTransaction', {});
    expect(await read()).toBe(first);
  });
});
