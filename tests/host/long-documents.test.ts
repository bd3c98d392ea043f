import { describe, expect, it } from 'vitest';
import { hashOfBlock, shortHash } from '../../src/host/blocks/block-hash.ts';
import { TRASH_PATH } from '../../src/host/documents/trash-document.ts';
import type { BlockTarget } from '../../src/tools/contract/note-planner.ts';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import type { InsertPosition } from '../../src/tools/contract/ports.ts';
import { applyAs, freshNode, paragraph, thereAndBack } from './block-support.ts';
import { codeOf, origin, signal, useBench } from './support.ts';

/** A change in a long document looks at what it touches and what is beside it, and is as safe as in a short one. */
const bench = useBench('delete');
const paths: string[] = [];
const BLOCKS = 180;
/** Requests to plan one. */
const MOST_REQUESTS = 20;

const TEXT = Array.from({ length: BLOCKS }, (_part, index) => {
  if (index % 30 === 0) return `## Part ${index}`;
  return index % 10 === 3 ? `- item ${index}\n- other ${index}` : `paragraph ${index}`;
}).join('\n\n');

let counter = 0;
/** `at`: its top-level blocks by their 0-based places. */
async function longDocument(): Promise<{ readonly doc: string; readonly at: (index: number) => string }> {
  counter += 1;
  const doc = await bench.document(`/Long ${counter}`, TEXT);
  const ids = await bench.blocks(doc);
  return { doc, at: (index) => ids[index] ?? '' };
}

const planMove = (ids: readonly string[], target: BlockTarget): Promise<ChangePlan> =>
  bench.host.notes.planMoveBlocks({ ids, target }, 't', signal);
const planDelete = (ids: readonly string[]): Promise<ChangePlan> => bench.host.notes.planDeleteBlocks({ ids }, 't', signal);
const planInsert = (anchor: string, position: InsertPosition, markdown: string): Promise<ChangePlan> =>
  bench.host.notes.planInsert({ anchor, position, markdown }, 't', signal);
const planEdit = async (id: string, old: string, text: string): Promise<ChangePlan> =>
  bench.host.notes.planEdit({ id, expectHash: shortHash(hashOfBlock(await bench.dom(id))), edits: [{ old, new: text }] }, 't', signal);

/** What answers all of a document. */
const wholes = (): readonly string[] => paths.filter((path) => path.endsWith('getChildBlocks'));

/** Plans, applies and undoes, by what stands around the change alone; the Markdown that stood between. */
async function nearby(doc: string, plan: () => Promise<ChangePlan>): Promise<string[]> {
  paths.splice(0);
  bench.hooks = { before: (path) => void paths.push(path) };
  const made = await plan();
  expect(paths.length).toBeLessThanOrEqual(MOST_REQUESTS);
  const [between = []] = await thereAndBack(bench, made, [doc]);
  bench.hooks = {};
  expect(wholes()).toEqual([]);
  return between;
}

const guard = (id: string, value: string): Promise<unknown> =>
  bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': value } });

describe('a change in a long document', () => {
  it('looks at what is around it, says where that is, and comes back exactly', async () => {
    const { doc, at } = await longDocument();
    expect((await nearby(doc, () => planEdit(at(95), 'paragraph', 'words')))[95]).toBe('words 95');
    expect((await nearby(doc, () => planInsert(at(95), 'after', 'x\n\ny'))).slice(95, 98)).toEqual(['paragraph 95', 'x', 'y']);
    expect((await nearby(doc, () => planInsert(doc, 'append', 'x'))).slice(-2)).toEqual(['paragraph 179', 'x']);
    expect((await nearby(doc, () => planInsert(at(0), 'before', 'x'))).slice(0, 2)).toEqual(['x', '## Part 0']);
    // Sections end beyond what is beside their headings.
    expect((await nearby(doc, () => planInsert(at(60), 'append', 'x'))).slice(89, 92)).toEqual(['paragraph 89', 'x', '## Part 90']);
    expect((await nearby(doc, () => planInsert(at(150), 'append', 'x'))).slice(-2)).toEqual(['paragraph 179', 'x']);
    expect((await nearby(doc, () => planMove([at(95), at(2)], { parent: at(60) }))).slice(87, 92)).toEqual([
      ...['paragraph 88', 'paragraph 89', 'paragraph 95', 'paragraph 2', '## Part 90'],
    ]);
    expect((await nearby(doc, () => planMove([at(179)], { after: at(0) }))).slice(0, 3)).toEqual([
      '## Part 0',
      'paragraph 179',
      'paragraph 1',
    ]);
    const { operations } = await planMove([at(95)], { after: at(41) });
    expect(operations[0]).toMatchObject({
      position: {
        before: { path: ['Long 1', 'Part 90'] },
        after: { path: ['Long 1', 'Part 30'], at: 'after', block: { type: 'p', words: 'paragraph 41' } },
      },
    });
    const [first, other] = await bench.blocks(at(63));
    expect((await nearby(doc, () => planDelete([at(40), at(41), first ?? '', other ?? ''])))[61]).toBe('paragraph 64');
    expect(await nearby(doc, () => planDelete([40, 41, 42, 44, 45, 46, 47].map(at)))).toHaveLength(BLOCKS - 7);
  });

  it('of blocks all over it, lists the top of the document and opens those alone', async () => {
    const { doc, at } = await longDocument();
    const ids = Array.from({ length: 30 }, (_none, index) => at(6 * index + 1));
    const [between = []] = await thereAndBack(bench, await planDelete(ids), [doc]);
    expect(between).toHaveLength(BLOCKS - 30);
    expect(between.slice(0, 3)).toEqual(['## Part 0', 'paragraph 2', '- item 3\n- other 3']);
  });

  it('goes to the end of a long trash', async () => {
    const trash = await bench.document(TRASH_PATH, TEXT);
    const { doc, at } = await longDocument();
    await bench.api('/api/attr/setBlockAttrs', { id: at(95), attrs: { 'custom-avs': '20240101120000-abcdefg' } });
    const plan = await planDelete([at(95)]);
    const nodeId = freshNode();
    await applyAs(bench, plan, nodeId);
    expect((await bench.markdown(trash)).at(-1)).toBe('paragraph 95');
    await bench.host.history.undo(origin.sessionId, nodeId, signal);
    expect((await bench.markdown(doc))[95]).toBe('paragraph 95');
  });
});

describe('somebody else in a long document', () => {
  it('who changed a block, moved it away or wrote into what would go, is not overruled', async () => {
    const { at } = await longDocument();
    const elsewhere = await bench.document('/Elsewhere', 'there');
    const [there = ''] = await bench.blocks(elsewhere);
    const edit = await planEdit(at(95), 'paragraph', 'words');
    const move = await planMove([at(96)], { after: at(2) });
    const [first = '', other = ''] = await bench.blocks(at(63));
    const emptied = await planDelete([first, other]);
    await bench.transact([{ action: 'update', id: at(95), data: paragraph(at(95), 'typed') }]);
    await bench.transact([{ action: 'move', id: at(96), previousID: there }]);
    await bench.transact([{ action: 'update', id: first, data: (await bench.dom(first)).replace('item', 'typed') }]);
    for (const plan of [edit, move, emptied]) expect(await codeOf(bench.apply(plan))).toBe('stale');
    expect(await bench.markdown(elsewhere)).toEqual(['there', 'paragraph 96']);
  });

  it('who took a block to another document finds it there again after an undo', async () => {
    const { doc, at } = await longDocument();
    const other = await longDocument();
    const nodeId = freshNode();
    await applyAs(bench, await planMove([at(95)], { after: at(2) }), nodeId);
    await bench.transact([{ action: 'move', id: at(95), previousID: other.at(120) }]);
    const { conflicts } = await bench.host.history.undo(origin.sessionId, nodeId, signal);
    expect(conflicts).toMatchObject([{ blockId: at(95), reasons: [{ code: 'moved' }] }]);
    expect((await bench.markdown(other.doc))[121]).toBe('paragraph 95');
    expect(await bench.markdown(doc)).toHaveLength(BLOCKS - 1);
  });

  it('who wrote a paragraph between, in the moment of a move, leaves it where it was to go', async () => {
    const { doc, at } = await longDocument();
    const plan = await planMove([at(95)], { after: at(2) });
    let written = false;
    bench.hooks = {
      before: async (path) => {
        if (written || path !== '/api/transactions') return;
        written = true;
        await bench.transact([
          { action: 'insert', id: '20240101120000-between', data: paragraph('20240101120000-between', 'typed'), previousID: at(2) },
        ]);
      },
    };
    expect(await codeOf(applyAs(bench, plan, freshNode()))).toBe('no error');
    expect((await bench.markdown(doc)).slice(2, 5)).toEqual(['paragraph 2', 'paragraph 95', 'typed']);
  });
});

describe('guards and folds that reach over what is not loaded', () => {
  it('hold from the moment that they are set: at the block, around it and at a heading far above', async () => {
    const { at } = await longDocument();
    for (const [guarded, block] of [
      [at(88), at(88)],
      [at(60), at(88)],
    ] as const) {
      const plans = [await planEdit(block, 'paragraph', 'words'), await planMove([block], { after: at(2) }), await planDelete([block])];
      await guard(guarded, 'none');
      for (const plan of plans) expect(await codeOf(bench.apply(plan))).toBe('stale');
      const again = [
        () => planEdit(block, 'paragraph', 'words'),
        () => planMove([block], { after: at(2) }),
        () => planDelete([block]),
        () => planInsert(block, 'after', 'x'),
      ];
      for (const plan of again) expect(await codeOf(plan())).toBe('not_found');
      expect(await codeOf(planMove([at(2)], { after: block }))).toBe('not_found');
      await guard(guarded, '');
    }
  });

  it('are told of where a heading goes, and bury nothing that is written', async () => {
    const { doc, at } = await longDocument();
    await guard(at(60), 'none');
    expect((await planDelete([at(90)])).notices).toContainEqual({ code: 'comes-under-guard', count: 29 + 3 * 4, personOnly: true });
    await guard(at(60), '');
    const plan = await planInsert(at(60), 'after', 'x');
    await bench.transact([{ action: 'foldHeading', id: at(60) }]);
    const [between = []] = await thereAndBack(bench, plan, [doc]);
    expect(between.indexOf('x')).toBe(90);
  });
});
