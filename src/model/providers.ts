import * as v from 'valibot';
import type { ChatOption } from '../tools/contract/messages.ts';
import type { ModelSettings } from './language-model.ts';

/** `settings.json`'s `model`, with the key already resolved from its reference. */
export interface ModelChoiceSettings {
  readonly source: 'host' | 'custom';
  readonly providerId?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly model?: string | undefined;
  readonly chatOption?: ChatOption | undefined;
}

/** `kind` as in ModelStatus of the panel; `missing` says in words why nothing was found. */
export type ModelChoice =
  | { readonly kind: 'ready' | 'offline-demo'; readonly label: string; readonly settings: ModelSettings }
  | { readonly kind: 'missing'; readonly label: string; readonly reason: string; readonly next: string };

/** The id by which the development host names its rule-based model. */
const OFFLINE_DEMO = 'offline-demo';

const ModelSchema = v.object({
  id: v.string(),
  name: v.string(),
  displayName: v.optional(v.string(), ''),
  enabled: v.optional(v.boolean(), true),
});
const ProviderSchema = v.object({
  id: v.string(),
  displayName: v.optional(v.string(), ''),
  enabled: v.optional(v.boolean(), true),
  apiKey: v.optional(v.string(), ''),
  baseURL: v.string(),
  protocol: v.optional(v.string(), ''),
  models: v.nullish(v.array(v.unknown()), []),
});

interface HostModel {
  readonly id: string;
  readonly name: string;
  readonly label: string;
}
interface HostProvider {
  readonly id: string;
  readonly label: string;
  readonly apiKey: string;
  readonly baseURL: string;
  readonly models: readonly HostModel[];
}
export interface HostModels {
  readonly providers: readonly HostProvider[];
  /** The model that the host's own agent uses, by id, display name or name. */
  readonly preferred: string;
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Reads `window.siyuan.config.ai`: enabled providers that speak OpenAI's protocol, with their enabled models.
 * An entry that is not as expected is left out: it is the host's to repair, and never written back.
 */
export function readHostModels(configAi: unknown): HostModels {
  const providers = listOf(fieldOf(configAi, 'providers')).flatMap((entry): HostProvider[] => {
    const parsed = v.safeParse(ProviderSchema, entry);
    if (!parsed.success) return [];
    const { id, displayName, enabled, apiKey, baseURL, protocol, models } = parsed.output;
    if (!enabled || !baseURL || (protocol !== '' && protocol.toLowerCase() !== 'openai')) return [];
    const usable = (models ?? []).flatMap((model): HostModel[] => {
      const read = v.safeParse(ModelSchema, model);
      if (!read.success || !read.output.enabled || !read.output.name) return [];
      return [{ id: read.output.id, name: read.output.name, label: read.output.displayName || read.output.name }];
    });
    return usable.length ? [{ id, label: displayName || id, apiKey, baseURL, models: usable }] : [];
  });
  const preferred = fieldOf(fieldOf(configAi, 'agent'), 'modelId') || fieldOf(fieldOf(configAi, 'editing'), 'modelId');
  return { providers, preferred: typeof preferred === 'string' ? preferred : '' };
}

interface Found {
  readonly provider: HostProvider;
  readonly model: HostModel;
}

/** The host looks a model up by id, then display name, then name, over all providers; so do we. */
function findHostModel(host: HostModels, wanted: string, providerId: string | undefined): Found | undefined {
  const all = host.providers
    .filter((provider) => !providerId || provider.id === providerId)
    .flatMap((provider) => provider.models.map((model) => ({ provider, model })));
  if (!wanted) return undefined;
  return (
    all.find(({ model }) => model.id === wanted) ??
    all.find(({ model }) => model.label === wanted) ??
    all.find(({ model }) => model.name === wanted)
  );
}

function chooseHostModel(settings: ModelChoiceSettings, host: HostModels): Found | undefined {
  const own = settings.model ? findHostModel(host, settings.model, settings.providerId) : undefined;
  const first = host.providers.find((provider) => !settings.providerId || provider.id === settings.providerId) ?? host.providers[0];
  const model = first?.models[0];
  return own ?? findHostModel(host, host.preferred, settings.providerId) ?? (first && model ? { provider: first, model } : undefined);
}

const withOption = (settings: ModelChoiceSettings): { chatOption?: ChatOption } =>
  settings.chatOption ? { chatOption: settings.chatOption } : {};

/**
 * Which model a chat uses: the user's own address, else SiYuan's providers, else what the development host serves at
 * `<origin>/v1` (`served`: ids from probeServedModels), else none.
 */
export function pickModel(
  settings: ModelChoiceSettings,
  configAi: unknown,
  served: { readonly origin: string; readonly models: readonly string[] } | null,
): ModelChoice {
  if (settings.source === 'custom') return pickCustom(settings);
  const found = chooseHostModel(settings, readHostModels(configAi));
  if (found) {
    const { provider, model } = found;
    const label = `${model.label} · ${provider.label}`;
    return {
      kind: 'ready',
      label,
      settings: { baseURL: provider.baseURL, apiKey: provider.apiKey, model: model.name, label, ...withOption(settings) },
    };
  }
  const model = served?.models.find((id) => id === settings.model) ?? served?.models[0];
  if (served && model) {
    const kind = model === OFFLINE_DEMO ? 'offline-demo' : 'ready';
    return { kind, label: model, settings: { baseURL: `${served.origin}/v1`, apiKey: '', model, label: model, ...withOption(settings) } };
  }
  return {
    kind: 'missing',
    label: '',
    reason: 'no model is configured',
    next: 'choose a provider in SiYuan’s AI settings, or enter an address and a key here',
  };
}

function pickCustom(settings: ModelChoiceSettings): ModelChoice {
  if (!settings.baseURL || !settings.model) {
    const lacking = settings.baseURL ? 'model name' : 'address';
    return { kind: 'missing', label: '', reason: `the ${lacking} is empty`, next: `enter the ${lacking} in the settings` };
  }
  const { baseURL, apiKey = '', model } = settings;
  return { kind: 'ready', label: model, settings: { baseURL, apiKey, model, label: model, ...withOption(settings) } };
}

/**
 * Asks `<origin>/v1/models` what the host serves, if its configuration (`configAi.servesModels`) says that it serves models: the
 * development host does. SiYuan has no such route, and the browser would log an error for the question. Whatever is not a list of
 * models counts as "serves none", and so does a failure, because the model is only a fallback here.
 */
export async function probeServedModels(
  origin: string,
  configAi: unknown,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<{ origin: string; models: readonly string[] } | null> {
  if (fieldOf(configAi, 'servesModels') !== true) return null;
  try {
    const response = await fetch(`${origin}/v1/models`, { signal, headers: { accept: 'application/json' } });
    if (!response.ok || !/json/i.test(response.headers.get('content-type') ?? '')) return null;
    const models = listOf(fieldOf(await response.json(), 'data')).flatMap((entry) => {
      const id = fieldOf(entry, 'id');
      return typeof id === 'string' && id ? [id] : [];
    });
    return models.length ? { origin, models } : null;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
