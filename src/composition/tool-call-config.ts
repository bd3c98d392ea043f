import { OTHERS, type Settings } from '../host/settings/settings-format.ts';
import type { ToolCallConfig } from '../tools/contract/tool-call-config.ts';
import { GROUP_DEFAULTS, type ToolExecutor } from '../tools/index.ts';

/** All settings about tool calls, wherever they are in the file. */
export function toolCallConfigOf({ toolCalls, groups, tools, toolCallMaxRounds, toolProtocol }: Settings): ToolCallConfig {
  const { enabled, mode, requireConfirmation, parallelExecution, timeout, defaultToolEnabled } = toolCalls;
  const { [OTHERS]: others = defaultToolEnabled, ...named } = groups;
  return {
    enabled,
    mode,
    requireConfirmation,
    parallelExecution,
    timeout,
    toolToggles: { ...(others === undefined ? GROUP_DEFAULTS : {}), ...named },
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

/** Applies switches and policies that another window or device set to the open chat. `permissions`: instead of those of the settings. */
export function applyToolSettings(executor: ToolExecutor, settings: Settings, permissions = settings.permissions): void {
  const { tools } = settings;
  const groups = executor.groups();
  for (const [name, on] of Object.entries(groupSwitches(toolCallConfigOf(settings), groups))) executor.toggleGroupEnabled(name, on);
  for (const { name } of groups.flatMap((group) => group.tools)) {
    executor.setToolEnabled(name, tools[name] ?? tools[OTHERS] ?? true);
    executor.setPermission(name, permissions[name] ?? null);
  }
  executor.setPermission(OTHERS, permissions[OTHERS] ?? null);
  executor.fitTools();
}
