// The standing order that `npm start` and the service's demo come with: made by the demo's model, decided by a person.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningHost, startHost } from '../../devhost/host.ts';
import { createOfflineDemo } from '../../devhost/model/offline-demo.ts';
import { seedWorkspace } from '../../scripts/sample-workspace.ts';
import { type RunningService, startService } from '../../src/service/service.ts';
import { kernelClient } from '../support/hosts.ts';

let folder = '';
let host: RunningHost;
let service: RunningService;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marginalia-sample-order-'));
  const workspace = join(folder, 'workspace');
  await seedWorkspace(workspace);
  const services = { '/v1/': createOfflineDemo({ chunkDelayMs: 0 }).handle };
  host = await startHost({ workspace, port: 0, indexDelayMs: 0, ai: { servesModels: true }, services });
  service = await startService({
    ...{ kernel: host.url.replace(/\/$/, ''), token: 'the-token', data: join(folder, 'data'), log: () => undefined },
    ...{ host: '127.0.0.1', port: 0, hosts: [], origins: [], orders: { everyMs: 0 } },
  });
});
afterAll(async () => {
  await service.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

type Inbox = readonly { readonly run: string; readonly id: string; readonly words: string }[];

async function api<T>(path: string, body?: object): Promise<T> {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const response = await fetch(`${service.url}/api/orders${path}`, { ...init, headers: { Authorization: 'Bearer the-token' } });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as T;
}

it('sorts an inbox: each paragraph is proposed for the note that it names, and one that is approved is there', async () => {
  const { orders } = await api<{ orders: readonly { id: string; name: string; problems: readonly unknown[] }[] }>('');
  expect(orders).toMatchObject([{ name: 'Sort my inbox', problems: [] }]);
  await api(`/${orders[0]?.id}`, { action: 'run' });
  // The first look finds the order, the second runs it.
  for (let look = 0; look < 2; look++) {
    await service.orders.look();
    await service.orders.orders.settled();
  }
  const inbox = await api<Inbox>('/inbox');
  const into = (title: string) => expect.objectContaining({ words: expect.stringContaining(title) });
  expect(inbox).toEqual(['Sourdough bread', 'Lisbon', 'Mapo tofu'].map(into));
  const [{ run, id } = { run: '', id: '' }] = inbox;
  await api(`/inbox/${run}/${id}`, { decision: 'approve', beyond_right: true });
  const [found] = await kernelClient(host.url)<{ hpath: string }[]>('/api/query/sql', {
    stmt: "SELECT hpath FROM blocks WHERE content LIKE '%ten minutes less steam%' LIMIT 2",
  });
  expect(found?.hpath).toBe('/Recipes/Sourdough bread');
});
