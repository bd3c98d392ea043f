import { describe, expect, it } from 'vitest';
import type { WorkerPort } from '../../chat/store/search/search-worker.ts';
import { lazyWorker } from './lazy-search-worker.ts';

function fakeWorker() {
  const did: unknown[] = [];
  const port: WorkerPort = {
    post: (message) => void did.push(message),
    listen: (onMessage) => onMessage('ready'),
    end: () => void did.push('ended'),
  };
  return { did, start: () => port };
}

describe('a worker that is loaded lazily', () => {
  it('gets what was posted before it was there, in order', async () => {
    const { did, start } = fakeWorker();
    const heard: unknown[] = [];
    const worker = lazyWorker(async () => start);
    worker.post(1);
    worker.listen((message) => heard.push(message), String);
    worker.post(2);
    await expect.poll(() => did).toEqual([1, 2]);
    worker.post(3);
    worker.end();
    expect([did, heard]).toEqual([[1, 2, 3, 'ended'], ['ready']]);
  });

  it('is not started after its end, and says why it could not be', async () => {
    const { did, start } = fakeWorker();
    const ended = lazyWorker(async () => start);
    ended.listen(String, String);
    ended.end();
    const reasons: string[] = [];
    lazyWorker(() => Promise.reject(new Error('no file'))).listen(String, (reason) => reasons.push(reason));
    await expect.poll(() => reasons).toEqual(['Error: no file']);
    expect(did).toEqual([]);
  });
});
