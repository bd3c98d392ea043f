import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SettingsStore } from '../../../host/settings/settings.ts';
// Its libraries put names of their own into the process.
import '../mcp-servers.ts';
import { PanelServers } from './panel-servers.ts';

const sent: string[] = [];

beforeEach(() => {
  sent.splice(0);
  // A page whose requests SiYuan sends in its place.
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    sent.push(`${input} ${String(init?.body ?? '')}`);
    return new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  });
});
afterEach(() => void vi.unstubAllGlobals());

it('begins no login under “Local only”, and sends nothing for one', async () => {
  const now = { localOnly: false, mcpServers: [{ name: 'work', enabled: true, url: 'https://work.example/mcp' }] };
  const page = new AbortController();
  const servers = new PanelServers({
    settings: { get: () => now, subscribe: () => () => undefined } as unknown as SettingsStore,
    secrets: { get: () => undefined, set: () => undefined },
    assets: {} as never,
    ...{ folder: '', onChange: () => undefined, signal: page.signal, t: (key: string) => key },
  });
  await servers.connect();
  now.localOnly = true;
  sent.splice(0);
  const started = await servers.started();
  expect(await started.signIn('work')).toBeUndefined();
  expect(servers.known('work')?.signIn).toMatchObject({ problem: 'local_only' });
  expect(sent).toEqual([]);
  page.abort();
});
