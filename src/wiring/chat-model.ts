import type { ChatModel } from '../chat/controller/controller-deps.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import { budgetedModel } from '../model/budget/budgeted-model.ts';
import type { Ledger } from '../model/budget/ledger.ts';
import type { LanguageModel, ModelSettings, Prepare } from '../model/language-model.ts';
import { maskedModel } from '../model/masking/masked-model.ts';
import type { createOpenAIModel } from '../model/openai-model.ts';
import { type ModelChoice, pickModel } from '../model/providers.ts';
import type { RequestWindow } from '../tools/chain/model-requests.ts';
import { type EventError, ToolError } from '../tools/contract/errors.ts';
import type { Complete } from '../tools/contract/messages.ts';
import { lateMethods, latePart } from '../tools/util/late.ts';
import { deviceWindows } from './device.ts';
import { type LoadMedia, mediaOf } from './late-media.ts';

export interface ChatModelParts {
  /** What talks to servers. Rejects with `not_loaded`. */
  readonly load: () => Promise<typeof createOpenAIModel>;
  readonly loadMedia: LoadMedia;
  readonly settings: SettingsStore;
  /** Where it is written what requests took. */
  readonly ledger: Ledger;
  /** YYYY-MM-DD, local. */
  readonly today: () => string;
  /** `window.siyuan.config.ai`. */
  readonly hostAi: () => unknown;
  /** What the development host serves at its own address; null in SiYuan. */
  readonly served: { readonly origin: string; readonly models: readonly string[] } | null;
}

/** A model of a provider; `custom` is the user's own address. */
interface ModelRef {
  readonly providerId: string;
  readonly model: string;
}

function choose({ settings, hostAi, served }: Omit<ChatModelParts, 'load' | 'loadMedia'>, ref: ModelRef | undefined): ModelChoice {
  const { model: own, chatOption } = settings.get();
  const model = ref ? { ...own, ...ref, source: ref.providerId === 'custom' ? ('custom' as const) : ('host' as const) } : own;
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

const unknownRequest: Prepare = async () => {
  throw new ToolError('internal', 'this model does not tell what it sends', 'choose another model');
};

/** A model that shows its name at once; what sends requests is made for the first one. */
function lateModel(settings: ModelSettings, make: () => Promise<LanguageModel>): LanguageModel {
  let window: RequestWindow | undefined;
  const made = latePart(async () => {
    const model = await make();
    window = model.window;
    return model;
  });
  const latePrepared = async (): Promise<{ complete: Complete; prepare: Prepare }> => {
    const { complete, prepare = unknownRequest } = await made();
    return { complete, prepare };
  };
  return {
    label: settings.label ?? settings.model,
    model: settings.model,
    ...lateMethods<{ complete: Complete; prepare: Prepare }>(latePrepared, { complete: true, prepare: true }),
    window: {
      tokens: async (atLeast) => (await made()).window?.tokens(atLeast),
      overflowed: (estimate) => window?.overflowed(estimate),
    },
  };
}

/** The model that answers now, or the one of a reference, asked anew for every turn, so that a change of settings counts at once. */
export function createChatModel(parts: ChatModelParts): (ref?: ModelRef) => ChatModel {
  // Kept while the choice stays: an adapter learns what its server refuses (stream_options) and does not ask again.
  const made = new Map<string, LanguageModel>();
  const modelFor = (settings: ModelSettings): LanguageModel => {
    const key = JSON.stringify(settings);
    const known = made.get(key);
    if (known) return known;
    const late = lateModel(settings, async () => (await parts.load())({ ...settings, windows: deviceWindows }));
    const model = maskedModel({ ...late, ...mediaOf(settings, parts.loadMedia) }, () => parts.settings.get().privacy, settings.chatOption);
    made.set(key, model);
    return model;
  };
  const { settings, ledger, today } = parts;
  const budget = { ledger, today, budget: () => settings.get().budget, prices: () => settings.get().prices };
  return (ref) => {
    const choice = choose(parts, ref);
    if (choice.kind === 'missing') {
      const problem: EventError = { code: 'model_missing', message: choice.reason, next: choice.next };
      return { status: { label: '', kind: 'missing' }, model: null, problem };
    }
    return { status: { label: choice.label, kind: choice.kind }, model: budgetedModel(modelFor(choice.settings), budget) };
  };
}
