import { ToolError } from '../contract/errors.ts';
import type { WebPorts } from '../groups/web/web.ts';

/** A web of one page, for tests and for the examples of docs/tools.md. */
export const sampleWeb: WebPorts = {
  pages: {
    check(address) {
      if (!URL.canParse(address)) throw new ToolError('bad_address', 'this is not an address of a page', 'give a whole address');
      return new URL(address).href;
    },
    read: async (url) => ({ url, title: 'Tides', text: 'High water is at noon.\n\nMore in [the tables](https://example.org/tables).' }),
  },
};
