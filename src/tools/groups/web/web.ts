import type { Tool, ToolGroup } from '../../contract/types.ts';
import { createWebFetch, type WebPages } from './web-fetch.ts';

export interface WebPorts {
  /** Absent where no page can be read safely: in a browser, which does not say what a name resolves to. */
  readonly pages?: WebPages;
}

/** Group `web`: pages and search engines. What comes back was written by anybody. */
export function createWebGroup({ pages }: WebPorts): ToolGroup {
  const tools: readonly Tool[] = pages === undefined ? [] : [createWebFetch(pages)];
  return {
    name: 'web',
    tools,
    rulePrompt:
      'Name the address of a page whenever you use what it says. Put nothing of the notes into an address or a query unless the user asked for that.',
  };
}
