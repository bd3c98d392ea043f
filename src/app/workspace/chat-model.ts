import type { ChatModel } from '../../chat/controller/controller-deps.ts';
import type { SettingsStore } from '../../host/settings/settings.ts';
import { OTHERS, type Settings } from '../../host/settings/settings-format.ts';
import { budgetedModel } from '../../model/budget/budgeted-model.ts';
import type { Ledger } from '../../model/budget/ledger.ts';
import type { ModelUse } from '../../model/budget/usage.ts';
import { type LanguageModel, type ModelSettings, type Prepare, prepareOf } from '../../model/language-model.ts';
import { type LearntOfModel, windowKey } from '../../model/learnt-of-model.ts';
import { maskedModel } from '../../model/masking/masked-model.ts';
import { marksOf } from '../../model/model-marks.ts';
import type { WindowMemory } from '../../model/model-window.ts';
import type { Provider } from '../../model/provider.ts';
import {
  allProviders,
  type CustomProvider,
  type GuestName,
  type ModelChoice,
  type ModelRef,
  type ProviderSources,
  pickModel,
  pickReferred,
  type ServedModels,
} from '../../model/providers.ts';
import type { ProviderProxy } from '../../model/proxied-fetch.ts';
import { type Retry, withRetries } from '../../model/retrying.ts';
import type { CreateModel } from '../../model/server/load-model.ts';
import { readWireProtocol, type WireProtocol } from '../../model/server/wire-protocol.ts';
import type { RequestWindow } from '../../tools/chain/chain-requests.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { Complete } from '../../tools/contract/messages.ts';
import { abortableWait } from '../../tools/util/abort.ts';
import { lazyMethods, lazyPart } from '../../tools/util/lazy.ts';
import type { CallMemory } from './call-memory.ts';
import { type LoadMedia, mediaOf } from './lazy-media.ts';
import { isLocalProvider, localOnlyError, requireAllowed } from './local-only-models.ts';
import { withTextCalls, writtenAs } from './text-calls.ts';

export interface ChatModelDeps {
  /** The code that sends requests to servers of a protocol. Rejects with `not_loaded`. */
  readonly load: (protocol: WireProtocol) => Promise<CreateModel>;
  readonly loadMedia: LoadMedia;
  readonly proxy: Pick<ProviderProxy, 'fetchFor' | 'forwards'>;
  readonly settings: Pick<SettingsStore, 'get' | 'apiKey'>;
  /** Where the usage of requests is recorded. */
  readonly ledger: Ledger;
  /** YYYY-MM-DD, local. */
  readonly today: () => string;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Stores what is learned about models' windows. */
  readonly windows: WindowMemory;
  /** Stores what is learned about how models call tools. */
  readonly calls: CallMemory;
  /** `window.siyuan.config.ai`. */
  readonly hostAi: () => unknown;
  /** The model of the development host; null in SiYuan. */
  readonly served: ServedModels | null;
  /** Other agents of this machine; absent where no programs run. */
  readonly guests?: GuestModels | undefined;
}

export interface GuestModels {
  readonly list: () => readonly (GuestName & Pick<LanguageModel, 'project'>)[];
  /** Rejects with `not_loaded`. */
  readonly model: (id: string) => Promise<LanguageModel>;
}

type ChoiceDeps = Pick<ChatModelDeps, 'settings' | 'hostAi' | 'served' | 'guests'>;

/** The user's own providers, with their keys. */
const customProviders = (settings: Pick<SettingsStore, 'get' | 'apiKey'>): readonly CustomProvider[] =>
  Object.entries(settings.get().providers).map(([id, { name, baseURL, protocol = '' }]) => ({
    ...{ id, name, baseURL, apiKey: settings.apiKey(id) ?? '' },
    // One that a later version knows is spoken to as most are: the setting itself stays.
    protocol: readWireProtocol(protocol) ?? 'openai',
  }));

export const providerSources = ({ settings, hostAi, served, guests }: ChoiceDeps): ProviderSources => ({
  custom: customProviders(settings),
  guests: guests?.list() ?? [],
  configAi: hostAi(),
  served,
});

/** The model of a reference; without one, the model chosen in the settings. */
function choiceOf(deps: ChoiceDeps, ref: ModelRef | undefined): ModelChoice {
  const { model, chatOption } = deps.settings.get();
  const sources = providerSources(deps);
  return ref ? pickReferred(ref, sources, chatOption) : pickModel(model, sources, chatOption);
}

/** The model that people call so: by its own name, or with that of its provider before it. Agents are none: they would begin sessions unasked. */
export function modelNamed(deps: ChoiceDeps, name: string): ModelRef | undefined {
  const wanted = name.trim().toLowerCase();
  for (const { id, name: provider, kind, models } of allProviders(providerSources(deps))) {
    const named = (each: (typeof models)[number]): boolean =>
      [each.id, each.name, each.model].some((one) =>
        [one, `${provider}/${one}`, `${id}/${one}`].some((text) => text.toLowerCase() === wanted),
      );
    const found = kind === 'guest' ? undefined : models.find(named);
    if (found) return { providerId: id, model: found.model };
    // The user's own providers list their models only when asked: one is named with its provider.
    const [start, ...rest] = name.trim().split('/');
    if (kind === 'custom' && rest.length > 0 && [id, provider].some((one) => one.toLowerCase() === start?.toLowerCase()))
      return { providerId: id, model: rest.join('/') };
  }
  return undefined;
}

/** A model whose name is known at once; its client is created for the first request. */
function lazyModel(settings: ModelSettings, make: () => Promise<LanguageModel>): LanguageModel {
  let window: RequestWindow | undefined;
  const made = lazyPart(async () => {
    const model = await make();
    window = model.window;
    return model;
  });
  const lazyPrepared = async (): Promise<{ complete: Complete; prepare: Prepare }> => {
    const model = await made();
    return { complete: model.complete, prepare: prepareOf(model) };
  };
  return {
    label: settings.label ?? settings.model,
    model: settings.model,
    ...lazyMethods<{ complete: Complete; prepare: Prepare }>(lazyPrepared, { complete: true, prepare: true }),
    window: {
      tokens: async (atLeast) => (await made()).window?.tokens(atLeast),
      overflowed: (estimate) => window?.overflowed(estimate),
      counted: (estimate, tokens) => window?.counted?.(estimate, tokens),
    },
  };
}

function serverModel(deps: ChatModelDeps, settings: ModelSettings, provider: Provider, fetch: typeof globalThis.fetch): LanguageModel {
  const onTakesTools = (takes: boolean): void => deps.calls.state('tools', callsKey(settings, provider), !takes);
  const { guests } = deps;
  if (provider.kind === 'guest' && guests) return lazyModel(settings, () => guests.model(provider.id));
  return lazyModel(settings, async () => {
    const create = await deps.load(settings.protocol ?? 'openai');
    return create({ ...settings, fetch, windows: deps.windows, onTakesTools });
  });
}

/** A model that sends nothing if `mayAsk` throws. */
const guardedModel = (model: LanguageModel, mayAsk: () => void): LanguageModel => ({
  ...model,
  async complete(...given) {
    mayAsk();
    return model.complete(...given);
  },
});

/** A turn looks up its model once. */
function ofOneTurn(model: LanguageModel): LanguageModel {
  const turn = {};
  return { ...model, complete: (request, ...rest) => model.complete({ ...request, turn }, ...rest) };
}

const callsKey = ({ model, baseURL, protocol = 'openai' }: ModelSettings, { id }: Provider): string =>
  JSON.stringify([id, baseURL, model, ...(protocol === 'openai' ? [] : [protocol])]);

/** For refusals in answers; what its server publishes is stated again when it was dropped. */
const isRefused = (calls: CallMemory, key: string): boolean => calls.has('tools', key) && !calls.isStated('tools', key);

/** How a model calls tools: as the settings say and its server accepts. */
const callsOf = ({ settings, calls: memory }: ChatModelDeps, model: ModelSettings, provider: Provider) => ({
  memory,
  key: callsKey(model, provider),
  callsTools: marksOf(model.model).tools,
  choice: () => settings.get().toolProtocol,
});

/** What was learned about the model of a reference, as key and memory. */
export function learntOfModels(deps: ChoiceDeps & Pick<ChatModelDeps, 'calls' | 'windows'>) {
  const { calls, windows } = deps;
  const keysOf = (ref: ModelRef) => {
    const choice = choiceOf(deps, ref);
    if (choice.kind === 'missing') return undefined;
    const { baseURL, model } = choice.settings;
    return {
      ofCalls: callsKey(choice.settings, choice.provider),
      ofWindow: windowKey(baseURL, model),
    };
  };
  return {
    learnt(ref: ModelRef): LearntOfModel {
      const keys = keysOf(ref);
      if (!keys) return {};
      const window = windows.get(keys.ofWindow);
      const how = calls.isStated('tools', keys.ofCalls) ? 'stated' : 'refused';
      return {
        ...(window === undefined ? {} : { window }),
        ...(calls.has('tools', keys.ofCalls) ? { noTools: how } : {}),
        ...(calls.has('stop', keys.ofCalls) ? { noStop: true } : {}),
      };
    },
    forget(ref: ModelRef): void {
      const keys = keysOf(ref);
      if (!keys) return;
      calls.forget(keys.ofCalls);
      windows.remove(keys.ofWindow);
    },
  };
}

/** Whether notes are searched before a model is asked, if it is set; undefined otherwise. */
const searchesFirst = ({ searchFirst }: Pick<Settings, 'searchFirst'>, { providerId, model }: ModelRef): boolean | undefined =>
  searchFirst[`${providerId}/${model}`] ?? searchFirst[OTHERS];

/** A model for a use, as it is recorded; without a reference, the model chosen in the settings. */
export type ChooseModel = (use: ModelUse, ref?: ModelRef) => ChatModel;

/**
 * The model for a request that the user did not send; null if it is not a chat model or another agent, which would begin a session for it,
 * and, with "Local only", if it is a remote one, even of a provider that the user allowed.
 */
function unaskedModel(deps: ChoiceDeps, model: ChooseModel, use: ModelUse, ref: ModelRef | undefined): LanguageModel | null {
  const choice = choiceOf(deps, ref);
  if (
    choice.kind !== 'ready' ||
    choice.provider.kind === 'guest' ||
    localOnlyError(choice.provider, { ...deps.settings.get(), remoteProviders: [] })
  )
    return null;
  const found = model(use, ref).model;
  return found && (found.type ?? 'chat') === 'chat' ? found : null;
}

/** The model for titles and summaries: the one chosen in the settings, unless text of a chat with a local model would leave the machine. */
function helperOf(deps: ChoiceDeps, own: ModelRef | undefined): ModelRef | undefined {
  const { title } = deps.settings.get().models;
  if (!title || !own) return title;
  const [chosen, chat] = [choiceOf(deps, title), choiceOf(deps, own)];
  const isAway = chosen.kind !== 'missing' && !isLocalProvider(chosen.provider);
  return isAway && chat.kind !== 'missing' && isLocalProvider(chat.provider) ? undefined : title;
}

/** The model that titles chats; null if the settings switch titles off. */
export function createTitleModel(deps: ChoiceDeps, model: ChooseModel): (use: ModelUse, ref?: ModelRef) => LanguageModel | null {
  return (use, ref) => {
    const { modelTitles } = deps.settings.get();
    return modelTitles ? unaskedModel(deps, model, use, helperOf(deps, ref) ?? ref) : null;
  };
}

/** The model chosen for summaries; null if none is chosen or it may not be used: then the chat's own model writes them. */
export function createSummaryModel(deps: ChoiceDeps, model: ChooseModel): (use: ModelUse, ref?: ModelRef) => LanguageModel | null {
  return (use, ref) => {
    const title = helperOf(deps, ref);
    return title ? unaskedModel(deps, model, use, title) : null;
  };
}

/** An agent reads by its own ways, and may answer in the chats of one project alone. */
function markedAsGuest({ guests }: ChatModelDeps, { kind, id }: Provider): Pick<LanguageModel, 'readsElsewhere' | 'project'> {
  const guest = kind === 'guest' ? guests?.list().find((each) => each.id === id) : undefined;
  return { readsElsewhere: kind === 'guest', project: guest?.project };
}

/**
 * The model that answers now, looked up again for every turn, so that a change of settings takes effect at once; with a reference, that
 * model, in the same way.
 */
export function createChatModel(deps: ChatModelDeps): ChooseModel {
  const { proxy } = deps;
  // Kept while the choice is the same: an adapter learns what its server refuses (stream_options) and does not send it again.
  const made = new Map<string, LanguageModel>();
  const retry = withRetries({ retries: () => deps.settings.get().retries, wait: abortableWait, now: Date.now, random: deps.random });
  /** A connection test must show what the server itself can do. */
  const modelFor = (settings: ModelSettings, provider: Provider, isTest: boolean): LanguageModel => {
    const key = JSON.stringify([settings, provider.id, isTest]);
    const known = made.get(key);
    if (known) return known;
    const fetch = proxy.fetchFor(settings.baseURL);
    const server = serverModel(deps, settings, provider, fetch);
    const mayAsk = (): void => requireAllowed(provider, deps.settings.get());
    const guarded = guardedModel(server, mayAsk);
    const lazy = isTest ? guarded : withTextCalls(guarded, { ...callsOf(deps, settings, provider), options: settings.chatOption });
    // “Local only” takes effect at once: for an answer whose tools go on asking, for a request that waits for its next attempt, and for one that goes out again in text.
    const retryOpen: Retry = (attempt, signal, onRetry) => {
      const ifOpen = async (): ReturnType<typeof attempt> => {
        mayAsk();
        return attempt();
      };
      return retry(ifOpen, signal, onRetry);
    };
    const media = mediaOf(settings, async () => {
      const make = await deps.loadMedia();
      return (options) => make({ ...options, fetch, retry: retryOpen });
    });
    const masked = maskedModel({ ...lazy, ...media }, () => deps.settings.get().privacy, settings.chatOption);
    const complete: Complete = (request, signal, onDelta) => retryOpen(() => masked.complete(request, signal, onDelta), signal, onDelta);
    const model = { ...masked, complete };
    made.set(key, model);
    return model;
  };
  const { settings, ledger, today } = deps;
  const budget = { ledger, today, budget: () => settings.get().budget, prices: () => settings.get().prices };
  return (use, ref) => {
    const choice = choiceOf(deps, ref);
    if (choice.kind === 'missing') {
      const problem: EventError = { code: 'model_missing', message: choice.reason, next: choice.next };
      return { status: { label: '', kind: 'missing' }, model: null, problem };
    }
    const { type, tools, vision, reasoning = false } = marksOf(choice.settings.model);
    const marks = { type, tools, vision, reasoning };
    const forwarded = (): boolean => proxy.forwards(choice.settings.baseURL);
    const calls = callsOf(deps, choice.settings, choice.provider);
    const { label, kind } = choice;
    const written = { written: writtenAs(calls.choice(), calls), isRefused: isRefused(deps.calls, calls.key) };
    const status = { label, kind, ref: choice.ref, marks, forwarded: forwarded(), calls: written };
    const problem = localOnlyError(choice.provider, deps.settings.get());
    if (problem) return { status, model: null, problem };
    const model = modelFor(choice.settings, choice.provider, use.purpose === 'test');
    const searchFirst = (unasked: boolean): boolean =>
      searchesFirst(settings.get(), choice.ref) ?? (unasked && writtenAs(calls.choice(), calls) !== 'native');
    const own = { forwarded, searchFirst, ...markedAsGuest(deps, choice.provider) };
    return {
      status: { ...status, searchFirst: searchFirst(true) },
      model: { ...budgetedModel(ofOneTurn(model), { ...budget, use }), ...own },
    };
  };
}
