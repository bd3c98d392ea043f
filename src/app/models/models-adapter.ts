import { NO_MODEL } from '../../chat/turn/notices.ts';
import type { SettingsStore } from '../../host/settings/settings.ts';
import { skippedProviders } from '../../model/host-providers.ts';
import type { ListedServer } from '../../model/model-list.ts';
import { type ListedModel, withMarks } from '../../model/model-marks.ts';
import type { Provider } from '../../model/provider.ts';
import { allProviders, type ModelRef, type ProviderSources, settingsOf } from '../../model/providers.ts';
import type { ProviderProxy } from '../../model/proxied-fetch.ts';
import { isAnotherServer } from '../../model/server/server-address.ts';
import type { testConnection } from '../../model/test-connection.ts';
import { type EventError, ToolError, toToolError } from '../../tools/contract/errors.ts';
import { lazyPart } from '../../tools/util/lazy.ts';
import type { ModelsPort, ProviderEntry } from '../../ui/ports/models-port.ts';
import type { CallMemory } from '../workspace/call-memory.ts';
import type { ChooseModel, learntOfModels } from '../workspace/chat-model.ts';
import { localOnlyError } from '../workspace/local-only-models.ts';

export interface ModelsAdapterDeps {
  readonly settings: SettingsStore;
  readonly sources: () => ProviderSources;
  readonly model: ChooseModel;
  readonly fetch: typeof globalThis.fetch;
  readonly proxy: Pick<ProviderProxy, 'fetchFor'>;
  /** Kept on the device. */
  readonly recent: { get(): readonly ModelRef[]; set(refs: readonly ModelRef[]): void };
  readonly newId: () => string;
  readonly calls: CallMemory;
  readonly learnt: ReturnType<typeof learntOfModels>;
  /** Rejects with `not_loaded`. */
  readonly loadTest: () => Promise<typeof testConnection>;
}

const MAX_RECENT = 5;
const loadList = lazyPart(() => import('../../model/model-list.ts'));

interface Heard {
  readonly models: readonly ListedModel[];
  readonly error?: EventError;
}

const isSame = (one: ModelRef, other: ModelRef): boolean => one.providerId === other.providerId && one.model === other.model;

/** What providers have answered since the panel was opened: their lists, and the servers on this machine. */
class DiscoveredModels {
  private readonly deps: ModelsAdapterDeps;
  /** By address, and whether a key was sent. */
  private readonly lists = new Map<string, Heard>();
  private servers: readonly ListedServer[] = [];

  constructor(deps: ModelsAdapterDeps) {
    this.deps = deps;
  }

  entries(): readonly ProviderEntry[] {
    const local = this.unknownServers().map(({ id, name, baseURL, listed }): ProviderEntry => {
      return { id, name, baseURL, kind: 'local', hasKey: false, models: listed };
    });
    return [...allProviders(this.deps.sources()).map((provider) => this.entryOf(provider)), ...local];
  }

  /** Servers on this machine that are not set up yet. */
  unknownServers(): readonly ListedServer[] {
    const known = new Set(allProviders(this.deps.sources()).map(({ baseURL }) => baseURL));
    const taken = this.deps.settings.get().providers;
    // A provider with that name may have been set up with another address by now: it is not changed.
    const free = (id: string): string => (Object.hasOwn(taken, id) ? free(`${id}-local`) : id);
    return this.servers.filter(({ baseURL }) => !known.has(baseURL)).map((server) => ({ ...server, id: free(server.id) }));
  }

  async refresh(signal: AbortSignal, onChange: () => void): Promise<void> {
    const own = allProviders(this.deps.sources()).filter(({ kind, baseURL }) => kind === 'custom' && baseURL !== '');
    const found = loadList().then(async ({ findLocalServers }) => {
      this.servers = await findLocalServers(this.deps.fetch, signal);
    });
    const answers = [...own.map((provider) => this.ask(provider, signal)), found];
    await Promise.all(answers.map((answer) => answer.catch(() => undefined).then(() => (signal.aborted ? undefined : onChange()))));
  }

  private entryOf(provider: Provider): ProviderEntry {
    const { id, name, baseURL, kind, apiKey, protocol } = provider;
    const hasKey = apiKey !== '';
    if (kind !== 'custom') return { id, name, baseURL, kind, hasKey, models: withMarks(provider.models) };
    const { models = [], error } = this.lists.get(keyOf(provider)) ?? {};
    const givenName = this.deps.settings.get().providers[id]?.name ?? '';
    const keyHeldFor = this.deps.settings.keyHeldFor(id);
    return {
      id,
      name,
      givenName,
      ...(protocol ? { protocol } : {}),
      baseURL,
      kind,
      hasKey,
      models,
      ...(keyHeldFor === undefined ? {} : { keyHeldFor }),
      ...(error ? { error } : {}),
    };
  }

  private async ask(provider: Provider, signal: AbortSignal): Promise<void> {
    try {
      const closed = localOnlyError(provider, this.deps.settings.get());
      if (closed) throw new ToolError(closed.code, closed.message, closed.next);
      const { listModels } = await loadList();
      this.lists.set(keyOf(provider), { models: await listModels(provider, this.deps.proxy.fetchFor(provider.baseURL), signal) });
    } catch (error) {
      if (signal.aborted) return;
      const { code, message, next } = toToolError(error);
      this.lists.set(keyOf(provider), { models: [], error: { code, message, next } });
    }
  }
}

const keyOf = ({ baseURL, apiKey, protocol = 'openai' }: Provider): string => `${baseURL} ${protocol} ${apiKey === '' ? '' : 'key'}`;

/** Listeners are notified as for a change of the settings. */
const forgetter =
  ({ learnt, settings }: ModelsAdapterDeps): ModelsPort['forget'] =>
  async (ref) => {
    learnt.forget(ref);
    await settings.update(() => ({}));
  };

/** Models to choose from, for the panel. */
export function createModelsPort(deps: ModelsAdapterDeps): ModelsPort {
  const { settings, sources, recent } = deps;
  const discovered = new DiscoveredModels(deps);
  const saveProvider: ModelsPort['saveProvider'] = async (id, { apiKey, ...fields }) => {
    const own = id ?? `provider-${deps.newId()}`;
    const before = settings.get().providers[own]?.baseURL ?? '';
    // The key, and the permission under "Local only", were for the previous server.
    const moved = fields.baseURL !== undefined && isAnotherServer(before, fields.baseURL);
    if (moved) await settings.setApiKey(own, '');
    await settings.update(({ providers, remoteProviders }) => ({
      ...(moved ? { remoteProviders: remoteProviders.filter((each) => each !== own) } : {}),
      providers: { ...providers, [own]: { ...(providers[own] ?? { name: '', baseURL: '' }), ...fields } },
    }));
    if (apiKey !== undefined) await settings.setApiKey(own, apiKey);
    // It was typed before the address, which the person has just given.
    else if (fields.baseURL !== undefined && settings.keyHeldFor(own) === '') await settings.useKeyHere(own);
    return own;
  };
  const keep: ModelsPort['keep'] = async (ref) => {
    const server = discovered.unknownServers().find(({ id }) => id === ref.providerId);
    // From now on it is a provider like those set up by hand.
    if (server) await saveProvider(server.id, { name: server.name, baseURL: server.baseURL });
    recent.set([ref, ...recent.get().filter((each) => !isSame(each, ref))].slice(0, MAX_RECENT));
  };
  return {
    providers: () => discovered.entries(),
    skipped: () => skippedProviders(sources().configAi),
    refresh: (signal, onChange) => discovered.refresh(signal, onChange),
    recent: () => recent.get(),
    saveProvider,
    defaultModel: () => deps.model({ purpose: 'answer' }).status,
    keep,
    async choose(ref) {
      await keep(ref);
      const { source, providerId, model } = settingsOf(ref, sources());
      await settings.update((now) => ({ model: { ...now.model, source, providerId, model: model ?? '' } }));
    },
    async removeProvider(id) {
      await settings.setApiKey(id, '');
      await settings.update(({ providers: { [id]: _gone, ...providers }, remoteProviders }) => ({
        providers,
        remoteProviders: remoteProviders.filter((each) => each !== id),
      }));
      recent.set(recent.get().filter(({ providerId }) => providerId !== id));
    },
    allowProvider: (id) => settings.allowProvider(id),
    useKeyHere: (id) => settings.useKeyHere(id),
    learnt: deps.learnt.learnt,
    forget: forgetter(deps),
    async tryNativeCalls() {
      deps.calls.forget();
      await settings.update(() => ({ toolProtocol: 'auto' }));
    },
    async test(ref, signal) {
      const { model, problem = NO_MODEL } = deps.model({ purpose: 'test' }, ref);
      if (!model) throw new ToolError(problem.code, problem.message, problem.next);
      return (await deps.loadTest())(model, signal, () => deps.learnt.learnt(ref).noTools === 'stated');
    },
  };
}
