import type { SettingsStore } from '../../../host/settings/settings.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import { lazyPart } from '../../../tools/util/lazy.ts';
import type { SearchPort } from '../search-port.ts';

/** The search service of the settings; what tests it is loaded for the first test. */
export function openSearchPort(store: SettingsStore): SearchPort {
  const load = lazyPart(() => import('./test-search.ts'));
  return {
    get() {
      const { provider, address } = store.get().search;
      return { provider, address, hasKey: store.searchKey() !== undefined };
    },
    async save({ key, ...fields }) {
      await store.update((now) => ({ search: { ...now.search, ...fields } }));
      if (key !== undefined) await store.setSearchKey(key);
    },
    async test(signal) {
      if (store.get().localOnly)
        throw new ToolError('local_only', '"local only" is on, and a search leaves this machine', 'switch "local only" off first');
      await (await load()).testSearch(store, signal);
    },
  };
}
