import { describe, expect, it } from 'vitest';
import type { BlockTarget } from '../../src/tools/contract/note-planner.ts';
import { applyAs, freshNode, looks, thereAndBack } from './block-support.ts';
import { codeOf, origin, signal, useBench } from './support.ts';

// A list that loses its last item vanishes.
const bench = useBench('delete');
let counter = 0;

const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Move ${counter}`, markdown);
};
const plan = (ids: (string | undefined)[], target: BlockTarget) =>
  bench.host.notes.planMoveBlocks({ ids: ids.map((id) => id ?? ''), target }, 'move_blocks', signal);

describe('inside a document', () => {
  it('keeps the order that was asked for, ids and attributes', async () => {
    const doc = await newDocument('a\n\nb\n\nc\n\nd\n\ne');
    const [a, b, c, d, e] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id: b, attrs: { 'custom-mine': 'yes', memo: 'm' } });
    const go = async (ids: (string | undefined)[], target: BlockTarget): Promise<string> =>
      (await thereAndBack(bench, await plan(ids, target), [doc]))[0]?.join('') ?? '';
    expect(await go([b], { after: d! })).toBe('acdbe');
    expect(await go([d, b], { after: e! })).toBe('acedb');
    expect(await go([e, d, c, b], { after: a! })).toBe('aedcb');
    expect(await go([e], { after: a! })).toBe('aebcd');
    expect(await go([a], { parent: doc })).toBe('bcdea');
    expect(await go([e, a], { parent: doc })).toBe('bcdea');
    expect(await go([a, b, c, d], { after: e! })).toBe('eabcd');
    expect(await go([b, a], { after: c! })).toBe('cbade');
    await applyAs(bench, await plan([b], { after: d! }), freshNode());
    expect(await bench.api('/api/attr/getBlockAttrs', { id: b })).toMatchObject({ 'custom-mine': 'yes', memo: 'm' });
  });

  it('goes under headings, into quotes, items and super blocks, and out again', async () => {
    const doc = await newDocument('# A\n\na1\n\n# B\n\nb1\n\n> quote\n\n- x\n- y\n\n{{{row\nleft\n\nright\n}}}\n\nlast');
    const [a, a1, b, b1, quote, list, row, last] = await bench.blocks(doc);
    const [x, y] = await bench.blocks(list!);
    const [inQuote] = await bench.blocks(quote!);
    const go = async (ids: (string | undefined)[], target: BlockTarget): Promise<string[]> =>
      (await thereAndBack(bench, await plan(ids, target), [doc]))[0] ?? [];
    expect((await go([last], { parent: a! })).slice(0, 3)).toEqual(['# A', 'a1', 'last']);
    expect((await go([a1], { parent: b! })).at(-1)).toBe('a1');
    expect((await go([last], { parent: quote! }))[4]).toBe('> quote\n>\n> last');
    expect((await go([last, b1], { parent: x! }))[4]).toBe('- x\n\n  last\n\n  b1\n- y');
    expect((await go([quote], { parent: row! })).find((line) => line.includes('right'))).toMatch(/right\n\n> quote/);
    expect((await go([y], { after: x! }).catch((error: { code: string }) => [error.code]))[0]).toBe('no_change');
    expect((await go([x], { after: y! }))[5]).toBe('- y\n- x');
    expect((await go([x], { parent: list! }))[5]).toBe('- y\n- x');
    // What is left empty goes, and is there again after an undo.
    const [left, right] = await bench.blocks(row!);
    expect(await go([inQuote], { after: last! })).toEqual(expect.not.arrayContaining([expect.stringContaining('>')]));
    expect((await go([right, left], { after: a! })).slice(0, 3)).toEqual(['# A', 'right', 'left']);
    expect((await go([a], { after: last! })).at(-1)).toBe('# A');
  });

  it('takes a list away with its last item, attributes and all, and brings it back', async () => {
    const doc = await newDocument('- x\n- y\n\nbetween\n\n- z');
    const [one, , two] = await bench.blocks(doc);
    const [x, y] = await bench.blocks(one!);
    const [z] = await bench.blocks(two!);
    await bench.api('/api/attr/setBlockAttrs', { id: one, attrs: { 'custom-list': 'mine', name: 'first list' } });
    expect(await thereAndBack(bench, await plan([y, x], { after: z! }), [doc])).toEqual([['between', '- z\n- y\n- x']]);
    expect(await bench.api('/api/attr/getBlockAttrs', { id: one })).toMatchObject({ 'custom-list': 'mine', name: 'first list' });
    expect(await thereAndBack(bench, await plan([z], { after: x! }), [doc])).toEqual([['- x\n- z\n- y', 'between']]);
    const made = await plan([x, y], { parent: two! });
    const node = freshNode();
    const before = await looks(bench, [doc]);
    await applyAs(bench, made, node, [made.operations[1]!.id]);
    expect(await bench.markdown(doc)).toEqual(['- x', 'between', '- z\n- y']);
    expect((await bench.host.history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(await looks(bench, [doc])).toEqual(before);
    const nested = await newDocument('- outer\n  - inner\n- rest\n\nend');
    const [list, end] = await bench.blocks(nested);
    const [outer] = await bench.blocks(list!);
    const [text, innerList] = await bench.blocks(outer!);
    const [inner] = await bench.blocks(innerList!);
    expect(await thereAndBack(bench, await plan([inner], { after: outer! }), [nested])).toEqual([['- outer\n- inner\n- rest', 'end']]);
    expect((await thereAndBack(bench, await plan([text, innerList], { after: end! }), [nested]))[0]).toEqual([
      '- rest',
      'end',
      'outer',
      '- inner',
    ]);
  });

  it('says where blocks come from and go to', async () => {
    const doc = await newDocument('# Plan\n\none\n\n# Log\n\ntwo');
    const [heading, one, log, two] = await bench.blocks(doc);
    const title = `Move ${counter}`;
    expect((await plan([one], { parent: log! })).operations[0]).toMatchObject({
      action: 'move',
      before: 'one',
      after: 'one',
      position: { before: { path: [title, 'Plan'] }, after: { path: [title], at: 'end', block: { type: 'h', words: 'Log' } } },
    });
    expect((await plan([heading], { after: two! })).operations[0]).toMatchObject({
      position: { before: { path: [title] }, after: { path: [title, 'Log'], at: 'after', block: { type: 'p', words: 'two' } } },
    });
    expect((await plan([one], { parent: doc })).operations[0]?.position?.after).toEqual({ path: [title], at: 'end' });
  });
});

describe('folded headings', () => {
  it('take along what they hide, and are a place of their own', async () => {
    const doc = await newDocument('# A\n\na1\n\na2\n\n# B\n\nb1\n\n# C');
    const [a, a1, , b, b1, c] = await bench.blocks(doc);
    await bench.transact([{ action: 'foldHeading', id: a }]);
    expect(await thereAndBack(bench, await plan([a], { after: c! }), [doc])).toEqual([['# B', 'b1', '# C', '# A', 'a1', 'a2']]);
    expect(await thereAndBack(bench, await plan([a, b], { after: c! }), [doc])).toEqual([['b1', '# C', '# A', 'a1', 'a2', '# B']]);
    expect(await thereAndBack(bench, await plan([b1], { after: a! }), [doc])).toEqual([['# A', 'a1', 'a2', 'b1', '# B', '# C']]);
    expect(await thereAndBack(bench, await plan([a1], { after: c! }), [doc])).toEqual([['# A', 'a2', '# B', 'b1', '# C', 'a1']]);
    expect(await codeOf(plan([a1], { after: a! }))).toBe('no error');
  });
});

describe('between documents', () => {
  it('keeps ids and attributes, empties a document without losing it, and comes back', async () => {
    const [one, two] = [await newDocument('a\n\nb\n\n- x\n- y'), await newDocument('c\n\n- z')];
    const [a, b, list] = await bench.blocks(one);
    const [c, other] = await bench.blocks(two);
    const [x] = await bench.blocks(list!);
    const [z] = await bench.blocks(other!);
    await bench.api('/api/attr/setBlockAttrs', { id: a, attrs: { 'custom-mine': 'yes' } });
    const made = await plan([b, a], { after: c! });
    expect(made.document.id).toBe(two);
    expect(made.operations.map((operation) => operation.document?.id)).toEqual([one, one]);
    expect(await thereAndBack(bench, made, [one, two])).toEqual([['- x\n- y'], ['c', 'b', 'a', '- z']]);
    expect(await thereAndBack(bench, await plan([x], { after: z! }), [one, two])).toEqual([
      ['a', 'b', '- y'],
      ['c', '- z\n- x'],
    ]);
    expect(await thereAndBack(bench, await plan([list, a, b], { parent: two }), [one, two])).toEqual([
      [''],
      ['c', '- z', '- x\n- y', 'a', 'b'],
    ]);
    expect(
      await thereAndBack(bench, await plan([a, c, b], { parent: other! }).catch(() => plan([a, c, b], { after: other! })), [one, two]),
    ).toEqual([['- x\n- y'], ['- z', 'a', 'c', 'b']]);
    expect(await bench.api('/api/attr/getBlockAttrs', { id: a })).toMatchObject({ 'custom-mine': 'yes' });
  });

  it('empties a document that is one list, and brings the list back alone', async () => {
    const [one, two] = [await newDocument('- x\n- y'), await newDocument('- z')];
    const [list] = await bench.blocks(one);
    const [z] = await bench.blocks((await bench.blocks(two))[0]!);
    const made = await plan(await bench.blocks(list!), { after: z! });
    expect(await thereAndBack(bench, made, [one, two])).toEqual([[''], ['- z\n- x\n- y']]);
  });

  it('moves more than 31 blocks in several requests', async () => {
    const [one, two] = [
      await newDocument(Array.from({ length: 70 }, (_unused, index) => `p${index}`).join('\n\n')),
      await newDocument('c'),
    ];
    const ids = await bench.blocks(one);
    const between = await thereAndBack(bench, await plan(ids, { parent: two }), [one, two]);
    expect(between[0]).toEqual(['']);
    expect(between[1]).toEqual(['c', ...Array.from({ length: 70 }, (_unused, index) => `p${index}`)]);
    expect((await thereAndBack(bench, await plan(ids.toReversed(), { parent: one }), [one]))[0]?.[0]).toBe('p69');
  });

  it('is refused between notebooks', async () => {
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Other' });
    const other = await bench.api<string>('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/O', markdown: 'o' });
    const doc = await newDocument('a\n\nb');
    const [a] = await bench.blocks(doc);
    await expect(plan([a], { parent: other })).rejects.toThrow(/different notebooks/);
  });
});

describe('what is refused', () => {
  it('has a code and a next step', async () => {
    const doc = await newDocument('p\n\n- x\n  - deep\n- y\n\n1. n\n\n> q\n\n# H\n\nunder');
    const [p, list, ol, quote, heading] = await bench.blocks(doc);
    const [x, y] = await bench.blocks(list!);
    const [, inner] = await bench.blocks(x!);
    const [deep] = await bench.blocks(inner!);
    const code = (ids: (string | undefined)[], target: BlockTarget): Promise<string> => codeOf(plan(ids, target));
    expect(await code([p], { after: p! })).toBe('bad_target');
    expect(await code([x], { after: deep! })).toBe('bad_target');
    expect(await code([list], { parent: y! })).toBe('bad_target');
    expect(await code([quote], { parent: quote! })).toBe('bad_target');
    expect(await code([heading], { parent: heading! })).toBe('bad_target');
    expect(await code([p], { after: y! })).toBe('bad_target');
    expect(await code([p], { parent: list! })).toBe('bad_target');
    expect(await code([y], { parent: doc })).toBe('bad_target');
    expect(await code([y], { after: p! })).toBe('bad_target');
    expect(await code([y], { parent: ol! })).toBe('bad_target');
    expect(await code([quote], { parent: p! })).toBe('bad_target');
    expect(await code([quote], { after: doc })).toBe('bad_target');
    expect(await code([x, deep], { after: y! })).toBe('bad_target');
    expect(await code([doc], { after: p! })).toBe('bad_id');
    expect(await code([p], { after: '20200101000000-zzzzzzz' })).toBe('not_found');
    expect(await code([], { after: p! })).toBe('bad_id');
    expect(await code([list], { after: p! })).toBe('no_change');
  });

  it('keeps what the user hides from the model, as a block and as a place', async () => {
    const doc = await newDocument('# Secret\n\nunder\n\n# Open\n\nopen\n\n- a\n- b');
    const [secret, under, , open, list] = await bench.blocks(doc);
    const [, b] = await bench.blocks(list!);
    for (const id of [secret, b]) await bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': 'none' } });
    expect(await codeOf(plan([under], { after: open! }))).toBe('not_found');
    expect(await codeOf(plan([open], { after: under! }))).toBe('not_found');
    expect(await codeOf(plan([open], { parent: secret! }))).toBe('not_found');
    expect(await codeOf(plan([list], { after: secret! }))).toBe('not_found');
    expect(await codeOf(plan([list], { parent: doc }))).toBe('no_right');
  });
});

describe('side by side', () => {
  it.each(['moved', 'deleted'])('go back together when they were %s, though what stood before them was deleted since', async (what) => {
    bench.policy.setRight(bench.notebook, 'delete');
    const doc = await newDocument(['a', 'b', 'c', 'd', 'e', 'f'].join('\n\n'));
    const [, b = '', c = '', d = '', , f = ''] = await bench.blocks(doc);
    const made =
      what === 'moved'
        ? await plan([c, d], { after: f })
        : await bench.host.notes.planDeleteBlocks({ ids: [c, d] }, 'delete_blocks', signal);
    const nodeId = freshNode();
    await applyAs(bench, made, nodeId);
    await bench.transact([{ action: 'delete', id: b }]);
    await bench.host.history.undo(origin.sessionId, nodeId, signal);
    expect((await bench.markdown(doc)).join('')).toBe('acdef');
    bench.policy.setRight(bench.notebook, 'write');
  });
});
