import { createForward } from '../host/kernel/forward-request.ts';
import { createKernelClient } from '../host/kernel/kernel-client.ts';
import { createProviderProxy, type Forward } from '../model/proxied-fetch.ts';

/** Milliseconds that SiYuan may wait for an answer in the page's place. */
const FORWARDED_MS = 60_000;

interface Senders {
  readonly send: typeof fetch;
  readonly forward: Forward;
}

/**
 * Requests to one server from the page, and by SiYuan where the server allows none from pages. Once SiYuan had to send one, it sends all:
 * tried twice, a call would run twice.
 */
function proxyOf(address: string, { send, forward }: Senders) {
  const { fetchFor, forwards } = createProviderProxy({
    fetch: (input, init) => (forwards(address) ? Promise.reject(new TypeError('forwarded')) : send(input, init)),
    forward,
    onChange: () => undefined,
  });
  return { request: fetchFor(address), isForwarded: () => forwards(address) };
}

/** For a server of the protocol: a stream that stays open cannot be forwarded, and is said not to be there. */
export function createServerFetch(address: string, senders: Senders): typeof fetch {
  const { request, isForwarded } = proxyOf(address, senders);
  return async (input, init) => {
    if ((init?.method ?? 'GET') === 'GET' && isForwarded()) return new Response(null, { status: 405 });
    return request(input, init);
  };
}

function pageSenders(): Senders {
  const send = fetch.bind(window);
  return { send, forward: createForward(createKernelClient({ baseUrl: '', fetch: send, timeoutMs: FORWARDED_MS })) };
}

export const pageServerFetch = (address: string): typeof fetch => createServerFetch(address, pageSenders());

export const pageFetch = (address: string): typeof fetch => proxyOf(address, pageSenders()).request;

/** For logins: by SiYuan alone and once, since what holds secrets is not tried twice, and pages of other origins may rarely ask them. */
export function pageSignInFetch(): typeof fetch {
  const { forward } = pageSenders();
  const { fetchFor } = createProviderProxy({
    fetch: () => Promise.reject(new TypeError('forwarded')),
    forward,
    onChange: () => undefined,
  });
  return (input, init) => fetchFor(input instanceof Request ? input.url : String(input))(input, init);
}
