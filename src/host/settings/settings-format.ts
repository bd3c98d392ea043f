import * as v from 'valibot';
import type { NotebookRight } from '../../tools/contract/ports.ts';
import { TOOL_PROTOCOLS } from '../../tools/contract/tool-protocol.ts';
import type { ToolPermissionV2 } from '../../tools/contract/types.ts';
import { toolCallsFormat } from './tool-calls.ts';

/** In `groups`, `tools`, `permissions` and `notebooks`: whatever has no entry of its own. */
export const OTHERS = '*';

/** `settings.json` (docs/formats.md). The file is for hands too: unknown keys survive, and every field may be missing. */
export const SETTINGS_SCHEMA = 1;

const permission = v.object({
  executionPolicy: v.picklist(['auto', 'ask-once', 'ask-always']),
  resultApprovalPolicy: v.picklist(['never', 'on-error', 'always']),
});

/** A model of a provider: one of SiYuan's, or of `providers`. */
export const modelRef = v.looseObject({ providerId: v.string(), model: v.string(), voice: v.optional(v.string()) });

const dollars = v.pipe(v.number(), v.minValue(0));
export const price = v.object({ input: dollars, cachedInput: v.optional(dollars), output: dollars });

const limit = v.object({ tokens: v.optional(v.pipe(v.number(), v.minValue(0))), dollars: v.optional(dollars) });

/** A provider of the user's own. Its key is kept on the device, under `apiKeyRef`; one that was written here by hand is moved there. */
const provider = v.looseObject({
  name: v.optional(v.string(), ''),
  baseURL: v.optional(v.string(), ''),
  apiKeyRef: v.optional(v.string()),
  apiKey: v.optional(v.string()),
});

export const settingsFormat = v.looseObject({
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
  /** How often a provider that is busy or fails is asked again before its failure is shown. */
  retries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)), 3),
  systemPrompt: v.optional(v.string(), ''),
  chatOption: v.optional(v.record(v.string(), v.unknown()), {}),
  toolCallMaxRounds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 10),
  toolCalls: v.optional(toolCallsFormat, {}),
  /** How tools are described to models. One that a later version knows counts as auto. */
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
  budget: v.optional(v.object({ turn: v.optional(limit), day: v.optional(limit), month: v.optional(limit) }), {}),
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
  folders: v.optional(v.fallback(v.pipe(v.array(v.string()), v.readonly()), []), []),
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

/** The fields that are known, without those that a later version may have added. */
export type SettingsFields = v.InferOutput<v.ObjectSchema<(typeof settingsFormat)['entries'], undefined>>;

/** What settings are where nobody set anything. */
export const defaultSettings = (): ParsedSettings => v.parse(settingsFormat, {});

export interface Settings extends ParsedSettings {
  readonly permissions: Record<string, ToolPermissionV2>;
  readonly notebooks: Record<string, NotebookRight>;
}
