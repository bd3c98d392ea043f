import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../session/types.ts';
import { node, session, userPayload } from '../testing/samples.ts';
import { ChatSearch } from './chat-search.ts';
import { createSearchServer } from './search/search-calls.ts';
import type { WorkerPort } from './search/search-worker.ts';
import { openSessionIndex } from './session-index.ts';
import { createMemoryStorage, type MemoryStorage } from './storage-port.ts';

const chat = (id: string, title: string, text: string): Session => {
  const said = node(`${id}n`, 'user', null, userPayload(`${id}v`, text));
  return session(id, { title, nodes: { [said.id]: said }, leafId: said.id });
};
const put = (storage: MemoryStorage, one: Session) => storage.write(`sessions/${one.id}.json`, JSON.stringify(one));
const found = async (search: ChatSearch, query: string) => (await search.search(query)).map((match) => match.summary.id);

function watched(storage: MemoryStorage): { readonly storage: MemoryStorage; readonly reads: string[] } {
  const reads: string[] = [];
  const read = (path: string): Promise<string | null> => {
    reads.push(path);
    return storage.read(path);
  };
  return { reads, storage: { ...storage, read } };
}

interface FakeWorker extends WorkerPort {
  /** Messages that it was sent. */
  readonly heard: { readonly call: string; readonly takes: unknown }[];
  ended: boolean;
  fail(reason: string): void;
}

/** A worker that lives in the test; `answers`: what it says to the n-th message, default what a real one says. */
function fakeWorker(answers: (count: number, answer: () => unknown) => unknown = (_count, answer) => answer()): FakeWorker {
  const serve = createSearchServer();
  let say: (message: unknown) => void = () => undefined;
  let failed: (reason: string) => void = () => undefined;
  const worker: FakeWorker = {
    heard: [],
    ended: false,
    fail: (reason) => failed(reason),
    post(message) {
      worker.heard.push(message as { call: string; takes: unknown });
      const answer = answers(worker.heard.length, () => serve(structuredClone(message)));
      if (answer !== undefined) queueMicrotask(() => say(structuredClone(answer)));
    },
    listen(onMessage, onFailure) {
      say = onMessage;
      failed = onFailure;
    },
    end() {
      worker.ended = true;
    },
  };
  return worker;
}

async function opened(startWorker?: () => WorkerPort): Promise<ChatSearch> {
  const storage = createMemoryStorage();
  await put(storage, chat('a', 'Garden', 'tomatoes in May'));
  await put(storage, chat('b', 'Launch', 'a budget'));
  return new ChatSearch({ storage, index: openSessionIndex(storage), now: () => 0, ...(startWorker ? { startWorker } : {}) });
}

describe('ChatSearch', () => {
  it('answers from the newest chats while older ones are still being read, and says how many remain', async () => {
    const storage = createMemoryStorage();
    for (let index = 0; index < 900; index++) await put(storage, chat(`c${index}`, `Chat ${index}`, `text number-${index}.`));
    const search = new ChatSearch({ storage, index: openSessionIndex(storage), now: () => 0 });
    expect([await found(search, 'number-899.'), await found(search, 'number-3.')]).toEqual([['c899'], []]);
    await expect.poll(() => found(search, 'number-3.')).toEqual(['c3']);
    await expect.poll(() => search.unread).toBe(0);
  });

  it.each([
    ['in a worker', () => fakeWorker()],
    ['in the page', undefined],
  ])('reads every chat once, keeps the texts in shards, and later only what changed: %s', async (_where, startWorker) => {
    const base = createMemoryStorage();
    const kept = createMemoryStorage();
    const cache = watched(kept);
    for (let index = 0; index < 60; index++) await put(base, chat(`c${index}`, `Chat ${index}`, `text number-${index}.`));
    const { storage, reads } = watched(base);
    let now = 0;
    const options = { storage, cache: cache.storage, now: () => now, ...(startWorker ? { startWorker } : {}) };
    const open = () => new ChatSearch({ ...options, index: openSessionIndex(storage) });
    const first = open();
    expect(await found(first, 'number-42.')).toEqual(['c42']);
    reads.length = 0;
    expect(await first.search('number')).toHaveLength(50);
    expect(reads).toEqual([]);

    await put(base, chat('c7', 'Chat 7', 'a unicorn'));
    expect(await first.search('unicorn')).toEqual([]);
    now += 5_000;
    await base.remove('sessions/c8.json');
    expect(await found(first, 'unicorn')).toEqual(['c7']);
    expect(await first.search('number-8.')).toEqual([]);
    expect(reads).toEqual(['sessions/c7.json', 'sessions/c7.json']);
    await vi.waitFor(() => expect([...kept.files.values()].join('')).toContain('unicorn'));
    await vi.waitFor(() => expect([...kept.files.values()].join('')).not.toContain('number-8.'));

    reads.length = 0;
    cache.reads.length = 0;
    const again = open();
    expect(await found(again, 'unicorn')).toEqual(['c7']);
    expect(reads.filter((path) => !path.includes('index'))).toEqual([]);
    expect(cache.reads).toHaveLength(32);
    again.release();
    expect(await again.search('unicorn')).toHaveLength(1);
  });

  it('works without a cache, with a damaged one, with one that cannot be written, and past a broken chat', async () => {
    const damaged = createMemoryStorage(
      Object.fromEntries(Array.from({ length: 32 }, (_none, shard) => [`search/${shard}.json`, '{"schema":1,"chats":[]}'])),
    );
    const refusing = { ...createMemoryStorage(), write: () => Promise.reject(new Error('full')) };
    for (const cache of [undefined, damaged, refusing]) {
      const storage = createMemoryStorage({ 'sessions/x.json': 'rubbish' });
      await put(storage, chat('a', 'Garden', 'tomatoes'));
      const search = new ChatSearch({ storage, index: openSessionIndex(storage), now: () => 0, ...(cache ? { cache } : {}) });
      expect(await found(search, 'tomato')).toEqual(['a']);
    }
  });

  it('answers after the storage has failed once', async () => {
    const storage = createMemoryStorage();
    await put(storage, chat('a', 'Garden', 'tomatoes'));
    let refusals = 1;
    const modified = (dir: string) =>
      refusals-- > 0 ? Promise.reject(new Error('away')) : (storage.modified?.(dir) ?? Promise.resolve(new Map<string, number>()));
    const failing = { ...storage, modified };
    const search = new ChatSearch({ storage: failing, index: openSessionIndex(failing), now: () => 0 });
    await expect(search.search('tomato')).rejects.toThrow('away');
    expect(await found(search, 'tomato')).toEqual(['a']);
  });
});

describe('ChatSearch in a worker', () => {
  afterEach(() => void vi.useRealTimers());

  it('parses and searches there and nowhere else', async () => {
    const worker = fakeWorker();
    const search = await opened(() => worker);
    expect((await search.search('tomato'))[0]).toMatchObject({
      summary: { id: 'a', messages: 1 },
      nodeId: 'an',
      snippet: { match: 'tomato' },
    });
    expect(await found(search, 'launch')).toEqual(['b']);
    expect(worker.heard.map(({ call }) => call)).toEqual(['setTitles', 'read', 'read', 'search', 'search']);
  });

  it('sends a title again only when it has changed', async () => {
    const storage = createMemoryStorage();
    for (const id of ['a', 'b', 'c']) await put(storage, chat(id, `Chat ${id}`, 'tomatoes'));
    const worker = fakeWorker();
    let now = 0;
    const search = new ChatSearch({ storage, index: openSessionIndex(storage), now: () => now, startWorker: () => worker });
    await search.search('tomato');
    await put(storage, chat('b', 'Launch', 'a budget'));
    now += 5_000;
    expect(await found(search, 'launch')).toEqual(['b']);
    const told = worker.heard.flatMap(({ call, takes }) =>
      call === 'setTitles' ? [(takes as readonly { id: string }[]).map(({ id }) => id)] : [],
    );
    expect(told).toEqual([['c', 'b', 'a'], ['b']]);
  });

  it('answers in the page where no worker can start', async () => {
    let starts = 0;
    const search = await opened(() => {
      starts += 1;
      throw new Error('refused by the policy');
    });
    expect(await found(search, 'tomato')).toEqual(['a']);
    search.release();
    expect(await found(search, 'budget')).toEqual(['b']);
    expect(starts).toBe(1);
  });

  it.each([1, 3, 4])('answers in the page when the worker crashes at message %i', async (last) => {
    const worker: FakeWorker = fakeWorker((count, answer) => {
      if (count < last) return answer();
      queueMicrotask(() => worker.fail('out of memory'));
      return undefined;
    });
    const search = await opened(() => worker);
    expect(await found(search, 'tomato')).toEqual(['a']);
    expect(worker.ended).toBe(true);
    const { length } = worker.heard;
    expect(await found(search, 'budget')).toEqual(['b']);
    expect(worker.heard).toHaveLength(length);
  });

  it.each([
    ['never speaks', 1, 5_000],
    ['falls silent', 4, 20_000],
  ])('answers in the page when the worker %s', async (_how, last, patience) => {
    vi.useFakeTimers();
    const worker = fakeWorker((count, answer) => (count < last ? answer() : undefined));
    const search = await opened(() => worker);
    const asked = found(search, 'tomato');
    await vi.advanceTimersByTimeAsync(patience - 1);
    expect(worker.ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await asked).toEqual(['a']);
    expect(worker.ended).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['no reply', () => 'hello'],
    ['titles that it was not asked for', (answer: unknown) => ({ ...Object(answer), gives: [{ id: 3 }] })],
  ])('answers in the page when the worker says %s', async (_what, nonsense) => {
    const worker = fakeWorker((count, answer) => (count < 4 ? answer() : nonsense(answer())));
    expect(await found(await opened(() => worker), 'tomato')).toEqual(['a']);
    expect(worker.ended).toBe(true);
  });

  it('answers every search that a crash leaves waiting', async () => {
    const worker = fakeWorker((count, answer) => (count < 4 ? answer() : undefined));
    const search = await opened(() => worker);
    const asked = [found(search, 'tomato'), found(search, 'budget')];
    await vi.waitFor(() => expect(worker.heard.length).toBeGreaterThanOrEqual(4));
    worker.fail('gone');
    expect(await Promise.all(asked)).toEqual([['a'], ['b']]);
  });

  it('ends with the panel, finds nothing for an abandoned search, and starts again with the next one', async () => {
    const workers: FakeWorker[] = [];
    const search = await opened(() => {
      const worker = fakeWorker((count, answer) => (workers.length > 1 || count < 4 ? answer() : undefined));
      workers.push(worker);
      return worker;
    });
    const asked = found(search, 'tomato');
    await vi.waitFor(() => expect(workers[0]?.heard).toHaveLength(4));
    search.release();
    expect(await asked).toEqual([]);
    expect(workers.map(({ ended }) => ended)).toEqual([true]);
    expect(await found(search, 'tomato')).toEqual(['a']);
    expect(workers).toHaveLength(2);
  });
});

describe('createSearchServer', () => {
  it.each([
    'hello',
    { id: 1, call: 'nothing', takes: null },
    { id: 1, call: 'toString', takes: null },
    { id: 1, call: 'setTitles', takes: [{ id: 3 }] },
    { call: 'shardText', takes: 1 },
  ])('throws for what is no question: %j', (message) => {
    expect(() => createSearchServer()(message)).toThrow();
  });
});
