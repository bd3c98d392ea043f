// Reads, writes and Undo over a kernel that holds the blocks of SiYuan 3.8, and decodes strictly.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseBlock } from '../../src/host/blocks/block-dom.ts';
import { hashOfBlock, shortHash } from '../../src/host/blocks/block-hash.ts';
import { inSuperBlock, mapList, mindMap, table, tabs } from './newer-blocks.ts';
import { realKernelUrl } from './real-kernel.ts';
import { codeOf, origin, signal, startBench, steady, type TestBench } from './support.ts';

const KINDS = [
  ['tabs', tabs],
  ['a mind map', mindMap],
  ['a mind map that is a list', mapList],
  ['tabs in a super block', () => inSuperBlock(tabs())],
] as const;
const RICH = [
  ['a rich table', table],
  ['a rich table in a super block', () => inSuperBlock(table())],
] as const;

describe.skipIf(realKernelUrl !== undefined)('a note of 3.8', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await startBench({ as: '3.8' });
    bench.policy.setRight(bench.notebook, 'delete');
  });
  afterAll(() => bench?.close());

  let counter = 0;
  /** A note with this block between two paragraphs. */
  async function noteWith(dom: string) {
    counter += 1;
    const document = await bench.document(`/New ${counter}`, 'before\n\nafter');
    const [first = '', last = ''] = await bench.blocks(document);
    await bench.transact([{ action: 'insert', data: dom, previousID: first }]);
    await bench.api('/api/sqlite/flushTransaction', {});
    const [, id = ''] = await bench.blocks(document);
    const found = (text: string): string =>
      new RegExp(`data-node-id="([^"]*)" data-type="NodeParagraph"[^>]*><div[^>]*>${text}<`).exec(dom)?.[1] ?? '';
    return { document, id, first, last, leaf: found('first leaf'), second: found('second leaf') };
  }
  const stateOf = async (document: string): Promise<string> =>
    steady((await Promise.all((await bench.blocks(document)).map((id) => bench.dom(id)))).join('\n')).replace(
      / custom-marginalia-\S+="[^"]*"/g,
      '',
    );
  const hash = async (id: string): Promise<string> => {
    const block = parseBlock(await bench.dom(id));
    return block ? shortHash(hashOfBlock(await bench.dom(id))) : '';
  };

  it.each(KINDS)('%s: is read with the words in it, and found', async (_name, make) => {
    const { document, leaf } = await noteWith(make());
    const read = await bench.host.notes.document({ id: document }, { start: 0, blocks: 20 }, signal);
    expect(JSON.stringify(read)).toContain('second leaf');
    const found = await bench.host.notes.grep({ id: document, pattern: 'first leaf', regex: false, limit: 20 }, signal);
    expect(found.matches).toHaveLength(1);
    // Of a list the item is named that holds the paragraph.
    if (make !== mapList) expect(found.matches[0]?.blockId).toBe(leaf);
  });

  it.each(KINDS)('%s: a leaf in it is edited, and Undo gives back all of it', async (_name, make) => {
    const { document, id, leaf } = await noteWith(make());
    const before = await stateOf(document);
    const plan = await bench.host.notes.planEdit(
      { id, edits: [{ old: 'first', new: '**other**' }], expectHash: await hash(id) },
      'edit_block',
      signal,
    );
    const nodeId = `edit-${document}`;
    expect((await bench.apply(plan, undefined, { ...origin, nodeId })).blockIds).toEqual([leaf]);
    expect(await bench.dom(id)).toContain('>other</span> leaf');
    await bench.host.history.undo(origin.sessionId, nodeId, signal);
    expect(await stateOf(document)).toBe(before);
  });

  it.each([...KINDS, ...RICH])('%s: is moved and deleted as it is, and comes back', async (_name, make) => {
    const { document, id, last } = await noteWith(make());
    const before = await stateOf(document);
    const move = await bench.host.notes.planMoveBlocks({ ids: [id], target: { after: last } }, 'move_blocks', signal);
    await bench.apply(move, undefined, { ...origin, nodeId: `move-${document}` });
    expect((await bench.blocks(document)).at(-1)).toBe(id);
    await bench.host.history.undo(origin.sessionId, `move-${document}`, signal);
    expect(await stateOf(document)).toBe(before);
    await bench.apply(await bench.host.notes.planDeleteBlocks({ ids: [id] }, 'delete_blocks', signal), undefined, {
      ...origin,
      nodeId: `delete-${document}`,
    });
    expect(await bench.blocks(document)).not.toContain(id);
    await bench.host.history.undo(origin.sessionId, `delete-${document}`, signal);
    expect(await stateOf(document)).toBe(before);
  });

  it.each(RICH)('%s: is read with its words; an edit of them is refused with the reason, and writes nothing', async (_name, make) => {
    const { document, id } = await noteWith(make());
    const before = await stateOf(document);
    const read = await bench.host.notes.document({ id: document }, { start: 0, blocks: 20 }, signal);
    expect(JSON.stringify(read)).toMatch(/first leaf.*rich/);
    for (const change of [{ edits: [{ old: 'second leaf', new: 'other' }] }, { markdown: 'other' }]) {
      const refused = bench.host.notes.planEdit({ id, ...change, expectHash: await hash(id) }, 'edit_block', signal);
      await expect(refused).rejects.toMatchObject({
        code: 'not_markdown_safe',
        message: expect.stringContaining('a table with rich cells'),
      });
    }
    expect(await stateOf(document)).toBe(before);
  });

  it.each(RICH)('%s: takes an attribute, and Undo takes it away', async (_name, make) => {
    const { document, id } = await noteWith(make());
    const before = await stateOf(document);
    const nodeId = `attribute-${document}`;
    const plan = await bench.host.notes.planAttributes({ ids: [id], attrs: { bookmark: 'later' } }, 'set_attrs', signal);
    await bench.apply(plan, undefined, { ...origin, nodeId });
    expect(await bench.dom(id)).toContain('bookmark="later"');
    expect(await bench.dom(id)).toContain('data-sy-table-cell-rich="');
    await bench.host.history.undo(origin.sessionId, nodeId, signal);
    expect(await stateOf(document)).toBe(before);
  });

  it.each(KINDS)('%s: what is kept back in it is in nothing that is read', async (_name, make) => {
    const { document, leaf } = await noteWith(make());
    await bench.api('/api/attr/setBlockAttrs', { id: leaf, attrs: { 'custom-ai-access': 'none' } });
    await bench.api('/api/sqlite/flushTransaction', {});
    const answers = [
      await bench.host.notes.document({ id: document }, { start: 0, blocks: 20 }, signal),
      await bench.host.notes.grep({ id: document, pattern: 'first leaf', regex: false, limit: 20 }, signal),
      await bench.host.notes.search({ query: 'first leaf', mode: 'keyword', page: 1, pageSize: 20 }, signal),
    ];
    expect(JSON.stringify(answers[0])).toContain('second leaf');
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain(leaf);
    expect(JSON.stringify(answers[0])).not.toContain('first leaf');
  });

  it.each(KINDS.slice(0, 2))('%s: the last leaf of a part is deleted, and the part stays whole', async (_name, make) => {
    const { document, second } = await noteWith(make());
    const before = await stateOf(document);
    const plan = await bench.host.notes.planDeleteBlocks({ ids: [second] }, 'delete_blocks', signal);
    const nodeId = `part-${document}`;
    await bench.apply(plan, undefined, { ...origin, nodeId });
    expect(await stateOf(document)).not.toContain('second leaf');
    await bench.host.history.undo(origin.sessionId, nodeId, signal);
    expect(await stateOf(document)).toBe(before);
  });

  it('tabs take no paragraph beside their parts', async () => {
    const { id } = await noteWith(tabs());
    const plan = bench.host.notes.planInsert({ anchor: id, position: 'append', markdown: 'x' }, 'insert_blocks', signal);
    expect(await codeOf(plan)).toBe('bad_target');
  });
});
