import type { WorkerPort } from '../../chat/store/search/search-worker.ts';

type Listen = Parameters<WorkerPort['listen']>;

/** A worker whose program, a text as long as the page's own code for it, is loaded on first use. Earlier messages are queued. */
export function lazyWorker(load: () => Promise<() => WorkerPort>): WorkerPort {
  const waiting: unknown[] = [];
  let worker: WorkerPort | undefined;
  let ended = false;
  let fail: Listen[1] = () => undefined;
  const start = async (onMessage: Listen[0]): Promise<void> => {
    const startWorker = await load();
    if (ended) return;
    const port = startWorker();
    worker = port;
    port.listen(onMessage, fail);
    for (const message of waiting.splice(0)) port.post(message);
  };
  return {
    post: (message) => (worker ? worker.post(message) : void waiting.push(message)),
    listen(onMessage, onFailure) {
      fail = onFailure;
      start(onMessage).catch((error: unknown) => fail(String(error)));
    },
    end() {
      ended = true;
      worker?.end();
    },
  };
}
