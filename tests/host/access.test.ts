import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
});
afterAll(() => bench.close());

const guard = (id: string): Promise<unknown> => bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': 'none' } });
const read = (id: string) => bench.host.notes.document({ id }, { start: 0, blocks: 99 }, signal);
const search = (query: string) => bench.host.notes.search({ query, mode: 'keyword', page: 1, pageSize: 20 }, signal);
const child = async (id: string): Promise<string> => (await bench.blocks(id))[0] ?? '';

describe('custom-ai-access="none"', () => {
  it('on a document holds it and everything under it back', async () => {
    const doc = await bench.document('/Secret', 'xylophone one');
    const below = await bench.document('/Secret/Deeper', 'xylophone two');
    const open = await bench.document('/Open', 'xylophone three');
    const block = await child(below);
    await guard(doc);
    await bench.api('/api/sqlite/flushTransaction', {});
    expect(await codeOf(read(doc))).toBe('not_found');
    expect(await codeOf(read(below))).toBe('not_found');
    expect(await codeOf(read(block))).toBe('not_found');
    expect(await search('xylophone')).toMatchObject({ matches: [{ documentId: open }], total: 1 });
    const list = await bench.host.notes.documents({ parent: bench.notebook, depth: 5, page: 1, pageSize: 50 }, signal);
    expect(list.documents.map((each) => each.path)).toEqual(['/Open']);
    expect(list.total).toBe(1);
    expect(await codeOf(bench.host.notes.documents({ parent: doc, depth: 1, page: 1, pageSize: 9 }, signal))).toBe('not_found');
    expect(await codeOf(bench.host.notes.planInsert({ anchor: below, position: 'append', markdown: 'x' }, 't', signal))).toBe('not_found');
    expect(await codeOf(bench.host.notes.planEdit({ id: block, expectHash: 'unknown!', markdown: 'x' }, 't', signal))).toBe('not_found');
    const plan = await bench.host.notes.planInsert({ anchor: open, position: 'append', markdown: `((${block} "peek"))` }, 't', signal);
    expect(plan.operations[0]!.after).toBe('peek');
    const kept = await bench.host.notes.planInsert({ anchor: open, position: 'append', markdown: `((${open} "look"))` }, 't', signal);
    expect(kept.operations[0]!.after).toContain(open);
  });

  it('on a block holds it back wherever it stands', async () => {
    const doc = await bench.document(
      '/Mixed',
      '# Open\n\nvisible zebra\n\nhidden zebra\n\n- item zebra\n- secret zebra\n\n# Closed\n\nunder zebra\n\n## Deeper\n\nstill zebra\n\n# After\n\nagain zebra',
    );
    const ids = await bench.blocks(doc);
    const items = await bench.blocks(ids[3]!);
    await guard(ids[2]!);
    await guard(items[1]!);
    await guard(ids[4]!);
    await bench.api('/api/sqlite/flushTransaction', {});
    const reading = await read(doc);
    expect(reading.blocks.map((block) => block.markdown)).toEqual(['# Open', 'visible zebra', '- item zebra', '# After', 'again zebra']);
    expect(reading.hidden).toBe(6);
    expect(reading.outline.map((each) => each.text)).toEqual(['Open', 'After']);
    const found = await search('zebra');
    expect(found.matches.map((match) => match.snippet).join('|')).not.toMatch(/hidden|secret|under|still/);
    expect(found.matches.some((match) => match.snippet === 'visible zebra')).toBe(true);
    const { planEdit, planInsert } = bench.host.notes;
    for (const id of [ids[2], ids[4], ids[5], ids[6], items[1]]) {
      expect(await codeOf(planEdit({ id: id!, expectHash: 'unknown!', markdown: 'x' }, 't', signal))).toBe('not_found');
    }
    expect(await codeOf(planEdit({ id: ids[3]!, expectHash: 'unknown!', markdown: 'x' }, 't', signal))).toBe('no_right');
    expect(await codeOf(planInsert({ anchor: items[1]!, position: 'append', markdown: 'x' }, 't', signal))).toBe('not_found');
    expect(await codeOf(planInsert({ anchor: ids[5]!, position: 'after', markdown: 'x' }, 't', signal))).toBe('not_found');
  });

  it('cannot be set or copied by what a tool writes', async () => {
    const doc = await bench.document('/Set', 'text');
    const plan = await bench.host.notes.planInsert(
      { anchor: doc, position: 'append', markdown: 'x\n{: custom-ai-access="none"}' },
      't',
      signal,
    );
    const { blockIds } = await bench.apply(plan);
    expect(await bench.api('/api/attr/getBlockAttrs', { id: blockIds[0] })).not.toHaveProperty('custom-ai-access');
  });

  it('counts at once when it is set between plan and approval', async () => {
    const doc = await bench.document('/Late', 'text');
    const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown: 'x' }, 't', signal);
    await guard(doc);
    expect(await codeOf(bench.apply(plan))).toBe('stale');
    expect(await bench.markdown(doc)).toEqual(['text']);
  });
});

describe('an encrypted notebook', () => {
  it('is named and no more whatever the settings say, and not even named where the user set none', async () => {
    const original = bench.host.routes.notebooks;
    Object.assign(bench.host.routes, {
      notebooks: async (stop: AbortSignal) => (await original(stop)).map((each) => ({ ...each, encrypted: true })),
    });
    try {
      const find = async () => (await bench.host.notes.notebooks(signal)).find(({ id }) => id === bench.notebook);
      const plan = () => bench.host.notes.planCreateDocument({ notebook: bench.notebook, path: '/x', markdown: 'x' }, 't', signal);
      expect(await find()).toMatchObject({ right: 'none', encrypted: 'named' });
      expect(await codeOf(plan())).toBe('encrypted_notebook');
      bench.policy.setRight(bench.notebook, 'none');
      expect(await find()).toBeUndefined();
      expect(await codeOf(plan())).toBe('not_found');
    } finally {
      bench.policy.setRight(bench.notebook, 'write');
      Object.assign(bench.host.routes, { notebooks: original });
    }
  });
});

describe('a closed notebook', () => {
  it('is said by name where it can be known, and nothing is written', async () => {
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Shut' });
    bench.policy.setRight(notebook.id, 'write');
    const doc = await bench.api<string>('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/A', markdown: 'a' });
    const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown: 'x' }, 't', signal);
    await bench.api('/api/notebook/closeNotebook', { notebook: notebook.id });
    expect(await codeOf(bench.apply(plan))).toBe('closed_notebook');
    expect(await codeOf(bench.host.notes.planCreateDocument({ notebook: notebook.id, path: '/B', markdown: 'b' }, 't', signal))).toBe(
      'closed_notebook',
    );
    expect(await codeOf(bench.host.notes.document({ id: doc }, { start: 0, blocks: 1 }, signal))).toMatch(/closed_notebook|not_found/);
    await bench.api('/api/notebook/openNotebook', { notebook: notebook.id });
    expect(await bench.markdown(doc)).toEqual(['a']);
  });
});
