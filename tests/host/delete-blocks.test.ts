import { describe, expect, it } from 'vitest';
import { applyAs, freshNode, looks, paragraph, thereAndBack } from './block-support.ts';
import { codeOf, origin, signal, useBench } from './support.ts';

const bench = useBench('delete');
let counter = 0;

const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Delete ${counter}`, markdown);
};
const plan = (...ids: (string | undefined)[]) =>
  bench.host.notes.planDeleteBlocks({ ids: ids.map((id) => id ?? '') }, 'delete_blocks', signal);
const shown = async (...ids: (string | undefined)[]) =>
  (await plan(...ids)).operations.map((operation) => [operation.action, operation.blockType, operation.before]);

describe('what goes', () => {
  it('is each block alone, and all of it comes back with order, ids and attributes', async () => {
    const doc = await newDocument('# A\n\none\n\n> quote\n>\n> more\n\n- x\n- y\n  - deep\n\nlast');
    const [a, one, quote, list, last] = await bench.blocks(doc);
    const [x, y] = await bench.blocks(list!);
    const [, more] = await bench.blocks(quote!);
    await bench.api('/api/attr/setBlockAttrs', { id: one, attrs: { 'custom-mine': 'a "b" <c>', memo: 'm', bookmark: 'b', name: 'n' } });
    await bench.api('/api/attr/setBlockAttrs', { id: x, attrs: { 'custom-item': 'yes', alias: 'al' } });
    const markdown = await bench.markdown(doc);
    const without = (index: number): string[] => markdown.filter((_line, at) => at !== index);
    expect(await thereAndBack(bench, await plan(a), [doc])).toEqual([without(0)]);
    expect(await thereAndBack(bench, await plan(one), [doc])).toEqual([without(1)]);
    expect(await thereAndBack(bench, await plan(last), [doc])).toEqual([without(4)]);
    expect((await thereAndBack(bench, await plan(more), [doc]))[0]?.[2]).toBe('> quote');
    expect((await thereAndBack(bench, await plan(x), [doc]))[0]?.[3]).toBe('- y\n\n  - deep');
    expect((await thereAndBack(bench, await plan(y), [doc]))[0]?.[3]).toBe('- x');
    expect(await thereAndBack(bench, await plan(one, x, quote), [doc])).toEqual([['# A', '- y\n\n  - deep', 'last']]);
    expect((await bench.api<Record<string, string>>('/api/attr/getBlockAttrs', { id: x }))['custom-item']).toBe('yes');
  });

  it('is a container when all in it goes, and never a block twice', async () => {
    const doc = await newDocument('> a\n>\n> b\n\n- x\n  - only\n- y');
    const [quote, list] = await bench.blocks(doc);
    const inQuote = await bench.blocks(quote!);
    const [x, y] = await bench.blocks(list!);
    const [, inner] = await bench.blocks(x!);
    const [only] = await bench.blocks(inner!);
    expect(await shown(...inQuote)).toEqual([['delete', 'b', '> a\n>\n> b']]);
    expect(await shown(only)).toEqual([['delete', 'l', '- only']]);
    expect(await shown(x, y)).toEqual([['delete', 'l', expect.stringContaining('- y')]]);
    expect(await shown(only, x, inQuote[0], quote, x)).toEqual([
      ['delete', 'b', '> a\n>\n> b'],
      ['delete', 'i', expect.stringContaining('only')],
    ]);
    await thereAndBack(bench, await plan(...inQuote), [doc]);
    await thereAndBack(bench, await plan(only), [doc]);
    await thereAndBack(bench, await plan(x, y), [doc]);
    await thereAndBack(bench, await plan(only, x), [doc]);
  });

  it('is all of a document: nothing of SiYuan’s own stays behind after an undo', async () => {
    const doc = await newDocument('one\n\ntwo');
    expect(await thereAndBack(bench, await plan(...(await bench.blocks(doc))), [doc])).toEqual([['']]);
    const many = await newDocument(Array.from({ length: 62 }, (_unused, index) => `p${index}`).join('\n\n'));
    expect(await thereAndBack(bench, await plan(...(await bench.blocks(many))), [many])).toEqual([['']]);
    const long = await newDocument(Array.from({ length: 75 }, (_unused, index) => `p${index}`).join('\n\n'));
    expect(await thereAndBack(bench, await plan(...(await bench.blocks(long)).slice(2)), [long])).toEqual([['p0', 'p1']]);
  });

  it('is in several documents of one notebook', async () => {
    const [one, two] = [await newDocument('a\n\nb'), await newDocument('c\n\nd')];
    const [a] = await bench.blocks(one);
    const [, d] = await bench.blocks(two);
    const made = await plan(a, d);
    expect(made.operations.map((operation) => operation.document?.id)).toEqual([one, two]);
    expect(await thereAndBack(bench, made, [one, two])).toEqual([['b'], ['c']]);
  });

  it('leaves out what was not accepted', async () => {
    const doc = await newDocument('a\n\nb\n\nc');
    const before = await looks(bench, [doc]);
    const made = await plan(...(await bench.blocks(doc)));
    const node = freshNode();
    await applyAs(bench, made, node, [made.operations[0]!.id, made.operations[2]!.id]);
    expect(await bench.markdown(doc)).toEqual(['b']);
    expect((await bench.host.history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(await looks(bench, [doc])).toEqual(before);
  });

  it('comes back where literals stood, letter by letter', async () => {
    const doc = await newDocument('start\n\nend');
    const [start] = await bench.blocks(doc);
    const id = '20260101000000-dellit1';
    const text = '- dash #x# ((x)) **b** {: id=&quot;x&quot;} <span data-type="strong text" style="color: red;">word</span> $x$';
    await bench.transact([{ action: 'insert', id, data: paragraph(id, text), previousID: start }]);
    await thereAndBack(bench, await plan(id), [doc]);
  });
});

describe('folded headings', () => {
  it('are not deleted from above what they hide', async () => {
    const doc = await newDocument('# A\n\na1\n\na2\n\n# B');
    const [a, a1, a2] = await bench.blocks(doc);
    await bench.transact([{ action: 'foldHeading', id: a }]);
    await expect(plan(a)).rejects.toThrow(/is folded and hides blocks/);
    expect(await codeOf(plan(a, a1))).toBe('bad_target');
    await thereAndBack(bench, await plan(a, a1, a2), [doc]);
    await thereAndBack(bench, await plan(a1), [doc]);
    await thereAndBack(bench, await plan(a2), [doc]);
  });
});

describe('what is lost is said', () => {
  it('counts references from elsewhere and attributes', async () => {
    const doc = await newDocument('- target\n- other');
    const [list] = await bench.blocks(doc);
    const [target] = await bench.blocks(list!);
    await newDocument(`see ((${target} "it")) and ((${target} "again"))\n\nand ((${list} "list"))`);
    await bench.api('/api/attr/setBlockAttrs', { id: list, attrs: { 'custom-mine': 'yes' } });
    const made = await plan(list);
    expect(made.notices).toEqual([
      { code: 'references-lost', count: 2 },
      { code: 'attributes-lost', count: 1 },
    ]);
    expect(made.undo).toEqual({ kind: 'exact' });
    expect((await plan(target)).notices).toEqual([{ code: 'references-lost', count: 1 }]);
  });

  it('moves blocks with rows to the trash document, and back', async () => {
    const doc = await newDocument('bound\n\n- item\n- plain\n\nrest');
    const [bound, list] = await bench.blocks(doc);
    const [item] = await bench.blocks(list!);
    for (const id of [bound, item]) await bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-avs': '20260101000000-aaaaaaa' } });
    const made = await plan(bound);
    expect(made.notices).toEqual([{ code: 'moved-to-trash', count: 1 }]);
    expect(made.operations[0]).toMatchObject({ action: 'delete', to: '/Marginalia trash', after: null });
    expect(made.undo.kind).toBe('exact');
    expect(await thereAndBack(bench, made, [doc])).toEqual([['- item\n- plain', 'rest']]);
    const node = freshNode();
    await applyAs(bench, await plan(bound), node);
    const [trash] = await bench.api<string[]>('/api/filetree/getIDsByHPath', { notebook: bench.notebook, path: '/Marginalia trash' });
    expect(await bench.blocks(trash!)).toContain(bound);
    expect(await bench.api('/api/attr/getBlockAttrs', { id: bound })).toMatchObject({ 'custom-avs': '20260101000000-aaaaaaa' });
    const again = await plan(bound);
    expect(again.operations[0]?.to).toBeUndefined();
    expect(again.undo.kind).toBe('partial');
    const itemPlan = await plan(item);
    expect(itemPlan.undo.kind).toBe('partial');
    expect(itemPlan.notices).toEqual([{ code: 'rows-lost', count: 1 }]);
    const itemNode = freshNode();
    await applyAs(bench, itemPlan, itemNode);
    expect(await bench.host.history.state(origin.sessionId, itemNode)).toMatchObject({ kind: 'partial' });
  });
});

describe('what is refused', () => {
  it('names documents, unknown ids, none, and blocks of two notebooks', async () => {
    const doc = await newDocument('a');
    const [a] = await bench.blocks(doc);
    expect(await codeOf(plan(doc))).toBe('bad_id');
    expect(await codeOf(plan())).toBe('bad_id');
    expect(await codeOf(plan('nonsense'))).toBe('bad_id');
    expect(await codeOf(plan('20200101000000-zzzzzzz'))).toBe('not_found');
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Other' });
    const other = await bench.api<string>('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/O', markdown: 'o' });
    const [o] = await bench.blocks(other);
    expect(await codeOf(plan(a, o))).toBe('bad_target');
  });

  it('keeps what the user hides from the model', async () => {
    const doc = await newDocument('# Secret\n\nunder\n\n# Open\n\n- a\n- b');
    const [secret, under, , list] = await bench.blocks(doc);
    const [, b] = await bench.blocks(list!);
    await bench.api('/api/attr/setBlockAttrs', { id: secret, attrs: { 'custom-ai-access': 'none' } });
    await bench.api('/api/attr/setBlockAttrs', { id: b, attrs: { 'custom-ai-access': 'none' } });
    for (const id of [secret, under, b]) expect(await codeOf(plan(id))).toBe('not_found');
    expect(await codeOf(plan(list))).toBe('no_right');
  });

  it('needs the right to delete, when it is planned and when it is applied', async () => {
    const doc = await newDocument('a\n\nb');
    const [a] = await bench.blocks(doc);
    for (const right of ['read', 'write'] as const) {
      bench.policy.setRight(bench.notebook, right);
      const made = await plan(a);
      expect(made.needsRight).toBe('delete');
      const print = bench.fingerprint();
      expect(await codeOf(bench.apply(made))).toBe('no_right');
      expect(bench.fingerprint()).toBe(print);
    }
    bench.policy.setRight(bench.notebook, 'delete');
    expect((await plan(a)).needsRight).toBeUndefined();
    bench.policy.setRight(bench.notebook, 'none');
    expect(await codeOf(plan(a))).toBe('not_found');
  });
});
