import type { CustomPrompt } from '../../chat/prompts/custom-prompts.ts';
import type { SettingsFields } from '../../host/settings/settings-format.ts';
import type { ModelRef } from '../../model/providers.ts';
import type { NoteContents } from '../../tools/contract/note-queries.ts';
import type { NotebookRight } from '../../tools/contract/notebook-right.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { ToolCallBehavior } from '../../tools/contract/tool-call-config.ts';
import type { ToolPermissionV2 } from '../../tools/contract/types.ts';
import type { AskedWhen } from '../../tools/executor/call-approval.ts';
import type { ModelsPort } from './models-port.ts';

export type ToolPolicy = ToolPermissionV2['executionPolicy'];
/** Whether a tool's result is shown before the model reads it. */
export type ResultPolicy = ToolPermissionV2['resultApprovalPolicy'];

export interface ToolCallSettings extends ToolCallBehavior {
  /** Whether groups are on that nobody switched; undefined: as each of them is by default. */
  readonly defaultToolEnabled: boolean | undefined;
}

/** Fields of the file that are shown in another form, through another method, or not at all. */
type ShownOtherwise =
  | ('schema' | 'model' | 'providers' | 'models' | 'remoteProviders' | 'search' | 'memory' | 'skills' | 'prompts' | 'translateTo')
  | ('groups' | 'tools' | 'permissions' | 'notebooks' | 'toolCalls' | 'privacy');

/** The part of settings.json that the panel shows: every field of the file (settings-format.ts) but those above. */
export interface PanelSettings extends Readonly<Omit<SettingsFields, ShownOtherwise>> {
  /** Another model for titles and summaries; undefined: the chat's own. */
  readonly titleModel: ModelRef | undefined;
  readonly toolCalls: ToolCallSettings;
  /** What is masked in requests; the fields as they are in the file. */
  readonly privacy: { readonly enabled: boolean; readonly fields: readonly unknown[] };
  /** The notebook with the note of the memory; '' where none is chosen. */
  readonly memoryNotebook: string;
  /** The document whose notes are skills, '' where none is chosen; of the switches those that somebody used. */
  readonly skills: { readonly note: string; readonly on: Readonly<Record<string, boolean>> };
  readonly prompts: readonly CustomPrompt[];
  /** What /translate translates into; '' for the other of English and Chinese. */
  readonly translateTo: string;
}

/** Of `searchFirst` the models that change, and of `skills` the switches; the others stay. */
export type PanelSettingsPatch = Partial<Omit<PanelSettings, 'toolCalls' | 'privacy' | 'skills'>> & {
  readonly skills?: Partial<PanelSettings['skills']>;
  readonly toolCalls?: Partial<ToolCallSettings>;
  readonly privacy?: Partial<PanelSettings['privacy']>;
};

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
  /** It sends something away: once notes were read in a chat, that is shown each time, whatever is chosen. */
  readonly sends?: boolean;
  /** The least that it asks, whatever is chosen; default: nothing. */
  readonly leastPolicy?: ToolPolicy;
  /** What it cannot do without is set up. */
  readonly isSetUp: boolean;
  /** When its operations ask in the open chat, each answer once; none where "Local only" lets none of them run. */
  readonly asked: readonly AskedWhen[];
  readonly results: ResultPolicy;
}

export interface ToolGroupSetting {
  readonly group: string;
  readonly enabled: boolean;
  /** What it follows while the user does not choose: it is on where readable notes contain that. */
  readonly follows?: NoteContents | undefined;
  readonly tools: readonly ToolSetting[];
}

/** Instructions for one kind of task. */
export interface SkillSetting {
  /** In the settings; of a note its document. */
  readonly id: string;
  /** Group and name of one that comes with the product: it has no name of its own. */
  readonly name: string;
  readonly description: string;
  readonly from: 'product' | 'note' | 'file';
  readonly isOn: boolean;
}

/** Settings as the panel reads and changes them. Every change rejects with ToolError when it could not be saved. */
export interface SettingsPort {
  readonly models: ModelsPort;
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
  /** Those of the tools that are on. */
  skills(): readonly SkillSetting[];
  /** All notebooks of the workspace, those at `none` too, so that the right can be given back. */
  notebooks(): Promise<readonly NotebookInfo[]>;
  setRight(notebook: string, right: NotebookRight): Promise<void>;
}
