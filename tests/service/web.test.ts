// web_fetch and web_search through the real service: real requests, a scripted model, approvals over HTTP.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCH_KEY, type SearchServer, startSearchServer } from '../support/search-server.ts';
import { eventsOf, nextEvent, type ServiceBench, startServiceBench } from './support.ts';

let site: Server;
let host: string;
let visits: string[] = [];
let bench: ServiceBench;
let search: SearchServer;

beforeAll(async () => {
  site = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      '<html><head><title>Tides</title></head><body><nav>Menu</nav><h1>High water</h1><p>At noon, says $VAR_REF{{x}}.</p></body></html>',
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  search = await startSearchServer();
  bench = await startServiceBench({ webAllowed: [host], searchEndpoints: search.endpoints, searchKey: SEARCH_KEY });
  await bench.settings({ groups: { web: true } });
});
afterAll(async () => {
  await bench.close();
  site.close();
  search.close();
});

/** What the model reads of the last call. */
const lastResult = (): string => bench.model.requests.at(-1)?.messages.at(-1)?.content ?? '';

/** Asks; decides about each approval as `decide` says; gives what was asked. */
async function turn(message: string, decide = 'approve') {
  visits = [];
  const asked: Readonly<Record<string, unknown>>[] = [];
  const events = eventsOf(await bench.send({ message }));
  for await (const { event, data } of events) {
    if (event !== 'approval_request') continue;
    asked.push(data);
    await bench.json(`/api/chat/approvals/${String(data.id)}`, { decision: decide });
  }
  return asked;
}

describe('web_fetch over the service', () => {
  it('asks with the whole address, and gives the page as data of a stranger', async () => {
    const url = `http://${host}/tides?day=1`;
    bench.model.push({ calls: [{ name: 'web_fetch', args: { url } }] }, { text: 'At noon.' });
    const asked = await turn('When is high water?');
    expect(asked).toMatchObject([{ tool: 'web_fetch', outgoing: { destination: url, body: '' }, scope: host, lasting: true }]);
    expect(visits).toEqual(['/tides?day=1']);
    expect(lastResult()).toMatch(
      /^<untrusted-data tool="web_fetch">\n# Tides\nhttp:.*\n\n# High water\n\nAt noon, says \\\$VAR_REF\{\{x\}\}\.\n<\/untrusted-data>/u,
    );
    expect(lastResult()).not.toContain('Menu');
  });

  it('reads nothing after a rejection', async () => {
    bench.model.push({ calls: [{ name: 'web_fetch', args: { url: `http://${host}/` } }] }, { text: 'Then not.' });
    expect(await turn('And now?', 'reject')).toHaveLength(1);
    expect(visits).toEqual([]);
  });

  it('asks nobody, and reads nothing, where the address is SiYuan’s, private, or local only is on', async () => {
    for (const url of [bench.host.url, 'http://2852039166/latest/meta-data/', 'http://[::ffff:127.0.0.1]/']) {
      bench.model.push({ calls: [{ name: 'web_fetch', args: { url } }] }, { text: 'No.' });
      expect(await turn('Read it.')).toEqual([]);
      expect(lastResult()).toMatch(/^address_refused: /u);
    }
    await bench.settings({ groups: { web: true }, localOnly: true, remoteProviders: ['environment'] });
    bench.model.push({ calls: [{ name: 'web_fetch', args: { url: `http://${host}/` } }] }, { text: 'No.' });
    expect(await turn('Read it.')).toEqual([]);
    expect(lastResult()).toMatch(/^local_only: /u);
    expect(visits).toEqual([]);
  });
});

describe('web_search over the service', () => {
  const settingsOf = (provider: string) => bench.settings({ groups: { web: true }, search: { provider, address: `${search.url}/searx` } });
  const searchFor = async (query: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    search.asked.length = 0;
    bench.model.push({ calls: [{ name: 'web_search', args: { query } }] }, { text: 'Found.' });
    return turn('Search for it.');
  };

  it.each([
    ['brave', 'GET /brave?q=high+water&count=5', '', 'Says Brave.'],
    ['tavily', 'POST /tavily', '{"query":"high water","max_results":5}', 'Says Tavily.'],
    ['searxng', 'GET /searx/search?q=high+water&format=json', '', 'Says SearXNG.'],
  ])('asks %s, which the workspace’s settings name, with the key of the environment', async (provider, line, body, says) => {
    await settingsOf(provider);
    const asked = await searchFor('high water');
    expect(search.asked).toEqual([{ line, body, key: provider === 'searxng' ? '' : SEARCH_KEY }]);
    expect(asked).toMatchObject([{ tool: 'web_search', outgoing: { destination: `${search.url}${line.split(' ')[1]}`, body } }]);
    expect(lastResult()).toContain(`1. High water\n   https://tides.example.org/\n   ${says}\n</untrusted-data>`);
    expect(JSON.stringify([asked, bench.model.bodies, bench.logged])).not.toContain(SEARCH_KEY);
  });

  it('says what to do where none is set up, or it cannot be reached', async () => {
    await settingsOf('');
    expect(await searchFor('x')).toEqual([]);
    expect(lastResult()).toMatch(/^search_off: /u);
    await bench.settings({ groups: { web: true }, search: { provider: 'searxng', address: 'http://127.0.0.1:1/' } });
    await searchFor('x');
    expect(lastResult()).toMatch(/^site_unreachable: the search service at 127\.0\.0\.1:1 /u);
  });
});

describe('memory over the service', () => {
  it('keeps a fact in its note, which the next chat reads', async () => {
    await bench.settings({ groups: { memory: true }, memory: { notebook: bench.notebook } });
    bench.model.push({ calls: [{ name: 'memory', args: { op: 'save', text: 'Lives in Emden.' } }] }, { text: 'Kept.' });
    expect(await turn('Remember that I live in Emden.')).toMatchObject([{ tool: 'memory', plan: { document: { path: '/Memory' } } }]);
    bench.model.push({ calls: [{ name: 'memory', args: { op: 'read' } }] }, { text: 'In Emden.' });
    expect(await turn('Where do I live?')).toEqual([]);
    expect(lastResult()).toMatch(/Memory \[.+\] in Work: 1 facts?\n1\. Lives in Emden\.\n/u);
  });
});

describe('the group', () => {
  it('is off until the settings switch it on', async () => {
    await bench.settings({});
    bench.model.push({ text: 'Hello.' });
    const events = eventsOf(await bench.send({ message: 'Hello' }));
    await nextEvent(events, 'done');
    expect(bench.model.requests.at(-1)?.tools?.map((tool) => tool.function.name)).not.toContain('web_fetch');
  });
});
