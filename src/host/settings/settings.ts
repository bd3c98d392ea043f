import * as v from 'valibot';
import { type CopyStorage, keepBroken } from '../../tools/util/broken-copy.ts';
import { Listeners } from '../../tools/util/notify.ts';
import { Turns } from '../../tools/util/turns.ts';
import { DeviceKeys, type SecretStore } from './device-keys.ts';
import { type LoadedSettings, ONE_ADDRESS, parseSettings, type SettingsDamage } from './parse-settings.ts';
import { changesOf, readChanges, type SettingChange, withChanges } from './setting-changes.ts';
import { type Settings, settingsFormat } from './settings-format.ts';

/** Where text lives: the petal's storage, paths relative to it. */
export type TextStorage = CopyStorage;

/**
 * Keeps a text where writing takes no time, for the page that comes after this one: a save takes two requests, and a page may be
 * closed between them. Null: nothing is kept.
 */
export interface UnsavedSettings {
  get(): string | null;
  set(text: string | null): void;
}

/** Made of the settings as they stand when it is saved: another window or device may have changed them. */
type SettingsChange = (now: Settings) => Partial<Settings>;

export interface SettingsStore {
  get(): Settings;
  /** Merges the top-level fields, here at once, and saves; rejects with ToolError when the file cannot be written. */
  update(change: SettingsChange): Promise<void>;
  /** Takes in what another window or a sync wrote. A file that cannot be read at all is left to the next start. */
  reload(): Promise<void>;
  subscribe(listener: (settings: Settings) => void): () => void;
  /** The key of a provider of the user's own; undefined when none was given for the server of its address. */
  apiKey(providerId: string): string | undefined;
  setApiKey(providerId: string, key: string): Promise<void>;
  /** The server that this device's key of a provider was given for, where its address is another one now. */
  keyHeldFor(providerId: string): string | undefined;
  /** The person wants that key to go to the address that is there now. */
  useKeyHere(providerId: string): Promise<void>;
  /** A provider may be asked under "Local only", at the address that it has now. */
  allowProvider(providerId: string): Promise<void>;
  /** The key of the search service that is chosen; undefined when none was given. */
  searchKey(): string | undefined;
  setSearchKey(key: string): Promise<void>;
  /** What was wrong with the file, in the code of a notice; undefined when it was read as it is. */
  readonly problem: LoadedSettings['problem'] | 'key-moved';
  /** What of the file could not be read, and what counts instead. */
  readonly damage: readonly SettingsDamage[];
}

const FILE = 'settings.json';
const searchReferenceOf = (provider: string): string => `local:search:${provider}`;
const allowanceOf = (providerId: string): string => `local:allowed:${providerId}`;
const referenceOf = (providerId: string): string => (providerId === ONE_ADDRESS ? 'local:model' : `local:provider:${providerId}`);

const NOTHING_KEPT: UnsavedSettings = { get: () => null, set: () => undefined };

/** Loads the settings. A plain `apiKey` in the file is moved to the device's store, and the file is rewritten without it. */
export async function openSettings(
  storage: TextStorage,
  secrets: SecretStore,
  now: () => number,
  unsaved: UnsavedSettings = NOTHING_KEPT,
): Promise<SettingsStore> {
  const loaded = parseSettings(await storage.read(FILE));
  const keep = async ({ problem, text }: LoadedSettings): Promise<void> => {
    if (problem === 'settings-broken' && text !== null) await keepBroken(storage, FILE, text, now());
  };
  const store = new FiledSettings({ storage, secrets, unsaved, keepBroken: keep }, loaded);
  await keep(loaded);
  const left = readChanges(unsaved.get());
  const sound = v.safeParse(settingsFormat, { ...store.get(), ...withChanges(store.get(), left) }).success;
  // What cannot be written now counts here, and is kept for the next start.
  if (left.length > 0 && sound) await store.update((now) => withChanges(now, left)).catch(() => undefined);
  if (await store.movePlainKey()) store.problem = 'key-moved';
  return store;
}

interface SettingsStorages {
  readonly storage: TextStorage;
  readonly secrets: SecretStore;
  readonly unsaved: UnsavedSettings;
  /** Copies a file aside of which something could not be read. */
  readonly keepBroken: (loaded: LoadedSettings) => Promise<void>;
}

class FiledSettings implements SettingsStore {
  problem: SettingsStore['problem'];
  damage: readonly SettingsDamage[];
  private readonly places: SettingsStorages;
  private readonly listeners = new Listeners<[settings: Settings]>();
  private pending: readonly SettingChange[] = [];
  /** As in the file. */
  private settings: Settings;
  private seen: Settings;
  private readonly keys: DeviceKeys;
  /** As it was read or written here last: another text was written by somebody else. */
  private text: string | null;
  private readOnly: boolean;
  /** One after another. */
  private readonly turns = new Turns(1);

  constructor(places: SettingsStorages, { text, settings, problem, damage, readOnly }: LoadedSettings) {
    this.places = places;
    this.problem = problem;
    this.damage = damage;
    this.keys = new DeviceKeys(places.secrets);
    this.settings = settings;
    this.seen = this.allowed(settings);
    this.text = text;
    this.readOnly = readOnly;
  }

  get(): Settings {
    return this.seen;
  }

  /** Without the providers that were allowed at another address than they have now. */
  private allowed(settings: Settings): Settings {
    const isAllowed = (id: string): boolean => {
      const address = settings.providers[id]?.baseURL ?? '';
      return this.keys.isFor(allowanceOf(id), address);
    };
    const remoteProviders = settings.remoteProviders.filter(isAllowed);
    return remoteProviders.length === settings.remoteProviders.length ? settings : { ...settings, remoteProviders };
  }

  update(change: SettingsChange): Promise<void> {
    const fields = change(this.settings);
    this.keep([...this.pending, ...changesOf(this.settings, fields)]);
    this.set({ ...this.settings, ...fields });
    return this.turns.take(async () => {
      if (await this.takeIn()) this.set({ ...this.settings, ...change(this.settings) });
      const written = this.pending;
      if (!this.readOnly) {
        const text = `${JSON.stringify(this.settings, null, 2)}\n`;
        await this.places.storage.write(FILE, text);
        this.text = text;
      }
      this.keep(this.pending.filter((one) => !written.includes(one)));
    });
  }

  async reload(): Promise<void> {
    const foreign = await this.turns.take(() => this.takeIn());
    if (foreign && !(await this.movePlainKey())) this.set(this.settings);
  }

  subscribe(listener: (settings: Settings) => void): () => void {
    return this.listeners.add(listener);
  }

  apiKey(providerId: string): string | undefined {
    const found = this.settings.providers[providerId];
    if (!found || found.apiKey !== undefined || !found.apiKeyRef) return found?.apiKey;
    // A reference to the key of another provider is no reason to trust its address.
    return this.keys.get(found.apiKeyRef, found.baseURL, found.apiKeyRef === referenceOf(providerId));
  }

  setApiKey(providerId: string, key: string): Promise<void> {
    const apiKeyRef = referenceOf(providerId);
    this.keys.set(apiKeyRef, key, this.settings.providers[providerId]?.baseURL ?? '');
    return this.update(({ providers }) => {
      const { apiKey: _moved, ...provider } = providers[providerId] ?? { name: '', baseURL: '' };
      return { providers: { ...providers, [providerId]: { ...provider, apiKeyRef } } };
    });
  }

  keyHeldFor(providerId: string): string | undefined {
    const { apiKey, apiKeyRef, baseURL = '' } = this.settings.providers[providerId] ?? {};
    return apiKey === undefined && apiKeyRef ? this.keys.heldFor(apiKeyRef, baseURL) : undefined;
  }

  async useKeyHere(providerId: string): Promise<void> {
    const { apiKeyRef = '' } = this.settings.providers[providerId] ?? {};
    const key = this.keyHeldFor(providerId) === undefined ? undefined : this.places.secrets.get(apiKeyRef);
    if (key !== undefined) await this.setApiKey(providerId, key);
  }

  allowProvider(providerId: string): Promise<void> {
    this.keys.bind(allowanceOf(providerId), this.settings.providers[providerId]?.baseURL ?? '');
    return this.update(({ remoteProviders }) => ({ remoteProviders: [...new Set([...remoteProviders, providerId])] }));
  }

  searchKey(): string | undefined {
    const { apiKey, provider } = this.settings.search;
    return (apiKey ?? this.keys.get(searchReferenceOf(provider), this.searchAddress(), true)) || undefined;
  }

  /** Of the search services only a SearXNG is where the settings say. */
  private searchAddress(): string {
    const { provider, address } = this.settings.search;
    return provider === 'searxng' ? address : '';
  }

  setSearchKey(key: string): Promise<void> {
    this.keys.set(searchReferenceOf(this.settings.search.provider), key, this.searchAddress());
    return this.update(({ search: { apiKey: _moved, ...search } }) => ({ search }));
  }

  /** True when there was one. */
  async movePlainKey(): Promise<boolean> {
    if (this.readOnly) return false;
    const plain = Object.entries(this.settings.providers).flatMap(([id, { apiKey }]) => (apiKey ? [{ id, apiKey }] : []));
    for (const { id, apiKey } of plain) await this.setApiKey(id, apiKey);
    const { apiKey: ofSearch } = this.settings.search;
    if (ofSearch) await this.setSearchKey(ofSearch);
    return plain.length > 0 || Boolean(ofSearch);
  }

  /** True when somebody else wrote the file since, and it is taken over here; no listener was called yet. */
  private async takeIn(): Promise<boolean> {
    const text = await this.places.storage.read(FILE);
    if (text === this.text) return false;
    const found = parseSettings(text);
    if (text === null || text.trim() === '' || found.isLost) return false;
    // The next save overwrites what could not be read.
    await this.places.keepBroken(found);
    this.text = text;
    // What was changed here since stands, and is written in its turn.
    this.settings = { ...found.settings, ...withChanges(found.settings, this.pending) };
    this.readOnly = found.readOnly;
    this.damage = found.damage;
    return true;
  }

  private keep(pending: readonly SettingChange[]): void {
    this.pending = pending;
    this.places.unsaved.set(pending.length > 0 ? JSON.stringify(pending) : null);
  }

  private set(settings: Settings): void {
    this.settings = settings;
    this.seen = this.allowed(settings);
    this.listeners.call(this.seen);
  }
}
