import type { ChatOption } from '../tools/contract/messages.ts';
import { fieldOf } from '../tools/util/plain-value.ts';
import { readHostProviders } from './host-providers.ts';
import type { ModelSettings } from './language-model.ts';
import { modelEntries } from './model-entries.ts';
import { shownName } from './model-marks.ts';
import type { Provider, ProviderModel } from './provider.ts';
import { normalizeBaseURL } from './server/server-address.ts';

/** A reference to a provider's model, as it is saved. `model`: its id in SiYuan's settings, or the name sent in requests. */
export interface ModelRef {
  readonly providerId: string;
  readonly model: string;
}

export const isModelRef = (value: unknown): value is ModelRef =>
  typeof fieldOf(value, 'providerId') === 'string' && typeof fieldOf(value, 'model') === 'string';

/** A provider of settings.json, with its key already resolved from its reference. */
export type CustomProvider = Pick<Provider, 'id' | 'name' | 'baseURL' | 'apiKey' | 'protocol'>;

export interface ServedModels {
  readonly origin: string;
  readonly models: readonly string[];
}

/** `kind` as in the panel's ModelStatus; a missing one says in words why nothing was found. */
export type ModelChoice =
  | {
      readonly kind: 'ready' | 'offline-demo';
      readonly label: string;
      readonly provider: Provider;
      readonly ref: ModelRef;
      readonly settings: ModelSettings;
    }
  | { readonly kind: 'missing'; readonly label: string; readonly reason: string; readonly next: string };

/** The id of the development host's rule-based model, and of its provider. */
const OFFLINE_DEMO = 'offline-demo';
const SERVED = 'served';
const SERVED_NAME = 'Development host';

/** The model that the host's own agent uses, by id, display name or name; '' if none is set. */
function preferredByHost(configAi: unknown): string {
  const preferred = fieldOf(fieldOf(configAi, 'agent'), 'modelId') || fieldOf(fieldOf(configAi, 'editing'), 'modelId');
  return typeof preferred === 'string' ? preferred : '';
}

function nameOf({ name, baseURL }: CustomProvider): string {
  if (name.trim() !== '') return name;
  const address = normalizeBaseURL(baseURL);
  return address === null ? baseURL : new URL(address).host;
}

export interface GuestName {
  readonly id: string;
  readonly name: string;
}

export interface ProviderSources {
  readonly custom: readonly CustomProvider[];
  readonly guests?: readonly GuestName[];
  readonly configAi: unknown;
  readonly served: ServedModels | null;
}

/** All providers: SiYuan's, the user's own, agents, and the development host. */
export function allProviders({ custom, guests = [], configAi, served }: ProviderSources): readonly Provider[] {
  const own = custom.map((entry): Provider => ({ ...entry, name: nameOf(entry), kind: 'custom', models: [] }));
  const named = (model: string): ProviderModel => ({ id: model, model, name: model });
  const host: readonly Provider[] = served
    ? [{ id: SERVED, name: SERVED_NAME, baseURL: `${served.origin}/v1`, apiKey: '', kind: 'served', models: served.models.map(named) }]
    : [];
  const agents = guests.map(
    ({ id, name }): Provider => ({ id, name, baseURL: `agent:${id}`, apiKey: '', kind: 'guest', models: [named(name)] }),
  );
  return [...readHostProviders(configAi), ...own, ...agents, ...host];
}

/** The host looks a model up by id, then display name, then name; so do we. */
function findModel({ models }: Provider, wanted: string): ProviderModel | undefined {
  return (
    models.find(({ id }) => id === wanted) ?? models.find(({ name }) => name === wanted) ?? models.find(({ model }) => model === wanted)
  );
}

interface ModelMatch {
  readonly provider: Provider;
  readonly model: ProviderModel;
}

function findIn(providers: readonly Provider[], wanted: string): ModelMatch | undefined {
  if (wanted === '') return undefined;
  for (const provider of providers) {
    const model = findModel(provider, wanted);
    if (model) return { provider, model };
  }
  return undefined;
}

function anyModel(providers: readonly Provider[], configAi: unknown): ModelMatch | undefined {
  const host = providers.filter(({ kind }) => kind === 'siyuan');
  const preferred = findIn(host, preferredByHost(configAi));
  if (preferred) return preferred;
  const [first] = host;
  const [model] = first?.models ?? [];
  return first && model ? { provider: first, model } : undefined;
}

export interface ModelChoiceSettings {
  readonly source: 'host' | 'custom';
  readonly providerId?: string | undefined;
  readonly model?: string | undefined;
}

function missing(reason: string, next: string): ModelChoice {
  return { kind: 'missing', label: '', reason, next };
}

function chosen({ provider, model }: ModelMatch, chatOption: ChatOption | undefined): ModelChoice {
  const label = provider.kind === 'served' || provider.kind === 'guest' ? model.name : `${model.name} · ${provider.name}`;
  const { baseURL, apiKey, protocol, headers, timeoutMs } = provider;
  return {
    kind: provider.kind === 'served' && model.model === OFFLINE_DEMO ? 'offline-demo' : 'ready',
    label,
    provider,
    ref: { providerId: provider.id, model: model.id },
    settings: {
      ...{ baseURL, apiKey, model: model.model, label, chatOption },
      ...(protocol ? { protocol } : {}),
      ...(headers ? { headers } : {}),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(model.window === undefined ? {} : { window: model.window }),
    },
  };
}

function chooseCustom(
  providers: readonly Provider[],
  { providerId, model = '' }: Omit<ModelChoiceSettings, 'source'>,
  option?: ChatOption,
): ModelChoice {
  const provider = providers.find(({ id, kind }) => kind === 'custom' && id === providerId);
  if (!provider) return missing('the provider is no longer set up', 'choose a model again');
  if (provider.baseURL === '') return missing('the address is empty', 'enter the address in the settings');
  if (model === '') return missing('the model name is empty', 'choose a model');
  return chosen({ provider, model: findModel(provider, model) ?? { id: model, model, name: shownName(model) } }, option);
}

/** The model of a chat: the user's own provider, else SiYuan's, else the development host's, else none. */
export function pickModel(settings: ModelChoiceSettings, sources: ProviderSources, chatOption?: ChatOption): ModelChoice {
  const providers = allProviders(sources);
  if (settings.source === 'custom') return chooseCustom(providers, settings, chatOption);
  const named = providers.filter(({ id, kind }) => kind !== 'custom' && (!settings.providerId || id === settings.providerId));
  const found = findIn(named, settings.model ?? '') ?? anyModel(named.length > 0 ? named : providers, sources.configAi);
  if (found) return chosen(found, chatOption);
  const demo = providers.find(({ kind }) => kind === 'served');
  const [model] = demo?.models ?? [];
  if (demo && model) return chosen({ provider: demo, model }, chatOption);
  return missing('no model is configured', 'choose a provider in SiYuan’s AI settings, or enter an address and a key here');
}

export function pickReferred(ref: ModelRef, sources: ProviderSources, chatOption?: ChatOption): ModelChoice {
  const providers = allProviders(sources);
  const provider = providers.find(({ id }) => id === ref.providerId);
  if (!provider || provider.kind === 'custom') return chooseCustom(providers, ref, chatOption);
  const model = findModel(provider, ref.model);
  return model ? chosen({ provider, model }, chatOption) : missing('the provider no longer has this model', 'choose a model again');
}

/** The model of a reference, from any provider; without a reference, the model that a chat uses. */
export function settingsOf(ref: ModelRef, sources: ProviderSources): ModelChoiceSettings {
  const kind = allProviders(sources).find(({ id }) => id === ref.providerId)?.kind;
  return { source: kind === 'siyuan' || kind === 'served' ? 'host' : 'custom', ...ref };
}

/** Asks the development host (`configAi.servesModels`) for its models; SiYuan has no such route. A failure means none. */
export async function probeServedModels(
  origin: string,
  configAi: unknown,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ServedModels | null> {
  if (fieldOf(configAi, 'servesModels') !== true) return null;
  try {
    const response = await fetch(`${origin}/v1/models`, { signal, headers: { accept: 'application/json' } });
    if (!response.ok || !/json/i.test(response.headers.get('content-type') ?? '')) return null;
    const models = modelEntries(await response.json()).map(({ id }) => id);
    return models.length ? { origin, models } : null;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
