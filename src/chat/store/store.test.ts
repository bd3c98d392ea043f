import { describe, expect, it } from 'vitest';
import { answerPayload, callRecord, node, session, steppingClock, userPayload } from '../testing/samples.ts';
import { createMemoryStorage } from './storage-port.ts';
import { createChatStore } from './store.ts';

function open(initial: Record<string, string> = {}) {
  const storage = createMemoryStorage(initial);
  const store = createChatStore({ storage, device: 'dev', now: steppingClock().now });
  return { storage, store };
}
const failures: unknown[] = [];
const onError = (error: unknown): void => void failures.push(error);

describe('createChatStore', () => {
  it('saves and loads a chat whole, keeps unknown fields, and lists it', async () => {
    const { store, storage } = open();
    const chat = { ...session('s1', { boundDocument: 'd1', tags: ['x'] }), future: { kept: true } };
    await store.save(chat);
    const stamped = { ...chat, changed: expect.objectContaining({ title: { time: expect.any(Number), device: 'dev' } }) };
    expect(await store.load('s1')).toEqual({
      session: stamped,
      readOnly: false,
      recovered: false,
      repaired: false,
      elsewhere: [],
      missingVariables: [],
    });
    expect(await store.list()).toEqual([
      { id: 's1', title: 'A chat', updated: 2, pinned: false, messages: 2, boundDocument: 'd1', tags: ['x'] },
    ]);
    expect([...storage.files.keys()].sort()).toEqual(['sessions/index.json', 'sessions/s1.json']);
    await store.remove('s1');
    expect(await store.load('s1')).toBeNull();
    expect(await store.list()).toEqual([]);
  });

  it('rebuilds the list when the index is missing, damaged or lacks a file', async () => {
    for (const index of [null, '{oops', '{"schema":9,"sessions":[]}', '{"schema":1,"sessions":[]}']) {
      const { store } = open({
        'sessions/a.json': JSON.stringify(session('a')),
        'sessions/b.json': 'rubbish',
        ...(index === null ? {} : { 'sessions/index.json': index }),
      });
      expect((await store.list()).map((summary) => summary.id)).toEqual(['a']);
    }
  });

  it('puts a copy of a broken file aside once, leaves the file, and says so', async () => {
    for (const text of ['{"schema":1,"id":', '[]', JSON.stringify({ ...session('s1'), nodes: { n1: { id: 'n1' } } })]) {
      const { store, storage } = open({ 'sessions/s1.json': text });
      await expect(store.load('s1')).rejects.toMatchObject({ code: 'chat_broken' });
      await expect(store.load('s1')).rejects.toMatchObject({ code: 'chat_broken' });
      const copies = [...storage.files].filter(([name]) => name.startsWith('sessions/s1.json.broken-'));
      expect(copies.map(([, content]) => content)).toEqual([text]);
      expect(storage.files.get('sessions/s1.json')).toBe(text);
    }
  });

  it('keeps a chat under the name of its file, whatever id it says, and the chat of that id as it is', async () => {
    const { store, storage } = open({
      'sessions/s1.json': JSON.stringify(session('s1', { title: 'Mine' })),
      'sessions/copy.json': JSON.stringify(session('s1', { title: 'Copied by hand' })),
    });
    expect((await store.list()).map(({ id, title }) => [id, title]).sort()).toEqual([
      ['copy', 'Copied by hand'],
      ['s1', 'Mine'],
    ]);
    const before = storage.files.get('sessions/s1.json');
    const loaded = (await store.load('copy'))!.session;
    await store.save({ ...loaded, title: 'Renamed' });
    expect(storage.files.get('sessions/s1.json')).toBe(before);
    expect(JSON.parse(storage.files.get('sessions/copy.json') ?? '')).toMatchObject({ id: 'copy', title: 'Renamed' });
    await store.remove('copy');
    expect(await store.restore('copy')).toBe(true);
    expect((await store.load('copy'))?.session).toMatchObject({ id: 'copy', title: 'Renamed' });
  });

  it('keeps a copy of a journal entry that cannot be read, once, and leaves one of a newer version where it is', async () => {
    const { store, storage } = open({
      'sessions/s1.json': JSON.stringify(session('s1')),
      'journal/s1/dev-00000000000001.json': '{"schema":1,"event":{"type":"tu',
      'journal/s1/dev-00000000000002.json': '{"schema":2,"event":{"type":"later"}}',
    });
    const turn = {
      ...{ type: 'turn' as const, head: { id: 's1', title: 'A chat', created: 1 }, leafId: 'n3' },
      nodes: [node('n3', 'user', 'n2', userPayload('q', 'cut off'), { changed: { time: 60, device: 'dev' } })],
    };
    await store.turnLog('s1', onError).add(turn);
    const [first, second] = [await store.load('s1'), await store.load('s1')];
    expect([first?.recovered, second?.recovered]).toEqual([true, false]);
    expect(first?.session.nodes).toHaveProperty('n3');
    expect([...storage.files].filter(([name]) => name.startsWith('journal/'))).toEqual([
      ['journal/s1/dev-00000000000002.json', '{"schema":2,"event":{"type":"later"}}'],
      [expect.stringMatching(/^journal\/s1\/dev-00000000000001\.json\.broken-\d+$/), '{"schema":1,"event":{"type":"tu'],
    ]);
  });

  it('opens a newer chat read-only, or asks for an update when it cannot be shown', async () => {
    const newer = JSON.stringify({ ...session('s1'), schema: 2, more: true });
    const { store, storage } = open({ 'sessions/s1.json': newer, 'sessions/s2.json': '{"schema":2,"id":"s2"}' });
    expect(await store.load('s1')).toMatchObject({ readOnly: true, session: { id: 's1', more: true } });
    await expect(store.load('s2')).rejects.toMatchObject({ code: 'chat_newer' });
    expect(storage.files.get('sessions/s1.json')).toBe(newer);
    expect(storage.files.size).toBe(2);
  });

  it('refuses ids that would leave the folder', async () => {
    const { store } = open({ 'settings.json': '{}' });
    expect(await store.load('../settings')).toBeNull();
    expect(() => store.save(session('../x'))).toThrow('file name');
  });

  it('replays the journal of a crash: message, rounds and variables, marked as interrupted', async () => {
    const { store, storage } = open();
    await store.save(session('s1'));
    const log = store.turnLog('s1', onError);
    const head = { id: 's1', title: 'A chat', created: 1 };
    const question = node('n3', 'user', 'n2', userPayload('v3', 'and then?'), { changed: { time: 50, device: 'dev' } });
    const begun = node('n4', 'assistant', 'n3', answerPayload('v4', '', { status: 'interrupted' }), {
      changed: { time: 51, device: 'dev' },
    });
    await log.add({ type: 'turn', head, nodes: [question, begun], leafId: 'n4' });
    const stats = { totalRounds: 1, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 };
    const chain = {
      toolCallHistory: [callRecord('c1')],
      rounds: [{ text: 'Looking', callIds: ['c1'] }],
      stats,
      status: 'aborted' as const,
    };
    const after = node('n4', 'assistant', 'n3', answerPayload('v4', 'Looking', { toolChainResult: chain, status: 'interrupted' }), {
      changed: { time: 60, device: 'dev' },
    });
    await log.add({
      type: 'round',
      head,
      answer: after,
      variables: [{ name: 'search_notes_c1_result', type: 'ToolCallResult', value: 'hit', created: 3 }],
    });
    await storage.write('journal/s1/dev-9999999999999999.json', '{"schema":1,"ev');

    const again = createChatStore({ storage, device: 'dev', now: () => 99 });
    expect(await again.interrupted()).toEqual(['s1']);
    const loaded = await again.load('s1');
    expect(loaded?.recovered).toBe(true);
    expect(loaded?.session).toMatchObject({ leafId: 'n4', variables: [{ name: 'search_notes_c1_result' }], updated: 99 });
    expect(loaded?.session.nodes.n4?.versions.v4).toMatchObject({
      status: 'interrupted',
      error: { code: 'interrupted' },
      toolChainResult: { rounds: [{ text: 'Looking' }] },
    });
    expect(await again.interrupted()).toEqual([]);
    expect(await again.load('s1')).toMatchObject({ session: loaded?.session, recovered: false });
  });

  it('makes a chat that was never saved from its journal, and lets a saved answer stand', async () => {
    const { store, storage } = open();
    const log = store.turnLog('new', onError);
    const question = node('q', 'user', null, userPayload('v1', 'hello'), { changed: { time: 5, device: 'dev' } });
    const begun = node('a', 'assistant', 'q', answerPayload('v2', '', { status: 'interrupted' }), { changed: { time: 6, device: 'dev' } });
    const event = { type: 'turn', head: { id: 'new', title: 'hello', created: 4 }, nodes: [question, begun], leafId: 'a' } as const;
    await log.add(event);
    const loaded = await createChatStore({ storage, device: 'dev', now: () => 99 }).load('new');
    expect(loaded?.session).toMatchObject({ title: 'hello', rootId: 'q', leafId: 'a', created: 4 });

    const done = { ...begun, versions: { v2: answerPayload('v2', 'done') }, changed: { time: 7, device: 'dev' } };
    await store.save({ ...loaded!.session, nodes: { q: question, a: done }, leafId: 'a' });
    await log.add(event);
    expect((await store.load('new'))?.session.nodes.a?.versions.v2?.status).toBe('done');
  });

  it('reports a journal that cannot be written, without failing the talk', async () => {
    failures.length = 0;
    const { storage } = open();
    const refusing = { ...storage, write: () => Promise.reject(new Error('disk full')) };
    const log = createChatStore({ storage: refusing, device: 'dev', now: () => 1 }).turnLog('s1', onError);
    await log.add({ type: 'turn', head: { id: 's1', title: '', created: 1 }, nodes: [], leafId: 'x' });
    expect(failures).toMatchObject([{ code: 'storage_failed', message: 'disk full' }]);
  });

  it('never writes an older save over a newer one, and survives a failing index', async () => {
    const { storage } = open();
    const order: string[] = [];
    const slow = {
      ...storage,
      async write(path: string, text: string) {
        if (path.startsWith('sessions/index')) throw new Error('no room for a cache');
        order.push((JSON.parse(text) as { title: string }).title);
        await storage.write(path, text);
      },
    };
    const store = createChatStore({ storage: slow, device: 'dev', now: () => 1 });
    await Promise.all([store.save(session('s1', { title: 'one' })), store.save(session('s1', { title: 'two' }))]);
    expect(order).toEqual(['one', 'two']);
    expect((await store.list()).map((summary) => summary.title)).toEqual(['two']);
  });
});
