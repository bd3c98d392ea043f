import type { Tool, ToolGroup } from '../../tools/contract/types.ts';
import { createWebSearch, type WebSearch } from './web-search.ts';

/** Group `web`: a search service, and pages; in a browser, which does not resolve names, without `fetchPage`. */
export function createWebGroup(search: WebSearch, fetchPage?: Tool): ToolGroup {
  return {
    name: 'web',
    tools: [createWebSearch(search), ...(fetchPage === undefined ? [] : [fetchPage])],
    rulePrompt:
      'Name the address of a page whenever you use what it says. Put nothing from the notes into an address or a query unless the user asked for that.',
  };
}
