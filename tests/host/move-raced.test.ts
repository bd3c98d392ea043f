import { describe, expect, it } from 'vitest';
import type { BlockTarget } from '../../src/tools/contract/note-planner.ts';
import { approvePlan } from '../../src/tools/contract/plans.ts';
import { applyAs, freshNode, looks, paragraph } from './block-support.ts';
import { codeOf, origin, signal, useBench } from './support.ts';

// To move the last block out of a container takes the container away.
const bench = useBench('delete');
let counter = 0;

const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Move raced ${counter}`, markdown);
};
const plan = (ids: (string | undefined)[], target: BlockTarget) =>
  bench.host.notes.planMoveBlocks({ ids: ids.map((id) => id ?? ''), target }, 'move_blocks', signal);

/** Somebody does this when our first request is on its way. */
const meanwhile = (act: () => Promise<unknown>): void => {
  bench.hooks = {
    before: async (path) => {
      if (path !== '/api/transactions') return;
      bench.hooks = {};
      await act();
    },
  };
};

describe('blocks that change meanwhile', () => {
  it.each([
    ['the block', ([, b]: string[]) => bench.transact([{ action: 'update', id: b, data: paragraph(b!, 'typed') }])],
    ['its being there', ([, b]: string[]) => bench.transact([{ action: 'delete', id: b }])],
    ['the place', ([, , , d]: string[]) => bench.transact([{ action: 'delete', id: d }])],
  ])('writes nothing when the user changed %s', async (_what, change) => {
    const doc = await newDocument('a\n\nb\n\nc\n\nd');
    const ids = await bench.blocks(doc);
    const quiet = bench.reopen({ pushes: false });
    const plans = [
      await plan([ids[1]], { after: ids[3]! }),
      await quiet.notes.planMoveBlocks({ ids: [ids[1]!], target: { after: ids[3]! } }, 't', signal),
    ];
    await change(ids);
    const before = await looks(bench, [doc]);
    expect(await codeOf(bench.apply(plans[0]!))).toBe('stale');
    expect(await codeOf(quiet.notes.apply(approvePlan(plans[1]!), origin, signal))).toBe('stale');
    expect(await looks(bench, [doc])).toEqual(before);
  });

  it('is raced when somebody moves it on before it is read back; undo leaves it there', async () => {
    const doc = await newDocument('a\n\nb\n\n> q');
    const [a, b, quote] = await bench.blocks(doc);
    const made = await plan([a], { after: b! });
    bench.hooks = {
      after: async (path) => {
        if (path !== '/api/transactions') return;
        bench.hooks = {};
        await bench.transact([{ action: 'move', id: a, parentID: quote }]);
      },
    };
    const node = freshNode();
    expect(await codeOf(applyAs(bench, made, node))).toBe('raced');
    expect(await bench.markdown(doc)).toEqual(['b', '> a\n>\n> q']);
    await bench.host.history.undo(origin.sessionId, node, signal);
    expect(await bench.markdown(doc)).toEqual(['b', '> a\n>\n> q']);
  });

  it('keeps what is written into a container while its last block leaves, and undo brings it back', async () => {
    const doc = await newDocument('> q\n\n- x\n\nend');
    const [quote, list, end] = await bench.blocks(doc);
    const [q] = await bench.blocks(quote!);
    const [x] = await bench.blocks(list!);
    const [text] = await bench.blocks(x!);
    await bench.api('/api/attr/setBlockAttrs', { id: quote, attrs: { 'custom-mine': 'yes' } });
    for (const [moved, beside] of [
      [q, q],
      [text, text],
    ] as const) {
      const before = await bench.markdown(doc);
      const made = await plan([moved], { after: end! });
      const id = `${moved!.slice(0, 15)}into${moved!.slice(-3)}`;
      meanwhile(() => bench.transact([{ action: 'insert', id, data: paragraph(id, 'typed in time'), previousID: beside }]));
      const node = freshNode();
      expect(await codeOf(applyAs(bench, made, node))).toBe('raced');
      expect((await bench.reopen().history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
      const now = await bench.markdown(doc);
      expect(now).toHaveLength(before.length);
      expect(now.join('\n')).toContain('typed in time');
      expect(now.join('\n')).toContain(moved === q ? '> q' : '- x');
      await bench.transact([{ action: 'delete', id }]);
      expect(await bench.markdown(doc)).toEqual(before);
    }
    expect(await bench.api('/api/attr/getBlockAttrs', { id: quote })).toMatchObject({ 'custom-mine': 'yes' });
  });

  it('keeps an attribute that an emptied container gets at this moment', async () => {
    const doc = await newDocument('> q\n\nend');
    const [quote, end] = await bench.blocks(doc);
    const made = await plan(await bench.blocks(quote!), { after: end! });
    meanwhile(() => bench.api('/api/attr/setBlockAttrs', { id: quote, attrs: { 'custom-mine': 'now' } }));
    const node = freshNode();
    expect(await codeOf(applyAs(bench, made, node))).toBe('raced');
    expect((await bench.reopen().history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(await bench.markdown(doc)).toEqual(['> q', 'end']);
    expect(await bench.api('/api/attr/getBlockAttrs', { id: quote })).toMatchObject({ 'custom-mine': 'now' });
  });

  it('loses nothing that somebody writes into a container about to be left empty, at whatever request', async () => {
    for (let at = 1; ; at += 1) {
      const doc = await newDocument('- [ ] q\n- [ ] r\n\nend');
      const [list, end] = await bench.blocks(doc);
      const [item] = await bench.blocks(list!);
      const [q] = await bench.blocks(item!);
      await bench.delivered(doc);
      const made = await plan([q], { after: end! });
      const id = `${q!.slice(0, 15)}at${String(at).padStart(5, '0')}`;
      let count = 0;
      bench.hooks = {
        before: async () => {
          count += 1;
          if (count === at) await bench.transact([{ action: 'insert', id, data: paragraph(id, 'typed'), previousID: q }]);
        },
      };
      const node = freshNode();
      expect(await codeOf(applyAs(bench, made, node))).toMatch(/^(no error|stale|raced)$/);
      bench.hooks = {};
      await bench.reopen().history.undo(origin.sessionId, node, signal);
      if (count < at) break;
      expect(
        (await bench.markdown(doc))
          .join('\n')
          .match(/typed|q/g)
          ?.sort(),
        `at request ${at}`,
      ).toEqual(['q', 'typed']);
    }
  });

  it('leaves what is written in a block on its way in that block', async () => {
    const [one, two] = [await newDocument('- [ ] x\n- [ ] y\n\nend'), await newDocument('o')];
    const [list] = await bench.blocks(one);
    const texts = await Promise.all((await bench.blocks(list!)).map(async (item) => (await bench.blocks(item))[0]!));
    const [o] = await bench.blocks(two);
    const node = freshNode();
    const made = await plan(texts, { after: o! });
    meanwhile(() => bench.transact([{ action: 'update', id: texts[0], data: paragraph(texts[0]!, 'typed') }]));
    // Two documents are two requests: the tasks are empty when they go, and SiYuan draws a paragraph into each.
    await applyAs(bench, made, node);
    expect([await bench.markdown(one), await bench.markdown(two)]).toEqual([['end'], ['o', 'typed', 'y']]);
    expect((await bench.reopen().history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect([await bench.markdown(one), await bench.markdown(two)]).toEqual([['- [ ] typed\n- [ ] y', 'end'], ['o']]);
  });

  it('says what had been written where a later request fails', async () => {
    const [one, two] = [await newDocument('a\n\nb'), await newDocument('c\n\nd')];
    const before = await looks(bench, [one, two]);
    bench.policy.setRight(bench.notebook, 'delete');
    const ids = [(await bench.blocks(one))[0]!, (await bench.blocks(two))[0]!];
    const made = await bench.host.notes.planDeleteBlocks({ ids }, 't', signal);
    let count = 0;
    bench.hooks = {
      before: (path) => {
        count += path === '/api/transactions' ? 1 : 0;
        if (path === '/api/transactions' && count === 2) throw new TypeError('connection reset');
      },
    };
    const node = freshNode();
    await expect(applyAs(bench, made, node)).rejects.toThrow(/1 blocks had been written before/);
    expect([await bench.markdown(one), await bench.markdown(two)]).toEqual([['b'], ['c', 'd']]);
    bench.hooks = {};
    expect((await bench.reopen().history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(await looks(bench, [one, two])).toEqual(before);
  });

  it('brings back a container that SiYuan took away while only a part was written', async () => {
    bench.policy.setRight(bench.notebook, 'delete');
    const [one, two] = [await newDocument('- x\n- y\n\nend'), await newDocument('o\n\np')];
    const [list] = await bench.blocks(one);
    const [x] = await bench.blocks((await bench.blocks(list!))[0]!);
    const [o, p] = await bench.blocks(two);
    const before = await looks(bench, [one, two]);
    const made = await plan([x, o], { after: p! });
    let count = 0;
    bench.hooks = {
      before: (path) => {
        count += path === '/api/transactions' ? 1 : 0;
        if (path === '/api/transactions' && count === 2) throw new TypeError('connection reset');
      },
    };
    const node = freshNode();
    expect(await codeOf(applyAs(bench, made, node))).toBe('kernel_unreachable');
    bench.hooks = {};
    expect([await bench.markdown(one), await bench.markdown(two)]).toEqual([
      ['- y', 'end'],
      ['o', 'p', 'x'],
    ]);
    expect((await bench.reopen().history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(await looks(bench, [one, two])).toEqual(before);
  });

  it('does not mind what others write beside it', async () => {
    const doc = await newDocument('a\n\nb\n\nc');
    const [a, b] = await bench.blocks(doc);
    const made = await plan([a], { after: b! });
    bench.hooks = {
      after: async (path) => {
        if (path !== '/api/transactions') return;
        bench.hooks = {};
        const id = '20260101000000-beside1';
        await bench.transact([{ action: 'insert', id, data: paragraph(id, 'mine'), previousID: b }]);
      },
    };
    const node = freshNode();
    await applyAs(bench, made, node);
    expect(await bench.markdown(doc)).toEqual(['b', 'mine', 'a', 'c']);
    expect((await bench.host.history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(await bench.markdown(doc)).toEqual(['a', 'b', 'mine', 'c']);
  });
});

describe('undo', () => {
  it('moves back what was edited since: the place is ours, the text is the user’s', async () => {
    const doc = await newDocument('a\n\nb\n\nc');
    const [a, , c] = await bench.blocks(doc);
    const node = freshNode();
    await applyAs(bench, await plan([a], { after: c! }), node);
    await bench.transact([{ action: 'update', id: a, data: paragraph(a!, 'a, and more') }]);
    expect(await bench.host.history.undo(origin.sessionId, node, signal)).toEqual({ restored: [a], conflicts: [] });
    expect(await bench.markdown(doc)).toEqual(['a, and more', 'b', 'c']);
  });

  it('leaves what the user moved on, or deleted', async () => {
    const [doc, other] = [await newDocument('a\n\nb\n\nc'), await newDocument('o')];
    const [a, b, c] = await bench.blocks(doc);
    const node = freshNode();
    await applyAs(bench, await plan([a, b], { after: c! }), node);
    await bench.transact([{ action: 'move', id: a, parentID: other }]);
    await bench.transact([{ action: 'delete', id: b }]);
    const report = await bench.host.history.undo(origin.sessionId, node, signal);
    expect(report.restored).toEqual([]);
    expect(report.conflicts.map((conflict) => [conflict.blockId, conflict.reasons[0]?.code]).sort()).toEqual(
      [
        [a, 'moved'],
        [b, 'removed'],
      ].sort(),
    );
    expect(await bench.markdown(other)).toEqual(['a', 'o']);
  });

  it('tells of its conflicts though one answer about the journal is lost', async () => {
    const doc = await newDocument('a\n\nb');
    const [a, b] = await bench.blocks(doc);
    const node = freshNode();
    await applyAs(bench, await plan([a], { after: b! }), node);
    await bench.transact([{ action: 'delete', id: a }]);
    let count = 0;
    bench.hooks = {
      after: (path) => {
        count += path === '/api/file/putFile' ? 1 : 0;
        // The first says that undo begins.
        if (path === '/api/file/putFile' && count === 2) throw new TypeError('connection reset');
      },
    };
    expect((await bench.host.history.undo(origin.sessionId, node, signal)).conflicts).toMatchObject([{ blockId: a }]);
    expect(count).toBe(3);
  });

  it('undoes several writes of one message over each other', async () => {
    bench.policy.setRight(bench.notebook, 'delete');
    const doc = await newDocument('a\n\n- x\n- y\n\nb\n\n> q\n\nc');
    const [a, list, b, quote, c] = await bench.blocks(doc);
    const [x, y] = await bench.blocks(list!);
    const before = await looks(bench, [doc]);
    const node = freshNode();
    const { notes } = bench.host;
    await applyAs(bench, await plan([c, a], { after: b! }), node);
    await applyAs(bench, await notes.planDeleteBlocks({ ids: [c!, x!] }, 't', signal), node);
    await applyAs(bench, await notes.planInsert({ anchor: y!, position: 'after', markdown: 'new' }, 't', signal), node);
    await applyAs(bench, await plan([b], { parent: quote! }), node);
    await applyAs(bench, await notes.planDeleteBlocks({ ids: [quote!] }, 't', signal), node);
    await applyAs(bench, await plan([list], { after: a! }), node);
    expect(await bench.markdown(doc)).toEqual(['a', '- y\n- new']);
    expect((await bench.reopen().history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(await looks(bench, [doc])).toEqual(before);
  });

  it('is the editor’s own too: one Ctrl+Z undoes a move', async () => {
    const doc = await newDocument('a\n\n- x\n- y\n\n> q\n\nc');
    const [a, list, quote, c] = await bench.blocks(doc);
    const [x, y] = await bench.blocks(list!);
    const [q] = await bench.blocks(quote!);
    const before = await looks(bench, [doc]);
    for (const [ids, target] of [
      [[c, a], { after: quote! }],
      [[y], { after: x! }],
      [[x], { after: y! }],
      [[q], { after: a! }],
    ] as const) {
      const made = await plan([...ids], target).catch(() => null);
      if (!made) continue;
      await applyAs(bench, made, freshNode());
      await bench.api('/api/transactions/undo', { rootID: doc, session: 'editor-1' });
      expect(await looks(bench, [doc])).toEqual(before);
    }
  });
});
