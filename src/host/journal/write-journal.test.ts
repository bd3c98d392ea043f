import { describe, expect, it } from 'vitest';
import type { PluginStorage } from '../kernel/storage.ts';
import { undoState } from './undo-state.ts';
import { createWriteJournal, type JournalEntry, type WriteJournal } from './write-journal.ts';

/** A storage that holds these entries. */
function storageOf(entries: Record<string, unknown>): PluginStorage {
  return {
    read: async () => null,
    write: async () => undefined,
    remove: async () => undefined,
    list: async () => Object.keys(entries).map((name) => ({ name, isDir: false })),
    readJson: async (path, parse) => ({ status: 'ok', value: parse(entries[path.split('/').at(-1) ?? '']) }),
    writeJson: async (path, value) => {
      entries[path.split('/').at(-1) ?? ''] = value;
    },
  };
}

const entry = (undo: unknown) => ({
  ...{ schema: 1, sessionId: 's', nodeId: 'n', callId: 'c', tool: 'edit_block', time: 1, state: 'done', notebook: 'nb' },
  ...{ document: { id: 'd', path: '/Apollo', created: null }, operations: [], undo },
});
const done = (conflicts: unknown) => ({ state: 'done', time: 2, restored: [], conflicts });

describe('conflicts in the write journal', () => {
  it('are codes; a newer version’s can still be read', async () => {
    const journal = createWriteJournal(
      storageOf({
        'dev-000001.json': entry(done([{ blockId: 'a', reasons: [{ code: 'no-copy', title: 'Minutes' }] }])),
        'dev-000003.json': entry(done([{ blockId: 'c', reasons: [{ code: 'of-tomorrow', detail: 'x' }] }])),
      }),
      'dev',
    );
    const records = await journal.ofMessage('s', 'n');
    expect(records.flatMap((record) => record.entry.undo?.conflicts ?? [])).toEqual([
      { blockId: 'a', reasons: [{ code: 'no-copy', title: 'Minutes' }] },
      { blockId: 'c', reasons: [{ code: 'other', detail: 'x' }] },
    ]);
  });
});

describe('what another program wrote', () => {
  it('is read once its write is known, and what it had begun is read again', async () => {
    const own = entry(undefined);
    const theirs = (state: string) => ({ ...entry(undefined), callId: 'theirs', state });
    const entries: Record<string, unknown> = { 'dev-000001.json': own, 'service-000001.json': theirs('intent') };
    const journal = createWriteJournal(storageOf(entries), 'dev');
    const found = async () => (await journal.ofMessage('s', 'n')).map(({ entry: { callId, state } }) => `${callId} ${state}`);
    expect(await found()).toEqual(['c done', 'theirs intent']);
    Object.assign(entries, { 'service-000001.json': theirs('done'), 'service-000002.json': theirs('done') });
    expect(await found()).toHaveLength(2);
    journal.outdate(['another']);
    expect(await found()).toHaveLength(2);
    journal.outdate(['s']);
    expect(await found()).toEqual(['c done', 'theirs done', 'theirs done']);
  });
});

describe('two windows of one device', () => {
  it('write into one chat beside each other, and each knows of what the other wrote', async () => {
    const files: Record<string, unknown> = {};
    const open = () => createWriteJournal(storageOf(files), 'dev');
    const [one, two] = [open(), open()];
    const write = (journal: WriteJournal, callId: string) => journal.begin({ ...entry(undefined), callId } as unknown as JournalEntry);
    await Promise.all([one.ofMessage('s', 'n'), two.ofMessage('s', 'n')]);
    await write(one, 'one');
    await write(two, 'two');
    expect(Object.keys(files)).toHaveLength(2);
    two.outdate(['s']);
    expect((await two.ofMessage('s', 'n')).map((each) => each.entry.callId).sort()).toEqual(['one', 'two']);
  });

  it('know what the other undid of their own writes; what is noted meanwhile counts', async () => {
    const files: Record<string, unknown> = {};
    const open = () => createWriteJournal(storageOf(files), 'dev');
    const [one, two] = [open(), open()];
    const states = async () =>
      (await one.ofMessage('s', 'n')).map(({ entry: { callId, undo } }) => `${callId} ${undo?.state ?? 'written'}`);
    const written = await one.begin(entry(undefined) as unknown as JournalEntry);
    const [theirs] = await two.ofMessage('s', 'n');
    await two.update(theirs!, entry(done([])) as unknown as JournalEntry);
    expect(await states()).toEqual(['c written']);
    one.outdate(['s']);
    // Two parts of the panel ask at one time: neither is told what was.
    expect(await Promise.all([states(), states()])).toEqual([['c done'], ['c done']]);
    one.outdate(['s']);
    const looking = states();
    await one.update(written, entry(undefined) as unknown as JournalEntry);
    expect(await looking).toEqual(['c written']);
    expect(await states()).toEqual(['c written']);
  });
});

describe('the state of Undo', () => {
  it('says what can be undone of a single call in a message', async () => {
    const wrote = (callId: string, blockId: string, undo: unknown) => ({
      ...{ ...entry(undo), callId, undoKind: 'exact' },
      operations: [{ id: 'o', action: 'insert', blockId, blockType: 'p', before: null, after: { dom: '', hash: 'h' }, result: 'applied' }],
    });
    const entries = { 'dev-000001.json': wrote('first', 'a', done([])), 'dev-000002.json': wrote('second', 'b', undefined) };
    const journal = createWriteJournal(storageOf(entries), 'dev');
    expect(await undoState(journal, 's', 'n')).toMatchObject({ blocks: 2, undone: false });
    expect(await undoState(journal, 's', 'n', 'first')).toMatchObject({ blocks: 1, undone: true });
    expect(await undoState(journal, 's', 'n', 'second')).toMatchObject({ blocks: 1, undone: false });
    expect(await undoState(journal, 's', 'n', 'third')).toMatchObject({ blocks: 0 });
  });
});
