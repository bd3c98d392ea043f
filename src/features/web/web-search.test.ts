import { describe, expect, it } from 'vitest';
import { callOptions, testExecutor } from '../../tools/testing/support.ts';
import type { SearchRequest, SearchSetup } from './search-request.ts';
import type { SearchAnswer } from './search-results.ts';
import { createWebGroup } from './web.ts';
import { testWebSearch, type WebSearch } from './web-search.ts';

const SEARXNG: SearchSetup = { provider: 'searxng', address: 'http://127.0.0.1:8888' };
const RESULT = {
  title: 'High <strong>water</strong>',
  url: 'https://example.org/tides',
  content: 'At noon &amp; midnight',
  description: 'At noon &amp; midnight',
};

function open(
  first: SearchSetup | undefined,
  answer: SearchAnswer = { status: 200, body: JSON.stringify({ results: [RESULT], web: { results: [RESULT] } }) },
) {
  let setup = first;
  const sent: SearchRequest[] = [];
  const search: WebSearch = {
    setup: () => setup,
    send: async (request) => {
      sent.push(request);
      return answer;
    },
  };
  const bench = testExecutor(createWebGroup(search).tools);
  const change = (to: SearchSetup): void => {
    setup = to;
  };
  const find = (args: object) => bench.executor.execute('web_search', { ...args }, callOptions());
  return { ...bench, search, sent, find, change };
}

describe('web_search', () => {
  it.each<[string, SearchSetup, SearchRequest]>([
    [
      'brave',
      { provider: 'brave', key: 'secret' },
      {
        url: 'https://api.search.brave.com/res/v1/web/search?q=high+%E6%B0%B4&count=3',
        ...{ method: 'GET', body: '', headers: { accept: 'application/json', 'x-subscription-token': 'secret' } },
      },
    ],
    [
      'tavily',
      { provider: 'tavily', key: 'secret' },
      {
        ...{ url: 'https://api.tavily.com/search', method: 'POST', body: '{"query":"high 水","max_results":3}' },
        headers: { accept: 'application/json', 'content-type': 'application/json', authorization: 'Bearer secret' },
      },
    ],
    [
      'searxng',
      { ...SEARXNG, address: 'http://127.0.0.1:8888/searx/' },
      {
        url: 'http://127.0.0.1:8888/searx/search?q=high+%E6%B0%B4&format=json',
        method: 'GET',
        body: '',
        headers: { accept: 'application/json' },
      },
    ],
  ])('asks %s as it is documented, shows where to and what but no key, and gives a list', async (_name, setup, request) => {
    const { find, sent, asked } = open(setup);
    const { finalText = '' } = await find({ query: ' high 水 ', count: 3 });
    expect(sent).toEqual([request]);
    expect(asked).toMatchObject([{ outgoing: { destination: request.url, body: request.body }, scope: new URL(request.url).host }]);
    expect(JSON.stringify([asked, finalText])).not.toContain('secret');
    expect(finalText).toContain('1. High water\n   https://example.org/tides\n   At noon & midnight\n</untrusted-data>');
  });

  it.each<[string, SearchSetup | undefined]>([
    ['nothing is set up', undefined],
    ['the key is missing', { provider: 'brave' }],
    ['the key is empty', { provider: 'tavily', key: '' }],
    ['the address is missing', { provider: 'searxng' }],
    ['the address is none', { provider: 'searxng', address: 'file:///etc' }],
  ])('where %s, says what to do and asks nobody', async (_what, setup) => {
    const { find, sent, asked } = open(setup);
    expect((await find({ query: 'tides' })).finalText).toMatch(/^search_off: .* → ask the user to set up a search service/u);
    expect([sent, asked]).toEqual([[], []]);
  });

  it.each<[SearchSetup, SearchAnswer, RegExp]>([
    [SEARXNG, { status: 403, body: '' }, /^search_failed: .*JSON.* → .*settings\.yml/u],
    [{ provider: 'brave', key: 'secret' }, { status: 401, body: 'secret' }, /^search_key: .*key.* → .*check the key/u],
    [{ provider: 'tavily', key: 'secret' }, { status: 429, body: '' }, /^search_failed: .*too many/u],
    [SEARXNG, { status: 500, body: '' }, /^search_failed: .*500/u],
    [SEARXNG, { status: 200, body: '<html>' }, /^search_failed: .*no list/u],
  ])('tells what failed: %j %j', async (setup, answer, words) => {
    const { find, search } = open(setup, answer);
    const { finalText } = await find({ query: 'tides' });
    expect(finalText).toMatch(words);
    expect(finalText).not.toContain('secret');
    await expect(testWebSearch(search, new AbortController().signal)).rejects.toMatchObject({
      code: expect.stringMatching(/^search_(?:failed|key)$/u),
    });
  });

  it('leaves out what is no address of the web, and cuts the list', async () => {
    const results = [{ ...RESULT, url: 'javascript:alert(1)' }, RESULT, { url: 'https://b.example/' }, RESULT];
    const { find } = open(SEARXNG, { status: 200, body: JSON.stringify({ results }) });
    expect((await find({ query: 'tides', count: 2 })).formattedText).toBe(
      '1. High water\n   https://example.org/tides\n   At noon & midnight\n2. (no title)\n   https://b.example/',
    );
    const none = open({ provider: 'brave', key: 'k' }, { status: 200, body: '{"type":"search","query":{}}' });
    expect((await none.find({ query: 'x' })).formattedText).toBe('nothing was found');
  });

  it('sends nothing to another service than the one that was shown', async () => {
    const { executor, sent, change } = open(SEARXNG);
    executor.approvalRecords.allow('web_search', '127.0.0.1:8888');
    const tool = executor.getTool('web_search');
    change({ provider: 'tavily', key: 'k' });
    const context = { callId: 'c', sessionId: 's', nodeId: 'n', signal: new AbortController().signal, report: () => undefined };
    const shown = { url: 'http://127.0.0.1:8888/search?q=tides&format=json', body: '' };
    await expect(tool?.execute({ query: 'tides' }, { ...context, outgoing: shown })).rejects.toMatchObject({ code: 'stale' });
    expect(sent).toEqual([]);
  });
});
