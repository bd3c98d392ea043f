import { describe, expect, it } from 'vitest';
import { openSettings } from './settings.ts';

const [A, B] = ['https://a.example/v1', 'https://b.example/v1'] as const;
const REF = 'local:provider:p';

async function open(file: object, secrets: Record<string, string> = {}) {
  const kept = new Map(Object.entries(secrets));
  const files: Record<string, string> = { 'settings.json': JSON.stringify(file) };
  const store = await openSettings(
    {
      read: async (path) => files[path] ?? null,
      write: async (path, text) => void Object.assign(files, { [path]: text }),
      list: async () => [],
    },
    { get: (name) => kept.get(name), set: (name, value) => void kept.set(name, value) },
    () => 1,
  );
  const sync = async (next: object): Promise<void> => {
    files['settings.json'] = JSON.stringify(next);
    await store.reload();
  };
  return { store, sync };
}
const withAddress = (baseURL: string, apiKeyRef = REF) => ({ providers: { p: { baseURL, apiKeyRef } } });

describe('a key of this device', () => {
  it('is not given to an address that a sync brought, until the person says so', async () => {
    const { store, sync } = await open(withAddress(A));
    await store.setApiKey('p', 'sk-1');
    await sync(withAddress(B));
    expect([store.apiKey('p'), store.keyHeldFor('p')]).toEqual([undefined, 'https://a.example']);
    await sync(withAddress('https://a.example/other'));
    expect([store.apiKey('p'), store.keyHeldFor('p')]).toEqual(['sk-1', undefined]);
    await sync(withAddress(B));
    await store.useKeyHere('p');
    expect([store.apiKey('p'), store.keyHeldFor('p')]).toEqual(['sk-1', undefined]);
    await sync(withAddress(A));
    expect(store.apiKey('p')).toBeUndefined();
  });

  it.each(['http://a.example/v1', 'https://a.example:8443/v1', 'https://a.example.evil/v1', 'https://user@b.example/v1'])(
    'is not given to %s',
    async (address) => {
      const { store, sync } = await open(withAddress(A));
      await store.setApiKey('p', 'sk-1');
      await sync(withAddress(address));
      expect(store.apiKey('p')).toBeUndefined();
    },
  );

  it('is not given to another provider that names the same reference, whichever comes first', async () => {
    const file = { providers: { 1: { baseURL: B, apiKeyRef: REF }, ...withAddress(A).providers } };
    const { store } = await open(file, { [REF]: 'sk-old' });
    expect([store.apiKey('1'), store.apiKey('p'), store.apiKey('1'), store.keyHeldFor('1')]).toEqual([
      ...[undefined, 'sk-old', undefined],
      'https://a.example',
    ]);
  });

  it.each(['p@origin', 'origin:p', '../p'])(
    'stays where it is when a sync brings a provider %j with a key: no name is that of the origin',
    async (id) => {
      const { store, sync } = await open(withAddress(A));
      await store.setApiKey('p', 'sk-1');
      await sync({ providers: { ...withAddress(B).providers, [id]: { baseURL: B, apiKey: 'https://b.example' } } });
      expect([store.apiKey('p'), store.keyHeldFor('p')]).toEqual([undefined, 'https://a.example']);
    },
  );

  it.each(['', 'https://', 'a word'])(
    'that was typed while the address was %j is for none that a sync brings, until the person says so',
    async (typed) => {
      const { store, sync } = await open(withAddress(typed));
      await store.setApiKey('p', 'sk-1');
      await sync(withAddress(B));
      expect([store.apiKey('p'), store.keyHeldFor('p')]).toEqual([undefined, '']);
      await sync(withAddress(A));
      expect([store.apiKey('p'), store.keyHeldFor('p')]).toEqual([undefined, '']);
      await store.useKeyHere('p');
      expect([store.apiKey('p'), store.keyHeldFor('p')]).toEqual(['sk-1', undefined]);
      await sync(withAddress(B));
      expect(store.apiKey('p')).toBeUndefined();
    },
  );

  it.each(['b.example/v1', '//b.example', '"https://b.example"', 'https：//b.example', 'localhost:8080', 'ftp://b.example'])(
    'is not given to what others may read as an address: %s',
    async (address) => {
      const { store, sync } = await open(withAddress(A));
      await store.setApiKey('p', 'sk-1');
      await sync(withAddress(address));
      expect([store.apiKey('p'), store.keyHeldFor('p')]).toEqual([undefined, 'https://a.example']);
    },
  );

  it('that was kept before belongs to the address of its first use', async () => {
    const { store, sync } = await open(withAddress(A), { [REF]: 'sk-old' });
    expect(store.apiKey('p')).toBe('sk-old');
    await sync(withAddress(B));
    expect(store.apiKey('p')).toBeUndefined();
  });

  it('of a search service of the user’s own goes to its address only', async () => {
    const search = (address: string) => ({ search: { provider: 'searxng', address } });
    const { store, sync } = await open(search(A));
    await store.setSearchKey('sk-s');
    await sync(search(B));
    expect(store.searchKey()).toBeUndefined();
    await sync(search(A));
    expect(store.searchKey()).toBe('sk-s');
  });
});

describe('a provider that may be asked under “Local only”', () => {
  it('may not be at another address, until the person allows that one', async () => {
    const allowed = (baseURL: string) => ({ ...withAddress(baseURL), localOnly: true, remoteProviders: ['p', 'siyuan-own'] });
    const { store, sync } = await open(allowed(A));
    expect(store.get().remoteProviders).toEqual(['p', 'siyuan-own']);
    await sync(allowed(B));
    expect(store.get().remoteProviders).toEqual(['siyuan-own']);
    await store.update(() => ({ systemPrompt: 'x' }));
    expect(store.get().remoteProviders).toEqual(['siyuan-own']);
    await store.allowProvider('p');
    expect(store.get().remoteProviders).toEqual(['p', 'siyuan-own']);
    await sync(allowed(A));
    expect(store.get().remoteProviders).toEqual(['siyuan-own']);
  });

  it('may not be at what others may read as an address, nor at the first that comes where it had none', async () => {
    const allowed = (baseURL: string) => ({ ...withAddress(baseURL), localOnly: true, remoteProviders: ['p'] });
    const { store, sync } = await open(allowed(A));
    expect(store.get().remoteProviders).toEqual(['p']);
    await sync(allowed('b.example/v1'));
    expect(store.get().remoteProviders).toEqual([]);
    await sync(allowed(''));
    await store.allowProvider('p');
    await sync(allowed(B));
    expect(store.get().remoteProviders).toEqual([]);
  });
});
