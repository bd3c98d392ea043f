import { NEVER } from '../tools/util/abort.ts';

export interface ForwardedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Sends a request and waits for its whole answer; redirects are not followed. Rejects if there is no answer. */
export type Forward = (request: ForwardedRequest, signal: AbortSignal) => Promise<ForwardedAnswer>;

export interface ProxyOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly forward: Forward;
  readonly onChange: () => void;
}

export interface ProviderProxy {
  /** For requests to the server of one provider: the host sends no others. */
  fetchFor(baseURL: string): typeof globalThis.fetch;
  /** Tells if the last request to this server was forwarded: its answers arrive in one piece. */
  forwards(baseURL: string): boolean;
}

/** They describe the bytes as the host received them; it has already decoded them. */
const ENCODING_HEADERS = new Set(['content-encoding', 'content-length', 'transfer-encoding']);
const WITHOUT_BODY = new Set([204, 205, 304]);

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null);

async function asForwarded(input: string | URL | Request, init: RequestInit | undefined): Promise<ForwardedRequest> {
  const { signal: _signal, ...parts } = init ?? {};
  const request = new Request(input, parts);
  return {
    url: request.url,
    method: request.method,
    headers: Object.fromEntries(request.headers),
    body: new Uint8Array(await request.arrayBuffer()),
  };
}

/** What `fetch` would have returned; null for what a page would not have got (redirects are refused, other numbers are not statuses). */
function asResponse({ status, headers, body }: ForwardedAnswer): Response | null {
  if (status < 200 || status > 599 || (status >= 300 && status < 400)) return null;
  return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(body), { status, headers: readableHeaders(headers) });
}

function readableHeaders(headers: ForwardedAnswer['headers']): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (ENCODING_HEADERS.has(name.toLowerCase())) continue;
    try {
      kept.append(name, value);
    } catch {
      // A header that no browser would show (not Latin letters): the answer matters more.
    }
  }
  return kept;
}

const methodOf = (input: string | URL | Request, init: RequestInit | undefined): string =>
  (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();

/** A CORS refusal looks like a dead network, so the host sends it again, but no kind that the server has answered: both may be charged for. */
export function createProviderProxy({ fetch, forward, onChange }: ProxyOptions): ProviderProxy {
  const forwarded = new Set<string>();
  /** Methods with the origins that have answered them to the page. */
  const answered = new Set<string>();
  const note = (origin: string, isForwarded: boolean): void => {
    if (forwarded.has(origin) === isForwarded) return;
    if (isForwarded) forwarded.add(origin);
    else forwarded.delete(origin);
    onChange();
  };
  return {
    forwards: (baseURL) => forwarded.has(originOf(baseURL) ?? ''),
    fetchFor(baseURL) {
      const own = originOf(baseURL);
      return async (input, init) => {
        const origin = originOf(input instanceof Request ? input.url : String(input));
        const kind = `${methodOf(input, init)} ${origin}`;
        const signal = init?.signal ?? NEVER;
        try {
          const response = await fetch(input, init);
          if (origin !== null) note(origin, false);
          answered.add(kind);
          return response;
        } catch (error) {
          if (signal.aborted || !(error instanceof TypeError) || origin === null || origin !== own || answered.has(kind)) throw error;
          const answer = await forward(await asForwarded(input, init), signal).catch(() => null);
          const response = answer && asResponse(answer);
          if (!response || signal.aborted) throw error;
          note(origin, true);
          return response;
        }
      };
    },
  };
}
