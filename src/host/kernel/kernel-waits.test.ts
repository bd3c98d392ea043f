import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createKernelClient } from './kernel-client.ts';
import { type KernelWait, KernelWaits } from './kernel-waits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const waits = new KernelWaits();
  const seen: (KernelWait | undefined)[] = [];
  waits.subscribe((wait) => seen.push(wait));
  return { waits, seen };
}

it.each([
  ['/api/sqlite/flushTransaction', 'index'],
  ['/api/transactions', 'write'],
  ['/api/filetree/createDocWithMd', 'write'],
  ['/api/attr/setBlockAttrs', 'write'],
  ['/api/filetree/listDocsByPath', 'list'],
  ['/api/filetree/getDoc', 'read'],
  ['/api/block/getBlockDOMs', 'read'],
  ['/api/query/sql', 'search'],
  ['/api/search/semanticSearchBlock', 'search'],
  ['/api/file/getFile', 'other'],
])('%s is named once it takes long, and no longer when it is over', (path, kind) => {
  const { waits, seen } = watched();
  const end = waits.begin(path);
  vi.advanceTimersByTime(1900);
  expect(seen).toEqual([undefined]);
  vi.advanceTimersByTime(200);
  expect(seen).toEqual([undefined, kind]);
  end();
  expect(seen).toEqual([undefined, kind, undefined]);
  vi.advanceTimersByTime(60_000);
  expect([seen.length, vi.getTimerCount()]).toEqual([3, 0]);
});

it('a kernel that answers nothing is told from one that takes long over a request', () => {
  const { waits, seen } = watched();
  const end = waits.begin('/api/sqlite/flushTransaction');
  vi.advanceTimersByTime(5000);
  waits.begin('/api/attr/getBlockAttrs')();
  vi.advanceTimersByTime(7000);
  expect(waits.current).toBe('index');
  vi.advanceTimersByTime(2000);
  expect(waits.current).toBe('answer');
  waits.begin('/api/attr/getBlockAttrs')();
  expect(waits.current).toBe('index');
  end();
  expect(seen).toEqual([undefined, 'index', 'answer', 'index', undefined]);
});

it('many short requests are none that takes long', () => {
  const { waits, seen } = watched();
  for (let n = 0; n < 20; n += 1) {
    const end = waits.begin('/api/query/sql');
    vi.advanceTimersByTime(500);
    end();
  }
  expect(seen).toEqual([undefined]);
});

it('the client reports each request until its answer is read, or fails', async () => {
  const { waits, seen } = watched();
  const answers: ((response: Response) => void)[] = [];
  const fetch = (): Promise<Response> => new Promise((resolve) => answers.push(resolve));
  const client = createKernelClient({ baseUrl: '', fetch, onRequest: waits.begin });
  const { signal } = new AbortController();
  const done = client.call('/api/query/sql', {}, (data) => data, signal);
  await vi.advanceTimersByTimeAsync(2500);
  answers.shift()?.(Response.json({ code: 0, msg: '', data: [] }));
  await done;
  const failed = client.call('/api/transactions', {}, (data) => data, signal).catch(() => 'failed');
  await vi.advanceTimersByTimeAsync(2500);
  answers.shift()?.(new Response('', { status: 500 }));
  expect(await failed).toBe('failed');
  expect(seen).toEqual([undefined, 'search', undefined, 'write', undefined]);
});
