import type { WebPages } from '../../features/web/web-fetch.ts';
import type { WebSearch } from '../../features/web/web-search.ts';
import { ToolError } from '../contract/errors.ts';

/** A web with one page and one search result, for tests and for the examples in docs/tools.md. */
export const sampleWeb: { readonly search: WebSearch; readonly pages: WebPages } = {
  search: {
    setup: () => ({ provider: 'searxng', address: 'https://search.example.org' }),
    send: async () => ({
      status: 200,
      body: JSON.stringify({
        results: [
          { title: 'Tides', url: 'https://example.org/tides', content: 'High water is at noon.' },
          { title: 'Tables', url: 'https://example.org/tables', content: 'A year of tides.' },
        ],
      }),
    }),
  },
  pages: {
    check(address) {
      if (!URL.canParse(address)) throw new ToolError('bad_address', 'this is not an address of a page', 'give a whole address');
      return new URL(address).href;
    },
    read: async (url) => ({ url, title: 'Tides', text: 'High water is at noon.\n\nMore in [the tables](https://example.org/tables).' }),
  },
};
