import { expect, it } from 'vitest';
import { createMemoryStorage } from '../../chat/store/storage-port.ts';
import { openSettings } from '../../host/settings/settings.ts';
import { createLedger } from '../../model/budget/ledger.ts';
import { createOpenAIMedia } from '../../model/media/openai-media.ts';
import { createScriptedModel } from '../../model/scripted-model.ts';
import { createChatModel, createTitleModel } from './chat-model.ts';

async function open() {
  const far = { id: 'far', baseURL: 'https://models.example/v1', models: [{ id: 'm', name: 'm' }] };
  const settings = await openSettings(
    { read: async () => null, write: async () => undefined, list: async () => [] },
    { get: () => undefined, set: () => undefined },
    () => 1,
  );
  const inner = createScriptedModel(['One.', 'Two.', 'Three.']);
  const parts = {
    ...{ settings, today: () => '2026-11-23', served: null, hostAi: () => ({ providers: [far] }) },
    ledger: createLedger({ storage: createMemoryStorage(), device: 'dev', now: () => 1 }),
    load: async () => () => inner,
    loadMedia: async () => createOpenAIMedia,
    proxy: { fetchFor: () => fetch, passes: () => false },
  };
  const choose = createChatModel(parts);
  return { settings, inner, choose, title: createTitleModel(parts, choose) };
}

it('“Local only” counts at once: an answer that is going on asks a model elsewhere nothing more', async () => {
  const { settings, inner, choose } = await open();
  const { model } = choose({ purpose: 'answer' });
  const ask = () => model?.complete({ messages: [{ role: 'user', content: 'hello' }] }, new AbortController().signal, () => undefined);
  await ask();
  await settings.update(() => ({ localOnly: true }));
  await expect(ask()).rejects.toMatchObject({ code: 'model_not_local' });
  expect(inner.requests).toHaveLength(1);
  expect(choose({ purpose: 'answer' })).toMatchObject({ model: null, problem: { code: 'model_not_local' } });
  await settings.update(() => ({ remoteProviders: ['far'] }));
  expect(await ask()).toMatchObject({ content: 'Two.' });
});

it('a title is asked of no model elsewhere while only local ones may be, even where the user allowed it for answers', async () => {
  const { settings, title, choose } = await open();
  await settings.update(() => ({ modelTitles: true }));
  expect(title({ purpose: 'title' })).not.toBeNull();
  await settings.update(() => ({ localOnly: true, remoteProviders: ['far'] }));
  expect(choose({ purpose: 'answer' }).model).not.toBeNull();
  expect(title({ purpose: 'title' })).toBeNull();
});
