import { describe, expect, it } from 'vitest';
import type { Node, Session } from '../session/types.ts';
import { deviceNotes } from '../testing/failing-page.ts';
import { answerPayload, node, session, userPayload } from '../testing/samples.ts';
import { Windows } from '../testing/windows.ts';
import { createMemoryStorage, type MemoryStorage } from './storage-port.ts';
import { createChatStore } from './store.ts';
import type { ChatStoreOptions } from './store-port.ts';

/** Two windows of a device, or two devices over one synced folder. */
function open(storage: MemoryStorage, options: Partial<ChatStoreOptions> = {}, start = 1000) {
  let time = start;
  return createChatStore({ storage, device: 'dev', now: () => ++time, ...options });
}
const said = (id: string, parent: string, device = 'dev', time = 50): Node =>
  node(id, 'user', parent, userPayload(`${id}v`, `says ${id}`), { changed: { time, device } });
const plus = (chat: Session, added: Node): Session => ({ ...chat, nodes: { ...chat.nodes, [added.id]: added }, leafId: added.id });

describe('two who write one chat', () => {
  it('both keep what they wrote, as branches, whoever saves last', async () => {
    const storage = createMemoryStorage();
    const here = open(storage);
    const there = open(storage, { device: 'other' }, 5000);
    await here.save(session('s1'));
    const [mine, theirs] = [(await here.load('s1'))!.session, (await there.load('s1'))!.session];
    expect(await there.save({ ...plus(theirs, said('b', 'n2', 'other')), title: 'Theirs' })).toMatchObject({ merged: false });
    const saved = await here.save(plus(mine, said('a', 'n2')));
    expect(saved.merged).toBe(true);
    expect(Object.keys(saved.session.nodes).sort()).toEqual(['a', 'b', 'n1', 'n2']);
    expect(saved.session.title).toBe('Theirs');
    expect((await there.load('s1'))?.session).toEqual(saved.session);
    const again = await here.save(saved.session);
    expect(again.merged).toBe(false);
  });

  it('a chat that is open here takes in what a sync brought, and keeps its own unsaved change', async () => {
    const storage = createMemoryStorage();
    const here = open(storage);
    const there = open(storage, { device: 'other' }, 5000);
    await here.save(session('s1'));
    const mine = { ...plus((await here.load('s1'))!.session, said('a', 'n2')), tags: ['mine'] };
    expect(await here.refresh(mine)).toBeNull();
    const theirs = (await there.load('s1'))!.session;
    await there.save({ ...plus(theirs, said('b', 'n2', 'other')), title: 'Theirs' });
    const taken = (await here.refresh(mine))!.session;
    expect(taken).toMatchObject({ title: 'Theirs', tags: ['mine'], nodes: { a: {}, b: {} } });
    const saved = await here.save(taken);
    expect(saved).toMatchObject({ merged: false, session: { title: 'Theirs', tags: ['mine'] } });
  });

  it('refuses to overwrite a file from a newer version, and keeps it', async () => {
    const storage = createMemoryStorage();
    const store = open(storage);
    await store.save(session('s1'));
    await storage.write('sessions/s1.json', '{"schema":2,"id":"s1"}');
    await expect(store.save(session('s1'))).rejects.toMatchObject({ code: 'chat_newer' });
    expect(storage.files.get('sessions/s1.json')).toBe('{"schema":2,"id":"s1"}');
  });

  it.each([
    ['empty', () => ''],
    ['cut in half', (text: string) => text.slice(0, text.length / 2)],
  ])('goes on in a chat whose file is %s, and keeps a copy of that', async (_what, damage) => {
    const storage = createMemoryStorage();
    const store = open(storage);
    const { session: mine } = await store.save(session('s1'));
    const damaged = damage(storage.files.get('sessions/s1.json') ?? '');
    await storage.write('sessions/s1.json', damaged);
    expect(await store.refresh(mine)).toMatchObject({ ahead: true, session: { nodes: { n1: {}, n2: {} } } });
    expect(await store.save(plus(mine, said('a', 'n2')))).toMatchObject({ repaired: true, merged: false });
    expect(Object.keys((await open(storage).load('s1'))?.session.nodes ?? {}).sort()).toEqual(['a', 'n1', 'n2']);
    expect([...storage.files].filter(([name]) => name.includes('.broken-')).map(([, text]) => text)).toEqual([damaged]);
    expect(await store.save(plus(mine, said('b', 'a')))).toMatchObject({ repaired: false });
  });

  it('a chat that was deleted elsewhere and written here afterward survives with everything it had', async () => {
    const storage = createMemoryStorage();
    const here = open(storage);
    const there = open(storage, { device: 'other' });
    await here.save(session('s1'));
    const mine = (await here.load('s1'))!.session;
    await there.save(plus((await there.load('s1'))!.session, said('b', 'n2', 'other')));
    await there.remove('s1');
    const { session: saved } = await here.save(plus(mine, said('a', 'n2')));
    expect(Object.keys(saved.nodes).sort()).toEqual(['a', 'b', 'n1', 'n2']);
    expect(await here.trashed()).toEqual([]);
  });
});

describe('the trash', () => {
  it('keeps a deleted chat until it is restored or purged', async () => {
    const storage = createMemoryStorage();
    const store = open(storage);
    const long = { name: 'x', type: 'LLMAdd' as const, value: 'v'.repeat(20_000), created: 5 };
    await store.save(session('s1', { variables: [long] }));
    const before = (await store.load('s1'))?.session;
    await store.remove('s1');
    expect(await store.list()).toEqual([]);
    expect(await store.load('s1')).toBeNull();
    expect(await store.trashed()).toMatchObject([{ id: 's1', title: 'A chat' }]);
    expect(await store.restore('s1')).toBe(true);
    expect((await store.load('s1'))?.session).toEqual(before);
    expect(await store.trashed()).toEqual([]);
    expect(await store.restore('s1')).toBe(false);

    await store.remove('s1');
    await store.purge(0);
    expect(await store.trashed()).toHaveLength(1);
    await store.purge(Number.MAX_SAFE_INTEGER);
    expect(await store.trashed()).toEqual([]);
    expect([...storage.files.keys()].filter((path) => path.includes('s1'))).toEqual([]);
  });

  it('deletes a single chat for good, and nothing that is not in it', async () => {
    const storage = createMemoryStorage();
    const store = open(storage);
    for (const id of ['s1', 's2', 's3']) await store.save(session(id));
    await storage.write('sessions/s1.json', 'cut in half');
    await store.save(session('s1'));
    expect([...storage.files.keys()].filter((path) => path.includes('s1.json.broken-'))).toHaveLength(1);
    await store.remove('s1');
    await store.remove('s2');
    for (const id of ['s1', 's3', '../s2']) await store.discard(id);
    expect(await store.restore('s1')).toBe(false);
    expect([...storage.files.keys()].filter((path) => path.includes('s1'))).toEqual([]);
    expect((await store.trashed()).map(({ id }) => id)).toEqual(['s2']);
    expect((await store.list()).map(({ id }) => id)).toEqual(['s3']);
  });

  it('purges a chat only while no other window writes it', async () => {
    const memory = createMemoryStorage();
    const log: string[] = [];
    const remove = (path: string): Promise<void> => {
      log.push(path);
      return memory.remove(path);
    };
    const exclusive = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
      log.push(`${name} begins`);
      const done = await run();
      log.push(`${name} ends`);
      return done;
    };
    const store = open({ ...memory, remove }, { exclusive });
    await store.save(session('s1'));
    await store.remove('s1');
    log.length = 0;
    await store.purge(Number.MAX_SAFE_INTEGER);
    expect(log).toEqual(['chat-s1 begins', 'variables/s1', 'trash/s1.json', 'chat-s1 ends']);
  });

  it('holds even a chat that cannot be read, byte for byte', async () => {
    const storage = createMemoryStorage({ 'sessions/s1.json': 'rubbish' });
    const store = open(storage);
    await store.remove('s1');
    await store.restore('s1');
    expect(storage.files.get('sessions/s1.json')).toBe('rubbish');
  });
});

describe('a deleted chat that cannot be merged with what another device wrote since', () => {
  const deleted = JSON.stringify({ schema: 1, deleted: 5, title: 'A chat', text: JSON.stringify(session('s1')) });
  const newer = JSON.stringify({ ...session('s1'), schema: 2 });

  it.each([
    ['a file of a newer version', newer, deleted, 'chat_newer'],
    [
      'a sound file, but what was deleted is damaged',
      JSON.stringify(session('s1')),
      deleted.replace('\\"nodes\\"', '\\"knots\\"'),
      'chat_broken',
    ],
  ])('stays in the trash: %s', async (_what, present, entry, code) => {
    const storage = createMemoryStorage({ 'sessions/s1.json': present, 'trash/s1.json': entry });
    await expect(open(storage).restore('s1')).rejects.toMatchObject({ code });
    expect(storage.files.get('trash/s1.json')).toBe(entry);
    expect(storage.files.get('sessions/s1.json')).toBe(present);
  });

  it('comes back in the place of a damaged file, of which a copy is kept', async () => {
    const storage = createMemoryStorage({ 'sessions/s1.json': 'rubbish', 'trash/s1.json': deleted });
    expect(await open(storage).restore('s1')).toBe(true);
    expect(storage.files.get('sessions/s1.json')).toBe(JSON.stringify(session('s1')));
    expect([...storage.files].filter(([name]) => name.includes('.broken-')).map(([, text]) => text)).toEqual(['rubbish']);
  });

  it('does not keep the chat from being opened where a window ended before it was restored', async () => {
    const storage = createMemoryStorage({ 'sessions/s1.json': newer, 'trash/s1.json': deleted });
    const unsaved = { notes: deviceNotes(), prefix: 'unsaved:' };
    const windows = new Windows();
    open(storage, { unsaved, ...windows.open('dev_one') }).intend('s1', { kind: 'restore' });
    windows.close('dev_one');
    const next = open(storage, { unsaved, ...windows.open('dev_two') });
    expect(await next.load('s1')).toMatchObject({ readOnly: true });
    expect(storage.files.get('trash/s1.json')).toBe(deleted);
  });
});

describe('long values', () => {
  it('go into files of their own, are written once, and are read back whole', async () => {
    const storage = createMemoryStorage();
    let writes = 0;
    const write = (path: string, text: string): Promise<void> => {
      writes++;
      return storage.write(path, text);
    };
    const counting = { ...storage, write };
    const store = createChatStore({ storage: counting, device: 'dev', now: () => 1 });
    const value = '长'.repeat(20_000);
    const variables = [
      { name: '../a/结果', type: 'ToolCallResult' as const, value, created: 5, pinned: true },
      { name: 'short', type: 'LLMAdd' as const, value: 'x', created: 6 },
    ];
    await store.save(session('s1', { variables }));
    expect(storage.files.get('sessions/s1.json')).not.toContain('长');
    const path = [...storage.files.keys()].find((name) => name.startsWith('variables/s1/'));
    expect(path).toMatch(/^variables\/s1\/[\w-]+\.txt$/);
    const before = writes;
    await store.save(session('s1', { variables }));
    expect(writes - before).toBe(2);
    const loaded = await createChatStore({ storage, device: 'dev', now: () => 1 }).load('s1');
    expect(loaded).toMatchObject({ session: { variables }, missingVariables: [] });

    await storage.remove('variables');
    const poorer = await store.load('s1');
    expect(poorer?.missingVariables).toEqual(['../a/结果']);
    expect(poorer?.session.variables.map((one) => one.name)).toEqual(['short']);
  });
});

describe('two windows of one device', () => {
  const head = { id: 's1', title: 'A chat', created: 1 };
  const begun = node('n4', 'assistant', 'n3', answerPayload('v4', '', { status: 'interrupted' }), { changed: { time: 51, device: 'dev' } });
  const turn = { type: 'turn', head, nodes: [said('n3', 'n2'), begun], leafId: 'n4' } as const;

  it('a turn that runs in the other one is shown as running there, and is not replayed', async () => {
    const storage = createMemoryStorage();
    const windows = new Windows();
    const one = open(storage, windows.open('dev_one'));
    const two = open(storage, windows.open('dev_two'));
    const heard: unknown[] = [];
    two.subscribe((change) => void heard.push(change));
    await one.save(session('s1'));
    const log = one.turnLog('s1', () => undefined);
    await log.add(turn);
    await log.stream({ type: 'stream', nodeId: 'n4', after: 51, text: 'So far', reasoning: '' });
    expect(heard).toEqual([['s1'], ['s1'], ['s1']]);
    expect(await two.interrupted()).toEqual([]);
    const shown = await two.load('s1');
    expect(shown).toMatchObject({ elsewhere: ['n4'], recovered: false, session: { leafId: 'n4' } });
    expect(shown?.session.nodes.n4?.versions.v4).toMatchObject({ message: { content: 'So far' } });
    expect(shown?.session.nodes.n4?.versions.v4).not.toHaveProperty('error');
    expect(storage.files.has('journal/s1/dev_one-stream.json')).toBe(true);
    const refreshed = await two.refresh(session('s1'));
    expect(refreshed).toMatchObject({ elsewhere: ['n4'] });

    windows.close('dev_one');
    expect(await two.interrupted()).toEqual(['s1']);
    const recovered = await two.load('s1');
    expect(recovered).toMatchObject({ elsewhere: [], recovered: true });
    expect(recovered?.session.nodes.n4?.versions.v4).toMatchObject({
      status: 'interrupted',
      message: { content: 'So far' },
      error: { code: 'interrupted' },
    });
    expect([...storage.files.keys()].filter((name) => name.startsWith('journal/'))).toEqual([]);
  });

  it('what was streamed continues the last finished round, and never an answer that was finished', async () => {
    const storage = createMemoryStorage();
    const store = open(storage);
    await store.save(session('s1'));
    const log = store.turnLog('s1', () => undefined);
    await log.add(turn);
    const stats = { totalRounds: 1, totalCalls: 0, totalTime: 0, startTime: 1, endTime: 2 };
    const chain = { toolCallHistory: [], rounds: [{ text: 'Looked.', callIds: [] }], stats, status: 'aborted' as const };
    const payload = answerPayload('v4', 'HINTLooked.', { status: 'interrupted', toolChainResult: chain, userPromptSlice: [4, 11] });
    const answer = node('n4', 'assistant', 'n3', payload, { changed: { time: 60, device: 'dev' } });
    await log.stream({ type: 'stream', nodeId: 'n4', after: 51, text: 'Looked', reasoning: '' });
    await log.add({ type: 'round', head, answer, variables: [] });
    const late = open(storage);
    const stale = await late.load('s1');
    expect(stale?.session.nodes.n4?.versions.v4?.message.content).toBe('HINTLooked.');

    const next = open(storage).turnLog('s1', () => undefined);
    await storage.write(
      'journal/s1/dev-00000000000001.json',
      JSON.stringify({ schema: 1, event: { type: 'round', head, answer, variables: [] } }),
    );
    await next.stream({ type: 'stream', nodeId: 'n4', after: 60, text: 'And then', reasoning: 'hm' });
    const saved = (await open(
      createMemoryStorage(Object.fromEntries([...storage.files].filter(([name]) => !name.startsWith('sessions/s1')))),
    ).load('s1'))!.session;
    expect(saved.nodes.n4?.versions.v4).toMatchObject({
      message: { content: 'HINTLooked.\n\nAnd then' },
      userPromptSlice: [4, 21],
      toolChainResult: { rounds: [{ text: 'Looked.' }, { text: 'And then', reasoning: 'hm' }] },
    });
  });
});

describe('the list', () => {
  it('notices files that others have written, added or removed, without reading the rest', async () => {
    const storage = createMemoryStorage();
    await open(storage).save(session('a'));
    await open(storage).save(session('b'));
    const reads: string[] = [];
    const read = (path: string): Promise<string | null> => {
      reads.push(path);
      return storage.read(path);
    };
    const watched: MemoryStorage = { ...storage, read };
    const store = open(watched);
    expect(await store.list()).toHaveLength(2);
    reads.length = 0;
    await storage.write('sessions/a.json', JSON.stringify(session('a', { title: 'Changed' })));
    await storage.write('sessions/c.json', JSON.stringify(session('c')));
    await storage.remove('sessions/b.json');
    expect((await store.list()).map(({ id, title }) => [id, title])).toEqual([
      ['a', 'Changed'],
      ['c', 'A chat'],
    ]);
    expect(reads.sort()).toEqual(['sessions/a.json', 'sessions/c.json']);
    const fresh = open(watched);
    reads.length = 0;
    expect(await fresh.list()).toHaveLength(2);
    expect(reads.every((path) => path.startsWith('sessions/index'))).toBe(true);
  });

  it('starts with two requests for 1,000 chats, and a save writes little', async () => {
    const storage = createMemoryStorage();
    for (let index = 0; index < 1000; index++) await storage.write(`sessions/c${index}.json`, JSON.stringify(session(`c${index}`)));
    await open(storage).list();
    let requests = 0;
    let written = 0;
    const counting: MemoryStorage = {
      ...storage,
      read(path) {
        requests++;
        return storage.read(path);
      },
      modified(dir) {
        requests++;
        return storage.modified!(dir);
      },
      write(path, text) {
        if (path.startsWith('sessions/index')) written += text.length;
        return storage.write(path, text);
      },
    };
    const store = open(counting);
    expect(await store.list()).toHaveLength(1000);
    expect(requests).toBe(2);
    await store.save(session('c7', { title: 'Later' }));
    expect(written).toBeLessThan(1000);
    expect((await open(storage).list()).find(({ id }) => id === 'c7')?.title).toBe('Later');
  });

  it('rereads what a window or a sync reports as changed', async () => {
    const storage = createMemoryStorage();
    const { modified: _none, ...blind } = storage;
    const store = createChatStore({ storage: blind, device: 'dev', now: () => 1 });
    await store.save(session('a'));
    await storage.write('sessions/a.json', JSON.stringify(session('a', { title: 'Changed' })));
    const heard: unknown[] = [];
    const stop = store.subscribe((change) => void heard.push(change));
    store.changedOutside(['a']);
    expect((await store.list())[0]?.title).toBe('Changed');
    await storage.write('sessions/a.json', JSON.stringify(session('a', { title: 'Twice' })));
    store.changedOutside();
    stop();
    store.changedOutside();
    expect((await store.list())[0]?.title).toBe('Twice');
    expect(heard).toEqual([['a'], null]);
  });
});
