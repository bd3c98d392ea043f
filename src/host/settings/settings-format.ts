import * as v from 'valibot';
import { NOTEBOOK_RIGHTS, type NotebookRight } from '../../tools/contract/notebook-right.ts';
import { TOOL_PROTOCOLS } from '../../tools/contract/tool-call-config.ts';
import type { ToolPermissionV2 } from '../../tools/contract/types.ts';
import { toolCallsFormat } from './tool-calls.ts';

/** The key of the default in `groups`, `tools`, `permissions` and `notebooks`. */
export const OTHERS = '*';

/** `settings.json` (docs/formats.md). It may be edited by hand: unknown keys survive, and every field may be missing. */
export const SETTINGS_SCHEMA = 1;

const permission = v.object({
  executionPolicy: v.picklist(['auto', 'ask-once', 'ask-always']),
  resultApprovalPolicy: v.picklist(['never', 'on-error', 'always']),
});

export const modelRef = v.looseObject({ providerId: v.string(), model: v.string(), voice: v.optional(v.string()) });

const dollars = v.pipe(v.number(), v.minValue(0));
export const price = v.object({ input: dollars, cachedInput: v.optional(dollars), output: dollars });

const limit = v.object({ tokens: v.optional(v.pipe(v.number(), v.minValue(0))), dollars: v.optional(dollars) });

/** A provider that the user added. Its key is stored on the device, under `apiKeyRef`; a key in this file is moved there. */
const provider = v.looseObject({
  name: v.optional(v.string(), ''),
  baseURL: v.optional(v.string(), ''),
  /** As model/wire-protocol.ts reads it; absent: chat completions. */
  protocol: v.optional(v.string()),
  apiKeyRef: v.optional(v.string()),
  apiKey: v.optional(v.string()),
});

const atMost = (most: number, otherwise: number) => v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)), otherwise);

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
  /** Models for tasks other than chatting; absent: none, and titles come from the chat's own model. */
  models: v.optional(
    v.looseObject({ title: v.optional(modelRef), speechToText: v.optional(modelRef), textToSpeech: v.optional(modelRef) }),
    {},
  ),
  /** A chat gets its title from the model, after the first answer. */
  modelTitles: v.optional(v.boolean(), true),
  /** Older messages of a chat that becomes too long are summarized. */
  summaries: v.optional(v.boolean(), true),
  /** Retries if the provider is busy or fails, before the failure is shown. */
  retries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)), 3),
  systemPrompt: v.optional(v.string(), ''),
  chatOption: v.optional(v.record(v.string(), v.unknown()), {}),
  toolCallMaxRounds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 10),
  toolCalls: v.optional(toolCallsFormat, {}),
  /** How tools are described to models. An unknown value of a later version counts as auto. */
  toolProtocol: v.optional(v.fallback(v.picklist(TOOL_PROTOCOLS), 'auto'), 'auto'),
  /** By `provider/model`: notes are searched before that model is asked; by default only if it calls tools in text. */
  searchFirst: v.optional(v.fallback(v.record(v.string(), v.boolean()), {}), {}),
  contextMessages: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** The maximum number of tokens in a request; absent: the model's limit. */
  contextTokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1000))),
  /** Earlier tool messages unchanged, or as one compressed message per answer. */
  toolHistory: v.optional(v.picklist(['compressed', 'full']), 'compressed'),
  // Read entry by entry (model/masking/privacy-fields.ts): an invalid entry stops requests, and never turns masking off.
  privacy: v.optional(v.looseObject({ enabled: v.optional(v.unknown(), false), fields: v.optional(v.array(v.unknown()), []) }), {}),
  /** Days that records of tool calls are kept; 0: none are made. */
  activityDays: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3650)), 90),
  /** US dollars per million tokens, by model name; they override the built-in prices. */
  prices: v.optional(v.record(v.string(), price), {}),
  budget: v.optional(v.object({ turn: v.optional(limit), day: v.optional(limit), month: v.optional(limit) }), {}),
  /** No tool may send anything off the machine, and no remote model is used except those of providers in `remoteProviders`. */
  localOnly: v.optional(v.boolean(), false),
  remoteProviders: v.optional(v.array(v.string()), []),
  /** The address of SiYuan's embedding service that searches may ask besides; one on this machine or its network needs none. */
  meaningService: v.optional(v.string(), ''),
  /** The service of web_search. An unknown value of a later version counts as none. */
  search: v.optional(
    v.looseObject({
      provider: v.optional(v.fallback(v.picklist(['', 'brave', 'tavily', 'searxng']), ''), ''),
      address: v.optional(v.string(), ''),
      apiKey: v.optional(v.string()),
    }),
    {},
  ),
  memory: v.optional(v.looseObject({ notebook: v.optional(v.string(), ''), document: v.optional(v.string(), '') }), {}),
  /** The document whose notes are skills, and which skills are on; by default those of notes and of tools are. */
  skills: v.optional(v.looseObject({ note: v.optional(v.string(), ''), on: v.optional(v.record(v.string(), v.boolean()), {}) }), {}),
  groups: v.optional(v.record(v.string(), v.boolean()), {}),
  tools: v.optional(v.record(v.string(), v.boolean()), {}),
  /** Folders of this machine that tools may use, in the desktop app; empty: the workspace's `marginalia/files`. */
  folders: v.optional(v.fallback(v.pipe(v.array(v.string()), v.readonly()), []), []),
  permissions: v.optional(v.record(v.string(), permission), {}),
  notebooks: v.optional(v.record(v.string(), v.picklist(NOTEBOOK_RIGHTS)), {}),
  /** Ids of notebooks where small changes of text are written without a question, and what is small: blocks of a call, changed words. */
  smallChanges: v.optional(
    v.fallback(v.object({ notebooks: v.optional(v.array(v.string()), []), blocks: atMost(20, 3), words: atMost(500, 60) }), {
      ...{ notebooks: [], blocks: 3, words: 60 },
    }),
    {},
  ),
  // Read entry by entry (chat/prompts/custom-prompts.ts): one invalid prompt must not make the file unreadable.
  prompts: v.optional(v.unknown()),
  // Read entry by entry (mcp-servers.ts), as above.
  mcpServers: v.optional(v.unknown()),
  /** Language for /translate; empty or absent: English for Chinese text, Chinese for other text. */
  translateTo: v.optional(v.string()),
  /** A question names the note in the editor and includes the selected text. */
  fromEditor: v.optional(v.boolean(), true),
  /** The editor marks in its margin the blocks of models that nobody has marked as read. */
  markWritten: v.optional(v.boolean(), true),
  /** SiYuan's own agent is offered our tools, where SiYuan can (3.8). */
  siyuanAgent: v.optional(v.boolean(), false),
  sendWith: v.optional(v.fallback(v.picklist(['enter', 'mod-enter']), 'enter'), 'enter'),
});

export type ParsedSettings = v.InferOutput<typeof settingsFormat>;

export type SettingsFields = v.InferOutput<v.ObjectSchema<(typeof settingsFormat)['entries'], undefined>>;

export const defaultSettings = (): ParsedSettings => v.parse(settingsFormat, {});

export interface Settings extends ParsedSettings {
  readonly permissions: Record<string, ToolPermissionV2>;
  readonly notebooks: Record<string, NotebookRight>;
}
