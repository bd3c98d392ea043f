import type { WorkerPort } from '../../chat/store/search/search-worker.ts';

/** From a blob: a separate file would be another request to the kernel, and SiYuan's pages allow blobs (they set no policy for scripts). */
export function startWorker(program: string, name: string): WorkerPort {
  const address = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const worker = new Worker(address, { name });
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onFailure) {
      worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data));
      worker.addEventListener('messageerror', () => onFailure('a message cannot be read'));
      worker.addEventListener('error', (event) => {
        // Reported once by the search, which continues without the worker; uncaught it would be an error of the page.
        event.preventDefault();
        onFailure(event.message);
      });
    },
    end() {
      worker.terminate();
      URL.revokeObjectURL(address);
    },
  };
}
