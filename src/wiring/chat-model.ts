import type { ChatModel } from '../chat/controller/controller.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import type { LanguageModel, ModelSettings } from '../model/language-model.ts';
import { createOpenAIModel } from '../model/openai-model.ts';
import { type ModelChoice, pickModel } from '../model/providers.ts';
import type { EventError } from '../tools/contract/errors.ts';
import { deviceWindows } from './device.ts';

export interface ChatModelParts {
  readonly settings: SettingsStore;
  /** `window.siyuan.config.ai`. */
  readonly hostAi: () => unknown;
  /** What the development host serves at its own address; null in SiYuan. */
  readonly served: { readonly origin: string; readonly models: readonly string[] } | null;
}

function choose({ settings, hostAi, served }: ChatModelParts): ModelChoice {
  const { model, chatOption } = settings.get();
  const apiKey = settings.apiKey();
  return pickModel(
    {
      source: model.source,
      model: model.model,
      chatOption,
      ...(model.providerId ? { providerId: model.providerId } : {}),
      ...(model.baseURL ? { baseURL: model.baseURL } : {}),
      ...(apiKey === undefined ? {} : { apiKey }),
    },
    hostAi(),
    served,
  );
}

/** The model that answers now, asked anew for every turn, so that a change of settings counts at once. */
export function createChatModel(parts: ChatModelParts): () => ChatModel {
  // Kept while the choice stays: an adapter learns what its server refuses (stream_options) and does not ask again.
  let made: { readonly key: string; readonly model: LanguageModel } | undefined;
  const modelFor = (settings: ModelSettings): LanguageModel => {
    const key = JSON.stringify(settings);
    if (made?.key !== key) made = { key, model: createOpenAIModel({ ...settings, windows: deviceWindows }) };
    return made.model;
  };
  return () => {
    const choice = choose(parts);
    if (choice.kind === 'missing') {
      const problem: EventError = { code: 'model_missing', message: choice.reason, next: choice.next };
      return { status: { label: '', kind: 'missing' }, model: null, problem };
    }
    return { status: { label: choice.label, kind: choice.kind }, model: modelFor(choice.settings) };
  };
}
