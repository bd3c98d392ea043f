import type { CustomPrompt } from '../../chat/editor-task/editor-task-prompts.ts';
import type { Budget } from '../../model/budget/budgeted-model.ts';
import type { ModelPrice } from '../../model/prices.ts';
import type { ModelRef } from '../../model/providers.ts';
import type { NotebookInfo, NotebookRight } from '../../tools/contract/ports.ts';
import type { ToolCallBehavior } from '../../tools/contract/tool-call-config.ts';
import type { ToolProtocol } from '../../tools/contract/tool-protocol.ts';
import type { ToolPermissionV2 } from '../../tools/contract/types.ts';
import type { ModelsPort } from './models-port.ts';
import type { SearchPort } from './search-port.ts';
import type { SendWith } from './send-key.ts';

export type ToolPolicy = ToolPermissionV2['executionPolicy'];
/** Whether a tool's result is shown before the model reads it. */
export type ResultPolicy = ToolPermissionV2['resultApprovalPolicy'];

/** How the model's calls run. */
export interface ToolCallSettings extends ToolCallBehavior {
  /** Whether groups are on that nobody switched; undefined: as each of them is by default. */
  readonly defaultToolEnabled: boolean | undefined;
}

/** The part of settings.json that the panel shows. */
export interface PanelSettings {
  /** Another model for titles and summaries; undefined: the chat's own. */
  readonly titleModel: ModelRef | undefined;
  /** Whether chats get their titles from the model. */
  readonly modelTitles: boolean;
  /** Whether older messages of a chat that grows too long are summarized. */
  readonly summaries: boolean;
  /** How often a provider that is busy is asked again. */
  readonly retries: number;
  readonly systemPrompt: string;
  /** Options of every request, unless a chat has its own. */
  readonly chatOption: Readonly<Record<string, unknown>>;
  readonly toolCallMaxRounds: number;
  readonly toolCalls: ToolCallSettings;
  /** Earlier messages that go with a question; undefined: all. */
  readonly contextMessages: number | undefined;
  /** Tokens that a request may have; undefined: what the model takes. */
  readonly contextTokens: number | undefined;
  /** How models are told of tools. */
  readonly toolProtocol: ToolProtocol;
  /** By `provider/model`: whether notes are searched before that model is asked, where somebody chose. */
  readonly searchFirst: Readonly<Record<string, boolean>>;
  readonly toolHistory: 'compressed' | 'full';
  /** What is masked in requests; the fields as they stand in the file. */
  readonly privacy: { readonly enabled: boolean; readonly fields: readonly unknown[] };
  /** Days that records of what tools did are kept; 0: none are made. */
  readonly activityDays: number;
  /** The user's own, by the model's name. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
  readonly budget: Budget;
  /** No tool may send anything out, and no model elsewhere is asked. */
  readonly localOnly: boolean;
  /** Absolute paths of folders whose files tools may use; empty: `filesFolder` of the port. */
  readonly folders: readonly string[];
  /** The notebook with the note of the memory; '' where none is chosen. */
  readonly memoryNotebook: string;
  /** The user's own slash commands. */
  readonly prompts: readonly CustomPrompt[];
  /** What /translate translates into; '' for the other of English and Chinese. */
  readonly translateTo: string;
  readonly sendWith: SendWith;
  /** Whether a question names the note in the editor, and brings what is selected in it. */
  readonly fromEditor: boolean;
}

export interface PanelSettingsPatch {
  readonly titleModel?: ModelRef | undefined;
  readonly modelTitles?: boolean;
  readonly summaries?: boolean;
  readonly retries?: number;
  readonly systemPrompt?: string;
  readonly toolCallMaxRounds?: number;
  readonly toolCalls?: Partial<ToolCallSettings>;
  readonly contextMessages?: number | undefined;
  readonly contextTokens?: number | undefined;
  readonly toolProtocol?: ToolProtocol;
  /** Those that change; the others stay. */
  readonly searchFirst?: PanelSettings['searchFirst'];
  readonly toolHistory?: PanelSettings['toolHistory'];
  readonly privacy?: Partial<PanelSettings['privacy']>;
  readonly activityDays?: number;
  readonly prices?: PanelSettings['prices'];
  readonly budget?: Budget;
  readonly localOnly?: boolean;
  readonly folders?: readonly string[];
  readonly memoryNotebook?: string;
  readonly prompts?: readonly CustomPrompt[];
  readonly translateTo?: string;
  readonly sendWith?: SendWith;
  readonly fromEditor?: boolean;
}

/** What to change; a function where that depends on what the settings are when it is saved. It may be asked twice, and changes nothing. */
export type PanelSettingsChange = PanelSettingsPatch | ((now: PanelSettings) => PanelSettingsPatch);

export interface ToolSetting {
  readonly name: string;
  readonly enabled: boolean;
  /** Whether the model has it now. */
  readonly callable: boolean;
  readonly policy: ToolPolicy;
  /** It changes notes or sends something: run without asking, it would do so unseen. */
  readonly acts: boolean;
  /** The least that it asks, whatever is chosen; default: nothing. */
  readonly leastPolicy?: ToolPolicy;
  readonly results: ResultPolicy;
}

export interface ToolGroupSetting {
  readonly group: string;
  readonly enabled: boolean;
  readonly tools: readonly ToolSetting[];
}

/** Settings as the panel reads and changes them. Every change rejects with ToolError when it could not be saved. */
export interface SettingsPort {
  readonly models: ModelsPort;
  /** Where tools keep files while no folder is named; absent where they reach none, as in a browser. */
  readonly filesFolder?: string | undefined;
  readonly search: SearchPort;
  get(): PanelSettings;
  /** What they are where nobody set anything. */
  defaults(): PanelSettings;
  update(change: PanelSettingsChange): Promise<void>;
  /** Calls back after every change, from here or from elsewhere; returns the way to stop listening. */
  subscribe(listener: () => void): () => void;
  tools(): readonly ToolGroupSetting[];
  setTool(
    name: string,
    patch: { readonly enabled?: boolean; readonly policy?: ToolPolicy; readonly results?: ResultPolicy },
  ): Promise<void>;
  setGroup(group: string, enabled: boolean): Promise<void>;
  /** All notebooks of the workspace, those at `none` too, so that the right can be given back. */
  notebooks(): Promise<readonly NotebookInfo[]>;
  setRight(notebook: string, right: NotebookRight): Promise<void>;
}
