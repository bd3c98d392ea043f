import { describe, expect, it } from 'vitest';
import { hostAiOf, isAiOff, readHostProviders, skippedProviders } from './host-providers.ts';
import { allProviders, type ProviderSources, pickModel, pickReferred, probeServedModels, settingsOf } from './providers.ts';

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

const own = { id: 'own', name: '', baseURL: 'http://x:8080/v1/', apiKey: 'k' };
const sources = (more: Partial<ProviderSources> = {}): ProviderSources => ({ custom: [own], configAi: ai, served, ...more });

describe('a host with its AI switched off', () => {
  it.each([
    [{ ai, system: { disabledFeatures: ['ai'] } }, true],
    [{ ai, system: { disabledFeatures: ['sync', 'ai'] } }, true],
    [{ ai, system: { disabledFeatures: ['sync'] } }, false],
    [{ ai, system: { disabledFeatures: null } }, false],
    [{ ai, system: {} }, false],
    [{ ai }, false],
  ])('%#: lends none of its providers: %s', (config, off) => {
    expect(isAiOff(config)).toBe(off);
    expect(readHostProviders(hostAiOf(config)).length > 0).toBe(!off);
  });

  it('has none to lend where it has no configuration', () => {
    expect([isAiOff(undefined), hostAiOf(undefined)]).toEqual([false, undefined]);
  });
});

describe('pickReferred', () => {
  it('takes the model that was referred to, and no other where that is gone', () => {
    expect(pickReferred({ providerId: 'p1', model: 'model-1' }, sources())).toMatchObject({ settings: { model: 'one-small' } });
    expect(pickReferred({ providerId: 'own', model: 'any' }, sources(), { seed: 1 })).toMatchObject({
      settings: { model: 'any', chatOption: { seed: 1 } },
    });
    for (const ref of [
      { providerId: 'p1', model: 'model-3' },
      { providerId: 'gone', model: 'model-1' },
      { providerId: 'served', model: 'gone' },
    ])
      expect(pickReferred(ref, sources())).toMatchObject({ kind: 'missing' });
  });
});

describe('pickModel', () => {
  it('takes a provider of the user’s own first, even where the host has some', () => {
    const choice = pickModel({ source: 'custom', providerId: 'own', model: 'm' }, sources(), { temperature: 0 });
    expect(choice).toMatchObject({
      kind: 'ready',
      label: 'm · x:8080',
      ref: { providerId: 'own', model: 'm' },
      settings: { baseURL: 'http://x:8080/v1/', apiKey: 'k', model: 'm', chatOption: { temperature: 0 } },
    });
    const file = pickModel({ source: 'custom', providerId: 'own', model: '/models/m.gguf' }, sources(), {});
    expect(file).toMatchObject({ label: 'm.gguf · x:8080', settings: { model: '/models/m.gguf' } });
  });

  it.each([
    [{ source: 'custom', providerId: 'own' }, 'model name'],
    [{ source: 'custom', providerId: 'gone', model: 'm' }, 'no longer set up'],
    [{ source: 'custom', providerId: 'empty', model: 'm' }, 'address'],
  ] as const)('says what is missing of %j', (settings, what) => {
    const empty = { id: 'empty', name: 'E', baseURL: '', apiKey: '' };
    const choice = pickModel(settings, sources({ custom: [own, empty] }));
    expect(choice).toMatchObject({ kind: 'missing', reason: expect.stringContaining(what), next: expect.stringMatching(/choose|enter/) });
  });

  it('takes the model of the host’s agent, or the one that the settings name', () => {
    expect(pickModel({ source: 'host' }, sources())).toMatchObject({
      label: 'Large · Provider One',
      ref: { providerId: 'p1', model: 'model-2' },
      settings: { apiKey: 'key1', model: 'one-large' },
    });
    expect(pickModel({ source: 'host', model: 'one-small' }, sources())).toMatchObject({ settings: { model: 'one-small' } });
    expect(pickModel({ source: 'host', providerId: 'gone', model: 'x' }, sources())).toMatchObject({ settings: { model: 'one-large' } });
    expect(pickModel({ source: 'host', model: 'hidden' }, sources())).toMatchObject({ settings: { model: 'one-large' } });
  });

  it('falls back to what the development host serves, then to none', () => {
    expect(pickModel({ source: 'host' }, sources({ configAi: { providers: [] } }))).toMatchObject({
      kind: 'offline-demo',
      settings: { baseURL: 'http://127.0.0.1:1/v1', apiKey: '' },
    });
    const others = { configAi: undefined, served: { ...served, models: ['gpt-x', 'gpt-y'] } };
    expect(pickModel({ source: 'host' }, sources(others))).toMatchObject({ kind: 'ready', label: 'gpt-x' });
    expect(pickModel({ source: 'host', providerId: 'served', model: 'gpt-y' }, sources(others))).toMatchObject({ label: 'gpt-y' });
    expect(pickModel({ source: 'host' }, sources({ configAi: 'nonsense', served: null }))).toMatchObject({
      kind: 'missing',
      next: expect.stringContaining('SiYuan'),
    });
  });

  it('finds what a reference means, whoever set its provider up', () => {
    for (const [providerId, source] of [
      ['p1', 'host'],
      ['served', 'host'],
      ['own', 'custom'],
      ['gone', 'custom'],
    ] as const)
      expect(settingsOf({ providerId, model: 'm' }, sources())).toEqual({ source, providerId, model: 'm' });
  });

  it('keeps the window that the settings of SiYuan give a model; what is none is left out', () => {
    const windowOf = (contextLength: unknown) =>
      readHostProviders({ providers: [{ id: 'p', baseURL: 'https://x/v1', models: [{ id: 'm', name: 'm', contextLength }] }] })[0]
        ?.models[0];
    expect(windowOf(65_536)).toEqual({ id: 'm', model: 'm', name: 'm', window: 65_536 });
    for (const odd of [undefined, 0, -1, '65536', null, {}]) expect(windowOf(odd)).toEqual({ id: 'm', model: 'm', name: 'm' });
  });

  it('leaves out providers that are off, speak another protocol or are malformed', () => {
    expect(readHostProviders(ai).map((provider) => provider.id)).toEqual(['p1']);
    expect(readHostProviders(ai)[0]?.models).toHaveLength(2);
    expect(allProviders(sources()).map(({ id, kind }) => [id, kind])).toEqual([
      ['p1', 'siyuan'],
      ['own', 'custom'],
      ['served', 'served'],
    ]);
    expect(allProviders(sources()).at(-1)?.name).toBe('Development host');
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

describe('providers of SiYuan 3.8', () => {
  const provider = (more: object): object => ({
    id: 'p',
    displayName: 'P',
    baseURL: 'https://x/v1',
    models: [{ id: 'm', name: 'm' }],
    ...more,
  });
  const read = (...entries: readonly object[]) => readHostProviders({ providers: entries });

  it.each([
    ['', undefined],
    ['openai', undefined],
    [' OpenAI-Responses ', 'openai-responses'],
    ['anthropic-messages', 'anthropic-messages'],
  ])('with the protocol %j speak %s', (protocol, expected) => {
    expect(read(provider({ protocol }))[0]?.protocol).toBe(expected);
    const choice = pickModel({ source: 'host' }, { custom: [], configAi: { providers: [provider({ protocol })] }, served: null });
    expect(choice.kind === 'ready' ? choice.settings.protocol : 'none').toBe(expected);
  });

  it('keep their headers and their patience, however these are written', () => {
    const headers = { 'X-Team': 'red' };
    const configAi = { providers: [provider({ headers, requestTimeout: 900 })] };
    const choice = pickModel({ source: 'host' }, { custom: [], configAi, served: null });
    expect(choice).toMatchObject({ settings: { headers, timeoutMs: 900_000 } });
    for (const broken of [null, 'text', ['a']]) expect(read(provider({ headers: broken, requestTimeout: 'long' }))).toHaveLength(1);
  });

  it('that only SiYuan can ask are skipped, and named with the reason', () => {
    const account = provider({ id: 'a', displayName: 'ChatGPT', authType: 'chatgpt', protocol: 'openai-responses', accountID: '1' });
    const unknown = provider({ id: 'u', displayName: '', protocol: 'smoke-signals' });
    const off = provider({ id: 'o', authType: 'chatgpt', enabled: false });
    expect(read(account, unknown, off, provider({})).map(({ id }) => id)).toEqual(['p']);
    expect(skippedProviders({ providers: [account, unknown, off, provider({}), null] })).toEqual([
      { name: 'ChatGPT', reason: 'account' },
      { name: 'u', reason: 'protocol' },
    ]);
  });
});

it('a provider of the user’s own speaks the protocol that was chosen for it', () => {
  const custom = [{ id: 'own', name: 'Own', baseURL: 'https://x/v1', apiKey: 'k', protocol: 'anthropic-messages' as const }];
  expect(pickModel({ source: 'custom', providerId: 'own', model: 'm' }, { custom, configAi: {}, served: null })).toMatchObject({
    settings: { protocol: 'anthropic-messages' },
  });
});
