import { describe, expect, it, vi } from 'vitest';
import { askedOnce } from '../kernel/asked-once.ts';
import type { KernelClient } from '../kernel/kernel-client.ts';
import { createKernelRoutes } from '../kernel/kernel-routes.ts';
import { RunningTurns } from '../kernel/running-turns.ts';
import { RememberedReads } from './remembered-reads.ts';

const WINDOW = '/api/filetree/getDoc';
const SQL = '/api/query/sql';

/** A kernel whose answers are counted, and come when the test lets them. */
function setUp({ heard = true }: { readonly heard?: boolean } = {}) {
  const asked: string[] = [];
  const signals: AbortSignal[] = [];
  let now = 0;
  let guards: readonly string[] = [];
  let content = 'first';
  let hold: Promise<void> | undefined;
  let fails = false;
  const listeners = new Set<(command: string) => void>();
  const client: KernelClient = {
    async call(path, _body, parse, signal) {
      asked.push(path);
      if (path === WINDOW) signals.push(signal);
      const rows = path === SQL ? guards.map((id) => ({ id, root_id: 'd', box: 'n' })) : null;
      const answer = path === WINDOW ? { content, blockCount: 1 } : rows;
      const failed = fails;
      if (path !== WINDOW) return parse(answer);
      if (hold !== undefined)
        await Promise.race([hold, new Promise((_done, reject) => signal.addEventListener('abort', () => reject(signal.reason)))]);
      if (failed) throw new Error('broken');
      return parse(answer);
    },
    upload: () => Promise.reject(new Error('not asked')),
    writeFile: () => Promise.reject(new Error('not asked')),
    readFile: () => Promise.reject(new Error('not asked')),
    readBytes: () => Promise.reject(new Error('not asked')),
  };
  const turns = new RunningTurns();
  const pushes = {
    onTransactions: () => () => undefined,
    onCommand: (listener: (command: string) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hears: () => heard,
  };
  const reads = new RememberedReads({ clock: { now: () => now, today: () => '' }, turns, pushes });
  const plain = createKernelRoutes(client);
  const read = async (id = 'd', signal = new AbortController().signal) =>
    (await reads.over(askedOnce(plain)).documentWindow(id, 1, 10, signal)).content;
  return {
    ...{ asked, signals, turns, reads, plain, read },
    requests: () => asked.filter((path) => path === WINDOW).length,
    push: (command: string) => {
      for (const listener of listeners) listener(command);
    },
    listening: () => listeners.size,
    becomes: (text: string) => {
      content = text;
    },
    guarding: (...ids: string[]) => {
      guards = ids;
    },
    pass: (ms: number) => {
      now += ms;
    },
    failing: (yes: boolean) => {
      fails = yes;
    },
    holding: () => {
      let release = (): void => undefined;
      hold = new Promise((resolve) => {
        release = () => {
          hold = undefined;
          resolve();
        };
      });
      return () => release();
    },
  };
}

describe('what a turn has read', () => {
  it('is fetched once, also where two ask at one time, and anew by the next turn', async () => {
    const { turns, read, requests } = setUp();
    const end = turns.begin();
    expect([await read(), await read()]).toEqual(['first', 'first']);
    expect(requests()).toBe(1);
    await Promise.all([read('e'), read('e')]);
    expect(requests()).toBe(2);
    end();
    await read();
    await read();
    expect(requests()).toBe(4);
    turns.begin();
    await read();
    expect(requests()).toBe(5);
  });

  it('is fetched again after a push that may tell of a change, and not after one that cannot', async () => {
    const { turns, read, requests, push, becomes } = setUp();
    turns.begin();
    await read();
    becomes('second');
    push('databaseIndexCommit');
    expect(await read()).toBe('first');
    for (const command of ['transactions', 'savedoc', 'syncMergeResult', 'rename', 'unheard-of', '']) {
      const before = requests();
      push(command);
      expect([await read(), requests() - before]).toEqual(['second', 1]);
    }
  });

  it('is not kept where a change came while it was on its way', async () => {
    const { turns, read, requests, push, becomes, holding } = setUp();
    turns.begin();
    const release = holding();
    const early = read();
    await vi.waitFor(() => expect(requests()).toBe(1));
    becomes('second');
    push('transactions');
    const late = read();
    release();
    expect([await early, await late, await read()]).toEqual(['first', 'second', 'second']);
  });

  it('is fetched again after each write of ours, and while one runs nothing is kept', async () => {
    const { turns, reads, read, requests, becomes } = setUp();
    turns.begin();
    await read();
    await reads.during(async () => {
      await read();
      await read();
      becomes('second');
    });
    expect([await read(), await read(), requests()]).toEqual(['second', 'second', 4]);
    await expect(reads.during(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    becomes('third');
    expect(await read()).toBe('third');
  });

  it('is fetched again when anything was guarded, though no push told of it', async () => {
    const { turns, read, becomes, guarding } = setUp();
    turns.begin();
    await read();
    guarding('inside');
    becomes('second');
    expect(await read()).toBe('second');
    becomes('third');
    expect(await read()).toBe('second');
  });

  it('is not what plans and approvals get', async () => {
    const { turns, read, plain, requests } = setUp();
    turns.begin();
    await read();
    await plain.documentWindow('d', 1, 10, new AbortController().signal);
    expect(requests()).toBe(2);
  });

  it('is kept for half a minute, and only so much of it', async () => {
    const { turns, read, requests, pass, becomes } = setUp();
    turns.begin();
    await read();
    pass(29_999);
    await read();
    expect(requests()).toBe(1);
    pass(1);
    await read();
    expect(requests()).toBe(2);
    becomes('x'.repeat(400_000));
    for (const id of ['a', 'b', 'c', 'c', 'b']) await read(id);
    expect(requests()).toBe(5);
    await read('a');
    expect(requests()).toBe(6);
    becomes('x'.repeat(2_000_000));
    await read('much');
    await read('much');
    expect(requests()).toBe(8);
  });

  it('is nothing after a failure, where no pushes are heard, or once it was closed', async () => {
    const { turns, read, requests, failing, reads, listening } = setUp();
    turns.begin();
    failing(true);
    await expect(read()).rejects.toThrow('broken');
    failing(false);
    expect(await read()).toBe('first');
    expect(requests()).toBe(2);
    reads.close();
    expect(listening()).toBe(0);
    const deaf = setUp({ heard: false });
    deaf.turns.begin();
    await deaf.read();
    await deaf.read();
    expect(deaf.requests()).toBe(2);
  });

  it('is still fetched for the one who waits when the other stops', async () => {
    const { turns, read, holding, signals, requests } = setUp();
    turns.begin();
    const release = holding();
    const [one, other] = [new AbortController(), new AbortController()];
    const stopped = read('d', one.signal);
    const waiting = read('d', other.signal);
    one.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
    expect(signals[0]?.aborted).toBe(false);
    release();
    expect(await waiting).toBe('first');
    const again = holding();
    const alone = read('e', one.signal);
    await expect(alone).rejects.toMatchObject({ code: 'aborted' });
    expect(signals[1]?.aborted).toBe(true);
    again();
    expect([await read('e'), requests()]).toEqual(['first', 3]);
  });
});
