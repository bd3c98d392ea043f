import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvePlan, type ChangePlan } from '../../src/tools/contract/plans.ts';
import type { InsertPosition, WriteReport } from '../../src/tools/contract/ports.ts';
import { ABSENT, type ContractNotes, freshOrigin, idsOf, openHost, readWhole, textsOf } from './notes-contract.ts';
import { codeOf, signal } from './support.ts';

describe('writing to the host', () => {
  let world: ContractNotes;
  let counter = 0;
  beforeAll(async () => {
    world = await openHost();
    world.setRight(world.notebook, 'delete');
  });
  afterAll(() => world.close());

  const make = (markdown: string): Promise<string> => {
    counter += 1;
    return world.document(`/Plan ${counter}`, markdown);
  };
  const apply = (plan: ChangePlan, accepted?: readonly string[]): Promise<WriteReport> =>
    world.notes.apply(approvePlan(plan, accepted), freshOrigin(), signal);

  /** Applies, looks at what is there, undoes, and expects the document as it was. */
  async function thereAndBack(plan: ChangePlan, id: string, accepted?: readonly string[]): Promise<string[]> {
    const before = await readWhole(world, id);
    const from = freshOrigin();
    const report = await world.notes.apply(approvePlan(plan, accepted), from, signal);
    expect(report.undo).toBe('exact');
    const between = await textsOf(world, id);
    const state = await world.history.state(from.sessionId, from.nodeId);
    expect(state).toMatchObject({ kind: 'exact', undone: false });
    expect(state.blocks).toBeGreaterThan(0);
    expect((await world.history.undo(from.sessionId, from.nodeId, signal)).conflicts).toEqual([]);
    expect(await readWhole(world, id)).toEqual(before);
    expect(await world.history.state(from.sessionId, from.nodeId)).toMatchObject({ undone: true });
    expect(await world.history.undo(from.sessionId, from.nodeId, signal)).toEqual({ restored: [], conflicts: [] });
    return between;
  }

  describe('a plan', () => {
    const insert = (anchor: string, markdown = 'x\n\ny') =>
      world.notes.planInsert({ anchor, position: 'append', markdown }, 'insert_blocks', signal);

    it('tells what it will do and writes nothing', async () => {
      const id = await make('one\n\ntwo');
      const plan = await insert(id);
      expect(plan).toMatchObject({ tool: 'insert_blocks', notebook: { id: world.notebook, name: 'Notes' }, undo: { kind: 'exact' } });
      expect(plan.document).toEqual({ id, title: `Plan ${counter}`, path: `/Plan ${counter}` });
      expect(plan.operations.map(({ action, blockType, before, after }) => [action, blockType, before, after])).toEqual([
        ['insert', 'p', null, 'x'],
        ['insert', 'p', null, 'y'],
      ]);
      expect(plan.notices).toEqual([]);
      expect(await textsOf(world, id)).toEqual(['one', 'two']);
    });

    it('writes what was accepted of it, once, and tells the new hashes', async () => {
      const id = await make('one');
      const plan = await insert(id);
      const report = await apply(plan, [plan.operations[1]!.id]);
      const reading = await world.notes.document({ id }, { start: 0, blocks: 9 }, signal);
      expect(reading.blocks.map(({ markdown }) => markdown)).toEqual(['one', 'y']);
      const [, written] = reading.blocks;
      expect(report).toEqual({ documentId: id, blockIds: [written?.id], undo: 'exact', hashes: { [written!.id]: written!.hash } });
      expect(await codeOf(apply(plan))).toBe('not_approved');
      expect(await textsOf(world, id)).toEqual(['one', 'y']);
    });

    it('writes nothing where nothing of it was accepted, or where it only looks approved', async () => {
      const id = await make('one');
      const plan = await insert(id);
      const forged = { plan, accepted: new Set(plan.operations.map((each) => each.id)), grantedRight: undefined } as never;
      expect(await codeOf(world.notes.apply(forged, freshOrigin(), signal))).toBe('not_approved');
      expect(await codeOf(apply(plan, []))).toBe('not_approved');
      expect(await textsOf(world, id)).toEqual(['one']);
    });

    it('writes nothing once the call was stopped', async () => {
      const id = await make('one');
      const approved = approvePlan(await insert(id));
      expect(await codeOf(world.notes.apply(approved, freshOrigin(), AbortSignal.abort()))).toBe('aborted');
      expect(await textsOf(world, id)).toEqual(['one']);
    });

    it('is refused where what it stands on is gone or was changed', async () => {
      const id = await make('one\n\ntwo');
      const [one = '', two = ''] = await idsOf(world, id);
      const hashes = (await world.notes.document({ id }, { start: 0, blocks: 9 }, signal)).blocks.map(({ hash }) => hash);
      const edit = await world.notes.planEdit({ id: one, expectHash: hashes[0]!, markdown: 'ours' }, 't', signal);
      const deletion = await world.notes.planDeleteBlocks({ ids: [two] }, 't', signal);
      await world.change(one, 'theirs');
      await world.change(two, 'theirs too');
      expect(await codeOf(apply(edit))).toBe('stale');
      expect(await codeOf(apply(deletion))).toBe('stale');
      expect(await textsOf(world, id)).toEqual(['theirs', 'theirs too']);
    });
  });

  describe('an insert', () => {
    it.each([
      ['prepend', null, ['x', 'y', '# A', 'a', '## B', 'b', '# C']],
      ['append', null, ['# A', 'a', '## B', 'b', '# C', 'x', 'y']],
      ['before', 1, ['# A', 'x', 'y', 'a', '## B', 'b', '# C']],
      ['after', 1, ['# A', 'a', 'x', 'y', '## B', 'b', '# C']],
      ['prepend', 0, ['# A', 'x', 'y', 'a', '## B', 'b', '# C']],
      ['append', 0, ['# A', 'a', '## B', 'b', 'x', 'y', '# C']],
      ['append', 3, ['# A', 'a', '## B', 'b', 'x', 'y', '# C']],
    ] as const)('goes %s, of block %s', async (position, index, expected) => {
      const id = await make('# A\n\na\n\n## B\n\nb\n\n# C');
      const anchor = index === null ? id : (await idsOf(world, id))[index]!;
      const plan = await world.notes.planInsert({ anchor, position, markdown: 'x\n\ny' }, 't', signal);
      expect(await thereAndBack(plan, id)).toEqual(expected);
    });

    it('goes into lists as items', async () => {
      const id = await make('- one\n- two');
      const [list] = (await world.notes.document({ id }, { start: 0, blocks: 9 }, signal)).blocks;
      const insert = async (anchor: string, position: InsertPosition, markdown: string) =>
        thereAndBack(await world.notes.planInsert({ anchor, position, markdown }, 't', signal), id);
      expect(await insert(list!.id, 'append', '- three')).toEqual(['- one\n- two\n- three']);
      expect(await insert(list!.id, 'prepend', '- zero')).toEqual(['- zero\n- one\n- two']);
      expect(await insert(list!.items![0]!.id, 'after', 'plain')).toEqual(['- one\n- plain\n- two']);
      expect(await insert(list!.items![0]!.id, 'before', '- a\n- b')).toEqual(['- a\n- b\n- one\n- two']);
    });

    it('has a code for what cannot be inserted, or not there', async () => {
      const id = await make('one');
      const plan = (anchor: string, position: InsertPosition, markdown: string) =>
        codeOf(world.notes.planInsert({ anchor, position, markdown }, 't', signal));
      expect(await plan(id, 'after', 'x')).toBe('bad_id');
      expect(await plan(id, 'append', ' \n')).toBe('empty_text');
      expect(await plan(id, 'append', 'x'.repeat(1_000_000))).toBe('too_large');
      expect(await plan(ABSENT, 'append', 'x')).toBe('not_found');
      expect(await plan('nonsense', 'append', 'x')).toBe('bad_id');
    });
  });

  describe('an edit', () => {
    const hashAt = async (id: string, index = 0) =>
      (await world.notes.document({ id }, { start: 0, blocks: 99 }, signal)).blocks[index]?.hash ?? '';

    it('replaces parts or the whole, and its hash is that of the next edit', async () => {
      const id = await make('one two three\n\nlast');
      const [block = ''] = await idsOf(world, id);
      const edits = [
        { old: 'one', new: '1' },
        { old: 'three', new: '3' },
      ];
      const parts = await world.notes.planEdit({ id: block, expectHash: await hashAt(id), edits }, 't', signal);
      expect(parts.operations).toMatchObject([{ action: 'update', blockId: block, before: 'one two three', after: '1 two 3' }]);
      expect(await thereAndBack(parts, id)).toEqual(['1 two 3', 'last']);
      const whole = await world.notes.planEdit({ id: block, expectHash: await hashAt(id), markdown: '## Head' }, 't', signal);
      const { hashes } = await apply(whole);
      expect(hashes[block]).toBe(await hashAt(id));
      expect(await textsOf(world, id)).toEqual(['## Head', 'last']);
    });

    it('that makes several blocks of one puts them after it', async () => {
      const id = await make('one\n\nlast');
      const [block = ''] = await idsOf(world, id);
      const plan = await world.notes.planEdit({ id: block, expectHash: await hashAt(id), markdown: 'one\n\ntwo\n\nthree' }, 't', signal);
      expect(plan.operations.map(({ action }) => action)).toEqual(['update', 'insert', 'insert']);
      expect(await thereAndBack(plan, id)).toEqual(['one', 'two', 'three', 'last']);
      const part = await world.notes.planEdit({ id: block, expectHash: await hashAt(id), markdown: '1\n\n2' }, 't', signal);
      expect(await thereAndBack(part, id, [part.operations[1]!.id])).toEqual(['one', '2', 'last']);
    });

    it('changes one item of a list', async () => {
      const id = await make('- a\n- b\n- c');
      const [list] = (await world.notes.document({ id }, { start: 0, blocks: 9 }, signal)).blocks;
      const [, item] = list!.items!;
      const request = { id: item!.id, expectHash: item!.hash };
      const edit = await world.notes.planEdit({ ...request, edits: [{ old: 'b', new: 'B' }] }, 't', signal);
      expect(await thereAndBack(edit, id)).toEqual(['- a\n- B\n- c']);
      expect(await thereAndBack(await world.notes.planEdit({ ...request, markdown: '- bee' }, 't', signal), id)).toEqual([
        '- a\n- bee\n- c',
      ]);
      expect(await codeOf(world.notes.planEdit({ ...request, markdown: 'bare' }, 't', signal))).toBe('not_markdown_safe');
    });

    it('has a code for what does not fit', async () => {
      const id = await make('one two two');
      const [block = ''] = await idsOf(world, id);
      const expectHash = await hashAt(id);
      const plan = (change: { edits: { old: string; new: string }[] } | { markdown: string }, hash = expectHash, target = block) =>
        codeOf(world.notes.planEdit({ id: target, expectHash: hash, ...change }, 't', signal));
      expect(await plan({ edits: [{ old: 'three', new: 'x' }] })).toBe('no_match');
      expect(await plan({ edits: [{ old: 'two', new: 'x' }] })).toBe('many_matches');
      expect(await plan({ edits: [{ old: 'one', new: 'one' }] })).toBe('no_match');
      expect(await plan({ markdown: '' })).toBe('empty_text');
      expect(await plan({ markdown: 'x' }, '00000000')).toBe('stale');
      expect(await plan({ markdown: 'x' }, expectHash, id)).toBe('bad_id');
      expect(await plan({ markdown: 'x' }, expectHash, ABSENT)).toBe('not_found');
      expect(await plan({ markdown: 'x' }, expectHash, 'nonsense')).toBe('bad_id');
    });
  });

  describe('a move', () => {
    const move = (ids: readonly string[], target: { parent: string } | { after: string }) =>
      world.notes.planMoveBlocks({ ids, target }, 't', signal);

    it('goes within a document and to another, in the order given', async () => {
      const id = await make('a\n\nb\n\nc');
      const other = await make('x');
      const [a = '', b = '', c = ''] = await idsOf(world, id);
      const plan = await move([c, b], { parent: other });
      expect(plan.operations).toMatchObject([
        {
          action: 'move',
          blockId: c,
          before: 'c',
          after: 'c',
          position: { before: { path: [expect.any(String)] }, after: { path: [expect.any(String)], at: 'end' } },
        },
        { action: 'move', blockId: b },
      ]);
      expect(await thereAndBack(plan, other)).toEqual(['x', 'c', 'b']);
      expect(await textsOf(world, id)).toEqual(['a', 'b', 'c']);
      expect(await thereAndBack(await move([a], { after: c }), id)).toEqual(['b', 'c', 'a']);
    });

    it('goes to the end of a section', async () => {
      const id = await make('# A\n\na\n\n# B\n\nb');
      const [head = '', , , b = ''] = await idsOf(world, id);
      expect(await thereAndBack(await move([b], { parent: head }), id)).toEqual(['# A', 'a', 'b', '# B']);
    });

    it('has a code for what cannot go there', async () => {
      const id = await make('a\n\nb');
      const [a = '', b = ''] = await idsOf(world, id);
      expect(await codeOf(move([a], { after: a }))).toBe('bad_target');
      expect(await codeOf(move([a], { parent: b }))).toBe('bad_target');
      expect(await codeOf(move([a], { after: id }))).toBe('bad_target');
      expect(await codeOf(move([b], { after: a }))).toBe('no_change');
      expect(await codeOf(move([id], { after: a }))).toBe('bad_id');
      expect(await codeOf(move([], { after: a }))).toBe('bad_id');
      expect(await codeOf(move([a], { after: ABSENT }))).toBe('not_found');
      expect(await codeOf(move([ABSENT], { after: a }))).toBe('not_found');
      const elsewhere = await world.document('/Move', 'x', await world.addNotebook(`Move ${counter}`, 'write'));
      expect(await codeOf(move([a], { parent: elsewhere }))).toBe('bad_target');
    });
  });

  describe('a deletion', () => {
    it('takes blocks away, tells of lost references, and brings them back to their places', async () => {
      const id = await make('a\n\n# b\n\nc\n\nd');
      const [a = '', b = '', c = ''] = await idsOf(world, id);
      await make(`see ((${a} "it"))`);
      const plan = await world.notes.planDeleteBlocks({ ids: [a, b, c] }, 't', signal);
      expect(plan.operations).toMatchObject([{ action: 'delete', blockId: a, before: 'a', after: null }, { blockId: b }, { blockId: c }]);
      expect(plan.notices).toEqual([{ code: 'references-lost', count: 1 }]);
      expect(await thereAndBack(plan, id, [plan.operations[1]!.id])).toEqual(['a', 'c', 'd']);
    });

    it('takes items of a list', async () => {
      const id = await make('- a\n- b\n- c');
      const [list] = (await world.notes.document({ id }, { start: 0, blocks: 9 }, signal)).blocks;
      const plan = await world.notes.planDeleteBlocks({ ids: [list!.items![1]!.id] }, 't', signal);
      expect(await thereAndBack(plan, id)).toEqual(['- a\n- c']);
    });

    it('has a code for what cannot be deleted so', async () => {
      const id = await make('a');
      for (const [ids, code] of [
        [[id], 'bad_id'],
        [[], 'bad_id'],
        [[ABSENT], 'not_found'],
        [['nonsense'], 'bad_id'],
      ] as const)
        expect(await codeOf(world.notes.planDeleteBlocks({ ids }, 't', signal))).toBe(code);
    });
  });

  describe('a rewrite', () => {
    const rewrite = (id: string, markdown: string) => world.notes.planRewrite({ id, markdown }, 't', signal);

    it('keeps the ids of what stays', async () => {
      const id = await make('# Head\n\none\n\ntwo\n\nthree');
      const [head, one, , three] = await idsOf(world, id);
      const plan = await rewrite(id, '# Head\n\none, changed\n\nthree\n\nfour');
      expect(await thereAndBack(plan, id)).toEqual(['# Head', 'one, changed', 'three', 'four']);
      await apply(await rewrite(id, '# Head\n\none, changed\n\nthree\n\nfour'));
      expect((await idsOf(world, id)).slice(0, 3)).toEqual([head, one, three]);
    });

    it('has a code for what is no rewrite', async () => {
      const id = await make('a');
      const [a = ''] = await idsOf(world, id);
      expect(await codeOf(rewrite(id, 'a'))).toBe('no_change');
      expect(await codeOf(rewrite(id, ' '))).toBe('empty_text');
      expect(await codeOf(rewrite(a, 'b'))).toBe('bad_id');
      expect(await codeOf(rewrite(ABSENT, 'b'))).toBe('not_found');
    });
  });
});
