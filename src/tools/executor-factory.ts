import type { ToolGroup } from './contract/types.ts';
import { ToolExecutor, type ToolExecutorOptions } from './executor/executor.ts';

export interface ToolExecutorFactoryOptions extends ToolExecutorOptions {
  readonly groups: readonly ToolGroup[];
  readonly groupDefaults?: Readonly<Record<string, boolean>>;
  readonly toolDefaults?: Readonly<Record<string, boolean>>;
}

/** Creates the executor of a chat, with its groups registered and switched as the settings say. */
export function toolExecutorFactory(options: ToolExecutorFactoryOptions): ToolExecutor {
  const { groups, groupDefaults = {}, toolDefaults = {}, ...rest } = options;
  const executor = new ToolExecutor(rest);
  for (const group of groups) executor.registerToolGroup(group);
  for (const [name, enabled] of Object.entries(groupDefaults)) executor.toggleGroupEnabled(name, enabled);
  for (const [name, enabled] of Object.entries(toolDefaults)) executor.setToolEnabled(name, enabled);
  return executor;
}
