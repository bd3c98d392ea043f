import { describe, expect, it } from 'vitest';
import { codeOf, origin, signal, steady, useBench } from './support.ts';

const bench = useBench('write');

const plan = (ids: readonly string[], attrs: Readonly<Record<string, string>>) =>
  bench.host.notes.planAttributes({ ids, attrs }, 'attributes', signal);
const attributes = (id: string) => bench.api<Record<string, string>>('/api/attr/getBlockAttrs', { id });
let nodes = 0;
const fresh = () => {
  nodes += 1;
  return { ...origin, nodeId: `attributes-${nodes}` };
};
const undo = (from: { sessionId: string; nodeId: string }) => bench.reopen().history.undo(from.sessionId, from.nodeId, signal);

describe('attributes', () => {
  it('are set, changed and removed as planned, and undo brings back each value as it was', async () => {
    const doc = await bench.document('/Attributes', 'one\n\n- item');
    const [one, list] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id: one, attrs: { memo: 'old "memo" <b> &\nline', bookmark: 'keep', alias: 'gone' } });
    const before = steady(await bench.dom(doc));
    const docBefore = await attributes(doc);
    const made = await plan([one!, list!, doc], { MEMO: 'new', alias: '', 'custom-State': 'a = "b" & <c>\nd' });
    expect(
      made.operations.map(({ action, blockId, blockType, before: was, after }) => ({ action, blockId, blockType, was, after })),
    ).toEqual([
      {
        action: 'set-attributes',
        blockId: one,
        blockType: 'p',
        was: 'memo = "old \\"memo\\" <b> &\\nline"\nalias = gone',
        after: 'memo = new\ncustom-state = "a = \\"b\\" & <c>\\nd"',
      },
      { action: 'set-attributes', blockId: list, blockType: 'l', was: null, after: 'memo = new\ncustom-state = "a = \\"b\\" & <c>\\nd"' },
      { action: 'set-attributes', blockId: doc, blockType: 'd', was: null, after: 'memo = new\ncustom-state = "a = \\"b\\" & <c>\\nd"' },
    ]);
    expect(made.undo.kind).toBe('exact');
    const from = fresh();
    const report = await bench.apply(made, undefined, from);
    expect(report).toMatchObject({ documentId: doc, blockIds: [one, list, doc], undo: 'exact' });
    expect(await attributes(one!)).toMatchObject({ memo: 'new', bookmark: 'keep', 'custom-state': 'a = "b" & <c>\nd' });
    expect(await attributes(one!)).not.toHaveProperty('alias');
    expect(await attributes(doc)).toMatchObject({ memo: 'new', title: 'Attributes' });
    // The hash of the report is the one that the next edit expects.
    const edit = { id: one!, expectHash: report.hashes[one!]!, edits: [{ old: 'one', new: 'two' }] };
    expect((await bench.host.notes.planEdit(edit, 't', signal)).operations).toHaveLength(1);
    expect(await bench.host.history.state(from.sessionId, from.nodeId)).toEqual({ blocks: 3, kind: 'exact', undone: false });
    expect(await undo(from)).toEqual({ restored: [doc, list, one], conflicts: [] });
    expect(steady(await bench.dom(doc))).toBe(before);
    const { updated: _one, ...rest } = await attributes(doc);
    expect(docBefore).toMatchObject(rest);
    expect(await attributes(one!)).toMatchObject({ memo: 'old "memo" <b> &\nline', alias: 'gone', bookmark: 'keep' });
  });

  it('shows nothing that is as it should be, and leaves out what is left out', async () => {
    const doc = await bench.document('/Same', 'one\n\ntwo');
    const [one, two] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id: one, attrs: { memo: 'x' } });
    expect(await codeOf(plan([one!], { memo: ' x ' }))).toBe('no_change');
    const made = await plan([one!, two!], { memo: 'x', name: 'n' });
    expect(made.operations[0]).toMatchObject({ before: null, after: 'name = n' });
    await bench.apply(made, [made.operations[1]!.id], fresh());
    expect(await attributes(one!)).not.toHaveProperty('name');
    expect(await attributes(two!)).toMatchObject({ memo: 'x', name: 'n' });
  });

  it.each([
    [{ id: 'x' }, 'protected_attribute'],
    [{ updated: '20200101000000' }, 'protected_attribute'],
    [{ title: 'x' }, 'protected_attribute'],
    [{ style: 'background-image:url(http://x)' }, 'protected_attribute'],
    [{ 'title-img': 'background-image:url(http://x)' }, 'protected_attribute'],
    [{ 'custom-ai-access': '' }, 'protected_attribute'],
    [{ 'CUSTOM-AI-ACCESS': 'none' }, 'protected_attribute'],
    [{ 'custom-marginalia-session': 'x' }, 'protected_attribute'],
    [{ 'custom-avs': 'x' }, 'protected_attribute'],
    [{ 'custom-riff-decks': '' }, 'protected_attribute'],
    [{ 'custom-sy-readonly': 'true' }, 'protected_attribute'],
    [{ 'custom-data-assets': 'assets/../../conf/conf.json' }, 'protected_attribute'],
    [{ 'custom-reminder-wechat': '20301231000000' }, 'protected_attribute'],
    [{ 'custom-liandi-articleid': '1' }, 'protected_attribute'],
    [{ icon: '1f600' }, 'protected_attribute'],
    [{ mood: 'x' }, 'protected_attribute'],
    [{ 'custom-a b': 'x' }, 'bad_attribute'],
    [{ 'custom-心情': 'x' }, 'bad_attribute'],
    [{ 'custom-1': 'x' }, 'bad_attribute'],
    [{ memo: 'a', Memo: 'b' }, 'bad_attribute'],
    [{ memo: 'L'.repeat(64 * 1024 + 1) }, 'too_large'],
    [{}, 'no_change'],
  ])('refuses %j: %s', async (attrs, code) => {
    const doc = await bench.document('/Refused', 'one');
    const [one] = await bench.blocks(doc);
    const print = bench.fingerprint();
    expect(await codeOf(plan([one!], attrs))).toBe(code);
    expect(bench.fingerprint()).toBe(print);
  });

  it('gives documents tags and an emoji, and nothing that would be fetched', async () => {
    const doc = await bench.document('/Document', 'one');
    await bench.apply(await plan([doc], { tags: ' a, b ,a', icon: '1f680', memo: 'L'.repeat(64 * 1024) }), undefined, fresh());
    expect(await attributes(doc)).toMatchObject({ tags: 'a,b', icon: '1f680', memo: 'L'.repeat(64 * 1024) });
    expect(await codeOf(plan([doc], { icon: 'https://x/y.png' }))).toBe('bad_attribute');
  });

  it('takes for an icon the code points of an emoji and no others: SiYuan puts their characters into its page as HTML', async () => {
    const doc = await bench.document('/Icons', 'one');
    for (const icon of ['2764-fe0f', '1f468-200d-1f469-200d-1f467', '31-fe0f-20e3', '1f1e9-1f1ea'])
      expect(await codeOf(plan([doc], { icon })), icon).toBe('no error');
    const tag = [...'<img src=x onerror=a()>'].map((char) => char.charCodeAt(0).toString(16)).join('-');
    for (const icon of [tag, '3c-73-3e', '00003c-0073', '1f680-3c', '41', '110000', '26-6c-74', 'd83d'])
      expect(await codeOf(plan([doc], { icon })), icon).toBe('bad_attribute');
  });

  it('is stale when a value changed since the plan, or the block is gone, and writes nothing', async () => {
    const doc = await bench.document('/Stale', 'one\n\ntwo\n\nthree');
    const [one, two, three] = await bench.blocks(doc);
    const changed = await plan([one!], { memo: 'mine' });
    await bench.api('/api/attr/setBlockAttrs', { id: one, attrs: { memo: 'theirs' } });
    expect(await codeOf(bench.apply(changed, undefined, fresh()))).toBe('stale');
    expect(await attributes(one!)).toMatchObject({ memo: 'theirs' });
    const gone = await plan([two!, three!], { memo: 'mine' });
    await bench.transact([{ action: 'delete', id: three }]);
    expect(await codeOf(bench.apply(gone, undefined, fresh()))).toMatch(/^(stale|not_found)$/);
    expect(await attributes(two!)).not.toHaveProperty('memo');
  });

  it('leaves what the user changed since, says what stands there, and does nothing twice', async () => {
    const doc = await bench.document('/Conflict', 'one\n\ntwo\n\nthree');
    const [one, two, three] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id: one, attrs: { memo: 'before' } });
    const from = fresh();
    await bench.apply(await plan([one!, two!, three!], { memo: 'mine' }), undefined, from);
    await bench.api('/api/attr/setBlockAttrs', { id: one, attrs: { memo: 'theirs' } });
    await bench.transact([{ action: 'delete', id: three }]);
    const report = await undo(from);
    expect(report.restored).toEqual([two]);
    expect(report.conflicts.map(({ blockId }) => blockId)).toEqual([three, one]);
    expect(report.conflicts[1]).toMatchObject({ reasons: [{ code: 'changed' }] });
    expect(await attributes(one!)).toMatchObject({ memo: 'theirs' });
    expect(await attributes(two!)).not.toHaveProperty('memo');
    // By now it differs from what was shown.
    await bench.api('/api/attr/setBlockAttrs', { id: one, attrs: { memo: 'theirs again' } });
    const [anew] = (await bench.reopen().history.resolve(from.sessionId, from.nodeId, one!, 'undo', signal)).conflicts;
    expect([anew?.now, anew?.before]).toEqual([expect.stringContaining('theirs again'), expect.stringContaining('before')]);
    expect(await attributes(one!)).toMatchObject({ memo: 'theirs again' });
    // "Undo" puts the old value over theirs; what cannot be put back stays a conflict.
    expect(await bench.reopen().history.resolve(from.sessionId, from.nodeId, one!, 'undo', signal)).toEqual({
      restored: [one],
      conflicts: [],
    });
    expect(await attributes(one!)).toMatchObject({ memo: 'before' });
    expect((await bench.reopen().history.resolve(from.sessionId, from.nodeId, three!, 'undo', signal)).conflicts).toHaveLength(1);
  });

  it('waits for the caret in the block, and for nothing where the caret is elsewhere', async () => {
    const doc = await bench.document('/Caret', 'one\n\ntwo');
    const [one, two] = await bench.blocks(doc);
    bench.caretAnswer = 'cancel';
    bench.caret = [one!];
    expect(await codeOf(bench.apply(await plan([one!], { memo: 'x' }), undefined, fresh()))).toBe('not_approved');
    await bench.apply(await plan([two!], { memo: 'x' }), undefined, fresh());
    bench.caretAnswer = 'left';
    expect(await attributes(one!)).not.toHaveProperty('memo');
    expect(await attributes(two!)).toMatchObject({ memo: 'x' });
  });

  it('keeps to the rights of notebook, document and block', async () => {
    const doc = await bench.document('/Rights', '# h\n\nunder');
    const [heading, under] = await bench.blocks(doc);
    const made = await plan([under!], { memo: 'x' });
    await bench.api('/api/attr/setBlockAttrs', { id: heading, attrs: { 'custom-ai-access': 'none' } });
    expect(await codeOf(plan([under!], { memo: 'x' }))).toBe('not_found');
    expect(await codeOf(bench.apply(made, undefined, fresh()))).toBe('stale');
    await bench.api('/api/attr/setBlockAttrs', { id: heading, attrs: { 'custom-ai-access': '' } });
    bench.policy.setRight(bench.notebook, 'read');
    const asking = await plan([under!], { memo: 'x' });
    expect(asking.needsRight).toBe('write');
    expect(await codeOf(bench.apply(asking, undefined, fresh()))).toBe('no_right');
    bench.policy.raise(bench.notebook, 'write');
    expect((await plan([under!], { memo: 'x' })).needsRight).toBeUndefined();
    expect(await attributes(under!)).not.toHaveProperty('memo');
  });
});
