import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolError } from '../../src/tools/contract/errors.ts';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import type { Tool, ToolContext } from '../../src/tools/contract/types.ts';
import { createNotesGroups } from '../../src/tools/groups/notes-groups.ts';
import { codeOf, origin, signal, startBench, type TestBench } from './support.ts';

/** What the user hides from the model changes nothing that a tool says, and is looked at again whenever something is applied. */
let bench: TestBench;
let tools: readonly Tool[];
let count = 0;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
  const clock = { now: () => Date.now(), today: () => new Date().toLocaleDateString('sv-SE') };
  tools = createNotesGroups(bench.host.notes, clock, { files: bench.host.exportFiles }).flatMap((group) => group.tools);
});
afterAll(() => bench.close());

const ABSENT = '20200101000000-zzzzzzz';
const guard = (id: string | undefined): Promise<unknown> =>
  bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': 'none' } });
const fresh = (markdown: string): Promise<string> => {
  count += 1;
  return bench.document(`/Hidden test ${count}`, markdown);
};
const context = { ...origin, signal } as ToolContext;

function toolNamed(name: string): Tool {
  const tool = tools.find((each) => each.definition.function.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
}
const planOf = async (name: string, args: object): Promise<ChangePlan> => {
  const plan = await toolNamed(name).plan?.({ ...args }, context);
  if (!plan) throw new Error(`${name} plans nothing`);
  return plan;
};
/** What came of a call, with the id that was asked for taken out. */
async function answer(name: string, args: object, id: string): Promise<string> {
  const tool = toolNamed(name);
  const run = tool.plan ? planOf(name, args) : tool.execute({ ...args }, context);
  const text = await run.then(
    (value) => JSON.stringify(value),
    (error: ToolError) => `${error.code}: ${error.message} → ${error.next} ${error.quoted ?? ''}`,
  );
  return text.replaceAll(id, 'ID');
}

describe('an id that is asked for', () => {
  const CALLS: readonly (readonly [string, (id: string, open: string) => object])[] = [
    ['read_doc', (id) => ({ id })],
    ['get_outline', (id) => ({ id })],
    ['list_docs', (id) => ({ parent: id })],
    ['read_block', (id) => ({ id })],
    ['block_info', (id) => ({ ids: [id] })],
    ['grep_doc', (id) => ({ id, pattern: 'a' })],
    ['backlinks', (id) => ({ id })],
    ['export_doc', (id) => ({ id, format: 'file' })],
    ['edit_block', (id) => ({ id, expectHash: '00000000', markdown: 'x' })],
    ['insert_blocks', (id) => ({ anchor: id, position: 'append', markdown: 'x' })],
    ['move_blocks', (id, open) => ({ ids: [open], after: id })],
    ['move_blocks', (id, open) => ({ ids: [id], after: open })],
    ['delete_blocks', (id) => ({ ids: [id] })],
    ['rewrite_doc', (id) => ({ id, markdown: 'x' })],
    ['attributes', (id) => ({ op: 'set', ids: [id], attrs: { memo: 'x' } })],
    ['organize_doc', (id) => ({ op: 'rename', ids: [id], target: 'x' })],
    ['organize_doc', (id) => ({ op: 'duplicate', ids: [id] })],
    ['delete_doc', (id) => ({ ids: [id] })],
  ];

  it.each(CALLS)('answers %s as one that is nowhere, whether a block, document or notebook is hidden behind it', async (name, args) => {
    const doc = await fresh('open\n\nshut');
    const [open = '', shut = ''] = await bench.blocks(doc);
    const hidden = await fresh('text');
    await bench.document(`/Hidden test ${count}/Below`, 'x');
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: `Shut ${count}` });
    await guard(shut);
    await guard(hidden);
    bench.policy.setRight(notebook.id, 'none');
    const absent = await answer(name, args(ABSENT, open), ABSENT);
    expect(absent).toMatch(/not_found/);
    for (const id of [shut, hidden, notebook.id]) expect(await answer(name, args(id, open), id)).toBe(absent);
  });
});

describe('a path at which something hidden stands', () => {
  it('is as free as any other for the model; the person is told, and nothing is put into or below it', async () => {
    const parent = await fresh('kept');
    const path = `/Hidden test ${count}`;
    await guard(parent);
    for (const target of [path, `${path}/Child`]) {
      const made = await planOf('create_doc', { notebook: bench.notebook, path: target, markdown: 'mine' });
      expect(made.notices).toEqual([{ code: 'hidden-at-path', count: 1, personOnly: true }]);
    }
    const { documentId } = await bench.apply(
      await planOf('create_doc', { notebook: bench.notebook, path: `${path}/Child`, markdown: 'mine' }),
    );
    const { path: place } = await bench.api<{ path: string }>('/api/block/getBlockInfo', { id: documentId });
    expect(place).not.toContain(parent);
    expect(await bench.markdown(parent)).toEqual(['kept']);
    const read = await bench.host.notes.document({ path: `${path}/Child` }, { start: 0, blocks: 9 }, signal);
    expect(read.id).toBe(documentId);
  });

  it('is told to the person where a document is renamed to it or copied, and never read by its path', async () => {
    const doc = await fresh('mine');
    const path = `/Hidden test ${count}`;
    await guard(await bench.document(`${path} copy`, 'kept'));
    const copy = await planOf('organize_doc', { op: 'duplicate', ids: [doc] });
    expect(copy.document.path).toBe(`${path} copy`);
    expect(copy.notices).toContainEqual({ code: 'hidden-at-path', count: 1, personOnly: true });
    const renaming = await planOf('organize_doc', { op: 'rename', ids: [doc], target: `${path.slice(1)} copy` });
    expect(renaming.notices).toEqual([{ code: 'hidden-at-path', count: 1, personOnly: true }]);
    expect(await codeOf(bench.host.notes.document({ path: `${path} copy` }, { start: 0, blocks: 1 }, signal))).toBe('not_found');
  });
});

describe('hidden text', () => {
  /** Two documents alike but for what is hidden in one of them. */
  async function world(secret: string) {
    const target = await fresh(secret);
    const [hidden = ''] = await bench.blocks(target);
    const doc = await fresh(`see ((${hidden} '${secret}')) gnomon\n\n- item gnomon\n- ${secret}`);
    const [paragraph = '', list = ''] = await bench.blocks(doc);
    const [, item = ''] = await bench.blocks(list);
    await guard(hidden);
    await guard(item);
    await bench.api('/api/sqlite/flushTransaction', {});
    return { doc, paragraph, list, hidden, target };
  }

  it.each([
    ['regex', 'gnomon$'],
    ['regex', 'see 4711'],
    ['regex', 'see [^4]'],
    ['syntax', 'gnomon NOT 4711'],
    ['syntax', 'gnomon AND 4711'],
    ['keyword', 'gnomon 4711'],
    ['keyword', '4711'],
    ['relevance', '4711'],
    ['relevance', 'where does the gnomon see 4711'],
  ] as const)('decides no match, count or page of a search by %s for %s', async (mode, query) => {
    const answers: string[] = [];
    for (const secret of ['4711', '8122']) {
      const { doc, target } = await world(secret);
      const page = await bench.host.notes.search({ query, mode, types: ['d', 'p', 'l', 'i'], page: 1, pageSize: 200 }, signal);
      const own = page.matches.filter((match) => match.documentId === doc).map((match) => `${match.type} ${match.snippet}`);
      answers.push(
        own
          .sort()
          .join('\n')
          .replaceAll(/Hidden test \d+/g, 'DOC'),
      );
      // Only the best passages are shown: those of another world would take their place, by the chance of their ids.
      for (const id of [doc, target]) await bench.api('/api/filetree/removeDocByID', { id });
    }
    expect(answers[0]).toBe(answers[1]);
  });

  it('is not read at second hand, through a reference to what refers to it or holds it', async () => {
    const target = await fresh('SECRETPINE');
    const [hidden = ''] = await bench.blocks(target);
    const open = await fresh(`alpha ((${hidden} 'SECRETPINE')) words\n\n- SECRETPINE item\n- open item`);
    const [between = '', list = ''] = await bench.blocks(open);
    const [item = ''] = await bench.blocks(list);
    const doc = await fresh(
      `one ((${between} 'alpha SECRETPINE words')) \n\ntwo ((${list} 'SECRETPINE item'))\n\nthree ((${open} 'A title'))`,
    );
    const [first = ''] = await bench.blocks(doc);
    const third = await fresh(`four ((${first} 'one alpha SECRETPINE words'))`);
    await guard(hidden);
    await guard(item);
    await bench.api('/api/sqlite/flushTransaction', {});
    const { notes } = bench.host;
    const read = async (id: string): Promise<string> =>
      JSON.stringify((await notes.document({ id }, { start: 0, blocks: 9 }, signal)).blocks.map(({ markdown }) => markdown));
    expect(await read(doc)).not.toContain('SECRETPINE');
    expect(await read(doc)).toContain('A title');
    expect(await read(third)).not.toContain('SECRETPINE');
    const found = await notes.search({ query: 'SECRETPINE', mode: 'keyword', page: 1, pageSize: 50 }, signal);
    expect(found.matches).toEqual([]);
  });

  it('gives no hash, and is not matched by an edit', async () => {
    const read = async (secret: string) => {
      const { doc, paragraph, list } = await world(secret);
      const { blocks } = await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal);
      return { text: JSON.stringify(blocks.map(({ markdown }) => markdown)), blocks, paragraph, list };
    };
    const { blocks, paragraph, list } = await read('W4711');
    const before = await bench.dom(list);
    const changed = before.replaceAll('W4711', 'W8122');
    await bench.transact([{ action: 'update', id: list, data: changed }]);
    const again = await bench.host.notes.blocks({ id: list, range: 'self', limit: 1 }, signal);
    expect(again.blocks[0]?.hash).toBe(blocks[1]?.hash);
    const edit = (old: string): Promise<ChangePlan> =>
      planOf('edit_block', { id: paragraph, expectHash: blocks[0]?.hash ?? '', edits: [{ old, new: 'x' }] });
    // Ids, which are read, have no capitals: what is kept back is looked for, not an hour.
    for (const old of ['W4711', 'W47', 'W8122']) expect(await codeOf(edit(old))).toBe('no_match');
    const made = await edit('gnomon');
    expect(JSON.stringify(made)).not.toContain('W4711');
    await bench.apply(made);
    expect(await bench.dom(paragraph)).toContain('W4711');
  });

  it('stays in references that a whole new text keeps, which is said, and goes with those that it drops', async () => {
    const { doc, paragraph, hidden } = await world('4711');
    const [block] = (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 1 }, signal)).blocks;
    const rewrite = (markdown: string): Promise<ChangePlan> => planOf('edit_block', { id: paragraph, expectHash: block?.hash, markdown });
    expect((await rewrite('nothing left')).notices).toEqual([{ code: 'unreadable-references-lost', count: 1 }]);
    const made = await rewrite(`now ((${hidden} 'unavailable'))`);
    expect(made.notices).toEqual([{ code: 'unreadable-references-kept', count: 1 }]);
    await bench.apply(made);
    expect(await bench.dom(paragraph)).toContain('4711');
  });

  it('is in no plan that takes blocks along or changes tags in them', async () => {
    const { paragraph, hidden } = await world('zqsecret');
    const [block] = await bench.blocks(await fresh(`#gnomontag# ((${hidden} 'zqsecret'))`));
    const other = await fresh('x');
    const plans = [
      await planOf('delete_blocks', { ids: [paragraph] }),
      await planOf('move_blocks', { ids: [paragraph], parent: other }),
      await planOf('tags', { op: 'rename', label: 'gnomontag', to: 'gnomonnew' }),
    ];
    expect(plans[2]?.operations.map((operation) => operation.blockId)).toContain(block);
    expect(JSON.stringify(plans)).not.toContain('zqsecret');
    expect(JSON.stringify(plans)).toContain('unavailable');
  });

  it('refers to what is deleted: the person is told, the model is not', async () => {
    const doc = await fresh('target');
    const [target = ''] = await bench.blocks(doc);
    const hidden = await fresh(`((${target} 'target'))`);
    await guard(hidden);
    const plan = await planOf('delete_blocks', { ids: [target] });
    expect(plan.notices).toEqual([{ code: 'hidden-references-lost', count: 1, personOnly: true }]);
  });
});

describe('what was hidden while it waited for approval', () => {
  type Scene = { readonly doc: string; readonly ids: readonly string[]; readonly inner: string };
  const FOLDED = '# Open\n\nfirst\n\n> quote\n\n# Fold\n\nbelow';
  const CALLS: readonly (readonly [string, (scene: Scene) => object, (scene: Scene) => string | undefined])[] = [
    ['edit_block', ({ ids }) => ({ id: ids[1], expectHash: 'HASH', edits: [{ old: 'first', new: 'x' }] }), ({ ids }) => ids[0]],
    ['insert_blocks', ({ ids }) => ({ anchor: ids[2], position: 'append', markdown: 'x' }), ({ ids }) => ids[2]],
    ['insert_blocks', ({ inner }) => ({ anchor: inner, position: 'after', markdown: 'x' }), ({ ids }) => ids[2]],
    ['insert_blocks', ({ ids }) => ({ anchor: ids[1], position: 'after', markdown: 'x' }), ({ ids }) => ids[0]],
    ['move_blocks', ({ ids }) => ({ ids: [ids[1]], parent: ids[2] }), ({ ids }) => ids[2]],
    ['move_blocks', ({ ids }) => ({ ids: [ids[3]], after: ids[0] }), ({ ids }) => ids[4]],
    ['delete_blocks', ({ ids }) => ({ ids: [ids[1]] }), ({ ids }) => ids[0]],
    ['rewrite_doc', ({ doc }) => ({ id: doc, markdown: 'new' }), ({ doc }) => doc],
    ['attributes', ({ ids }) => ({ op: 'set', ids: [ids[1]], attrs: { memo: 'x' } }), ({ ids }) => ids[0]],
    ['organize_doc', ({ doc }) => ({ op: 'rename', ids: [doc], target: 'New name' }), ({ doc }) => doc],
    ['organize_doc', ({ doc }) => ({ op: 'duplicate', ids: [doc] }), ({ ids }) => ids[1]],
    ['delete_doc', ({ doc }) => ({ ids: [doc] }), ({ ids }) => ids[1]],
  ];

  it.each(CALLS)('is not written to, taken along or copied by %s', async (name, args, hides) => {
    const doc = await fresh(FOLDED);
    const ids = await bench.blocks(doc);
    const [inner = ''] = await bench.blocks(ids[2] ?? '');
    await bench.transact([{ action: 'setAttrs', id: ids[3], data: JSON.stringify({ fold: '1' }) }]);
    await bench.transact([{ action: 'setAttrs', id: ids[4], data: JSON.stringify({ fold: '1', 'heading-fold': '1' }) }]);
    const [, first] = (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks;
    const scene = { doc, ids, inner };
    const asked = JSON.parse(JSON.stringify(args(scene)).replace('HASH', first?.hash ?? '')) as object;
    const plan = await planOf(name, asked);
    await guard(hides(scene));
    const print = bench.fingerprint();
    expect(await codeOf(bench.apply(plan))).toMatch(/^(stale|no_right|bad_target)$/);
    expect(bench.fingerprint()).toBe(print);
  });

  it('is not exported to a file; and one name is exported twice', async () => {
    const doc = await fresh('open\n\nshut');
    const [, shut] = await bench.blocks(doc);
    const { approvePlan } = await import('../../src/tools/contract/plans.ts');
    const write = (plan: ChangePlan) =>
      toolNamed('export_doc').execute({ id: doc, format: 'file' }, { ...context, approvedPlan: approvePlan(plan) });
    const plan = await planOf('export_doc', { id: doc, format: 'file' });
    const paths = await Promise.all([write(plan), write(plan), write(plan)]);
    expect(new Set(paths.map(({ data }) => String(data))).size).toBe(3);
    await guard(shut);
    expect(await codeOf(write(plan))).toBe('stale');
  });

  it('keeps a closed notebook from being removed, since nobody can look into it', async () => {
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'To close' });
    bench.policy.setRight(notebook.id, 'delete');
    const plan = await planOf('manage_notebook', { op: 'remove', id: notebook.id });
    await bench.api('/api/notebook/closeNotebook', { notebook: notebook.id });
    expect(await codeOf(bench.apply(plan))).toBe('closed_notebook');
    expect(await codeOf(planOf('manage_notebook', { op: 'remove', id: notebook.id }))).toBe('closed_notebook');
  });
});
