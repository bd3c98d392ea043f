import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Fetch } from '../../host/kernel/kernel-client.ts';

/** Milliseconds for which an idle connection stays open: shorter than servers keep theirs, so that none is used while it closes. */
const IDLE_MS = 4000;
/** Statuses for which a `Response` may have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

async function responseOf(answer: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  const { statusCode: status = 0, headers } = answer;
  const type = headers['content-type'];
  return new Response(WITHOUT_BODY.has(status) ? null : Buffer.concat(parts), {
    status,
    headers: type === undefined ? {} : { 'content-type': type },
  });
}

/**
 * `fetch` for the small requests to the kernel, of which each answer needs many: with Node's own HTTP, which costs half as much. Bodies
 * that are not text, and redirects, use `fetch` itself.
 */
export function openKernelFetch(): Fetch {
  const options = { keepAlive: true, timeout: IDLE_MS };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  return async (url, init) => {
    const { method = 'GET', body, headers, signal } = init;
    if (body !== undefined && typeof body !== 'string') return fetch(url, init);
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const sent = { method, headers: Object.fromEntries(new Headers(headers)), ...(signal ? { signal } : {}) };
    const take = (answer: IncomingMessage): void => {
      const goesElsewhere = isRedirect(answer.statusCode ?? 0);
      if (goesElsewhere) answer.resume();
      resolve(goesElsewhere ? fetch(url, init) : responseOf(answer));
    };
    const request = url.startsWith('https:')
      ? httpsRequest(url, { ...sent, agent: agents.https }, take)
      : httpRequest(url, { ...sent, agent: agents.http }, take);
    request.on('error', reject).end(body);
    return promise;
  };
}
