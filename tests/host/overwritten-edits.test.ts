import { describe, expect, it } from 'vitest';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import { applyAs, freshNode, looks, paragraph } from './block-support.ts';
import { codeOf, origin, signal, useBench } from './support.ts';

const bench = useBench('delete');
let counter = 0;

const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Slipped ${counter}`, markdown);
};
const attributes = (id: string): Promise<Record<string, string>> => bench.api('/api/attr/getBlockAttrs', { id });
const mark = (id: string, attrs: Record<string, string>): Promise<unknown> => bench.api('/api/attr/setBlockAttrs', { id, attrs });
const undo = (node: string) => bench.reopen().history.undo(origin.sessionId, node, signal);

/** Somebody does this at our nth transaction: before the kernel has it, or when it has carried it out. */
function atRequest(nth: number, when: 'before' | 'after', act: () => Promise<unknown>): void {
  let count = 0;
  bench.hooks = {
    [when]: async (path: string) => {
      if (path === '/api/transactions') count += 1;
      if (path !== '/api/transactions' || count !== nth) return;
      bench.hooks = {};
      await act();
    },
  };
}

async function planEdit(doc: string, id: string, markdown: string): Promise<ChangePlan> {
  const { blocks } = await bench.host.notes.document({ id: doc }, { start: 0, blocks: 99 }, signal);
  const expectHash = blocks.find((block) => block.id === id)?.hash ?? '';
  return bench.host.notes.planEdit({ id, expectHash, markdown }, 't', signal);
}

describe('what somebody writes beside a block that has left its container', () => {
  it('is no part of the container, which comes back whole', async () => {
    const [one, two] = [await newDocument('- [x] a\n\nend'), await newDocument('b\n\nc')];
    const [list] = await bench.blocks(one);
    const [item] = await bench.blocks(list!);
    const [a] = await bench.blocks(item!);
    const [b] = await bench.blocks(two);
    await mark(list!, { memo: 'mine' });
    await bench.delivered(one);
    const made = await bench.host.notes.planMoveBlocks({ ids: [a!, b!], target: { parent: two } }, 't', signal);
    const before = await looks(bench, [one, two]);
    const id = `${a!.slice(0, 15)}beside1`;
    const node = freshNode();
    atRequest(1, 'after', () => bench.transact([{ action: 'insert', id, data: paragraph(id, 'typed'), previousID: a }]));
    expect(await codeOf(applyAs(bench, made, node))).toBe('no error');
    expect((await undo(node)).conflicts).toEqual([]);
    expect((await bench.markdown(two)).join()).toContain('typed');
    await bench.transact([{ action: 'delete', id }]);
    expect(await looks(bench, [one, two])).toEqual(before);
  });
});

describe('an emptied container whose blocks do not come back', () => {
  it('comes back with an empty block in it, and with its attributes', async () => {
    const doc = await newDocument('- a\n\n> q\n\nend');
    const [list, quote, end] = await bench.blocks(doc);
    const [item] = await bench.blocks(list!);
    const ids = [(await bench.blocks(item!))[0]!, (await bench.blocks(quote!))[0]!];
    for (const id of [list!, item!, quote!]) await mark(id, { memo: 'mine' });
    await bench.delivered(doc);
    const node = freshNode();
    await applyAs(bench, await bench.host.notes.planMoveBlocks({ ids, target: { after: end! } }, 't', signal), node);
    expect(await bench.markdown(doc)).toEqual(['end', 'a', 'q']);
    await bench.transact(ids.map((id) => ({ action: 'delete', id })));
    const { restored, conflicts } = await undo(node);
    expect(conflicts).toEqual(ids.map((blockId, index) => ({ blockId, reasons: [{ code: 'removed' }], words: ['a', 'q'][index] })));
    expect([...restored].sort()).toEqual([list, item, quote].sort());
    expect(await bench.blocks(doc)).toEqual([list, quote, end]);
    for (const id of [list!, item!, quote!]) expect(await attributes(id)).toMatchObject({ memo: 'mine' });
  });
});

describe('an attribute that was put on a block while it was written over', () => {
  it('comes back with undo, where the text stays because somebody changed it since', async () => {
    const doc = await newDocument('- a\n- b\n\nend');
    const [list] = await bench.blocks(doc);
    const [a, b] = await bench.blocks(list!);
    const [text] = await bench.blocks(b!);
    await bench.delivered(doc);
    const made = await planEdit(doc, list!, '- a\n- b more');
    const node = freshNode();
    atRequest(1, 'before', async () => {
      await mark(list!, { 'custom-mine': 'yes' });
      await mark(a!, { bookmark: 'here' });
    });
    expect(await codeOf(applyAs(bench, made, node))).toBe('raced');
    await mark(text!, { memo: 'later' });
    const { conflicts } = await undo(node);
    expect(conflicts).toEqual([{ blockId: list, reasons: [{ code: 'changed' }], now: '- a\n- b more', before: '- a\n- b' }]);
    expect(await attributes(list!)).toMatchObject({ 'custom-mine': 'yes' });
    expect(await attributes(a!)).toMatchObject({ bookmark: 'here' });
    expect(await attributes(text!)).toMatchObject({ memo: 'later' });
  });

  it('comes back, too, where somebody wrote again before the block was read back', async () => {
    const doc = await newDocument('old\n\nend');
    const [id] = await bench.blocks(doc);
    await bench.delivered(doc);
    const made = await planEdit(doc, id!, 'ours');
    const node = freshNode();
    atRequest(1, 'before', async () => {
      await mark(id!, { memo: 'mine' });
      atRequest(1, 'after', () => bench.transact([{ action: 'update', id, data: paragraph(id!, 'theirs') }]));
    });
    expect(await codeOf(applyAs(bench, made, node))).toBe('raced');
    const { conflicts } = await undo(node);
    expect(conflicts).toMatchObject([{ blockId: id, now: 'theirs', before: 'old' }]);
    expect(await attributes(id!)).toMatchObject({ memo: 'mine' });
  });

  it('comes back, too, where the block could not be read back', async () => {
    const doc = await newDocument('old\n\nend');
    const [id] = await bench.blocks(doc);
    await bench.delivered(doc);
    const made = await planEdit(doc, id!, 'ours');
    const node = freshNode();
    let sent = false;
    bench.hooks = {
      before: async (path) => {
        if (path === '/api/transactions') {
          sent = true;
          await bench.transact([{ action: 'update', id, data: paragraph(id!, 'typed in time') }]);
        } else if (sent && path === '/api/block/getBlockDOMs') throw new TypeError('connection reset');
      },
    };
    expect(await codeOf(applyAs(bench, made, node))).toBe('outcome_unknown');
    bench.hooks = {};
    expect(await bench.markdown(doc)).toEqual(['ours', 'end']);
    expect((await undo(node)).conflicts).toEqual([]);
    expect(await bench.markdown(doc)).toEqual(['typed in time', 'end']);
  });

  it('stays on a block that is undone over what somebody wrote', async () => {
    const doc = await newDocument('old\n\nend');
    const [id] = await bench.blocks(doc);
    await bench.delivered(doc);
    const node = freshNode();
    await applyAs(bench, await planEdit(doc, id!, 'ours'), node);
    await mark(id!, { memo: 'mine' });
    expect((await undo(node)).conflicts).toMatchObject([{ blockId: id, now: 'ours', before: 'old' }]);
    await bench.reopen().history.resolve(origin.sessionId, node, id!, 'undo', signal);
    expect(await bench.markdown(doc)).toEqual(['old', 'end']);
    expect(await attributes(id!)).toMatchObject({ memo: 'mine' });
  });
});

describe('what somebody writes while it is undone', () => {
  const twoWrites = async (): Promise<{ doc: string; old: string; fresh: string; node: string }> => {
    const doc = await newDocument('old\n\nend');
    const [old] = await bench.blocks(doc);
    await bench.delivered(doc);
    const node = freshNode();
    await applyAs(bench, await planEdit(doc, old!, 'ours'), node);
    const made = await bench.host.notes.planInsert({ anchor: old!, position: 'after', markdown: 'fresh' }, 't', signal);
    const { blockIds } = await applyAs(bench, made, node);
    return { doc, old: old!, fresh: blockIds[0]!, node };
  };
  const type = (id: string, text: string) => bench.transact([{ action: 'update', id, data: paragraph(id, text) }]);

  it.each([
    ['/api/transactions', true],
    // Without the push socket there is the look right before each request.
    ['/api/block/getChildBlocks', false],
  ])('stays, and is a conflict: at %s', async (route, pushes) => {
    const { doc, old, fresh, node } = await twoWrites();
    const host = bench.reopen({ pushes });
    bench.hooks = {
      before: async (path) => {
        if (path !== route) return;
        bench.hooks = {};
        await type(old, 'typed in the old one');
        await type(fresh, 'typed in the fresh one');
      },
    };
    const { conflicts } = await host.history.undo(origin.sessionId, node, signal);
    expect(await bench.markdown(doc)).toEqual(['typed in the old one', 'typed in the fresh one', 'end']);
    expect(conflicts.map((each) => [each.blockId, each.reasons[0]?.code, each.now, each.before]).sort()).toEqual(
      [
        [old, 'changed', 'typed in the old one', 'old'],
        [fresh, 'changed', 'typed in the fresh one', null],
      ].sort(),
    );
  });

  it('stays, however often they write again while it is put back', async () => {
    const doc = await newDocument('- a\n- b\n\nend');
    const [list] = await bench.blocks(doc);
    const [a, b] = await bench.blocks(list!);
    const texts = [(await bench.blocks(a!))[0]!, (await bench.blocks(b!))[0]!];
    await bench.delivered(doc);
    const node = freshNode();
    await applyAs(bench, await planEdit(doc, list!, '- a\n- b more'), node);
    const host = bench.reopen();
    let count = 0;
    bench.hooks = {
      before: async (path) => {
        if (path !== '/api/transactions') return;
        count += 1;
        if (count === 1) await mark(list!, { memo: 'mine' });
        if (count === 2) await type(texts[0]!, 'typed once');
        if (count === 3) await type(texts[1]!, 'typed twice');
      },
    };
    const { conflicts } = await host.history.undo(origin.sessionId, node, signal);
    expect(count).toBe(4);
    expect(conflicts).toMatchObject([{ blockId: list, now: '- typed once\n- typed twice', before: '- a\n- b' }]);
    expect(await bench.markdown(doc)).toEqual(['- typed once\n- typed twice', 'end']);
    expect(await attributes(list!)).toMatchObject({ memo: 'mine' });
  });

  it('stays where the answer was lost, too', async () => {
    const { doc, old, fresh, node } = await twoWrites();
    const host = bench.reopen();
    let typed = false;
    bench.hooks = {
      before: async (path) => {
        if (path !== '/api/transactions' || typed) return;
        typed = true;
        await type(fresh, 'typed in the fresh one');
      },
      after: (path) => {
        if (path !== '/api/transactions') return;
        bench.hooks = {};
        throw new TypeError('connection reset');
      },
    };
    await expect(host.history.undo(origin.sessionId, node, signal)).rejects.toThrow();
    const { conflicts } = await undo(node);
    expect(await bench.markdown(doc)).toEqual(['old', 'typed in the fresh one', 'end']);
    expect(conflicts.map((each) => each.blockId)).toEqual([fresh]);
    expect(await bench.blocks(doc)).toContain(old);
  });

  it('stays in the placeholder of a container that comes back without its blocks', async () => {
    const [one, two] = [await newDocument('> q\n\nend'), await newDocument('b')];
    const [quote] = await bench.blocks(one);
    const [q] = await bench.blocks(quote!);
    const node = freshNode();
    await applyAs(bench, await bench.host.notes.planMoveBlocks({ ids: [q!], target: { parent: two } }, 't', signal), node);
    expect(await bench.markdown(one)).toEqual(['end']);
    const host = bench.reopen({ pushes: false });
    atRequest(2, 'before', async () => {
      const [placeholder] = await bench.blocks(quote!);
      await type(placeholder!, 'typed in time');
    });
    expect((await host.history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect([await bench.markdown(one), await bench.markdown(two)]).toEqual([['> q\n>\n> typed in time', 'end'], ['b']]);
  });
});
