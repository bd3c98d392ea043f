// What stands where a route has an id: nothing in it leads to another file, or to a failure of the service.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROUTES } from './served-features.ts';
import { type ServiceBench, startServiceBench } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
});
afterAll(() => bench.close());

const ODD = [
  ...[
    '..%2F',
    '..%2Fwishes',
    '%2e%2e%2f%2e%2e%2fconf',
    '..%5C..%5Cconf',
    '%00',
    'a%0Ab',
    '%7F',
    '..%252Fwishes',
    'a'.repeat(3000),
    '%E0%A4%A',
  ],
  ...['%F0%9F%92%A9', "x'; --", '.', '..', 'constructor', '__proto__'].map((id) => (id.startsWith('%') ? id : encodeURIComponent(id))),
];
const routes = ROUTES.filter(({ path }) => path.includes('{'));

it.each(ODD)('is answered in JSON and never by a failure: %s', async (id) => {
  for (const { method, path } of routes) {
    const address = path.replaceAll(/\{\w+\}/g, id);
    const body = method === 'POST' ? { body: '{"decision":"approve","action":"run"}' } : {};
    const answer = await bench.fetch(address, { method, headers: { 'Content-Type': 'application/json' }, ...body });
    expect([`${method} ${address.slice(0, 80)}`, answer.status < 500]).toEqual([`${method} ${address.slice(0, 80)}`, true]);
    const isPath = /%(?:2f|5c|00|0a|7f)/i.test(address);
    if (isPath) expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'no_route' } }]);
    else await answer.body?.cancel();
  }
});

it('leads from a proposal to no other file', async () => {
  await bench.json('/api/orders/note', { note: bench.note });
  for (const run of ['..%2Fwishes', '..%2Forders%2Fwishes', '..%252Fwishes'])
    for (const decision of ['approve', 'reject', 'never', 'drop'])
      await bench.fetch(`/api/orders/inbox/${run}/1`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ decision }),
      });
  expect(await bench.json('/api/orders')).toMatchObject({ note: { id: bench.note } });
});
