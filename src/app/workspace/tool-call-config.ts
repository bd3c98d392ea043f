import { OTHERS, type Settings } from '../../host/settings/settings-format.ts';
import type { NoteContents } from '../../tools/contract/note-queries.ts';
import type { ToolCallConfig } from '../../tools/contract/tool-call-config.ts';
import type { ToolPermissionV2 } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { GROUP_DEFAULTS } from '../../tools/groups/notes-groups.ts';

/** Groups that are on while nobody switched them: `contents` is what readable notes contain. */
const groupDefaults = (contents: readonly NoteContents[]): Readonly<Record<string, boolean>> => ({
  ...GROUP_DEFAULTS,
  ...Object.fromEntries(contents.map((group) => [group, true])),
});

/** All settings about tool calls, wherever they are in the file. */
export function toolCallConfigOf(
  { toolCalls, groups, tools, toolCallMaxRounds, toolProtocol }: Settings,
  contents: readonly NoteContents[],
): ToolCallConfig {
  const { enabled, mode, requireConfirmation, parallelExecution, timeout, defaultToolEnabled } = toolCalls;
  const { [OTHERS]: others = defaultToolEnabled, ...named } = groups;
  return {
    enabled,
    mode,
    requireConfirmation,
    parallelExecution,
    timeout,
    toolToggles: { ...(others === undefined ? groupDefaults(contents) : {}), ...named },
    methodToggles: tools,
    defaultToolEnabled: others ?? false,
    maxIterations: toolCallMaxRounds,
    protocol: toolProtocol,
  };
}

/** Which of these groups are on. */
export function groupSwitches(
  { toolToggles, defaultToolEnabled }: Pick<ToolCallConfig, 'toolToggles' | 'defaultToolEnabled'>,
  groups: readonly { readonly name: string }[],
): Readonly<Record<string, boolean>> {
  // A server of other people's tools has its own switch.
  return { ...Object.fromEntries(groups.map(({ name }) => [name, name.startsWith('mcp:') || defaultToolEnabled])), ...toolToggles };
}

/** Whether a group follows what the notes contain, because the user did not choose. */
export const followsContents = ({ groups, toolCalls }: Pick<Settings, 'groups' | 'toolCalls'>, group: NoteContents): boolean =>
  (groups[group] ?? groups[OTHERS] ?? toolCalls.defaultToolEnabled) === undefined;

interface AppliedSettings {
  readonly settings: Settings;
  readonly contents: readonly NoteContents[];
  /** Default: those of the settings. */
  readonly permissions?: Readonly<Record<string, Partial<ToolPermissionV2>>>;
}

/** Applies switches and policies that another window or device set, or that follow from the notes, to the open chat. */
export function applyToolSettings(
  executor: ToolExecutor,
  { settings, contents, permissions = settings.permissions }: AppliedSettings,
): void {
  const { tools } = settings;
  const groups = executor.groups();
  for (const [name, on] of Object.entries(groupSwitches(toolCallConfigOf(settings, contents), groups)))
    executor.toggleGroupEnabled(name, on);
  for (const { name } of groups.flatMap((group) => group.tools)) {
    executor.setToolEnabled(name, tools[name] ?? tools[OTHERS] ?? true);
    executor.setPermission(name, permissions[name] ?? null);
  }
  executor.setPermission(OTHERS, permissions[OTHERS] ?? null);
  executor.fitTools();
}
