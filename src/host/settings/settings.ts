import * as v from 'valibot';
import { ToolError } from '../../tools/contract/errors.ts';
import { type CopyStorage, keepBroken } from '../../tools/util/broken-copy.ts';
import { Listeners } from '../../tools/util/notify.ts';
import { isRecord } from '../../tools/util/plain-value.ts';
import { Turns } from '../../tools/util/turns.ts';
import { DeviceKeys, type SecretStore } from './device-keys.ts';
import { type LoadedSettings, ONE_ADDRESS, parseSettings, type SettingsDamage } from './parse-settings.ts';
import { type Settings, settingsFormat } from './settings-format.ts';

interface SettingChange {
  readonly at: readonly [string] | readonly [string, string];
  readonly value?: unknown;
}

const changesFormat = v.array(
  v.object({ at: v.union([v.strictTuple([v.string()]), v.strictTuple([v.string(), v.string()])]), value: v.optional(v.unknown()) }),
);

type Fields = Readonly<Record<string, unknown>>;

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
const changed = (at: SettingChange['at'], value: unknown): SettingChange => (value === undefined ? { at } : { at, value });

/** The differences in `fields`, entry by entry: others may change the other entries meanwhile. */
function changesOf(before: Fields, fields: Fields): readonly SettingChange[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const old = before[name];
    if (same(old, value)) return [];
    if (!isRecord(old) || !isRecord(value)) return [changed([name], value)];
    const keys = [...new Set([...Object.keys(old), ...Object.keys(value)])].filter((key) => !same(old[key], value[key]));
    return keys.map((key) => changed([name, key], value[key]));
  });
}

/** The fields that these changes affect, with their new values. */
function withChanges(settings: Fields, changes: readonly SettingChange[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { at, value } of changes) {
    const [name, key] = at;
    const now = name in fields ? fields[name] : settings[name];
    fields[name] = key === undefined ? value : { ...(isRecord(now) ? now : {}), [key]: value };
  }
  return fields;
}

function readChanges(text: string | null): readonly SettingChange[] {
  if (text === null) return [];
  try {
    return v.parse(changesFormat, JSON.parse(text));
  } catch {
    return [];
  }
}

export type TextStorage = CopyStorage;

/** Saves a text synchronously for the next page: a save takes two requests, and a page may close between them. Null: nothing. */
export interface UnsavedSettings {
  get(): string | null;
  set(text: string | null): void;
}

/** Computed from the settings at the time of saving: another window or device may have changed them. */
type SettingsChange = (now: Settings) => Partial<Settings>;

export interface SettingsStore {
  get(): Settings;
  /** Merges the top-level fields, first in memory, then saves; rejects with ToolError if the file cannot be written. */
  update(change: SettingsChange): Promise<void>;
  /** Reads what another window or a sync wrote. A file that cannot be read at all is left to the next start. */
  reload(): Promise<void>;
  subscribe(listener: (settings: Settings) => void): () => void;
  /** The key of a provider that the user added; undefined if none was given for the server of its address. */
  apiKey(providerId: string): string | undefined;
  setApiKey(providerId: string, key: string): Promise<void>;
  /** The server that this device's key of a provider was given for, if its address has changed. */
  keyHeldFor(providerId: string): string | undefined;
  /** The person allows the key for the current address. */
  useKeyHere(providerId: string): Promise<void>;
  /** The person allows a provider under "Local only", at its current address. */
  allowProvider(providerId: string): Promise<void>;
  searchKey(): string | undefined;
  setSearchKey(key: string): Promise<void>;
  /** The file's problem, as the code of a notice; undefined if there was none. */
  readonly problem: LoadedSettings['problem'] | 'key-moved';
  /** The values of the file that could not be read, with their replacements. */
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
  await store.copyBroken().catch(toleratesReadOnly);
  const left = readChanges(unsaved.get());
  const sound = v.safeParse(settingsFormat, { ...store.get(), ...withChanges(store.get(), left) }).success;
  // A change that cannot be written now takes effect, and is saved for the next start.
  if (left.length > 0 && sound) await store.update((now) => withChanges(now, left)).catch(() => undefined);
  if (await store.movePlainKey().catch(toleratesReadOnly)) store.problem = 'key-moved';
  return store;
}

/** A read-only workspace is read all the same: its writes wait for a start that may write. */
function toleratesReadOnly(error: unknown): false {
  if (error instanceof ToolError && error.code === 'read_only') return false;
  throw error;
}

interface SettingsStorages {
  readonly storage: TextStorage;
  readonly secrets: SecretStore;
  readonly unsaved: UnsavedSettings;
  readonly keepBroken: (loaded: LoadedSettings) => Promise<void>;
}

class FiledSettings implements SettingsStore {
  problem: SettingsStore['problem'];
  damage: readonly SettingsDamage[];
  private readonly places: SettingsStorages;
  private readonly listeners = new Listeners<[settings: Settings]>();
  private pending: readonly SettingChange[] = [];
  private settings: Settings;
  private seen: Settings;
  private readonly keys: DeviceKeys;
  /** The text that was last read or written here: any other text was written by somebody else. */
  private text: string | null;
  private readOnly: boolean;
  /** The file's content at the start, until it has been copied aside where it was broken. */
  private uncopied: LoadedSettings | undefined;
  private readonly turns = new Turns(1);

  constructor(places: SettingsStorages, loaded: LoadedSettings) {
    const { text, settings, problem, damage, readOnly } = loaded;
    this.places = places;
    this.problem = problem;
    this.damage = damage;
    this.keys = new DeviceKeys(places.secrets);
    this.settings = settings;
    this.seen = this.allowed(settings);
    this.text = text;
    this.readOnly = readOnly;
    this.uncopied = loaded;
  }

  async copyBroken(): Promise<void> {
    if (this.uncopied) await this.places.keepBroken(this.uncopied);
    this.uncopied = undefined;
  }

  get(): Settings {
    return this.seen;
  }

  /** Drops providers that were allowed at another address than their current one. */
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
        await this.copyBroken();
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
    // A reference to another provider's key is no reason to trust the address.
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

  /** Only SearXNG has an address in the settings. */
  private searchAddress(): string {
    const { provider, address } = this.settings.search;
    return provider === 'searxng' ? address : '';
  }

  setSearchKey(key: string): Promise<void> {
    this.keys.set(searchReferenceOf(this.settings.search.provider), key, this.searchAddress());
    return this.update(({ search: { apiKey: _moved, ...search } }) => ({ search }));
  }

  async movePlainKey(): Promise<boolean> {
    if (this.readOnly) return false;
    const plain = Object.entries(this.settings.providers).flatMap(([id, { apiKey }]) => (apiKey ? [{ id, apiKey }] : []));
    for (const { id, apiKey } of plain) await this.setApiKey(id, apiKey);
    const { apiKey: ofSearch } = this.settings.search;
    if (ofSearch) await this.setSearchKey(ofSearch);
    return plain.length > 0 || Boolean(ofSearch);
  }

  /** True if somebody else wrote the file since, and it was adopted; listeners are not called yet. */
  private async takeIn(): Promise<boolean> {
    const text = await this.places.storage.read(FILE);
    if (text === this.text) return false;
    const found = parseSettings(text);
    if (text === null || text.trim() === '' || found.isLost) return false;
    // The next save overwrites unreadable values.
    await this.places.keepBroken(found);
    this.text = text;
    // Local changes since then stay, and are written in turn.
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
