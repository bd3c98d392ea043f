import { ToolError } from '../../tools/contract/errors.ts';

export type SearchProvider = 'brave' | 'tavily' | 'searxng';

export interface SearchSetup {
  readonly provider: SearchProvider;
  /** For SearXNG; may be on this computer or network, since the user named it. */
  readonly address?: string | undefined;
  readonly key?: string | undefined;
}

export interface SearchRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type SearchEndpoints = Readonly<Record<'brave' | 'tavily', string>>;

export const ENDPOINTS: SearchEndpoints = {
  brave: 'https://api.search.brave.com/res/v1/web/search',
  tavily: 'https://api.tavily.com/search',
};

const SET_UP = 'ask the user to set up a search service in the settings of Marginalia, under Web search';
const JSON_ONLY = { accept: 'application/json' };

/** The request for a search. Throws ToolError `search_off` if a setting is missing. */
export function searchRequest(
  setup: SearchSetup | undefined,
  { query, count }: { readonly query: string; readonly count: number },
  endpoints: SearchEndpoints = ENDPOINTS,
): SearchRequest {
  if (setup === undefined) throw new ToolError('search_off', 'no search service is set up', SET_UP);
  const { provider, key = '' } = setup;
  if (provider === 'searxng') {
    const url = searxngAddress(setup.address);
    url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
    return { url: url.href, method: 'GET', headers: JSON_ONLY, body: '' };
  }
  if (key === '') throw new ToolError('search_off', 'the key of the search service is missing', SET_UP);
  if (provider === 'brave') {
    const url = `${endpoints.brave}?${new URLSearchParams({ q: query, count: String(count) }).toString()}`;
    return { url, method: 'GET', headers: { ...JSON_ONLY, 'x-subscription-token': key }, body: '' };
  }
  const headers = { ...JSON_ONLY, 'content-type': 'application/json', authorization: `Bearer ${key}` };
  return { url: endpoints.tavily, method: 'POST', headers, body: JSON.stringify({ query, max_results: count }) };
}

export function isSearchSetUp(setup: SearchSetup | undefined): boolean {
  try {
    searchRequest(setup, { query: 'SiYuan', count: 1 });
    return true;
  } catch {
    return false;
  }
}

/** `…/search` below the address that the user typed, which may include it already. */
function searxngAddress(address = ''): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol))
    throw new ToolError('search_off', 'the address of the SearXNG instance is missing or invalid', SET_UP);
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/+$/u, '').replace(/\/search$/u, '')}/search`;
  return url;
}
