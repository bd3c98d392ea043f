// web_fetch and web_search through the real service: real requests, a scripted model, approvals over HTTP.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, nextEvent, type ServiceBench, startServiceBench } from './support.ts';

let site: Server;
let host: string;
let visits: string[] = [];
let bench: ServiceBench;

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
  bench = await startServiceBench({ webAllowed: [host] });
  await bench.settings({ groups: { web: true } });
});
afterAll(async () => {
  await bench.close();
  site.close();
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
    expect(asked).toMatchObject([{ tool: 'web_fetch', outgoing: { destination: url, body: '' }, scope: host }]);
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

describe('the group', () => {
  it('is off until the settings switch it on', async () => {
    await bench.settings({});
    bench.model.push({ text: 'Hello.' });
    const events = eventsOf(await bench.send({ message: 'Hello' }));
    await nextEvent(events, 'done');
    expect(bench.model.requests.at(-1)?.tools?.map((tool) => tool.function.name)).not.toContain('web_fetch');
  });
});
