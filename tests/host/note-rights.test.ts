import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type NoteSource, Withheld } from '../../src/tools/contract/provenance.ts';
import { signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());
const undo: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const back of undo.splice(0).reverse()) await back();
});

async function setAccess(id: string, value: 'none' | ''): Promise<void> {
  await bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': value } });
}
async function guard(id: string): Promise<void> {
  undo.push(() => setAccess(id, ''));
  await setAccess(id, 'none');
}
const newNotebook = async (name: string): Promise<string> =>
  (await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name })).notebook.id;

/** Read as a tool reads: what is in the way is asked before, the origin after. */
async function traced(ids: readonly string[], notebooks: readonly string[] = []): Promise<readonly NoteSource[]> {
  const before = await bench.host.rights.currentObstacles(signal);
  return bench.host.rights.trace({ ids, notebooks }, before, signal);
}
const isWithheld = async (sources: readonly NoteSource[]): Promise<boolean> =>
  (await Withheld.ask(bench.host.rights, sources, signal)).holds(sources);

let counter = 0;
async function place() {
  counter += 1;
  const parent = await bench.document(`/Above ${counter}`, 'above');
  const document = await bench.document(`/Above ${counter}/Read ${counter}`, '# Head\n\nfirst\n\n* one\n* two\n\n> quoted');
  return { parent, document, blocks: await bench.blocks(document) };
}

describe('what was read before', () => {
  it('may be read as long as nothing is hidden, and where something else is', async () => {
    const { document, blocks } = await place();
    const sources = await traced([document, ...blocks], [bench.notebook]);
    expect(sources).toEqual([{ notebook: bench.notebook, document, blocks: expect.arrayContaining(blocks) }]);
    expect(await isWithheld(sources)).toBe(false);
    const other = await place();
    await guard(other.document);
    expect(await isWithheld(sources)).toBe(false);
  });

  it.each(['the document', 'a document above it', 'a block', 'a heading', 'an item'])('not when %s is guarded', async (what) => {
    const { parent, document, blocks } = await place();
    const sources = await traced([document, ...blocks]);
    const [item = ''] = (await bench.api<{ id: string }[]>('/api/block/getChildBlocks', { id: blocks[2] })).map(({ id }) => id);
    const guarded: Readonly<Record<string, string | undefined>> = {
      'the document': document,
      'a document above it': parent,
      'a block': blocks[1],
      'a heading': blocks[0],
      'an item': item,
    };
    await guard(guarded[what] ?? '');
    expect(await isWithheld(sources)).toBe(true);
    await setAccess(guarded[what] ?? '', '');
    expect(await isWithheld(sources)).toBe(false);
  });

  it('not when its notebook is withdrawn or closed, or it is moved into such a one', async () => {
    const { document, blocks } = await place();
    const sources = await traced([document, ...blocks]);
    undo.push(() => bench.policy.setRight(bench.notebook, 'read'));
    bench.policy.setRight(bench.notebook, 'none');
    expect(await isWithheld(sources)).toBe(true);
    bench.policy.setRight(bench.notebook, 'read');
    const safe = await newNotebook('Safe');
    bench.policy.setRight(safe, 'none');
    await bench.api('/api/filetree/moveDocsByID', { fromIDs: [document], toID: safe });
    expect(await isWithheld(sources)).toBe(true);
    bench.policy.setRight(safe, 'read');
    expect(await isWithheld(sources)).toBe(false);
    undo.push(() => bench.api('/api/notebook/openNotebook', { notebook: safe }));
    await bench.api('/api/notebook/closeNotebook', { notebook: safe });
    expect(await isWithheld(sources)).toBe(true);
  });

  it('goes on to be read where a guard stood when it was read, until another is set', async () => {
    const { document, blocks } = await place();
    await guard(blocks[1] ?? '');
    await bench.api('/api/sqlite/flushTransaction', {});
    const sources = await traced([document]);
    expect(sources).toMatchObject([{ except: [blocks[1]] }]);
    expect(await isWithheld(sources)).toBe(false);
    await guard(blocks[3] ?? '');
    expect(await isWithheld(sources)).toBe(true);
  });

  it('counts a guard that was set while it was read as a later one', async () => {
    const { document, blocks } = await place();
    await guard((await place()).document);
    await bench.api('/api/sqlite/flushTransaction', {});
    const before = await bench.host.rights.currentObstacles(signal);
    expect(before.size).toBe(1);
    await guard(blocks[1] ?? '');
    const sources = await bench.host.rights.trace({ ids: [document], notebooks: [] }, before, signal);
    expect(await isWithheld(sources)).toBe(true);
  });

  it('stays with the document when one of its blocks is deleted, and goes with a deleted document once anything is hidden', async () => {
    const { document, blocks } = await place();
    const other = await place();
    const sources = await traced([document, ...blocks]);
    await guard(other.document);
    await bench.api('/api/block/deleteBlock', { id: blocks[1] });
    expect(await isWithheld(sources)).toBe(false);
    await bench.api('/api/filetree/removeDocByID', { id: document });
    expect(await isWithheld(sources)).toBe(true);
  });

  it('counts the words of a reference to another note as that note’s', async () => {
    const target = await place();
    const [, , , quote = ''] = target.blocks;
    const document = await bench.document(`/Refers ${counter}`, `see ((${quote} 'quoted'))`);
    const sources = await traced([document, ...(await bench.blocks(document))]);
    await guard(quote);
    expect(await isWithheld(sources)).toBe(true);
  });

  it.each(['closed, and still in the index', 'withdrawn'])('does not name a notebook that was %s before it was read', async (how) => {
    const notebook = await newNotebook(`Shut ${how}`);
    const hidden = await bench.api<string>('/api/filetree/createDocWithMd', { notebook, path: '/Hidden', markdown: 'quoted' });
    const [quoted = ''] = await bench.blocks(hidden);
    const document = await bench.document(`/Refers ${how}`, `see ((${quoted} 'quoted'))`);
    expect(await traced([document])).toContainEqual(expect.objectContaining({ notebook, document: hidden }));
    const original = bench.host.routes.notebooks;
    undo.push(
      () => Object.assign(bench.host.routes, { notebooks: original }),
      () => bench.policy.setRight(notebook, 'read'),
    );
    if (how === 'withdrawn') bench.policy.setRight(notebook, 'none');
    else
      Object.assign(bench.host.routes, {
        notebooks: async (stop: AbortSignal) =>
          (await original(stop)).map((each) => (each.id === notebook ? { ...each, closed: true } : each)),
      });
    expect(await traced([document])).toEqual([expect.objectContaining({ notebook: bench.notebook, document })]);
  });

  it('counts the words of a reference to what refers to, or holds, a note as that note’s', async () => {
    const target = await place();
    const [, , , quote = ''] = target.blocks;
    const [between = ''] = await bench.blocks(await bench.document(`/Between ${counter}`, `see ((${quote} 'quoted'))`));
    const holding = await bench.document(`/Holding ${counter}`, `- see ((${quote} 'quoted'))\n- other`);
    const [list = ''] = await bench.blocks(holding);
    for (const id of [between, list]) {
      const document = await bench.document(`/Refers ${counter} ${id}`, `again ((${id} 'see quoted'))`);
      const sources = await traced([document, ...(await bench.blocks(document))]);
      expect(await isWithheld(sources)).toBe(false);
      await setAccess(quote, 'none');
      expect(await isWithheld(sources)).toBe(true);
      await setAccess(quote, '');
    }
  });

  it('of which nothing but the notebook is known goes with any guard in it', async () => {
    const sources = await traced([], [bench.notebook]);
    expect(await isWithheld(sources)).toBe(false);
    await guard((await place()).document);
    expect(await isWithheld(sources)).toBe(true);
  });

  it('of which nothing but the notebook is known goes with its notebook', async () => {
    const safe = await newNotebook('Whole');
    const sources = await traced([], [safe]);
    expect(sources).toEqual([{ notebook: safe }]);
    bench.policy.setRight(safe, 'none');
    expect(await isWithheld(sources)).toBe(true);
    bench.policy.setRight(safe, 'read');
    expect(await isWithheld(sources)).toBe(false);
    await bench.api('/api/notebook/removeNotebook', { notebook: safe });
    expect(await isWithheld(sources)).toBe(true);
  });
});
