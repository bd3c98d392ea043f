import type { SettingsStore } from '../../host/settings/settings.ts';
import type { SearchEndpoints } from './search-request.ts';
import type { WebSearch } from './web-search.ts';

export interface WebSearchDeps {
  readonly settings: Pick<SettingsStore, 'get' | 'searchKey'>;
  readonly send: WebSearch['send'];
  /** Has precedence over the key in the settings. */
  readonly key?: (() => string | undefined) | undefined;
  readonly endpoints?: SearchEndpoints | undefined;
}

/** web_search with the current settings. */
export function createSettingsSearch({ settings, send, key, endpoints }: WebSearchDeps): WebSearch {
  return {
    setup() {
      const { provider, address } = settings.get().search;
      return provider === '' ? undefined : { provider, address, key: key?.() ?? settings.searchKey() };
    },
    send,
    endpoints,
  };
}
