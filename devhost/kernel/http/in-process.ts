import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kernel } from '../kernel.ts';
import { type Envelope, RawAnswer, type Route } from '../router.ts';
import { dispatch } from './dispatch.ts';
import type { Failures } from './failures.ts';
import { bodyOf } from './request.ts';

export interface InProcessOptions {
  readonly kernel: Kernel;
  readonly routes: ReadonlyMap<string, Route>;
  readonly failures: Failures;
  readonly isLocked: boolean;
  /** Changes when the host stops listening or starts again. */
  readonly listening: () => object | undefined;
}

export type InProcessFetch = (address: string, init?: RequestInit) => Promise<Response>;

function responseOf(answer: Envelope | RawAnswer): Response {
  if (!(answer instanceof RawAnswer)) return Response.json(answer);
  const { body, status, headers } = answer;
  if (typeof body === 'string') return new Response(body, { status, headers });
  const bytes = body instanceof Uint8Array ? [body] : body;
  return new Response(Readable.toWeb(Readable.from(bytes, { objectMode: false })) as ReadableStream, { status, headers });
}

/**
 * `fetch` for a caller in the kernel's own process. JSON for a route goes there without the network, which took half the time
 * of the tests over a kernel; the answer comes in a later turn of the loop and after its pushes, as from a socket. All else
 * goes over the network: forms, files, faults on demand, a host that is stopped or wants a token.
 */
export function inProcessFetch({ kernel, routes, failures, isLocked, listening }: InProcessOptions): InProcessFetch {
  return (address, init = {}) => {
    const { pathname: path, searchParams: query } = new URL(address);
    const { method, body, signal = null } = init;
    const route = routes.get(path);
    const server = listening();
    const isForm = new Headers(init.headers).get('content-type')?.startsWith('multipart/') ?? false;
    if (!route || !server || isLocked || failures.armed || isForm || method !== 'POST' || typeof body !== 'string')
      return fetch(address, init);
    const work = async (gone: AbortSignal): Promise<Response> => {
      await nextTurn();
      gone.throwIfAborted();
      const answer = await dispatch(
        route,
        { body: bodyOf(body), files: [] },
        { kernel, method, path, query, headers: {}, files: [], signal: gone },
        kernel,
      );
      await nextTurn();
      if (listening() !== server) throw new TypeError('fetch failed: the host was stopped');
      return responseOf(answer);
    };
    const gone = signal ?? new AbortController().signal;
    return new Promise((resolve, reject) => {
      gone.addEventListener('abort', () => reject(gone.reason), { once: true });
      work(gone).then(resolve, reject);
    });
  };
}
