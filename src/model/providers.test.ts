import { describe, expect, it } from 'vitest';
import { pickModel, probeServedModels, readHostModels } from './providers.ts';

const ai = {
  agent: { modelId: 'model-2' },
  providers: [
    null,
    { id: 'off', enabled: false, apiKey: 'k', baseURL: 'https://off/v1', models: [{ id: 'm', name: 'm', enabled: true }] },
    {
      id: 'claude',
      enabled: true,
      apiKey: 'k',
      baseURL: 'https://a/v1',
      protocol: 'anthropic',
      models: [{ id: 'm', name: 'm', enabled: true }],
    },
    { id: 'broken', enabled: true },
    {
      id: 'p1',
      displayName: 'Provider One',
      enabled: true,
      apiKey: 'key1',
      baseURL: 'https://one/v1',
      protocol: 'openai',
      models: [
        { id: 'model-1', name: 'one-small', enabled: true },
        { id: 'model-2', name: 'one-large', displayName: 'Large', enabled: true },
        { id: 'model-3', name: 'hidden', enabled: false },
      ],
    },
  ],
};
const served = { origin: 'http://127.0.0.1:1', models: ['offline-demo'] };

describe('pickModel', () => {
  it('takes the user’s own address first, even where the host has providers', () => {
    const choice = pickModel(
      { source: 'custom', baseURL: 'http://x/v1', apiKey: 'k', model: 'm', chatOption: { temperature: 0 } },
      ai,
      served,
    );
    expect(choice).toMatchObject({
      kind: 'ready',
      settings: { baseURL: 'http://x/v1', apiKey: 'k', model: 'm', chatOption: { temperature: 0 } },
    });
    expect(pickModel({ source: 'custom', baseURL: 'http://x/v1' }, ai, served)).toMatchObject({
      kind: 'missing',
      reason: expect.stringContaining('model name'),
    });
  });

  it('takes the model of the host’s agent, or the one that the settings name', () => {
    expect(pickModel({ source: 'host' }, ai, served)).toMatchObject({
      label: 'Large · Provider One',
      settings: { apiKey: 'key1', model: 'one-large' },
    });
    expect(pickModel({ source: 'host', model: 'one-small' }, ai, served)).toMatchObject({ settings: { model: 'one-small' } });
    expect(pickModel({ source: 'host', model: 'hidden' }, ai, served)).toMatchObject({ settings: { model: 'one-large' } });
  });

  it('falls back to what the development host serves, then to none', () => {
    expect(pickModel({ source: 'host' }, { providers: [] }, served)).toMatchObject({
      kind: 'offline-demo',
      settings: { baseURL: 'http://127.0.0.1:1/v1', apiKey: '' },
    });
    expect(pickModel({ source: 'host' }, undefined, { ...served, models: ['gpt-x'] })).toMatchObject({ kind: 'ready', label: 'gpt-x' });
    expect(pickModel({ source: 'host' }, 'nonsense', null)).toMatchObject({ kind: 'missing', next: expect.stringContaining('SiYuan') });
  });

  it('leaves out providers that are off, speak another protocol or are malformed', () => {
    expect(readHostModels(ai).providers.map((provider) => provider.id)).toEqual(['p1']);
    expect(readHostModels(ai).providers[0]?.models).toHaveLength(2);
  });
});

describe('probeServedModels', () => {
  const probe = (response: Response | Error) =>
    probeServedModels(
      'http://h',
      { servesModels: true },
      () => (response instanceof Error ? Promise.reject(response) : Promise.resolve(response)),
      new AbortController().signal,
    );

  it('asks nothing of a host that does not say that it serves models, as SiYuan', async () => {
    const fetch = () => Promise.reject(new Error('it was asked'));
    for (const config of [undefined, {}, { providers: [] }])
      expect(await probeServedModels('http://h', config, fetch, new AbortController().signal)).toBeNull();
    let asked = 0;
    const counting = () => Promise.resolve(Response.json({ data: [{ id: String(++asked) }] }));
    await probeServedModels('http://h', { providers: [] }, counting, new AbortController().signal);
    expect(asked).toBe(0);
  });

  it('reads a list of models and nothing else', async () => {
    expect(await probe(Response.json({ object: 'list', data: [{ id: 'offline-demo' }, { id: 3 }] }))).toEqual({
      origin: 'http://h',
      models: ['offline-demo'],
    });
    expect(await probe(new Response('<html>', { headers: { 'content-type': 'text/html' } }))).toBeNull();
    expect(await probe(Response.json({ code: -1 }, { status: 404 }))).toBeNull();
    expect(await probe(Response.json({ data: 'x' }))).toBeNull();
    expect(await probe(new TypeError('gone'))).toBeNull();
  });
});
