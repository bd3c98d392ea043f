import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyAs, freshNode, looks, thereAndBack } from './block-support.ts';
import { codeOf, origin, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
let other: string;
beforeAll(async () => {
  bench = await startBench();
  const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Other' });
  other = notebook.id;
});
afterAll(() => bench.close());

const rights = (one: 'none' | 'read' | 'write', two: 'none' | 'read' | 'write'): void => {
  bench.policy.setRight(bench.notebook, one);
  bench.policy.setRight(other, two);
};
const plan = (label: string, to?: string) => bench.host.notes.planTag({ label, ...(to === undefined ? {} : { to }) }, 'tags', signal);

describe('a tag', () => {
  it('is renamed in every document, with the tags below it, and comes back', async () => {
    rights('write', 'write');
    const one = await bench.document('/Tags 1', 'see #moon# and #moon/base#, not #moonlight#\n\n- item #moon#\n\n| a |\n| - |\n| #moon# |');
    const two = await bench.api<string>('/api/filetree/createDocWithMd', { notebook: other, path: '/Tags 2', markdown: '# head #moon#' });
    const [paragraph] = await bench.blocks(one);
    await bench.api('/api/attr/setBlockAttrs', { id: paragraph, attrs: { 'custom-mine': 'yes' } });
    const made = await plan('#moon#', 'space/moon');
    expect(made.operations).toHaveLength(4);
    expect(new Set(made.operations.map((operation) => operation.document?.id))).toEqual(new Set([one, two]));
    expect(made.needsRight).toBeUndefined();
    const [first, second] = await thereAndBack(bench, made, [one, two]);
    expect(first?.[0]).toBe('see #space/moon# and #space/moon/base#, not #moonlight#');
    expect(first?.[1]).toBe('- item #space/moon#');
    expect(second).toEqual(['# head #space/moon#']);
    expect(await bench.api('/api/attr/getBlockAttrs', { id: paragraph })).toMatchObject({ 'custom-mine': 'yes' });
    const removal = await plan('moon');
    expect(removal.operations).toHaveLength(4);
    const [plain] = await thereAndBack(bench, removal, [one, two]);
    expect(plain?.[0]).toBe('see moon and #moon/base#, not #moonlight#');
    rights('write', 'none');
    expect((await plan('moon', 'x')).notices).toEqual([]);
    rights('write', 'read');
    const part = await plan('moon', 'x');
    expect(part.operations).toHaveLength(3);
    expect(part.notices).toEqual([{ code: 'read-only-kept', count: 1 }]);
    rights('read', 'none');
    expect((await plan('moon', 'x')).needsRight).toBe('write');
    const before = await looks(bench, [one, two]);
    expect(await codeOf(bench.apply(await plan('moon', 'x')))).toBe('no_right');
    expect(await looks(bench, [one, two])).toEqual(before);
  });

  it('leaves what is hidden from the model, and says what it cannot change', async () => {
    rights('write', 'none');
    const doc = await bench.document('/Tags 3', 'open #mars#\n\nsecret #mars#');
    const [, secret] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id: secret, attrs: { 'custom-ai-access': 'none' } });
    await bench.api('/api/attr/setBlockAttrs', { id: doc, attrs: { tags: 'mars,venus' } });
    await expect(plan('venus', 'x')).rejects.toThrow(/only among the tags of 1 documents/);
    const made = await plan('mars', 'phobos');
    expect(made.operations).toHaveLength(1);
    expect(made.notices).toEqual([
      { code: 'hidden-tags-kept', count: 1, personOnly: true },
      { code: 'document-tags-kept', count: 1 },
    ]);
    const node = freshNode();
    await applyAs(bench, made, node);
    expect(await bench.markdown(doc)).toEqual(['open #phobos#', 'secret #mars#']);
    expect((await bench.host.history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(await bench.markdown(doc)).toEqual(['open #mars#', 'secret #mars#']);
  });

  it('has a code for what is no tag, no change and not there', async () => {
    expect(await codeOf(plan(' '))).toBe('bad_label');
    expect(await codeOf(plan('a', 'b#c'))).toBe('bad_label');
    expect(await codeOf(plan('a', '#a#'))).toBe('no_change');
    expect(await codeOf(plan("no'where"))).toBe('not_found');
  });
});
