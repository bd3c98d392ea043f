import type { Settings } from '../host/settings/settings.ts';
import type { ToolCallConfig } from '../tools/contract/tool-call-config.ts';
import { GROUP_DEFAULTS } from '../tools/index.ts';

/** Everything that the settings say about tool calls, wherever in the file it is. */
export function toolCallConfigOf({ toolCalls, groups, tools, toolCallMaxRounds, toolProtocol }: Settings): ToolCallConfig {
  const { enabled, mode, requireConfirmation, parallelExecution, timeout, defaultToolEnabled } = toolCalls;
  return {
    ...{ enabled, mode, requireConfirmation, parallelExecution, timeout },
    toolToggles: { ...(defaultToolEnabled === undefined ? GROUP_DEFAULTS : {}), ...groups },
    methodToggles: tools,
    defaultToolEnabled: defaultToolEnabled ?? false,
    maxIterations: toolCallMaxRounds,
    protocol: toolProtocol,
  };
}

/** Which of these groups are on. */
export function groupSwitches(
  { toolToggles, defaultToolEnabled }: Pick<ToolCallConfig, 'toolToggles' | 'defaultToolEnabled'>,
  groups: readonly { readonly name: string }[],
): Readonly<Record<string, boolean>> {
  return { ...Object.fromEntries(groups.map(({ name }) => [name, defaultToolEnabled])), ...toolToggles };
}
