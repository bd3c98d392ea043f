import { describe, expect, it } from 'vitest';
import { createAccessPolicy } from '../../src/host/access/access-policy.ts';
import { codeOf, origin, signal, steady, useBench } from './support.ts';

const bench = useBench('delete');

let nodes = 0;
const fresh = () => {
  nodes += 1;
  return { ...origin, nodeId: `structure-${nodes}` };
};
const undo = (from: { sessionId: string; nodeId: string }) => bench.reopen().history.undo(from.sessionId, from.nodeId, signal);
const organize = (request: Parameters<typeof bench.host.notes.planOrganize>[0]) =>
  bench.host.notes.planOrganize(request, 'organize_doc', signal);
const pathOf = (id: string) => bench.api<string>('/api/filetree/getHPathByID', { id });
const names = async (notebook: string, path = '/') =>
  (await bench.api<{ files: { name: string }[] }>('/api/filetree/listDocsByPath', { notebook, path })).files.map((file) => file.name);
const newNotebook = async (name: string): Promise<string> => {
  const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name });
  bench.policy.setRight(notebook.id, 'delete');
  return notebook.id;
};

describe('rights', () => {
  it('are raised to what is asked, never lowered, and never out of none', () => {
    const policy = createAccessPolicy({ hidden: 'none', all: 'delete' });
    policy.raise('fresh', 'write');
    policy.raise('hidden', 'delete');
    policy.raise('all', 'write');
    expect(policy.rights()).toEqual({ fresh: 'write', hidden: 'none', all: 'delete' });
    policy.raise('fresh', 'delete');
    expect(policy.right('fresh')).toBe('delete');
  });
});

describe('rename', () => {
  it('shows both paths, renames, and undo gives the old title back', async () => {
    const doc = await bench.document('/Work/Old', 'text');
    const plan = await organize({ op: 'rename', ids: [doc], target: '  New "title" <3  ' });
    expect(plan.operations).toMatchObject([
      {
        action: 'rename-document',
        blockId: doc,
        before: '/Work/Old',
        after: '/Work/New "title" <3',
        path: { before: ['Work', 'Old'], after: ['Work', 'New "title" <3'] },
        document: { id: doc },
      },
    ]);
    const from = fresh();
    expect(await bench.apply(plan, undefined, from)).toMatchObject({ documentId: doc, blockIds: [doc], undo: 'exact' });
    expect(await pathOf(doc)).toBe('/Work/New "title" <3');
    expect(await undo(from)).toEqual({ restored: [doc], conflicts: [] });
    expect(await pathOf(doc)).toBe('/Work/Old');
    expect(await undo(from)).toEqual({ restored: [], conflicts: [] });
  });

  it('refuses what SiYuan would change silently, a path that is taken, and what is no document', async () => {
    const doc = await bench.document('/Names', 'text');
    await bench.document('/Taken', 'text');
    const [block] = await bench.blocks(doc);
    const code = (ids: readonly string[], target?: string) =>
      codeOf(organize({ op: 'rename', ids, ...(target === undefined ? {} : { target }) }));
    expect(await code([doc], 'a/b')).toBe('bad_path');
    expect(await code([doc], 'a\nb')).toBe('bad_path');
    expect(await code([doc], ' \u200b ')).toBe('empty_text');
    expect(await code([doc])).toBe('empty_text');
    expect(await code([doc], 'x'.repeat(513))).toBe('too_large');
    expect(await code([doc], 'Names')).toBe('no_change');
    expect(await code([doc], 'Taken')).toBe('path_exists');
    expect(await code([block!], 'x')).toBe('bad_id');
    expect(await code([bench.notebook], 'x')).toBe('bad_id');
    expect(await code([], 'x')).toBe('bad_id');
    expect(await code(['20200101000000-abcdefg'], 'x')).toBe('not_found');
    expect(await code([doc, (await bench.document('/Names 2', 'x'))!], 'x')).toBe('bad_target');
  });

  it('is stale when somebody renamed it meanwhile; undo leaves a newer title', async () => {
    const doc = await bench.document('/Mine', 'text');
    const plan = await organize({ op: 'rename', ids: [doc], target: 'Ours' });
    await bench.api('/api/filetree/renameDocByID', { id: doc, title: 'Theirs' });
    expect(await codeOf(bench.apply(plan, undefined, fresh()))).toBe('stale');
    const from = fresh();
    await bench.apply(await organize({ op: 'rename', ids: [doc], target: 'Ours' }), undefined, from);
    await bench.api('/api/filetree/renameDocByID', { id: doc, title: 'Newer' });
    const report = await undo(from);
    expect(report.conflicts).toMatchObject([{ blockId: doc, now: 'Newer', before: 'Theirs' }]);
    expect(await pathOf(doc)).toBe('/Newer');
  });
});

describe('move', () => {
  it('moves documents with what is below them, and undo puts each back where it stood', async () => {
    const goal = await bench.document('/Goal', 'x');
    const one = await bench.document('/From/One', 'x');
    const below = await bench.document('/From/One/Below', 'x');
    const two = await bench.document('/From/Two', 'x');
    const order = await names(bench.notebook);
    const plan = await organize({ op: 'move', ids: [one, below, two], target: goal });
    expect(plan.operations).toMatchObject([
      {
        action: 'move-document',
        blockId: one,
        before: '/From/One',
        after: '/Goal/One',
        path: { before: ['Notes', 'From', 'One'], after: ['Notes', 'Goal', 'One'] },
      },
      { blockId: two, before: '/From/Two', after: '/Goal/Two' },
    ]);
    const from = fresh();
    expect((await bench.apply(plan, undefined, from)).blockIds).toEqual([one, two]);
    expect(await pathOf(below)).toBe('/Goal/One/Below');
    expect(await pathOf(two)).toBe('/Goal/Two');
    expect(await undo(from)).toEqual({ restored: [two, one], conflicts: [] });
    expect(await pathOf(below)).toBe('/From/One/Below');
    expect(await pathOf(two)).toBe('/From/Two');
    expect(await names(bench.notebook)).toEqual(order);
  });

  it('goes to another notebook where both may be written, and back', async () => {
    const other = await newNotebook('Other');
    const doc = await bench.document('/Travels', 'x');
    const below = await bench.document('/Travels/Along', 'x');
    bench.policy.setRight(other, 'read');
    const asking = await organize({ op: 'move', ids: [doc], target: other });
    expect(asking).toMatchObject({ notebook: { id: other }, needsRight: 'write' });
    expect(await codeOf(bench.apply(asking, undefined, fresh()))).toBe('no_right');
    bench.policy.setRight(bench.notebook, 'read');
    expect(await codeOf(organize({ op: 'move', ids: [doc], target: other }))).toBe('no_right');
    bench.policy.setRight(bench.notebook, 'delete');
    bench.policy.setRight(other, 'write');
    const from = fresh();
    await bench.apply(await organize({ op: 'move', ids: [doc], target: other }), undefined, from);
    expect(await names(other)).toEqual(['Travels']);
    expect(await undo(from)).toEqual({ restored: [doc], conflicts: [] });
    expect(await pathOf(below)).toBe('/Travels/Along');
    expect(await names(other)).toEqual([]);
  });

  it('refuses a place below itself, where it stands already, a hidden one, and guarded documents below', async () => {
    const doc = await bench.document('/Self', 'x');
    const below = await bench.document('/Self/Below', 'x');
    const [block] = await bench.blocks(doc);
    const hidden = await newNotebook('Hidden');
    bench.policy.setRight(hidden, 'none');
    const code = (target: string) => codeOf(organize({ op: 'move', ids: [doc], target }));
    expect(await code(doc)).toBe('bad_target');
    expect(await code(below)).toBe('bad_target');
    expect(await code(block!)).toBe('bad_target');
    expect(await code('')).toBe('bad_target');
    expect(await code(bench.notebook)).toBe('no_change');
    expect(await code(hidden)).toBe('not_found');
    const goal = await bench.document('/Self goal', 'x');
    await bench.api('/api/attr/setBlockAttrs', { id: below, attrs: { 'custom-ai-access': 'none' } });
    expect(await code(goal)).toBe('no_right');
  });

  it('is stale after a move by somebody else; undo leaves a newer place, and one whose parent is gone', async () => {
    const doc = await bench.document('/Start/Doc', 'x');
    const [start] = await bench.api<string[]>('/api/filetree/getIDsByHPath', { notebook: bench.notebook, path: '/Start' });
    const goal = await bench.document('/Here', 'x');
    const elsewhere = await bench.document('/Elsewhere', 'x');
    const stale = await organize({ op: 'move', ids: [doc], target: goal });
    await bench.api('/api/filetree/moveDocsByID', { fromIDs: [doc], toID: elsewhere });
    expect(await codeOf(bench.apply(stale, undefined, fresh()))).toBe('stale');
    await bench.api('/api/filetree/moveDocsByID', { fromIDs: [doc], toID: start });
    const from = fresh();
    await bench.apply(await organize({ op: 'move', ids: [doc], target: goal }), undefined, from);
    await bench.api('/api/filetree/moveDocsByID', { fromIDs: [doc], toID: elsewhere });
    expect((await undo(from)).conflicts).toMatchObject([{ blockId: doc, now: '/Elsewhere/Doc', before: 'Notes › Start', isWords: true }]);
    await bench.api('/api/filetree/moveDocsByID', { fromIDs: [doc], toID: start });
    const again = fresh();
    await bench.apply(await organize({ op: 'move', ids: [doc], target: goal }), undefined, again);
    await bench.api('/api/filetree/removeDocByID', { id: start });
    expect((await undo(again)).conflicts).toEqual([
      { blockId: doc, reasons: [{ code: 'parent-gone' }], now: 'Notes › Here', before: 'Notes › Start', isWords: true },
    ]);
    expect(await pathOf(doc)).toBe('/Here/Doc');
  });

  it('asks when the caret is in a document that moves, and not when it is elsewhere', async () => {
    const doc = await bench.document('/Typing', 'x');
    const other = await bench.document('/Not typing', 'x');
    const goal = await bench.document('/Typing goal', 'x');
    bench.caret = await bench.blocks(doc);
    bench.caretAnswer = 'cancel';
    expect(await codeOf(bench.apply(await organize({ op: 'move', ids: [doc], target: goal }), undefined, fresh()))).toBe('not_approved');
    await bench.apply(await organize({ op: 'move', ids: [other], target: goal }), undefined, fresh());
    expect(await pathOf(doc)).toBe('/Typing');
    expect(await pathOf(other)).toBe('/Typing goal/Not typing');
  });
});

describe('duplicate', () => {
  it('makes a copy beside it with new ids, without what is guarded or bound to one block, and undo takes it away', async () => {
    const doc = await bench.document('/Source/Doc', 'one\n\n- a\n- b\n\nsecret\n\n**two**');
    const [one, , secret, two] = await bench.blocks(doc);
    await bench.api('/api/attr/setBlockAttrs', { id: secret, attrs: { 'custom-ai-access': 'none' } });
    await bench.api('/api/attr/setBlockAttrs', { id: one, attrs: { memo: 'kept', 'custom-marginalia-node': 'n', 'custom-avs': 'x' } });
    await bench.api('/api/attr/setBlockAttrs', { id: doc, attrs: { memo: 'of the document' } });
    const reference = `<div data-node-id="${two}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false"><span data-type="block-ref" data-id="${one}" data-subtype="s">own</span></div><div class="protyle-attr" contenteditable="false"></div></div>`;
    await bench.transact([{ action: 'update', id: two, data: reference }]);
    const before = steady(await bench.dom(doc));
    const plan = await organize({ op: 'duplicate', ids: [doc] });
    expect(plan).toMatchObject({
      document: { id: null, title: 'Doc copy', path: '/Source/Doc copy' },
      operations: [{ action: 'duplicate-document', blockId: doc, before: '/Source/Doc', after: '/Source/Doc copy' }],
      notices: [
        { code: 'hidden-kept', count: 1 },
        { code: 'attributes-lost', count: 1 },
      ],
    });
    const from = fresh();
    const { documentId } = await bench.apply(plan, undefined, from);
    expect(await pathOf(documentId)).toBe('/Source/Doc copy');
    expect((await bench.markdown(documentId)).slice(0, 2)).toEqual(['one', '- a\n- b']);
    const copies = await bench.blocks(documentId);
    expect(copies).toHaveLength(3);
    expect(copies.some((id) => [one, secret, two].includes(id))).toBe(false);
    const attributes = await bench.api<Record<string, string>>('/api/attr/getBlockAttrs', { id: copies[0] });
    expect(attributes).toMatchObject({ memo: 'kept', 'custom-marginalia-source': expect.any(String) });
    expect(attributes).not.toHaveProperty('custom-avs');
    expect(attributes).not.toHaveProperty('custom-marginalia-node');
    expect(await bench.dom(copies[2]!)).toContain(`data-id="${copies[0]}"`);
    expect(await names(bench.notebook, (await bench.api<{ path: string }>('/api/filetree/getPathByID', { id: doc })).path)).toEqual([]);
    expect((await organize({ op: 'duplicate', ids: [doc] })).document.path).toBe('/Source/Doc copy 2');
    expect((await undo(from)).conflicts).toEqual([]);
    expect(await bench.api('/api/block/checkBlockExist', { id: documentId })).toBe(false);
    expect(steady(await bench.dom(doc))).toBe(before);
  });
});
