import { describe, expect, it } from 'vitest';
import { openSettings } from '../../host/settings/settings.ts';
import type { ModelUse } from '../../model/budget/usage.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { callMemory } from '../workspace/call-memory.ts';
import { providerSources } from '../workspace/chat-model.ts';
import { createModelsPort } from './models-adapter.ts';

const never = new AbortController().signal;
const OLLAMA = 'http://127.0.0.1:11434/v1';

/** The port over a settings file; `up`: addresses that have a list of models. */
async function open(file: object, up: readonly string[] = [], keys: Record<string, string> = {}) {
  const files: Record<string, string> = { 'settings.json': JSON.stringify({ schema: 1, ...file }) };
  const secrets = new Map(Object.entries(keys));
  const settings = await openSettings(
    {
      read: async (path) => files[path] ?? null,
      write: async (path, text) => void Object.assign(files, { [path]: text }),
      list: async () => Object.keys(files),
    },
    { get: (name) => secrets.get(name), set: (name, value) => void secrets.set(name, value) },
    () => 1,
  );
  const asked: { readonly url: string; readonly key: string | null; readonly redirect: string | undefined }[] = [];
  const ask: typeof fetch = async (url, init) => {
    asked.push({ url: String(url), key: new Headers(init?.headers).get('authorization'), redirect: init?.redirect });
    if (!up.some((address) => String(url).startsWith(address))) throw new TypeError('Failed to fetch');
    return Response.json({ data: [{ id: 'llama' }] });
  };
  const uses: ModelUse[] = [];
  const port = createModelsPort({
    settings,
    sources: () => providerSources({ settings, hostAi: () => ({}), served: null }),
    model: (use) => {
      uses.push(use);
      throw new ToolError('internal', 'not asked', '');
    },
    fetch: ask,
    proxy: { fetchFor: () => ask },
    recent: { get: () => [], set: () => undefined },
    newId: () => 'new',
    calls: callMemory(),
    learnt: { learnt: () => ({}), forget: () => undefined },
    loadTest: async () => Promise.reject(new Error('not loaded')),
  });
  return { port, settings, asked, uses, refresh: () => port.refresh(never, () => undefined) };
}

const REMOTE = { name: 'Cloud', baseURL: 'https://api.example.com/v1', apiKeyRef: 'local:provider:cloud' };
const KEYS = { 'local:provider:cloud': 'sk-cloud-12345678' };

describe('the key of a provider', () => {
  it('goes to the server that it was given for, and to no other that comes in its place', async () => {
    const file = { providers: { cloud: REMOTE }, localOnly: true, remoteProviders: ['cloud', 'other'] };
    const { port, settings, asked, refresh } = await open(file, [], KEYS);
    await port.saveProvider('cloud', { baseURL: 'https://api.example.com/v2' });
    expect(settings.apiKey('cloud')).toBe('sk-cloud-12345678');
    await port.saveProvider('cloud', { baseURL: 'https://elsewhere.example/v1' });
    expect(settings.apiKey('cloud')).toBe('');
    // Nor is the new server allowed because the old one was.
    expect(settings.get().remoteProviders).toEqual(['other']);
    await settings.update(() => ({ localOnly: false }));
    await refresh();
    expect(asked.find(({ url }) => url.includes('elsewhere'))).toMatchObject({ key: null });
    expect(asked.every(({ redirect }) => redirect === 'error')).toBe(true);
  });

  it('is kept where the address is entered after it', async () => {
    const { port, settings } = await open({});
    const id = await port.saveProvider(null, { apiKey: 'sk-1' });
    // What is no address was never sent a key.
    for (const baseURL of ['api.example.com/v1', 'https://api.example.com/v1']) await port.saveProvider(id, { baseURL });
    expect(settings.apiKey(id)).toBe('sk-1');
  });
});

describe('a list of models', () => {
  it('is not asked of a server elsewhere while only local models may be, but of one that is allowed', async () => {
    const allowed = { name: 'Allowed', baseURL: 'https://allowed.example/v1' };
    const file = { providers: { cloud: REMOTE, allowed }, localOnly: true, remoteProviders: ['allowed'] };
    const { port, asked, refresh } = await open(file, ['https://'], KEYS);
    await refresh();
    expect(asked.map(({ url }) => new URL(url).host).sort()).toEqual([
      '127.0.0.1:11434',
      '127.0.0.1:1234',
      '127.0.0.1:8080',
      'allowed.example',
    ]);
    const [cloud, other] = port.providers();
    expect(cloud).toMatchObject({ id: 'cloud', models: [], error: { code: 'model_not_local' } });
    expect(other?.models.map(({ id }) => id)).toEqual(['llama']);
  });
});

describe('a server of this machine', () => {
  it('does not take the place of a provider that was set up by its name', async () => {
    const own = { name: 'Mine', baseURL: 'http://192.168.1.9:11434/v1' };
    const { port, settings, refresh } = await open({ providers: { ollama: own } }, [OLLAMA, own.baseURL]);
    await refresh();
    const ids = port.providers().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const found = port.providers().find(({ baseURL }) => baseURL === OLLAMA);
    await port.choose({ providerId: 'ollama', model: 'llama' });
    expect(settings.get().providers.ollama).toMatchObject(own);
    await port.choose({ providerId: found?.id ?? '', model: 'llama' });
    expect(settings.get().providers).toMatchObject({ ollama: own, [found?.id ?? '']: { baseURL: OLLAMA } });
    expect(settings.get().model).toMatchObject({ source: 'custom', providerId: found?.id });
  });
});

it('records the test of a connection as one', async () => {
  const { port, uses } = await open({}, [], {});
  await expect(port.test({ providerId: 'cloud', model: 'm' }, never)).rejects.toMatchObject({ code: 'internal' });
  expect(uses).toEqual([{ purpose: 'test' }]);
});

it('a model that is chosen for a chat leaves that of the settings; its server becomes a provider all the same', async () => {
  const before = { source: 'custom', providerId: 'cloud', model: 'big' };
  const { port, settings, refresh } = await open({ providers: { cloud: REMOTE }, model: before }, [OLLAMA]);
  await refresh();
  const ref = { providerId: 'ollama', model: 'llama' };
  await port.keep(ref);
  expect(settings.get().model).toEqual(before);
  expect(settings.get().providers.ollama).toMatchObject({ baseURL: OLLAMA });
  await port.choose(ref);
  expect(settings.get().model).toMatchObject({ source: 'custom', ...ref });
});
