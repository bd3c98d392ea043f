import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import { settle } from './real-kernel.ts';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

/** The section of a guarded heading reaches to the next heading of its level or a higher one, which may be moved, deleted or changed. */
let bench: TestBench;
let document: string;
let ids: Record<'first' | 'guarded' | 'text' | 'end' | 'below' | 'last', string>;
const guard = (id: string): Promise<unknown> => bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': 'none' } });

beforeEach(async () => {
  await settle();
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
  document = await bench.document('/Doc', 'first\n\n## guarded\n\nzqsecret\n\n## end\n\nbelow\n\n# last');
  const [first = '', guarded = '', text = '', end = '', below = '', last = ''] = await bench.blocks(document);
  ids = { first, guarded, text, end, below, last };
  await guard(guarded);
  await bench.api('/api/sqlite/flushTransaction', {});
});
afterEach(() => bench.close());

const hashOf = async (id: string): Promise<string> =>
  (await bench.host.notes.blocks({ id, range: 'self', limit: 1 }, signal)).blocks[0]?.hash ?? '';

/** Ways in which the heading that ends the section stops doing so. */
const WAYS: Readonly<Record<string, () => Promise<ChangePlan>>> = {
  'is moved away': () => bench.host.notes.planMoveBlocks({ ids: [ids.end], target: { after: ids.last } }, 'move_blocks', signal),
  'is deleted': () => bench.host.notes.planDeleteBlocks({ ids: [ids.end] }, 'delete_blocks', signal),
  'becomes a lower one': async () =>
    bench.host.notes.planEdit({ id: ids.end, markdown: '### end', expectHash: await hashOf(ids.end) }, 'edit_block', signal),
  'becomes a paragraph': async () =>
    bench.host.notes.planEdit({ id: ids.end, markdown: 'end', expectHash: await hashOf(ids.end) }, 'edit_block', signal),
  'is left out of a new text': () =>
    bench.host.notes.planRewrite({ id: document, markdown: 'first\n\nbelow\n\n# last' }, 'rewrite_doc', signal),
};

describe('the heading that ends a guarded section', () => {
  it.each(Object.keys(WAYS))('%s: the person is told that text comes under the guard, the model is not', async (way) => {
    const plan = await WAYS[way]?.();
    const count = way.startsWith('becomes') ? 2 : 1;
    expect(plan?.notices).toContainEqual({ code: 'comes-under-guard', count, personOnly: true });
    if (plan) await bench.apply(plan);
    await bench.api('/api/sqlite/flushTransaction', {});
    expect(await codeOf(bench.host.notes.blocks({ id: ids.below, range: 'self', limit: 1 }, signal))).toBe('not_found');
  });

  it('is not moved away where nobody was told, since the heading was guarded while the approval waited', async () => {
    await bench.api('/api/attr/setBlockAttrs', { id: ids.guarded, attrs: { 'custom-ai-access': '' } });
    const plan = await WAYS['is moved away']?.();
    expect(plan?.notices).toEqual([]);
    await guard(ids.guarded);
    await bench.api('/api/sqlite/flushTransaction', {});
    const before = await bench.blocks(document);
    expect(plan && (await codeOf(bench.apply(plan)))).toBe('stale');
    expect(await bench.blocks(document)).toEqual(before);
  });

  it('is not put into the section: what stood below it there would be let out', async () => {
    const move = (after: string): Promise<unknown> =>
      bench.host.notes.planMoveBlocks({ ids: [ids.last], target: { after } }, 'move_blocks', signal);
    expect(await codeOf(move(ids.guarded))).toBe('not_found');
    expect(await codeOf(move(ids.text))).toBe('not_found');
  });
});
