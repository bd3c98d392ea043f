import { createForward } from '../../host/kernel/forward-request.ts';
import { createKernelClient } from '../../host/kernel/kernel-client.ts';
import { createProviderProxy, type Forward } from '../../model/proxied-fetch.ts';

/** Milliseconds that SiYuan may wait for an answer in the page's place. */
const FORWARDED_MS = 60_000;

interface Senders {
  readonly send: typeof fetch;
  readonly forward: Forward;
}

/**
 * Requests to one server from the page, and by SiYuan where the server allows none from pages. Once SiYuan had to send one, it sends all:
 * tried twice, a call would run twice. A stream that stays open cannot be forwarded: it is said not to be there.
 */
export function createServerFetch(address: string, { send, forward }: Senders): typeof fetch {
  const { fetchFor, forwards } = createProviderProxy({
    fetch: (input, init) => (forwards(address) ? Promise.reject(new TypeError('forwarded')) : send(input, init)),
    forward,
    onChange: () => undefined,
  });
  const proxied = fetchFor(address);
  return async (input, init) => {
    if ((init?.method ?? 'GET') === 'GET' && forwards(address)) return new Response(null, { status: 405 });
    return proxied(input, init);
  };
}

export function pageServerFetch(address: string): typeof fetch {
  const send = fetch.bind(window);
  const client = createKernelClient({ baseUrl: '', fetch: send, timeoutMs: FORWARDED_MS });
  return createServerFetch(address, { send, forward: createForward(client) });
}
