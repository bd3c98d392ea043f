import { describe, expect, it } from 'vitest';
import { hashOfBlock } from '../../src/host/blocks/block-hash.ts';
import type { BlockTarget } from '../../src/tools/contract/note-planner.ts';
import { applyAs, freshNode, looks, paragraph, thereAndBack } from './block-support.ts';
import { codeOf, origin, signal, useBench } from './support.ts';

const bench = useBench('delete');
let counter = 0;

async function unfolded(markdown: string): Promise<{ doc: string; ids: string[] }> {
  counter += 1;
  const doc = await bench.document(`/Folded ${counter}`, markdown);
  return { doc, ids: await bench.blocks(doc) };
}
const fold = (id: string | undefined): Promise<void> => bench.transact([{ action: 'foldHeading', id }]);
/** A document with its first heading folded, and the ids of its blocks. */
async function folded(markdown: string): Promise<{ doc: string; ids: string[] }> {
  const { doc, ids } = await unfolded(markdown);
  const children = await bench.api<{ id: string; type: string }[]>('/api/block/getChildBlocks', { id: doc });
  await fold(children.find((block) => block.type === 'h')?.id);
  // That push must not look like somebody writing after the plan.
  await bench.delivered(doc);
  return { doc, ids };
}
/** Somebody acts when the next change of blocks is on its way. */
function atNextChange(act: () => Promise<void>): void {
  bench.hooks = {
    before: async (path) => {
      if (path !== '/api/transactions') return;
      bench.hooks = {};
      await act();
    },
  };
}
const move = (ids: (string | undefined)[], target: BlockTarget) =>
  bench.host.notes.planMoveBlocks({ ids: ids.map((id) => id ?? ''), target }, 'move_blocks', signal);
const edit = async (id: string | undefined, markdown: string) => {
  const expectHash = hashOfBlock(await bench.dom(id ?? ''));
  return bench.host.notes.planEdit({ id: id ?? '', expectHash, markdown }, 'edit_block', signal);
};
const marks = async (id: string | undefined): Promise<string[]> =>
  (await bench.dom(id ?? '')).match(/(?<= )(?:heading-)?fold="1"/g)?.toSorted() ?? [];

describe('a block that leaves the section of a folded heading', () => {
  it('is seen again, and hidden again by undo', async () => {
    const { doc, ids } = await folded('# A\n\na1\n\n- x\n  - y\n\n# B\n\nend');
    const [, a1, list, , end] = ids;
    expect(await marks(list)).toHaveLength(12);
    await thereAndBack(bench, await move([a1, list], { after: end! }), [doc]);
    const node = freshNode();
    await applyAs(bench, await move([a1, list], { after: end! }), node);
    expect([await marks(a1), await marks(list)]).toEqual([[], []]);
  });

  it('is hidden again by the editor’s own Ctrl+Z', async () => {
    const { doc, ids } = await folded('# A\n\na1\n\n- x\n\n# B\n\nend');
    const before = await looks(bench, [doc]);
    await bench.apply(await move([ids[2]], { after: ids[4]! }));
    await bench.api('/api/transactions/undo', { rootID: doc, session: 'editor-1' });
    expect(await looks(bench, [doc])).toEqual(before);
  });

  it('is seen again when a document is written anew', async () => {
    const { doc, ids } = await folded('p\n\n# A\n\na1\n\na2\n\n# B');
    const made = await bench.host.notes.planRewrite({ id: doc, markdown: 'a2\n\np\n\n# A\n\na1\n\n# B' }, 'rewrite_doc', signal);
    expect(await thereAndBack(bench, made, [doc])).toEqual([['a2', 'p', '# A', 'a1', '# B']]);
    await bench.apply(await bench.host.notes.planRewrite({ id: doc, markdown: 'a2\n\np\n\n# A\n\na1\n\n# B' }, 'rewrite_doc', signal));
    expect(await marks(ids[3])).toEqual([]);
    expect(await marks(ids[2])).toEqual(['fold="1"', 'heading-fold="1"']);
  });

  it('stays folded itself where it is a heading that hides others', async () => {
    const { doc, ids } = await folded('# A\n\n## Inner\n\nunder\n\n# B\n\nend');
    const [, inner, under, , end] = ids;
    await thereAndBack(bench, await move([inner], { after: end! }), [doc]);
    await bench.apply(await move([inner], { after: end! }));
    expect(await bench.markdown(doc)).toEqual(['# A', '# B', 'end', '## Inner', 'under']);
    expect([await marks(inner), await marks(under)]).toEqual([['fold="1"'], ['fold="1"', 'heading-fold="1"']]);
  });

  it('keeps what a person writes in it at this moment', async () => {
    const { doc, ids } = await folded('# A\n\na1\n\n# B\n\nend');
    const [, a1, , end] = ids;
    const made = await move([a1], { after: end! });
    const typed = paragraph(a1!, 'typed').replace('class', 'fold="1" heading-fold="1" class');
    atNextChange(() => bench.transact([{ action: 'update', id: a1, data: typed }]));
    const node = freshNode();
    await applyAs(bench, made, node).catch(() => undefined);
    expect(await bench.markdown(doc)).toEqual(['# A', '# B', 'end', 'typed']);
    expect(await marks(a1)).toEqual([]);
    await bench.reopen().history.undo(origin.sessionId, node, signal);
    expect(await bench.markdown(doc)).toEqual(['# A', 'typed', '# B', 'end']);
    expect(await marks(a1)).toEqual(['fold="1"', 'heading-fold="1"']);
  });

  it('is refused where that took too many operations', async () => {
    const { ids } = await folded(`# A\n\n${Array.from({ length: 20 }, (_unused, index) => `- ${index}`).join('\n')}\n\n# B`);
    await expect(move([ids[1]], { after: ids[2]! })).rejects.toThrow(/too many blocks/);
  });
});

describe('a folded heading', () => {
  it('goes to the end of its document with what it hides, even from there', async () => {
    const { doc, ids } = await folded('p\n\n# A\n\na1\n\na2');
    const [p, a] = ids;
    expect(await thereAndBack(bench, await move([a, p], { parent: doc }), [doc])).toEqual([['# A', 'a1', 'a2', 'p']]);
  });

  it('does not go into what it hides', async () => {
    const { ids } = await folded('# A\n\na1\n\n- x\n\n# B');
    const [a, a1, list] = ids;
    const [x] = await bench.blocks(list!);
    for (const target of [{ after: a1! }, { parent: x! }]) expect(await codeOf(move([a], target))).toBe('bad_target');
  });

  it('is not changed so that what it hides stays hidden under no heading', async () => {
    const { doc, ids } = await folded('# A\n\na1\n\n## Sub\n\ns1\n\n# B');
    const [a, a1, sub] = ids;
    for (const text of ['plain', '## A', '- A']) await expect(edit(a, text)).rejects.toThrow(/hidden by a folded heading/);
    await expect(edit(a1, '# New')).rejects.toThrow(/ask the user to unfold|would no longer be above/);
    expect((await edit(a, '# Renamed')).operations).toHaveLength(1);
    expect((await edit(sub, '### Sub')).operations).toHaveLength(1);
    const before = await looks(bench, [doc]);
    const inserted = await bench.host.notes.planInsert({ anchor: a1!, position: 'after', markdown: '# New' }, 't', signal);
    expect(await codeOf(bench.apply(inserted))).toBe('bad_target');
    const deleted = await bench.host.notes.planDeleteBlocks({ ids: ids.slice(0, 5) }, 't', signal);
    expect(await codeOf(bench.apply(deleted, [deleted.operations[0]!.id]))).toBe('bad_target');
    expect(await looks(bench, [doc])).toEqual(before);
  });

  it('that hides nothing becomes a paragraph like any other', async () => {
    const { doc, ids } = await folded('# A\n\n# B');
    await thereAndBack(bench, await edit(ids[0], 'plain'), [doc]);
    await bench.apply(await edit(ids[0], 'plain'));
    expect(await marks(ids[0])).toEqual([]);
  });

  it('inside of a quote is not written over: what it hides would stand twice', async () => {
    counter += 1;
    const doc = await bench.document(`/Folded ${counter}`, '> # q\n>\n> in\n>\n> # r\n>\n> out');
    const [quote] = await bench.blocks(doc);
    const [q, , , out] = await bench.blocks(quote!);
    await fold(q);
    await bench.delivered(doc);
    await expect(edit(quote, '> # q\n>\n> in\n>\n> # r\n>\n> changed')).rejects.toThrow(/would write the blocks that it hides twice/);
    await thereAndBack(bench, await edit(out, 'changed'), [doc]);
    const markdown = '> # q\n>\n> in\n>\n> # r\n>\n> changed';
    expect(await codeOf(bench.host.notes.planRewrite({ id: doc, markdown }, 't', signal))).toBe('bad_target');
  });
});

describe('a folded heading inside of another block', () => {
  it('goes and comes back with it as it was', async () => {
    counter += 1;
    const doc = await bench.document(`/Folded ${counter}`, '> # q\n>\n> in\n\nend');
    const [quote, end] = await bench.blocks(doc);
    await fold((await bench.blocks(quote!))[0]);
    await bench.delivered(doc);
    await thereAndBack(bench, await bench.host.notes.planDeleteBlocks({ ids: [quote!] }, 't', signal), [doc]);
    await thereAndBack(bench, await move([quote], { after: end! }), [doc]);
    await bench.apply(await move([quote], { after: end! }));
    expect(await marks(quote)).toHaveLength(3);
  });
});

describe('what comes into the section of a folded heading', () => {
  it('is hidden like the rest of it, goes along with the heading and comes back to its place', async () => {
    const { doc, ids } = await folded('# A\n\na1\n\na2\n\n# B\n\n- x\n- y\n\nend');
    const [a, a1, , , list, end] = ids;
    await bench.api('/api/attr/setBlockAttrs', { id: (await bench.blocks(list!))[0], attrs: { fold: '1' } });
    await thereAndBack(bench, await move([list], { after: a1! }), [doc]);
    await bench.apply(await move([list], { after: a1! }));
    await bench.apply(await bench.host.notes.planInsert({ anchor: a1!, position: 'after', markdown: 'new' }, 't', signal));
    expect(await thereAndBack(bench, await move([a], { after: end! }), [doc])).toEqual([
      ['# B', 'end', '# A', 'a1', 'new', '- x\n- y', 'a2'],
    ]);
    await bench.transact([{ action: 'unfoldHeading', id: a }]);
    expect(await bench.dom(doc)).not.toContain('fold="1"');
  });
});

describe('a document written anew', () => {
  it('takes new and moved headings into a folded section, and blocks to their places after them', async () => {
    const { doc } = await folded('p\n\n# A\n\na1\n\na2');
    const made = await bench.host.notes.planRewrite({ id: doc, markdown: '# A\n\n## New\n\np\n\na1\n\na2' }, 'rewrite_doc', signal);
    expect(await thereAndBack(bench, made, [doc])).toEqual([['# A', '## New', 'p', 'a1', 'a2']]);
  });
});

describe('many blocks', () => {
  it('go before the heading that hides them: what is left of a deletion that breaks off is hidden by it', async () => {
    const { doc, ids } = await folded(`# A\n\n${Array.from({ length: 40 }, (_unused, index) => `p${index}`).join('\n\n')}\n\n# B`);
    const before = await looks(bench, [doc]);
    const text = '# B';
    const plans = [
      () => bench.host.notes.planDeleteBlocks({ ids: ids.slice(0, -1) }, 't', signal),
      () => bench.host.notes.planRewrite({ id: doc, markdown: text }, 't', signal),
    ];
    for (const plan of plans) {
      const made = await plan();
      let count = 0;
      bench.hooks = {
        before: (path) => {
          count += path === '/api/transactions' ? 1 : 0;
          if (count === 2) throw new TypeError('connection reset');
        },
      };
      const node = freshNode();
      await applyAs(bench, made, node).catch(() => undefined);
      bench.hooks = {};
      expect((await bench.blocks(doc)).includes(ids[0]!)).toBe(true);
      await bench.reopen().history.undo(origin.sessionId, node, signal);
      expect(await looks(bench, [doc])).toEqual(before);
    }
  });
});

describe('what a heading would leave hidden that stands above it no more', () => {
  const HIDDEN = ['fold="1"', 'heading-fold="1"'];
  const undo = (node: string) => bench.reopen().history.undo(origin.sessionId, node, signal);

  it('is shown when undo brings the heading back into a section that was folded since', async () => {
    const { doc, ids } = await unfolded('# A\n\na1\n\n# B\n\n- x\n- y');
    const [a, a1, b, list] = ids;
    const node = freshNode();
    await applyAs(bench, await bench.host.notes.planDeleteBlocks({ ids: [b!] }, 't', signal), node);
    await fold(a);
    expect((await undo(node)).conflicts).toEqual([]);
    expect(await bench.blocks(doc)).toEqual(ids);
    expect([await marks(a), await marks(a1), await marks(b), await marks(list)]).toEqual([['fold="1"'], HIDDEN, [], []]);
  });

  it('is shown by a second undo where the first one lost its connection', async () => {
    const { ids } = await unfolded('# A\n\na1\n\n# B\n\nb1');
    const [a, , b, b1] = ids;
    const node = freshNode();
    await applyAs(bench, await bench.host.notes.planDeleteBlocks({ ids: [b!] }, 't', signal), node);
    await fold(a);
    let isSent = false;
    bench.hooks = {
      before: (path) => {
        if (isSent) throw new TypeError('connection reset');
        isSent = path === '/api/transactions';
      },
    };
    await expect(undo(node)).rejects.toThrow();
    bench.hooks = {};
    expect(await marks(b1)).toEqual(HIDDEN);
    await undo(node);
    expect(await marks(b1)).toEqual([]);
  });

  it('is shown where somebody folds in the moment of the undo', async () => {
    const { doc, ids } = await unfolded('# A\n\na1\n\n# B\n\nb1');
    const [a, a1, b, b1] = ids;
    const node = freshNode();
    await applyAs(bench, await bench.host.notes.planDeleteBlocks({ ids: [b!] }, 't', signal), node);
    atNextChange(() => fold(a));
    await undo(node);
    expect(await bench.blocks(doc)).toEqual(ids);
    expect([await marks(a1), await marks(b), await marks(b1)]).toEqual([HIDDEN, [], []]);
  });

  it('is shown where somebody folds in the moment of a write, and Ctrl+Z undoes the write', async () => {
    const { doc, ids } = await unfolded('# A\n\na1\n\na2');
    const [a, a1, a2] = ids;
    const made = await bench.host.notes.planInsert({ anchor: a1!, position: 'after', markdown: '# New' }, 't', signal);
    atNextChange(() => fold(a));
    await bench.apply(made);
    expect(await bench.markdown(doc)).toEqual(['# A', 'a1', '# New', 'a2']);
    expect([await marks(a1), await marks(a2)]).toEqual([HIDDEN, []]);
    await bench.api('/api/transactions/undo', { rootID: doc, session: 'editor-1' });
    expect(await bench.blocks(doc)).toEqual(ids);
  });

  it('is told of where SiYuan stops answering before it is shown', async () => {
    const { doc, ids } = await unfolded('# A\n\na1\n\na2');
    const made = await bench.host.notes.planInsert({ anchor: ids[1]!, position: 'after', markdown: '# New' }, 't', signal);
    const node = freshNode();
    let isSent = false;
    bench.hooks = {
      before: async (path) => {
        if (isSent && path === '/api/block/getChildBlocks') throw new TypeError('connection reset');
        if (path === '/api/transactions') await fold(ids[0]);
        isSent ||= path === '/api/transactions';
      },
    };
    await expect(applyAs(bench, made, node)).rejects.toThrow(/still be hidden without a folded heading above/);
    bench.hooks = {};
    await undo(node);
    expect(await bench.blocks(doc)).toEqual(ids);
    expect([await marks(ids[0]), await marks(ids[2])]).toEqual([['fold="1"'], HIDDEN]);
  });

  it('is shown where somebody folds a heading that goes in this moment', async () => {
    const { doc, ids } = await unfolded('# A\n\na1\n\n- x\n- y');
    const made = await bench.host.notes.planDeleteBlocks({ ids: [ids[0]!] }, 't', signal);
    atNextChange(() => fold(ids[0]));
    await bench.apply(made).catch(() => undefined);
    expect(await bench.blocks(doc)).toEqual(ids.slice(1));
    expect(await bench.dom(doc)).not.toContain('fold="1"');
  });
});

describe('undo', () => {
  it('does not hide a block where the heading was unfolded or is gone', async () => {
    const { doc, ids } = await folded('# A\n\na1\n\n# B\n\nend');
    const [a, a1, , end] = ids;
    const node = freshNode();
    await applyAs(bench, await move([a1], { after: end! }), node);
    await bench.transact([{ action: 'unfoldHeading', id: a }]);
    expect((await bench.host.history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(await bench.blocks(doc)).toEqual(ids);
    expect(await marks(a1)).toEqual([]);
  });
});
