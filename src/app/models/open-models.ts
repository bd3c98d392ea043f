import { createForward, FORWARD_TIMEOUT_MS } from '../../host/kernel/forward-request.ts';
import { createKernelClient } from '../../host/kernel/kernel-client.ts';
import type { SettingsStore } from '../../host/settings/settings.ts';
import { hostAiOf } from '../../model/host-providers.ts';
import { probeServedModels } from '../../model/providers.ts';
import { createProviderProxy } from '../../model/proxied-fetch.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import { deviceCalls, deviceWindows, newId, random, recentModels } from '../device-storage.ts';
import { callMemory } from '../workspace/call-memory.ts';
import {
  type ChatModelDeps,
  createChatModel,
  createSummaryModel,
  createTitleModel,
  type GuestModels,
  learntOfModels,
  modelNamed,
  providerSources,
} from '../workspace/chat-model.ts';
import { systemClock as clock } from '../workspace/system-clock.ts';
import { createModelsPort } from './models-adapter.ts';
import { speechProviders } from './speech.ts';

interface ModelParts {
  readonly settings: SettingsStore;
  readonly refresh: () => void;
  readonly guests: GuestModels | undefined;
}

const hostAi = (): unknown => hostAiOf(window.siyuan.config);

/** The answering model, and the models to choose from. */
export async function openModels(
  { settings, refresh, guests }: ModelParts,
  load: Pick<ChatModelDeps, 'load' | 'loadMedia' | 'ledger'>,
  signal: AbortSignal,
) {
  const calls = callMemory(deviceCalls);
  const request = fetch.bind(window);
  const patient = createKernelClient({ baseUrl: '', fetch: request, timeoutMs: FORWARD_TIMEOUT_MS });
  const proxy = createProviderProxy({ fetch: request, forward: createForward(patient), onChange: refresh });
  const served = await probeServedModels(location.origin, hostAi(), request, signal);
  const parts = { settings, hostAi, served, guests };
  const model = createChatModel({ ...parts, proxy, today: clock.today, random, windows: deviceWindows, calls, ...load });
  const port = createModelsPort({
    ...{ settings, model, fetch: request, proxy, recent: recentModels, newId, calls },
    learnt: learntOfModels({ ...parts, calls, windows: deviceWindows }),
    sources: () => providerSources(parts),
    loadTest: lazyPart(async () => (await import('../../model/test-connection.ts')).testConnection),
  });
  const ofChats = { model, titleModel: createTitleModel(parts, model), summaryModel: createSummaryModel(parts, model) };
  const named = (name: string) => modelNamed(parts, name);
  return { port, calls, named, ofChats, ofSpeech: { model, providers: () => speechProviders(port.providers()) } };
}
