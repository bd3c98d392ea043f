import { ToolError } from '../../tools/contract/errors.ts';
import type { Tool, ToolArguments } from '../../tools/contract/types.ts';
import { WEB_SEARCH } from '../../tools/groups/common/beyond-notes.ts';
import { defineTool, numberArgument, textArgument } from '../../tools/util/define.ts';
import { isSearchSetUp, type SearchEndpoints, type SearchRequest, type SearchSetup, searchRequest } from './search-request.ts';
import { formatResults, readSearchAnswer, type SearchAnswer } from './search-results.ts';

/** The search service that the user chose. */
export interface WebSearch {
  /** The current setup; undefined if there is none. */
  setup(): SearchSetup | undefined;
  /** Sends exactly this and follows no redirect. Rejects with ToolError if there is no answer. */
  send(request: SearchRequest, signal: AbortSignal): Promise<SearchAnswer>;
  /** For tests only. Default: the addresses of the services. */
  readonly endpoints?: SearchEndpoints | undefined;
}

const DEFAULT_COUNT = 5;
const MAX_COUNT = 20;
/** Characters; Brave takes no more. */
const MAX_QUERY = 400;

export function createWebSearch(search: WebSearch): Tool {
  const requestOf = (args: ToolArguments): SearchRequest => {
    const query = textArgument(args, 'query')?.trim() ?? '';
    if (query === '') throw new ToolError('empty_text', '"query" is empty', 'call web_search again with words to search for');
    if (query.length > MAX_QUERY) throw new ToolError('too_large', `the query has ${query.length} characters`, `use at most ${MAX_QUERY}`);
    return searchRequest(search.setup(), { query, count: numberArgument(args, 'count', DEFAULT_COUNT) }, search.endpoints);
  };
  return defineTool({
    name: WEB_SEARCH.name,
    description: 'Searches the web with the service that the user chose: titles, addresses and snippets.',
    properties: {
      query: { type: 'string', description: 'words to search for' },
      count: { type: 'integer', minimum: 1, maximum: MAX_COUNT, description: `default ${DEFAULT_COUNT}` },
    },
    required: ['query'],
    isSetUp: () => isSearchSetUp(search.setup()),
    permission: { executionPolicy: 'ask-once', resultApprovalPolicy: 'never' },
    effect: 'outgoing',
    outgoing: (args) => {
      const { url, body } = requestOf(args);
      return { url, body };
    },
    approvalScope: (args) => new URL(requestOf(args).url).host,
    execute: async (args, { signal, outgoing }) => {
      const request = requestOf(args);
      // Only what was shown is sent.
      if (outgoing?.url !== request.url || outgoing.body !== request.body)
        throw new ToolError('stale', 'the search service is not the one that was shown', 'search again');
      return { status: 'success', data: await searchFor(search, request, numberArgument(args, 'count', DEFAULT_COUNT), signal) };
    },
  });
}

async function searchFor(search: WebSearch, request: SearchRequest, count: number, signal: AbortSignal): Promise<string> {
  const provider = search.setup()?.provider ?? 'searxng';
  return formatResults(readSearchAnswer(provider, await search.send(request, signal), count));
}

/** Whether the service answers with the current setup. Rejects with ToolError like a search. */
export async function testWebSearch(search: WebSearch, signal: AbortSignal): Promise<void> {
  await searchFor(search, searchRequest(search.setup(), { query: 'SiYuan', count: 1 }, search.endpoints), 1, signal);
}
