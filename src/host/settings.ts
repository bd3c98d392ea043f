import * as v from 'valibot';
import type { NotebookRight } from '../tools/ports.ts';
import type { ToolPermissionV2 } from '../tools/types.ts';

/** FORMATS.md, `settings.json`. The file is for hands too: unknown keys survive, and every field may be missing. */
const SETTINGS_SCHEMA = 1;

const permission = v.object({
  executionPolicy: v.picklist(['auto', 'ask-once', 'ask-always']),
  resultApprovalPolicy: v.picklist(['never', 'on-error', 'always']),
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
  systemPrompt: v.optional(v.string(), ''),
  chatOption: v.optional(v.record(v.string(), v.unknown()), {}),
  toolCallMaxRounds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 10),
  /** Earlier messages that go with a question; absent: all. */
  contextMessages: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** No tool may send anything out of the machine. */
  localOnly: v.optional(v.boolean(), false),
  groups: v.optional(v.record(v.string(), v.boolean()), {}),
  tools: v.optional(v.record(v.string(), v.boolean()), {}),
  permissions: v.optional(v.record(v.string(), permission), {}),
  notebooks: v.optional(v.record(v.string(), v.picklist(['none', 'read', 'write', 'delete'])), {}),
  // Read entry by entry (chat/editor-task-prompts.ts): one bad prompt must not cost the file.
  prompts: v.optional(v.unknown()),
  /** Language for /translate; empty or absent: English for Chinese text, Chinese for other text. */
  translateTo: v.optional(v.string()),
});

type ParsedSettings = v.InferOutput<typeof settingsFormat>;

export interface Settings extends ParsedSettings {
  readonly permissions: Record<string, ToolPermissionV2>;
  readonly notebooks: Record<string, NotebookRight>;
}

/** Where text lives: the petal's storage, paths relative to it. */
export interface TextStorage {
  read(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
}

/** Device-local store for keys, outside `data/`, since `data/` is synced to every device. */
export interface SecretStore {
  get(reference: string): string | undefined;
  set(reference: string, value: string): void;
}

export interface SettingsStore {
  get(): Settings;
  /** Merges the top-level fields and saves; rejects with ToolError when the file cannot be written. */
  update(patch: Partial<Settings>): Promise<void>;
  subscribe(listener: (settings: Settings) => void): () => void;
  /** The key of the custom provider; undefined when none was given. */
  apiKey(): string | undefined;
  setApiKey(key: string): Promise<void>;
  /** What was wrong with the file, in the code of a notice; undefined when it was read as it is. */
  readonly problem: 'settings-broken' | 'settings-newer' | 'key-moved' | undefined;
}

const FILE = 'settings.json';
const KEY_REFERENCE = 'local:model';

interface Loaded {
  readonly settings: Settings;
  readonly problem: SettingsStore['problem'];
  /** A newer version wrote the file: it is read, never written. */
  readonly readOnly: boolean;
}

async function load(storage: TextStorage, now: () => number): Promise<Loaded> {
  const text = await storage.read(FILE);
  const defaults = v.parse(settingsFormat, {});
  if (text === null || text.trim() === '') return { settings: defaults, problem: undefined, readOnly: false };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined; // Handled below as a broken file: copied aside, never overwritten.
  }
  const result = v.safeParse(settingsFormat, parsed);
  if (!result.success) {
    await storage.write(`${FILE}.broken-${now()}`, text);
    return { settings: defaults, problem: 'settings-broken', readOnly: false };
  }
  const newer = result.output.schema > SETTINGS_SCHEMA;
  return { settings: result.output, problem: newer ? 'settings-newer' : undefined, readOnly: newer };
}

/** Loads the settings. A plain `apiKey` in the file is moved to the device's store, and the file is rewritten without it. */
export async function openSettings(storage: TextStorage, secrets: SecretStore, now: () => number): Promise<SettingsStore> {
  const loaded = await load(storage, now);
  let settings = loaded.settings;
  let problem = loaded.problem;
  const listeners = new Set<(settings: Settings) => void>();
  const save = async (next: Settings): Promise<void> => {
    settings = next;
    if (!loaded.readOnly) await storage.write(FILE, `${JSON.stringify(next, null, 2)}\n`);
    for (const listener of listeners) listener(next);
  };
  const moveKey = async (key: string): Promise<void> => {
    secrets.set(KEY_REFERENCE, key);
    const { apiKey: _moved, ...model } = settings.model;
    await save({ ...settings, model: { ...model, apiKeyRef: KEY_REFERENCE } });
  };
  if (settings.model.apiKey && !loaded.readOnly) {
    await moveKey(settings.model.apiKey);
    problem = 'key-moved';
  }
  return {
    get: () => settings,
    update: (patch) => save({ ...settings, ...patch }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    apiKey: () => settings.model.apiKey ?? (settings.model.apiKeyRef ? secrets.get(settings.model.apiKeyRef) : undefined),
    setApiKey: moveKey,
    problem,
  };
}
