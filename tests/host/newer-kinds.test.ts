import { describe, expect, it } from 'vitest';
import { parseBlock, plainText, serializeBlock } from '../../src/host/blocks/block-dom.ts';
import { emptiedContainer } from '../../src/host/blocks/emptied-container.ts';
import { chooseAnchor } from '../../src/host/transactions/plan-anchor.ts';
import { removeGuarded } from '../../src/host/tree/document-tree.ts';
import { DERIVED_WORDS, mindMap, tabs } from './newer-blocks.ts';
import { realKernelUrl } from './real-kernel.ts';
import { noteLabels, signal, useBench } from './support.ts';

const bench = useBench('write');

/** As a 3.8 kernel would have it in its index; the development host has a super block. */
const inIndexAs = (id: string, type: string): unknown =>
  bench.kernel.kernel.index.select('UPDATE blocks SET type = ? WHERE id = ?', type, id);

const HOLDERS = ['tabs', 'tab', 'mindmap', 'mindmap_item', 'NodeOfTomorrow'];

describe.skipIf(realKernelUrl !== undefined)('a kind of container that 3.7.3 has not', () => {
  it.each(HOLDERS)('%s: a reference to it shows its first block, so that hides it', async (type) => {
    const document = await bench.document(`/Held ${type}`, '{{{row\nsecret words\n\nopen words\n\n}}}');
    const [holder = ''] = await bench.blocks(document);
    const [first = ''] = await bench.blocks(holder);
    const linking = await bench.document(`/Links ${type}`, `see ((${holder} 'secret words'))`);
    const [link = ''] = await bench.blocks(linking);
    await bench.api('/api/sqlite/flushTransaction', {});
    inIndexAs(holder, type);
    const before = await bench.host.rights.currentObstacles(signal);
    const sources = await bench.host.rights.trace({ ids: [linking, link], notebooks: [] }, before, signal);
    expect(sources.flatMap(({ blocks = [] }) => blocks)).toEqual(expect.arrayContaining([holder, first]));
    await bench.api('/api/attr/setBlockAttrs', { id: first, attrs: { 'custom-ai-access': 'none' } });
    await bench.api('/api/sqlite/flushTransaction', {});
    inIndexAs(holder, type);
    expect(JSON.stringify(await bench.host.notes.document({ id: linking }, { start: 0, blocks: 10 }, signal))).not.toContain('secret');
  });

  it.each(HOLDERS)('%s: its blocks are found by a pattern, each once', async (type) => {
    const document = await bench.document(`/Grep ${type}`, `{{{row\nneedle ${type} one\n\n> needle ${type} two\n\n}}}`);
    const [holder = ''] = await bench.blocks(document);
    await bench.api('/api/sqlite/flushTransaction', {});
    inIndexAs(holder, type);
    const found = await bench.host.notes.grep({ id: document, pattern: `needle ${type} \\w+`, regex: true, limit: 20 }, signal);
    expect(new Set(found.matches.map(({ blockId }) => blockId)).size).toBe(2);
    expect(found.total).toBe(2);
  });

  it.each(HOLDERS)('%s: a message that was moved into it is one of its chat', async (type) => {
    const message = { nodeId: `n-${type}`, parentId: null, role: 'user' as const, markdown: 'hello' };
    const target = { notebook: bench.notebook, path: `/Chat ${type}` };
    const save = (to: typeof target | { documentId: string }) =>
      bench.host.chatDocument.save({ target: to, sessionId: `s-${type}`, messages: [message], labels: noteLabels }, signal);
    const { documentId } = await save(target);
    const [block = ''] = await bench.blocks(documentId);
    const children = bench.host.routes.children;
    Object.assign(bench.host.routes, {
      children: async (id: string, stop: AbortSignal) =>
        id === documentId ? [{ ...(await children(id, stop))[0], id: 'holder', type }] : children(id === 'holder' ? documentId : id, stop),
    });
    try {
      expect((await save({ documentId })).appended).toEqual([]);
    } finally {
      Object.assign(bench.host.routes, { children });
    }
    expect(await bench.blocks(documentId)).toEqual([block]);
  });
});

describe('what SiYuan draws of a container', () => {
  it.each([
    ['tabs', tabs],
    ['a mind map', mindMap],
  ])('%s: it goes with a block in it that is kept back', (_name, make) => {
    const whole = parseBlock(make());
    const guarded = parseBlock(make({ 'custom-ai-access': 'none' }));
    if (!whole || !guarded) throw new Error('no block');
    expect(removeGuarded(whole)).toBe(0);
    expect(serializeBlock(whole)).toContain(DERIVED_WORDS);
    expect(removeGuarded(guarded)).toBe(1);
    expect(serializeBlock(guarded)).not.toContain(DERIVED_WORDS);
    expect(plainText(guarded)).toContain('second leaf');
  });
});

describe('a place in a container of parts', () => {
  it.each([
    ['tabs', 'append', 'd', 'bad_target'],
    ['tab', 'append', 'tabs', 'last'],
    ['tab', 'after', 'tabs', 'bad_target'],
    ['p', 'after', 'tab', 'after'],
    ['mindmap', 'prepend', 'd', 'bad_target'],
    ['mindmap_item', 'append', 'mindmap', 'bad_target'],
    ['p', 'append', 'mindmap_item', 'bad_target'],
    ['NodeOfTomorrow', 'append', 'd', 'bad_target'],
    ['tabs', 'before', 'd', 'before'],
    ['custom', 'append', 'd', 'after'],
  ] as const)('%s, %s in %s: %s', (type, position, parentType, expected) => {
    const at = (): string => {
      try {
        return chooseAnchor('block', 'document', { type, parentType, parentId: 'parent' }, position).anchor.kind;
      } catch (error) {
        return error instanceof Error && 'code' in error ? String(error.code) : String(error);
      }
    };
    expect(at()).toBe(expected);
  });

  it('keeps a part of its own while it is empty', () => {
    const { dom, placeholder } = emptiedContainer(tabs(), { now: () => 0, today: () => '1970-01-01' }, () => 0.5);
    const [item, ...others] = parseBlock(dom)?.children.filter((child) => 'attribs' in child && child.attribs['data-node-id']) ?? [];
    expect(others).toEqual([]);
    expect(item).toMatchObject({ attribs: { 'data-type': 'NodeTabItem', 'data-node-id': placeholder } });
  });
});
