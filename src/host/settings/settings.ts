import * as v from 'valibot';
import type { NotebookRight } from '../../tools/contract/ports.ts';
import { TOOL_PROTOCOLS } from '../../tools/contract/tool-protocol.ts';
import type { ToolPermissionV2 } from '../../tools/contract/types.ts';
import { type CopyPlace, keepBroken } from '../../tools/util/broken-copy.ts';
import { changesOf, readChanges, type SettingChange, withChanges } from './setting-changes.ts';
import { lostToolCalls, toolCallsFormat } from './tool-calls.ts';

/** `settings.json` (docs/formats.md). The file is for hands too: unknown keys survive, and every field may be missing. */
const SETTINGS_SCHEMA = 1;

const permission = v.object({
  executionPolicy: v.picklist(['auto', 'ask-once', 'ask-always']),
  resultApprovalPolicy: v.picklist(['never', 'on-error', 'always']),
});

/** A model of a provider: one of SiYuan's, or of `providers`. */
const modelRef = v.looseObject({ providerId: v.string(), model: v.string(), voice: v.optional(v.string()) });

const dollars = v.pipe(v.number(), v.minValue(0));
const price = v.object({ input: dollars, cachedInput: v.exactOptional(dollars), output: dollars });

const limit = v.object({ tokens: v.exactOptional(v.pipe(v.number(), v.minValue(0))), dollars: v.exactOptional(dollars) });

/** A provider of the user's own. Its key is kept on the device, under `apiKeyRef`; one that was written here by hand is moved there. */
const provider = v.looseObject({
  name: v.optional(v.string(), ''),
  baseURL: v.optional(v.string(), ''),
  apiKeyRef: v.optional(v.string()),
  apiKey: v.optional(v.string()),
});

const settingsFormat = v.looseObject({
  schema: v.optional(v.number(), SETTINGS_SCHEMA),
  model: v.optional(
    v.looseObject({
      source: v.optional(v.picklist(['host', 'custom']), 'host'),
      providerId: v.optional(v.string()),
      baseURL: v.optional(v.string()),
      apiKeyRef: v.optional(v.string()),
      apiKey: v.optional(v.string()),
      model: v.optional(v.string(), ''),
    }),
    {},
  ),
  /** By id. */
  providers: v.optional(v.record(v.string(), provider), {}),
  /** Models for tasks besides chatting; absent: none, and titles come from the chat's own. */
  models: v.optional(
    v.looseObject({ title: v.optional(modelRef), speechToText: v.optional(modelRef), textToSpeech: v.optional(modelRef) }),
    {},
  ),
  /** Whether a chat gets its title from the model, after the first answer. */
  modelTitles: v.optional(v.boolean(), true),
  /** Whether older messages of a chat that grows too long are summarized. */
  summaries: v.optional(v.boolean(), true),
  /** How often a provider that is busy or fails is asked again before its failure is told. */
  retries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)), 3),
  systemPrompt: v.optional(v.string(), ''),
  chatOption: v.optional(v.record(v.string(), v.unknown()), {}),
  toolCallMaxRounds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 10),
  toolCalls: v.optional(toolCallsFormat, {}),
  /** How models are told of tools. One that a later version knows counts as auto. */
  toolProtocol: v.optional(v.fallback(v.picklist(TOOL_PROTOCOLS), 'auto'), 'auto'),
  /** By `provider/model`: whether notes are searched before that model is asked; without an entry, only where it calls tools in text. */
  searchFirst: v.optional(v.fallback(v.record(v.string(), v.boolean()), {}), {}),
  /** Earlier messages that go with a question; absent: all. */
  contextMessages: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Tokens that a request may have; absent: what the model takes. */
  contextTokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1000))),
  /** Whether earlier tool messages go along as they were, or as one compressed message per answer. */
  toolHistory: v.optional(v.picklist(['compressed', 'full']), 'compressed'),
  // Read entry by entry (model/masking/privacy-fields.ts): what is wrong in it stops requests, and never turns masking off.
  privacy: v.optional(v.looseObject({ enabled: v.optional(v.unknown(), false), fields: v.optional(v.array(v.unknown()), []) }), {}),
  /** Days that the records of what tools did are kept; 0: none are made. */
  activityDays: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3650)), 90),
  /** US dollars per million tokens, by the model's name; they override the built-in prices. */
  prices: v.optional(v.record(v.string(), price), {}),
  /** What requests to models may use; an absent limit means no limit. */
  budget: v.optional(v.object({ turn: v.exactOptional(limit), day: v.exactOptional(limit), month: v.exactOptional(limit) }), {}),
  /** No tool may send anything off the machine, and no remote model is asked except those of providers in `remoteProviders`. */
  localOnly: v.optional(v.boolean(), false),
  remoteProviders: v.optional(v.array(v.string()), []),
  /** Where web_search asks. One that a later version knows counts as none. */
  search: v.optional(
    v.looseObject({
      provider: v.optional(v.fallback(v.picklist(['', 'brave', 'tavily', 'searxng']), ''), ''),
      address: v.optional(v.string(), ''),
      apiKey: v.optional(v.string()),
    }),
    {},
  ),
  /** The notebook that was chosen for the memory, and the note in it where its id is known. */
  memory: v.optional(v.looseObject({ notebook: v.optional(v.string(), ''), document: v.optional(v.string(), '') }), {}),
  groups: v.optional(v.record(v.string(), v.boolean()), {}),
  tools: v.optional(v.record(v.string(), v.boolean()), {}),
  /** Folders of this machine whose files tools may use, in the desktop app; empty: the workspace's `marginalia/files`. */
  folders: v.optional(v.fallback(v.array(v.string()), []), []),
  permissions: v.optional(v.record(v.string(), permission), {}),
  notebooks: v.optional(v.record(v.string(), v.picklist(['none', 'read', 'write', 'delete'])), {}),
  // Read entry by entry (chat/editor-task/editor-task-prompts.ts): one bad prompt must not cost the file.
  prompts: v.optional(v.unknown()),
  /** Language for /translate; empty or absent: English for Chinese text, Chinese for other text. */
  translateTo: v.optional(v.string()),
  /** Whether a question names the note in the editor, and brings what is selected in it. */
  fromEditor: v.optional(v.boolean(), true),
  /** The key that sends a message: Enter, or Ctrl or ⌘ with Enter. */
  sendWith: v.optional(v.fallback(v.picklist(['enter', 'mod-enter']), 'enter'), 'enter'),
});

export type ParsedSettings = v.InferOutput<typeof settingsFormat>;

/** What settings are where nobody set anything. */
export const defaultSettings = (): ParsedSettings => v.parse(settingsFormat, {});

export interface Settings extends ParsedSettings {
  readonly permissions: Record<string, ToolPermissionV2>;
  readonly notebooks: Record<string, NotebookRight>;
}

/** Where text lives: the petal's storage, paths relative to it. */
export type TextStorage = CopyPlace;

/** Device-local store for keys, outside `data/`, since `data/` is synced to every device. */
export interface SecretStore {
  get(reference: string): string | undefined;
  set(reference: string, value: string): void;
}

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
  /** Takes in what another window or a sync wrote. A file that cannot be read is left to the next start. */
  reload(): Promise<void>;
  subscribe(listener: (settings: Settings) => void): () => void;
  /** The key of a provider of the user's own; undefined when none was given. */
  apiKey(providerId: string): string | undefined;
  setApiKey(providerId: string, key: string): Promise<void>;
  /** The key of the search service that is chosen; undefined when none was given. */
  searchKey(): string | undefined;
  setSearchKey(key: string): Promise<void>;
  /** What was wrong with the file, in the code of a notice; undefined when it was read as it is. */
  readonly problem: 'settings-broken' | 'settings-newer' | 'key-moved' | undefined;
}

const FILE = 'settings.json';
/** The provider that `model.baseURL` stands for: settings of one address come from earlier versions, and are easy to write by hand. */
const ONE_ADDRESS = 'custom';
const searchReferenceOf = (provider: string): string => `local:search:${provider}`;
const referenceOf = (providerId: string): string => (providerId === ONE_ADDRESS ? 'local:model' : `local:provider:${providerId}`);

interface Loaded {
  /** The file as it stands; null where there is none. */
  readonly text: string | null;
  readonly settings: Settings;
  readonly problem: SettingsStore['problem'];
  /** A newer version wrote the file: it is read, never written. */
  readonly readOnly: boolean;
}

function read(text: string | null): Loaded {
  const defaults = v.parse(settingsFormat, {});
  if (text === null || text.trim() === '') return { text, settings: defaults, problem: undefined, readOnly: false };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined; // Handled below as a broken file: copied aside, never overwritten.
  }
  const result = v.safeParse(settingsFormat, parsed);
  if (!result.success)
    return {
      text,
      settings: { ...defaults, ...lostPrivacy(text), ...lostLocalOnly(text), ...lostRights(text), ...lostToolCalls(text) },
      problem: 'settings-broken',
      readOnly: false,
    };
  const newer = result.output.schema > SETTINGS_SCHEMA;
  return { text, settings: withProvider(result.output), problem: newer ? 'settings-newer' : undefined, readOnly: newer };
}

/** An address beside the model's name becomes a provider like the others. */
function withProvider(settings: Settings): Settings {
  const { baseURL, apiKey, apiKeyRef, ...model } = settings.model;
  if (baseURL === undefined && !apiKey && !apiKeyRef) return settings;
  const known = settings.providers[ONE_ADDRESS] ?? { name: '', baseURL: '' };
  const own = {
    ...known,
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(apiKey ? { apiKey } : {}),
    ...(apiKeyRef ? { apiKeyRef } : {}),
  };
  const chosen = model.source === 'custom' && model.providerId === undefined ? { ...model, providerId: ONE_ADDRESS } : model;
  return { ...settings, model: chosen, providers: { ...settings.providers, [ONE_ADDRESS]: own } };
}

/** A broken file in which masking was on: what is private is no longer known, so nothing may be sent until the settings say so. */
function lostPrivacy(text: string): Pick<ParsedSettings, 'privacy'> | undefined {
  const found = /"privacy"[\s\S]*?"enabled"\s*:\s*(\w+|.)/.exec(text);
  return found && found[1] !== 'false' ? { privacy: { enabled: 'unreadable', fields: [] } } : undefined;
}

/** A broken file that let no model elsewhere be asked: the host's own is chosen now, which may be elsewhere. */
function lostLocalOnly(text: string): Pick<ParsedSettings, 'localOnly'> | undefined {
  const found = /"localOnly"\s*:\s*(\w+|.)/.exec(text);
  return found && found[1] !== 'false' ? { localOnly: true } : undefined;
}

/** A broken file that closed notebooks: what is recognized of that still counts, or a comma too many would open them. */
function lostRights(text: string): Pick<ParsedSettings, 'notebooks'> {
  const closed = new Map<string, 'none' | 'read'>();
  for (const [, id = '', right] of text.matchAll(/"(\d{14}-[0-9a-z]{7})"\s*:\s*"(none|read)"/g))
    if (closed.get(id) !== 'none') closed.set(id, right === 'none' ? 'none' : 'read');
  return { notebooks: Object.fromEntries(closed) };
}

const NOTHING_KEPT: UnsavedSettings = { get: () => null, set: () => undefined };

/** Loads the settings. A plain `apiKey` in the file is moved to the device's store, and the file is rewritten without it. */
export async function openSettings(
  storage: TextStorage,
  secrets: SecretStore,
  now: () => number,
  unsaved: UnsavedSettings = NOTHING_KEPT,
): Promise<SettingsStore> {
  const loaded = read(await storage.read(FILE));
  const store = new FiledSettings(storage, secrets, unsaved, loaded);
  if (loaded.problem === 'settings-broken' && loaded.text !== null) await keepBroken(storage, FILE, loaded.text, now());
  const left = readChanges(unsaved.get());
  const sound = v.safeParse(settingsFormat, { ...store.get(), ...withChanges(store.get(), left) }).success;
  // What cannot be written now counts here, and is kept for the next start.
  if (left.length > 0 && sound) await store.update((now) => withChanges(now, left)).catch(() => undefined);
  if (await store.movePlainKey()) store.problem = 'key-moved';
  return store;
}

class FiledSettings implements SettingsStore {
  problem: SettingsStore['problem'];
  private readonly storage: TextStorage;
  private readonly secrets: SecretStore;
  private readonly listeners = new Set<(settings: Settings) => void>();
  private readonly unsaved: UnsavedSettings;
  private pending: readonly SettingChange[] = [];
  private settings: Settings;
  /** As it was read or written here last: another text was written by somebody else. */
  private text: string | null;
  private readOnly: boolean;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(storage: TextStorage, secrets: SecretStore, unsaved: UnsavedSettings, { text, settings, problem, readOnly }: Loaded) {
    this.storage = storage;
    this.secrets = secrets;
    this.unsaved = unsaved;
    this.problem = problem;
    this.settings = settings;
    this.text = text;
    this.readOnly = readOnly;
  }

  get(): Settings {
    return this.settings;
  }

  update(change: SettingsChange): Promise<void> {
    const fields = change(this.settings);
    this.keep([...this.pending, ...changesOf(this.settings, fields)]);
    this.set({ ...this.settings, ...fields });
    return this.inTurn(async () => {
      if (await this.takeIn()) this.set({ ...this.settings, ...change(this.settings) });
      const written = this.pending;
      if (!this.readOnly) {
        const text = `${JSON.stringify(this.settings, null, 2)}\n`;
        await this.storage.write(FILE, text);
        this.text = text;
      }
      this.keep(this.pending.filter((one) => !written.includes(one)));
    });
  }

  async reload(): Promise<void> {
    const foreign = await this.inTurn(() => this.takeIn());
    if (foreign && !(await this.movePlainKey())) this.set(this.settings);
  }

  subscribe(listener: (settings: Settings) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  apiKey(providerId: string): string | undefined {
    const found = this.settings.providers[providerId];
    return found?.apiKey ?? (found?.apiKeyRef ? this.secrets.get(found.apiKeyRef) : undefined);
  }

  setApiKey(providerId: string, key: string): Promise<void> {
    const apiKeyRef = referenceOf(providerId);
    this.secrets.set(apiKeyRef, key);
    return this.update(({ providers }) => {
      const { apiKey: _moved, ...provider } = providers[providerId] ?? { name: '', baseURL: '' };
      return { providers: { ...providers, [providerId]: { ...provider, apiKeyRef } } };
    });
  }

  searchKey(): string | undefined {
    const { apiKey, provider } = this.settings.search;
    return (apiKey ?? this.secrets.get(searchReferenceOf(provider))) || undefined;
  }

  setSearchKey(key: string): Promise<void> {
    this.secrets.set(searchReferenceOf(this.settings.search.provider), key);
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

  /** True when somebody else wrote the file since, and it is taken over here; nobody is told yet. */
  private async takeIn(): Promise<boolean> {
    const text = await this.storage.read(FILE);
    if (text === this.text) return false;
    const found = read(text);
    if (text === null || text.trim() === '' || found.problem === 'settings-broken') return false;
    this.text = text;
    // What was changed here since stands, and is written in its turn.
    this.settings = { ...found.settings, ...withChanges(found.settings, this.pending) };
    this.readOnly = found.readOnly;
    return true;
  }

  private keep(pending: readonly SettingChange[]): void {
    this.pending = pending;
    this.unsaved.set(pending.length > 0 ? JSON.stringify(pending) : null);
  }

  private set(settings: Settings): void {
    this.settings = settings;
    for (const listener of this.listeners) listener(settings);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work, work);
    this.queue = result.catch(() => undefined);
    return result;
  }
}
