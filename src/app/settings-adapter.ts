import { readPrompts } from '../chat/prompts/custom-prompts.ts';
import type { AccessPolicy } from '../host/access/access-policy.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import { defaultSettings, type ParsedSettings } from '../host/settings/settings-format.ts';
import type { ModelRef } from '../model/providers.ts';
import { NOTE_CONTENTS, type NoteContents } from '../tools/contract/note-queries.ts';
import type { NotebookInfo } from '../tools/contract/ports.ts';
import type { ToolPermissionV2 } from '../tools/contract/types.ts';
import type { ToolExecutor, ToolGroupState } from '../tools/executor/executor.ts';
import type { ModelsPort } from '../ui/ports/models-port.ts';
import type {
  PanelSettings,
  PanelSettingsPatch,
  ResultPolicy,
  SettingsPort,
  SkillSetting,
  ToolCallSettings,
  ToolGroupSetting,
  ToolPolicy,
} from '../ui/ports/settings-port.ts';
import type { CallMemory } from './workspace/call-memory.ts';
import { followsContents, groupSwitches, toolCallConfigOf } from './workspace/tool-call-config.ts';

export interface SettingsAdapterDeps {
  readonly store: SettingsStore;
  readonly policy: AccessPolicy;
  readonly models: ModelsPort;
  readonly calls: Pick<CallMemory, 'forget'>;
  /** The executor of the open chat: its tools are what the panel shows, and a change takes effect at once. */
  readonly executor: () => ToolExecutor;
  /** What readable notes contain, as far as known now. */
  readonly contents: () => readonly NoteContents[];
  /** Calls back when it has more groups, for example after lazy loading, or others are on; returns a function that stops listening. */
  readonly onNewTools: (listener: () => void) => () => void;
  /** Every notebook, including those at `none`. */
  readonly notebooks: () => Promise<readonly NotebookInfo[]>;
}

/** The file for the panel. */
export function panelSettings(settings: ParsedSettings): PanelSettings {
  const { schema, model, providers, models, remoteProviders, search, memory, skills, groups, tools, permissions, notebooks, ...shown } =
    settings;
  return {
    ...shown,
    titleModel: models.title,
    toolCalls: { ...settings.toolCalls, defaultToolEnabled: settings.toolCalls.defaultToolEnabled },
    privacy: { enabled: settings.privacy.enabled !== false, fields: settings.privacy.fields },
    memoryNotebook: memory.notebook,
    skills: { note: skills.note, on: skills.on },
    prompts: readPrompts(settings.prompts),
    translateTo: settings.translateTo ?? '',
  };
}

/** A tool's policies with the user's changes; undefined if there are none, or no such tool. */
function permissionWith(
  groups: readonly ToolGroupState[],
  name: string,
  { policy, results }: { readonly policy?: ToolPolicy; readonly results?: ResultPolicy },
): ToolPermissionV2 | undefined {
  const now = groups.flatMap((group) => group.tools).find((tool) => tool.name === name)?.permission;
  if (now === undefined || (policy === undefined && results === undefined)) return undefined;
  return { executionPolicy: policy ?? now.executionPolicy, resultApprovalPolicy: results ?? now.resultApprovalPolicy };
}

/** A default that is chosen again is removed from the file. */
function withCalls(
  { defaultToolEnabled: before, ...now }: ParsedSettings['toolCalls'],
  patch: Partial<ToolCallSettings>,
): ParsedSettings['toolCalls'] {
  const { defaultToolEnabled, ...fields } = { defaultToolEnabled: before, ...patch };
  return { ...now, ...fields, ...(defaultToolEnabled === undefined ? {} : { defaultToolEnabled }) };
}

function withTitle({ title: _old, ...models }: ParsedSettings['models'], title: ModelRef | undefined): ParsedSettings['models'] {
  return title ? { ...models, title: { ...title } } : models;
}

const isContents = (group: string): group is NoteContents => NOTE_CONTENTS.some((each) => each === group);

const toolSettings = (executor: ToolExecutor, settings: ParsedSettings): readonly ToolGroupSetting[] =>
  executor.groups().map(({ name, enabled, tools }) => ({
    group: name,
    enabled,
    follows: isContents(name) && followsContents(settings, name) ? name : undefined,
    tools: tools.map(({ permission, ...tool }) => ({
      ...tool,
      policy: permission.executionPolicy,
      results: permission.resultApprovalPolicy,
    })),
  }));

const skillsOfTools = (executor: ToolExecutor): readonly SkillSetting[] =>
  executor
    .groups()
    .flatMap(({ enabled, skills }) => (enabled ? skills : []))
    .map((skill) => ({ ...skill, name: skill.id, from: 'product' }));

/** The fields of the file that a patch sets. */
export function fieldsOf(patch: PanelSettingsPatch, now: ParsedSettings): Partial<ParsedSettings> {
  const { privacy, titleModel, memoryNotebook, skills, toolCalls, searchFirst, ...rest } = patch;
  return {
    ...rest,
    ...(searchFirst ? { searchFirst: { ...now.searchFirst, ...searchFirst } } : {}),
    ...(toolCalls ? { toolCalls: withCalls(now.toolCalls, toolCalls) } : {}),
    // Another notebook has another note.
    ...(memoryNotebook === undefined ? {} : { memory: { ...now.memory, notebook: memoryNotebook, document: '' } }),
    ...(skills ? { skills: { ...now.skills, ...skills, on: { ...now.skills.on, ...skills.on } } } : {}),
    ...('titleModel' in patch ? { models: withTitle(now.models, titleModel) } : {}),
    ...(privacy ? { privacy: { ...now.privacy, ...privacy, fields: [...(privacy.fields ?? now.privacy.fields)] } } : {}),
  };
}

/** Saves the panel's changes, which take effect at once in the open chat. */
const updater =
  ({ store, calls, executor, contents }: Pick<SettingsAdapterDeps, 'store' | 'calls' | 'executor' | 'contents'>): SettingsPort['update'] =>
  async (change) => {
    const patchOf = typeof change === 'function' ? change : () => change;
    const patch = patchOf(panelSettings(store.get()));
    // A person who chooses native calls believes that they work.
    if (patch.toolProtocol === 'native') calls.forget();
    await store.update((now) => fieldsOf(patchOf(panelSettings(now)), now));
    if (patch.toolCalls && 'defaultToolEnabled' in patch.toolCalls)
      for (const [group, enabled] of Object.entries(groupSwitches(toolCallConfigOf(store.get(), contents()), executor().groups())))
        executor().toggleGroupEnabled(group, enabled);
  };

/** The settings for the panel: the file, the rights and the open chat's tools in one. */
export function createSettingsPort({
  store,
  policy,
  models,
  calls,
  executor,
  contents,
  onNewTools,
  notebooks,
}: SettingsAdapterDeps): SettingsPort {
  return {
    models,
    get: () => panelSettings(store.get()),
    defaults: () => panelSettings(defaultSettings()),
    update: updater({ store, calls, executor, contents }),
    subscribe(listener) {
      const stops = [store.subscribe(listener), policy.subscribe(listener), onNewTools(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    tools: () => toolSettings(executor(), store.get()),
    async setTool(name, patch) {
      const { enabled } = patch;
      if (enabled !== undefined) executor().setToolEnabled(name, enabled);
      const permission = permissionWith(executor().groups(), name, patch);
      if (permission) executor().setPermission(name, permission);
      await store.update((now) => ({
        tools: enabled === undefined ? now.tools : { ...now.tools, [name]: enabled },
        permissions: permission ? { ...now.permissions, [name]: permission } : now.permissions,
      }));
    },
    async setGroup(group, enabled) {
      executor().toggleGroupEnabled(group, enabled);
      await store.update(({ groups }) => ({ groups: { ...groups, [group]: enabled } }));
    },
    skills: () => skillsOfTools(executor()),
    notebooks,
    async setRight(notebook, right) {
      policy.setRight(notebook, right);
      await store.update(({ notebooks }) => ({ notebooks: { ...notebooks, [notebook]: right } }));
    },
  };
}
