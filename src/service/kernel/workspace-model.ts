import { callMemory } from '../../app/workspace/call-memory.ts';
import { createChatModel, createSummaryModel, createTitleModel, type GuestModels, modelNamed } from '../../app/workspace/chat-model.ts';
import { asChatStorage } from '../../app/workspace/chat-storage.ts';
import { systemClock } from '../../app/workspace/system-clock.ts';
import { createLedger } from '../../model/budget/ledger.ts';
import type { ModelUse } from '../../model/budget/usage.ts';
import { createOpenAIMedia } from '../../model/media/openai-media.ts';
import { windowMemory } from '../../model/model-window.ts';
import { type ModelRef, probeServedModels } from '../../model/providers.ts';
import { loadModel } from '../../model/server/load-model.ts';
import { random } from './random.ts';
import { readConfiguration, type WorkspaceHost } from './workspace-host.ts';
import { givenAsHostAi, withGivenModel } from './workspace-settings.ts';
import type { WorkspaceOptions } from './workspace-types.ts';

/** The answering model: the given one, else the workspace's. `refresh` reads SiYuan's configuration again. */
export async function openModel(
  { base, settings, configuration }: WorkspaceHost,
  { model: given, kernel, device }: WorkspaceOptions,
  guests: GuestModels | undefined,
  signal: AbortSignal,
) {
  let { conf } = configuration;
  let ai = given ? givenAsHostAi(given) : configuration.ai;
  const parts = {
    settings: given ? withGivenModel(settings) : settings,
    hostAi: () => ai,
    served: given ? null : await probeServedModels(kernel, ai, fetch, signal),
    guests: given ? undefined : guests,
  };
  const choose = createChatModel({
    ...parts,
    ledger: createLedger({ storage: asChatStorage(base.storage), device, now: systemClock.now }),
    proxy: { fetchFor: () => fetch, forwards: () => false },
    load: (protocol) => loadModel(protocol, () => conf),
    loadMedia: async () => (options) => createOpenAIMedia({ ...options, hostConfig: () => conf }),
    calls: callMemory(),
    windows: windowMemory(),
    today: systemClock.today,
    random,
  });
  /** Resolves with SiYuan's AI settings. */
  const refresh = async (): Promise<unknown> => {
    const read = await readConfiguration(base, signal);
    if (!given) ({ ai, conf } = read);
    return read.ai;
  };
  // A given model has precedence over that of a chat, too.
  const model = given ? (use: ModelUse) => choose(use) : choose;
  // A given model answers whatever name an order has.
  const named = (name: string): ModelRef | undefined =>
    given ? { providerId: 'environment', model: given.model } : modelNamed(parts, name);
  return { models: { model, titleModel: createTitleModel(parts, model), summaryModel: createSummaryModel(parts, model) }, named, refresh };
}
