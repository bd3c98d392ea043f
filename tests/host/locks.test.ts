import { expect, it } from 'vitest';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import { codeOf, signal, useBench } from './support.ts';

const bench = useBench('delete');
let counter = 0;
const LOCK = 'custom-sy-readonly';

const lock = (id: string, value = 'true') => bench.api('/api/attr/setBlockAttrs', { id, attrs: { [LOCK]: value } });
const codes = ({ notices }: ChangePlan): string[] => notices.map(({ code }) => code).filter((code) => code === 'locked');

async function make(markdown = 'one #moon#\n\n> quote\n\n- x\n- y') {
  counter += 1;
  const id = await bench.document(`/Locked ${counter}`, markdown);
  return { id, blocks: await bench.blocks(id) };
}

const edit = async (id: string, markdown = 'changed'): Promise<ChangePlan> => {
  const { blocks } = await bench.host.notes.blocks({ id, range: 'self', limit: 1 }, signal);
  return bench.host.notes.planEdit({ id, expectHash: blocks[0]?.hash ?? '', markdown }, 't', signal);
};

const PLANS: readonly (readonly [string, (doc: string, first: string, other: string) => Promise<ChangePlan>])[] = [
  ['an edit', (_doc, first) => edit(first)],
  ['an insert', (doc) => bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown: 'x' }, 't', signal)],
  ['an insert beside', (_doc, first) => bench.host.notes.planInsert({ anchor: first, position: 'after', markdown: 'x' }, 't', signal)],
  ['a rewrite', (doc) => bench.host.notes.planRewrite({ id: doc, markdown: 'other' }, 't', signal)],
  ['a move away', (_doc, first, other) => bench.host.notes.planMoveBlocks({ ids: [first], target: { parent: other } }, 't', signal)],
  ['a deletion', (_doc, first) => bench.host.notes.planDeleteBlocks({ ids: [first] }, 't', signal)],
  ['attributes', (_doc, first) => bench.host.notes.planAttributes({ ids: [first], attrs: { memo: 'm' } }, 't', signal)],
  ['attributes of the document', (doc) => bench.host.notes.planAttributes({ ids: [doc], attrs: { memo: 'm' } }, 't', signal)],
  ['a new title', (doc) => bench.host.notes.planOrganize({ op: 'rename', ids: [doc], target: `New ${counter}` }, 't', signal)],
  ['a deletion of the document', (doc) => bench.host.notes.planDeleteDocuments({ ids: [doc] }, 't', signal)],
];

it.each(PLANS)('%s says that its document is locked in SiYuan, and nothing once it is not', async (_what, plan) => {
  const [{ id, blocks }, other] = [await make(), await make()];
  await lock(id);
  expect(codes(await plan(id, blocks[0] ?? '', other.id))).toEqual(['locked']);
  await lock(id, 'false');
  expect(codes(await plan(id, blocks[0] ?? '', other.id))).toEqual([]);
});

it('says it of a locked block, of what is in it and of what it is in, and of nothing beside it', async () => {
  const { id, blocks } = await make();
  const [one = '', quote = '', list = ''] = blocks;
  const [inside = ''] = await bench.blocks(quote);
  const [x = '', y = ''] = await bench.blocks(list);
  await lock(quote);
  await lock(x);
  await bench.delivered(one);
  await bench.api('/api/sqlite/flushTransaction', {});
  expect(codes(await edit(quote, '> other'))).toEqual(['locked']);
  expect(codes(await edit(inside))).toEqual(['locked']);
  expect(codes(await edit(list, '- x\n- z'))).toEqual(['locked']);
  expect(codes(await edit(one))).toEqual([]);
  expect(codes(await edit(y, '- z'))).toEqual([]);
  expect(codes(await bench.host.notes.planDeleteDocuments({ ids: [id] }, 't', signal))).toEqual([]);
});

it('writes nothing into what was locked after the approval, and what the approval said', async () => {
  const { id, blocks } = await make();
  const plan = await edit(blocks[0] ?? '');
  await lock(id);
  expect(await codeOf(bench.apply(plan))).toBe('stale');
  expect((await bench.markdown(id))[0]).toBe('one #moon#');
  expect(await codeOf(bench.apply(await edit(blocks[0] ?? '')))).toBe('no error');
  expect((await bench.markdown(id))[0]).toBe('changed');
});
